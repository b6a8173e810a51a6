package gsd

import (
	"fmt"
	"strconv"
	"strings"

	"baton/internal/digest/gsd/template"
	"baton/internal/digest/phases"
	"baton/internal/frontmatter"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// progress writes the derived numbers (N11) into the front matter and the percentage into the
// Progress line. Completed counts go down only if that is allowed (GSD-D16). The percentage is
// computed from the written counts, so that one command never writes two different ones.
func (e *editor) progress(f phases.Facts, decrease bool) {
	stored := e.was.Model().Progress
	_, percent, _ := percentPart(e.d.position().Progress)
	if !f.HasPhases && (len(f.Phases) == 0 && f.TotalPhases == 0 ||
		!decrease && (positive(stored.TotalPlans) != "" || percent > 0)) {
		return // no folder can say that there are fewer plans or that less is done (1.2)
	}
	if !f.Bounded {
		e.find(report.CodeMilestoneUnbounded, 0,
			"%s has no heading in the roadmap, so its percentage is unknown and not stored", milestoneNamed(f))
		if f.TotalPhases == 0 { // unknown, too, so the counts stay (GSD-31)
			if p := stored.Percent; p != nil && (*p != 0 || positive(stored.TotalPhases) != "") {
				e.key("progress.percent", nil)
			}
			return
		}
	}
	now, held, fell := stored.with(f, decrease)
	if e.d.has("progress") && !e.d.progressHolds() &&
		(!stored.says(now) || stored.wrong(now)) && !e.unfold() {
		e.find(report.CodeProgressDrift, e.d.keyLine("progress"),
			"progress is not a block of keys, so the counts are not written there")
		return
	}
	if held != "" {
		e.find(report.CodeCompletedDecrease, 0,
			"%s; the stored number stays, \"--allow-decrease\" accepts the lower one", held)
	}
	if fell != "" {
		e.find(report.CodeCompletedDecrease, 0,
			"%s; the completed count cannot exceed the total, so the lower number is written", fell)
	}
	e.key("progress.total_phases", *now.TotalPhases)
	e.key("progress.completed_phases", *now.CompletedPhases)
	e.key("progress.total_plans", *now.TotalPlans)
	e.key("progress.completed_plans", *now.CompletedPlans)
	if now.Percent == nil {
		if stored.wrong(now) {
			e.key("progress.percent", nil)
		}
		return
	}
	e.key("progress.percent", *now.Percent)
	e.progressLine(*now.Percent)
}

// progressHolds reports whether counts can be written below progress: it has keys on separate
// lines, or is still empty.
func (d *Doc) progressHolds() bool {
	e, _ := d.sheet.At("progress")
	m, isMap := e.Value.(frontmatter.Map)
	return frontmatter.Null(e) || isMap && (len(m) == 0 || d.sheet.Source("progress") == "")
}

// says reports whether the counts equal those of now. Counts missing in now are not compared.
func (p Progress) says(now Progress) bool {
	alike := func(stored, want *int) bool { return want == nil || stored != nil && *stored == *want }
	return alike(p.TotalPhases, now.TotalPhases) && alike(p.CompletedPhases, now.CompletedPhases) &&
		alike(p.TotalPlans, now.TotalPlans) && alike(p.CompletedPlans, now.CompletedPlans) &&
		alike(p.Percent, now.Percent)
}

// wrong reports whether the stored percentage has to go because none can be calculated (F-47).
// Nothing done of nothing is not wrong.
func (p Progress) wrong(now Progress) bool {
	return p.Percent != nil && now.Percent == nil &&
		(*p.Percent != 0 || *now.TotalPhases > 0 || *now.TotalPlans > 0)
}

// with returns the stored progress updated with the facts. held names counts that would have gone
// down. fell names counts that do go down because the total is now lower: the stored ones were
// counted over other phases (GSD-D16).
func (p Progress) with(f phases.Facts, decrease bool) (now Progress, held, fell string) {
	keep := func(name string, stored *int, found, total int) *int {
		if stored == nil || *stored <= found || decrease {
			return &found
		}
		text := fmt.Sprintf("%d %s are stored and %d were found", *stored, name, found)
		if *stored > total {
			fell = joined(fell, text)
			return &found
		}
		held = joined(held, text)
		return stored
	}
	now = Progress{TotalPhases: &f.TotalPhases, TotalPlans: &f.TotalPlans}
	now.CompletedPhases = keep("completed phases", p.CompletedPhases, f.CompletedPhases, f.TotalPhases)
	now.CompletedPlans = keep("completed plans", p.CompletedPlans, f.CompletedPlans, f.TotalPlans)
	if f.Bounded {
		if now.Percent = f.Percent; held != "" {
			now.Percent = phases.Percent(*now.CompletedPlans, f.TotalPlans, *now.CompletedPhases, f.TotalPhases)
		}
	}
	return now, held, fell
}

// WithBody completes numbers that neither the front matter nor the files give with those of the
// body.
func (d *Doc) WithBody(p Progress) Progress {
	if p.TotalPhases == nil {
		p.TotalPhases = count(d.bodyField("Total Phases"))
	}
	if _, percent, ok := percentPart(d.position().Progress); ok && p.Percent == nil {
		p.Percent = &percent
	}
	return p
}

// joined appends a text to others.
func joined(texts, more string) string {
	if texts == "" {
		return more
	}
	return texts + ", " + more
}

// progressLine writes the percentage into the Progress line of Current Position if it differs. Text
// after the percentage stays (N11). A line without a percentage is a person's.
func (e *editor) progressLine(percent int) {
	if e.err != nil {
		return
	}
	in := scope((*Doc).positionSpan)
	f, ok := e.d.find(in(e.d), "Progress", true)
	if !ok {
		return
	}
	old := e.d.text(f)
	shape := bar(percent) + " " + strconv.Itoa(percent) + "%"
	part, number, ok := percentPart(old)
	switch {
	case !ok && old != "" && !template.Unfilled(old) && !strings.Contains(old, "] N%"):
		e.out.Preserved = append(e.out.Preserved, Change{Field: f.label, Old: old, New: shape})
		return
	case !ok:
		e.set(in, "Progress", shape)
		return
	case number == percent:
		return
	}
	e.set(in, "Progress", old[:part.Start]+shape+old[part.End:])
}

// percentPart finds "[bar] NN%" or "NN%" at the start of a text.
func percentPart(text string) (part markdown.Span, number int, ok bool) {
	pos := 0
	if strings.HasPrefix(text, "[") {
		end := strings.IndexByte(text, ']')
		if end < 0 {
			return part, 0, false
		}
		pos = end + 1
		pos += blanks([]byte(text[pos:]))
	}
	n := pos
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	if n == pos || n == len(text) || text[n] != '%' {
		return part, 0, false
	}
	return markdown.Span{Start: 0, End: n + 1}, Number(text[pos:n]), true
}

// bar draws a percentage in the form of the Progress line.
func bar(percent int) string { return "[" + safetext.Bar(percent, "█", "░") + "]" }
