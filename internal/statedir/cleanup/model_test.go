package cleanup

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/statedir/record"
)

// specimen is a name with its properties according to the contract, written down by hand (5.2, 5.3, 5.8.3).
type specimen struct {
	name    string
	bucket  statedir.Bucket
	exempt  bool
	folder  bool // it is the name of a folder
	variant bool // it matches rule 3 of evict
}

// rule1, rule2 and rule4 return the lists of 5.8.3 in their order.
func rule1() []string {
	return strings.Fields(
		`scope-check-required.txt scope-check-answer.txt consolidator-ran.txt auto-curator-considered.txt reuse-candidates.md
		reuse-analysis.md reuse-search-attempted.txt knowledge-candidates-none.txt topic-symbols-dropped.json claude-mem-harvest.md
		claude-mem-skipped.txt verification.json verification.md`,
	)
}

func rule2() []string {
	return strings.Fields(`review.md review.json test-summary.md test-summary.json impl-summary.md impl-summary.json verification.md
		verification.json debug-summary.md`)
}

func rule4() []string {
	return strings.Fields("graph-impact.md graphify-skip-reason.txt staleness-suppressed.txt")
}

// specimens returns names of every kind.
func specimens() []specimen {
	var all []specimen
	add := func(proto specimen, names ...string) {
		for _, name := range names {
			proto.name = name
			all = append(all, proto)
		}
	}
	add(specimen{bucket: statedir.Canonical}, "plan.md", "spec.md", "decisions.md", "scratchpad.md", "handoff.json", "review-scope.md",
		"lane-snapshot.json", "status.json", "workflow.yaml")
	add(specimen{bucket: statedir.Canonical}, rule1()...)
	add(specimen{bucket: statedir.Canonical}, rule2()[:6]...)
	add(specimen{bucket: statedir.Canonical}, "debug-summary.md")
	add(specimen{bucket: statedir.Canonical}, rule4()...)
	add(specimen{bucket: statedir.Canonical, exempt: true}, "deferred.md", "static-compress.jsonl", "preflight-denies.jsonl",
		"dispatch-warnings.jsonl",
		"graphify-impact-plan.json", "gate-trace.jsonl", ".graphify-rebuild.lock", "last-curator-run.txt", "canonical-baseline.json",
		".lock")
	add(specimen{bucket: statedir.Canonical, folder: true, exempt: true}, "threads", "notes", "project", "hook-trace", ".archive",
		".instances")
	add(specimen{bucket: statedir.Canonical, folder: true}, "lane-files")
	add(specimen{bucket: statedir.PatternAllowed, variant: true}, "review-a.md", "review-lane-api.md", "review-lane-api.json",
		"review-lane-9.json", "impl-summary-cr3.json", "test-summary-A_b.md", "verification-2.md", "slice-A.md")
	add(specimen{bucket: statedir.PatternAllowed}, "perf-summary.md", "module-md-update-summary.md")
	add(specimen{bucket: statedir.Ephemeral}, ".foo.tmp", "bar.tmp", "baz~", "review-a.md~", "\xff.tmp")
	add(specimen{bucket: statedir.AdHoc}, "dump.txt", "Review-a.md", "review-.md", "review-a b.md", "planA.md", "a\nb.tmp", "\xff.txt",
		"--apply", "manifest.json",
		"2026-06-10T09-00-00-000Z", strings.Repeat("n", 255), "abc", "wf-1")
	return all
}

// world is a random folder and what is known about it.
type world struct {
	facts          declaration.Facts
	of             map[string]specimen
	started, first *time.Time // times in the record, if they count
	active         bool
}

func drawWorld(t *rapid.T) world {
	now := moment().Add(time.Duration(rapid.IntRange(0, 999_999_999).Draw(t, "ns")))
	w := world{facts: declaration.Facts{Now: now}, of: map[string]specimen{}}
	pivots := []time.Time{
		now, now.Add(-statedir.Day), now.Add(-21 * statedir.Day), now.Add(-3 * statedir.Day),
		{},
		time.Unix(0, 0), time.Unix(-9, 1),
		time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	var text strings.Builder
	w.active = rapid.Bool().Draw(t, "active")
	fmt.Fprintf(&text, "active: %v\n", w.active)
	for field, into := range map[string]**time.Time{"created_at": &w.started, "first_created_at": &w.first} {
		ahead := rapid.SampledFrom([]time.Duration{-3 * time.Hour, -50 * time.Hour, 0, 4 * time.Minute, 6 * time.Minute}).Draw(t, field)
		at := moment().Add(ahead)
		switch rapid.IntRange(0, 5).Draw(t, field+" form") {
		case 0:
		case 1:
			text.WriteString(field + ": someday\n")
		default:
			fmt.Fprintf(&text, "%s: %q\n", field, at.Format("2006-01-02T15:04:05.000Z"))
			pivots = append(pivots, at)
			if !at.After(now.Add(statedir.Skew)) {
				*into = &at
			}
		}
	}
	w.facts.Record = record.Read([]byte(text.String()))
	if rapid.IntRange(0, 4).Draw(t, "no record") == 0 {
		w.facts.Record, w.started, w.first, w.active = nil, nil, nil, false
	}
	all := specimens()
	for _, i := range rapid.SliceOfDistinct(rapid.IntRange(0, len(all)-1), rapid.ID[int]).Draw(t, "names") {
		x := all[i]
		e := statedir.Entry{
			Name: x.name, Kind: rapid.SampledFrom([]statedir.Kind{
				statedir.File, statedir.File, statedir.File, statedir.Dir, statedir.Link, statedir.Other,
			}).Draw(t, "kind"),
		}
		if x.folder && rapid.IntRange(0, 3).Draw(t, "folder") > 0 {
			e.Kind = statedir.Dir
		}
		e.Size = int64(rapid.IntRange(0, 3).Draw(t, "size"))
		e.ModTime = rapid.SampledFrom(pivots).Draw(t, "pivot").Add(time.Duration(rapid.SampledFrom([]int{-1, 0, 1, -int(time.Hour)}).Draw(t,
			"off")))
		e.Instance = e.Kind == statedir.Dir && (x.name == "abc" || x.name == "wf-1") && rapid.Bool().Draw(t, "instance")
		w.of[x.name] = x
		w.facts.Entries = append(w.facts.Entries, e)
		w.active = w.active || w.facts.Record == nil && x.name == "workflow.yaml" && e.Kind != statedir.Dir // it may be active
	}
	return w
}

// in computes the bucket by 5.4 for the names of the specimens.
func (x specimen) in(e statedir.Entry) statedir.Bucket {
	switch {
	case e.Instance:
		return statedir.Canonical
	case (e.Kind == statedir.Dir) == x.folder, e.Kind == statedir.Link && x.folder:
		return x.bucket
	}
	return statedir.AdHoc
}

// would implements the table of 5.8 and the rules of 5.8.1 to 5.8.4. It returns the reason why an entry moves, and its
// position in the order.
func (w world) would(s statedir.Sweep, e statedir.Entry, o CleanupOptions, newSession bool) (reason string, rank int) {
	x, now := w.of[e.Name], w.facts.Now
	old := func(limit *time.Time) bool { return limit != nil && e.ModTime.Before(*limit) && !e.ModTime.After(now) }
	days := func(n int) *time.Time { t := now.Add(-time.Duration(n) * statedir.Day); return &t }
	adHoc, allowed, outputs, bucket := true, old(days(21)), w.first, x.in(e)
	if o.StaleDays >= 0 {
		allowed = old(days(o.StaleDays))
	}
	if o.AdHocLimit {
		adHoc = old(days(o.AdHocStaleDays))
	}
	if s == statedir.SweepBegin {
		prior := cmp.Or(w.started, days(1))
		adHoc, allowed = old(prior), old(prior)
	}
	if newSession {
		outputs = &now
	}
	mark := s == statedir.SweepBegin || !w.active || old(w.started)
	evicts, place := (s == statedir.SweepEvict || s == statedir.SweepBegin) && e.Kind != statedir.Dir, func(list []string) int {
		return slices.Index(list, e.Name)
	}
	switch {
	case e.Instance, e.Name == ".archive", e.Name == ".instances", e.Name == ".lock", x.exempt && bucket == statedir.Canonical:
	case s == statedir.SweepReset:
		return ReasonReset, 0
	case evicts && place(rule1()) >= 0 && mark:
		return ReasonListed, place(rule1())
	case evicts && place(rule2()) >= 0 && old(outputs):
		return ReasonScoped, 100 + place(rule2())
	case evicts && x.variant && old(outputs):
		return ReasonSlug, 200
	case evicts && place(rule4()) >= 0 && mark:
		return ReasonGraph, 300 + place(rule4())
	case s == statedir.SweepEvict:
	case bucket == statedir.AdHoc && adHoc:
		return ReasonAdHoc, 1000 - int(e.Size)
	case bucket == statedir.Ephemeral:
		return ReasonEphemeral, 2000 - int(e.Size)
	case bucket == statedir.PatternAllowed && allowed:
		return ReasonStale, 3000 - int(e.Size)
	}
	return "", 0
}

// expected returns the entries that move, in order.
func (w world) expected(s statedir.Sweep, o CleanupOptions, newSession bool) []string {
	type ranked struct {
		rank      int
		name, why string
	}
	var all []ranked
	for _, e := range w.facts.Entries {
		if why, rank := w.would(s, e, o, newSession); why != "" {
			all = append(all, ranked{rank, e.Name, why})
		}
	}
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Or(a.rank-b.rank, strings.Compare(a.name, b.name)) })
	out := []string{}
	for _, r := range all {
		out = append(out, r.name+" "+r.why)
	}
	return out
}

// Every sweep of every folder moves the entries of the table in 5.8, in the order of the contract.
func TestProperty_SweepsMoveWhatTheTableSays(t *testing.T) {
	t.Parallel()
	c := declaration.Declared()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		o := CleanupOptions{
			StaleDays: rapid.SampledFrom([]int{-1, 0, 3, 21}).Draw(t, "stale"), AdHocLimit: rapid.Bool().Draw(t, "limit"),
			AdHocStaleDays: rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "ad hoc"),
		}
		before := slices.Clone(w.facts.Entries)
		fresh := CleanupOptions{StaleDays: -1}
		for _, one := range []struct {
			plan Plan
			want []string
		}{
			{PlanCleanup(c, w.facts, o), w.expected(statedir.SweepCleanup, o, false)},
			{PlanReset(c, w.facts), w.expected(statedir.SweepReset, fresh, false)},
			{PlanEvict(c, w.facts), w.expected(statedir.SweepEvict, fresh, false)},
			{PlanBegin(c, w.facts, false), w.expected(statedir.SweepBegin, fresh, false)},
			{PlanBegin(c, w.facts, true), w.expected(statedir.SweepBegin, fresh, true)},
		} {
			if diff := gocmp.Diff(one.want, moved(one.plan)); diff != "" {
				t.Fatalf("%s of a record\n%s(-model +plan)\n%s", one.plan.Sweep, recordText(w.facts.Record), diff)
			}
			sound(t, w, one.plan)
		}
		if diff := gocmp.Diff(before, w.facts.Entries); diff != "" {
			t.Fatalf("planning changed the facts: %s", diff)
		}
	})
}

// The outlooks of a folder agree with its plans.
func TestProperty_OutlooksSayWhatThePlansSay(t *testing.T) {
	t.Parallel()
	c := declaration.Declared()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		want := map[string]map[string]string{}
		for _, e := range w.facts.Entries {
			want[e.Name] = map[string]string{}
		}
		for _, p := range []Plan{
			PlanCleanup(c, w.facts, CleanupOptions{StaleDays: -1}), PlanReset(c, w.facts), PlanEvict(c, w.facts),
			PlanBegin(c, w.facts, false),
		} {
			for _, m := range p.Moves {
				want[m.Entry.Name][string(p.Sweep)] = m.Reason
			}
		}
		for i, one := range Outlooks(c, w.facts) {
			e := w.facts.Entries[i]
			if diff := gocmp.Diff(want[e.Name], one.Would); diff != "" || one.Inherited != c.InheritedIn(w.facts)(e) ||
				one.Class.Bucket != w.of[e.Name].in(e) {
				t.Fatalf("%q: %+v %s", e.Name, one, diff)
			}
		}
	})
}

// sound checks what holds for every plan. No entry is reported twice; if its age decided, Before is set; and a cleanup
// or begin gives a reason for every entry that it leaves and that is not canonical.
func sound(t *rapid.T, w world, p Plan) {
	t.Helper()
	reported := map[string]bool{}
	for _, m := range p.Moves {
		aged := !slices.Contains([]string{ReasonReset, ReasonEphemeral}, m.Reason)
		if reported[m.Entry.Name] || !m.Before.IsZero() && !m.Entry.ModTime.Before(m.Before) || !aged && !m.Before.IsZero() {
			t.Fatalf("%s: %q is not well planned: %+v", p.Sweep, m.Entry.Name, m)
		}
		reported[m.Entry.Name] = true
	}
	for _, s := range p.Kept {
		name := s.Name
		if s.NameBytes != nil {
			name = string(s.NameBytes)
		}
		if reported[name] || s.Reason == "" {
			t.Fatalf("%s: %q is told twice, or without a reason", p.Sweep, name)
		}
		reported[name] = true
	}
	for _, e := range w.facts.Entries {
		if bucket := w.of[e.Name].in(e); bucket != statedir.Canonical && !reported[e.Name] && p.Sweep != statedir.SweepEvict {
			t.Fatalf("%s says nothing of %q", p.Sweep, e.Name)
		}
	}
}

func recordText(r *record.Record) string {
	if r == nil {
		return "(none)\n"
	}
	return string(r.Bytes())
}
