package gsd

import (
	"strings"
	"time"

	"baton/internal/digest/phases"
	"baton/internal/frontmatter"
	"baton/internal/threeway"
)

// Merge makes one digest of three versions (D40). It merges the front matter key by key, the fields
// of the body line by line, decisions, blockers, to-dos and rows as ordered sets, and prose by
// lines. If both sides changed a value, the side that was active last wins; the words of a person
// on the other side are kept next to it. The percentage is computed from the counts of the result.
func Merge(base, ours, theirs []byte) threeway.Result {
	out := threeway.Merge(threeway.Form{
		Newer: func(a, b []byte) bool { return activity(a) > activity(b) },
		Value: mergeValue,
		Fate:  mergeFate,
		Cell:  mergeCell,
		Day:   mergeDay,
		Key: func(columns []string) int {
			if len(columns) > 1 && columns[0] == "phase" && columns[1] == "plans" {
				return 0
			}
			return -1
		},
	}, base, ours, theirs)
	for _, side := range [...][]byte{base, ours, theirs} {
		if string(out.Text) == string(side) {
			return out
		}
	}
	out.Text = recomputePercent(out.Text)
	return out
}

// mergeValue reports whether programs read and write a field, so that only one of two values may
// stay. All other fields hold a person's sentences.
func mergeValue(label string) bool {
	switch label {
	case "phase", "plan", "status", "progress", "last activity", "current phase", "current phase name", "total phases",
		"current plan",
		"total plans in phase", "last session", "last date", "stopped at", "resume file", "paused at", "last updated",
		"current focus",
		"total plans completed", "average duration", "total execution time", "last 5 plans", "trend", "milestone":
		return true
	}
	return strings.HasPrefix(label, "state updated")
}

// activity returns the last moment that the digest names. Texts of later moments compare as
// greater.
func activity(src []byte) string {
	d := Parse(src)
	last := ""
	for _, name := range [...]string{"fm:last_updated", "fm:last_activity", "body:Last activity", "body:Last session"} {
		v, _ := d.Get(name)
		text := strings.Replace(v.Text, "T", " ", 1)
		if len(text) >= 10 && text[4] == '-' && isDigit(text[0]) && text > last {
			last = text[:min(len(text), 19)]
		}
	}
	return last
}

// recomputePercent computes the percentage from the counts next to it, because each side may have
// changed one of them.
func recomputePercent(src []byte) []byte {
	d := Parse(src)
	p := d.Model().Progress
	if p.Percent == nil || p.CompletedPlans == nil || p.TotalPlans == nil || p.CompletedPhases == nil ||
		p.TotalPhases == nil {
		return src
	}
	now := phases.Percent(*p.CompletedPlans, *p.TotalPlans, *p.CompletedPhases, *p.TotalPhases)
	if now == nil || *now == *p.Percent {
		return src
	}
	e := d.edit(time.Time{})
	e.progressLine(*now)
	e.writeFront([]frontmatter.Change{{Path: "progress.percent", Value: *now}})
	if e.err != nil {
		return src
	}
	return e.d.src
}
