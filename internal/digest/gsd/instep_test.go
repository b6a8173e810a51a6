package gsd

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"baton/internal/digest/phases"
	"baton/internal/report"

	"pgregory.net/rapid"
)

// TestTransitionsStayInStep makes random events on random roadmaps. Directly after each event, a sync with the same
// facts and its own recommendation has nothing to do, and no drift is found.
func TestTransitionsStayInStep(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		files := randomPhases(t)
		text := []byte(rapid.SampledFrom([]string{millText, string(New(Planning, moment, "")), board}).Draw(t, "text"))
		version := rapid.SampledFrom([]string{"v1.0", "v2.0"}).Draw(t, "version")
		facts := files.facts(version)
		text = step(t, text, Step{Event: "milestone", Version: version, Name: "Quay", Force: true}, facts)
		inStep(t, text, facts)
		for range rapid.IntRange(1, 6).Draw(t, "events") {
			s := randomStep(t, files)
			if s.Event == "milestone" {
				version = s.Version
				facts = files.facts(version)
			}
			if p, ok := facts.Find(s.Phase); !ok && s.Phase != "" || s.Plans > 0 && p.Plans > 0 {
				continue // a number that the folder does not have is reported
			}
			e, err := Parse(text).Transition(s, facts, moment)
			if err != nil {
				continue // refused
			}
			text = e.Text
			if !disagrees(text, facts) {
				inStep(t, text, facts)
			}
		}
	})
}

// disagrees reports whether the next step rightly differs from the files. Either it ignores waiting plans, as after an
// execution that was reported as finished too early, or it is about a completed phase. Both are worth a finding.
func disagrees(text []byte, f phases.Facts) bool {
	m := Parse(text).Model()
	open := func(p phases.Phase) bool { return !p.Complete() && p.Plans > p.Summaries }
	if len(m.NextPhases) > 0 {
		p, _ := f.Find(m.NextPhases[0])
		if p.Complete() && (p.Checked || p.Verification == "passed" || m.NextAction == phases.Execute) {
			return true
		}
	}
	i := slices.IndexFunc(f.Phases, open)
	return i >= 0 && m.ActivePhase == "" && m.PausedAt == "" &&
		(m.NextAction != phases.Execute || !same(m.NextPhases[0], f.Phases[i].ID))
}

func step(t *rapid.T, text []byte, s Step, f phases.Facts) []byte {
	e, err := Parse(text).Transition(s, f, moment)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return e.Text
}

func inStep(t *rapid.T, text []byte, f phases.Facts) {
	d := Parse(text)
	e, err := d.Sync(f, d.Recommend(f), nil, SyncOptions{Now: moment})
	if err != nil || !bytes.Equal(e.Text, text) {
		t.Fatalf("a sync has something to do: %v %+v\n%+v\n%s", err, e.Changed, f, text)
	}
	for _, found := range d.Findings(f) {
		switch found.Code {
		case "next_stale", "progress_drift", "plan_count_drift", "lifecycle_conflict", "percent_stale", "completed_decrease":
			t.Fatalf("%s: %s\n%+v\n%s", found.Code, found.Text, f, text)
		}
	}
}

// disk is a random roadmap of the milestone v1.0 with its folders.
type disk struct {
	in phases.Input
	n  int
}

func (d disk) facts(version string) phases.Facts {
	in := d.in
	in.Milestone = version
	return phases.Derive(in)
}

func randomPhases(t *rapid.T) disk {
	d := disk{n: rapid.IntRange(1, 4).Draw(t, "phases")}
	d.in.HasRoadmap, d.in.HasPhases = true, true
	road := "# Roadmap\n\n"
	for i := 1; i <= d.n; i++ {
		road += fmt.Sprintf("- [%s] **Phase %d: Quay %d**\n", rapid.SampledFrom([]string{" ", " ", "x"}).Draw(t, "box"), i, i)
	}
	road += "\n## v1.0 Base\n\n"
	for i := 1; i <= d.n; i++ {
		road += fmt.Sprintf("### Phase %d: Quay %d\n\n", i, i)
		dir := phases.Dir{Name: fmt.Sprintf("%02d-quay", i)}
		plans := rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "plans")
		done := rapid.SampledFrom([]int{plans, plans, 0}).Draw(t, "done")
		for k := range plans {
			dir.Files = append(dir.Files, phases.File{Name: fmt.Sprintf("%02d-%02d-PLAN.md", i, k+1)})
			if k < done {
				dir.Files = append(dir.Files, phases.File{Name: fmt.Sprintf("%02d-%02d-SUMMARY.md", i, k+1)})
			}
		}
		if word := rapid.SampledFrom([]string{"", "", "passed", "failed"}).Draw(t, "verification"); word != "" {
			dir.Files = append(dir.Files, phases.File{Name: "VERIFICATION.md", Status: word})
		}
		if rapid.Bool().Draw(t, "context") {
			dir.Files = append(dir.Files, phases.File{Name: "CONTEXT.md"})
		}
		if rapid.Bool().Draw(t, "folder") || plans > 0 {
			d.in.Dirs = append(d.in.Dirs, dir)
		}
	}
	d.in.Roadmap = []byte(road)
	return d
}

func randomStep(t *rapid.T, d disk) Step {
	s := Step{
		Event: rapid.SampledFrom([]string{"begin", "begin", "plan", "verify", "complete", "pause", "resume", "milestone"}).Draw(t, "event"),
	}
	switch s.Event {
	case "milestone":
		s.Version = rapid.SampledFrom([]string{"v1.0", "v3.0"}).Draw(t, "new")
		return s
	case "pause", "resume":
		return s
	case "begin":
		s.Stage = rapid.SampledFrom([]string{"discuss", "plan", "execute", "verify"}).Draw(t, "stage")
	case "verify":
		s.Passed = rapid.Bool().Draw(t, "passed")
		s.Failed = !s.Passed && rapid.Bool().Draw(t, "failed")
	}
	s.Phase = fmt.Sprint(rapid.IntRange(1, d.n).Draw(t, "phase"))
	s.Done = s.Event != "complete" && s.Event != "verify" && rapid.Bool().Draw(t, "end")
	s.Force = rapid.Bool().Draw(t, "force")
	if rapid.Bool().Draw(t, "given") {
		s.Plans = 3
	}
	return s
}

func TestGSDD16_NoCountAboveItsTotal(t *testing.T) {
	t.Parallel()
	f := phases.Facts{Milestone: "v1.2", Bounded: true, HasPhases: true, TotalPhases: 2, Percent: phases.Percent(0, 0, 0, 2)}
	e := syncOf(t, swap(t, millText, "completed_phases: 1", "completed_phases: 3"), f, nil)
	m := Parse(e.Text).Model().Progress
	if *m.CompletedPhases != 0 || *m.CompletedPlans != 0 || *m.TotalPhases != 2 || *m.Percent != 0 {
		t.Errorf("%s", e.Text)
	}
	if len(e.Findings) != 1 || e.Findings[0].Code != "completed_decrease" {
		t.Errorf("%+v", e.Findings)
	}
}

func TestN2_BlanksBehindTheMark(t *testing.T) {
	t.Parallel()
	text := "--- " + strings.TrimPrefix(millText, "---")
	d := Parse([]byte(text))
	found := d.Findings()
	if i := slices.IndexFunc(found, func(f report.Finding) bool { return f.Code == "frontmatter_invalid" }); i < 0 || found[i].Line != 1 {
		t.Errorf("%+v", found)
	}
	e, err := d.Sync(mill(), d.Recommend(mill()), nil, SyncOptions{Now: moment})
	if report.KindOf(err) != report.Corrupt || report.As(err).Line != 1 || string(e.Text) != text {
		t.Errorf("%v\n%s", err, e.Text)
	}
	// A rule is not front matter.
	rule := Parse([]byte("--- \n\n# Mill\n\n---\n"))
	if _, err := rule.Transition(Step{Event: "begin", Phase: "1"}, phases.Facts{}, moment); err != nil || len(rule.Findings()) > 0 {
		t.Errorf("a rule: %v %v", err, rule.Findings())
	}
	open := Parse([]byte("---\nstatus: planning\nmilestone: v1\n\n# Mill\n\n## Notes\n\ntext\n"))
	if _, err := open.Sync(mill(), open.Recommend(mill()), nil, SyncOptions{Now: moment}); report.KindOf(err) != report.Corrupt {
		t.Errorf("an unclosed block: %v", err)
	}
}

func TestN6_ACompletedPhaseWithoutPlansStaysBehind(t *testing.T) {
	t.Parallel()
	f := phases.Facts{Bounded: true, HasPhases: true, TotalPhases: 2, Phases: []phases.Phase{{ID: "1"}, {ID: "2"}}}
	e, err := Parse([]byte(millText)).Transition(Step{Event: "complete", Phase: "1", Force: true}, f, moment)
	d := Parse(e.Text)
	if next := d.Recommend(f); err != nil || next.Action != phases.Discuss || next.Phases[0] != "2" {
		t.Errorf("%v %+v", err, next)
	}
	f.Phases = f.Phases[:1]
	e, err = Parse([]byte(millText)).Transition(Step{Event: "complete", Phase: "1", Force: true}, f, moment)
	if next := Parse(e.Text).Recommend(f); err != nil || next.Action != "" {
		t.Errorf("the last one: %v %+v", err, next)
	}
}

func TestN6_AFailedVerificationWantsPlans(t *testing.T) {
	t.Parallel()
	flying := mustSet(t, millText, "active_phase", "2")
	e, err := Parse([]byte(flying)).Transition(Step{Event: "verify", Failed: true}, pressed(), moment)
	if err != nil {
		t.Fatal(err)
	}
	if next := Parse(e.Text).Recommend(pressed()); next.Action != phases.Plan {
		t.Errorf("%+v", next)
	}
	// Plans were carried out since then, so the phase must be verified again.
	f := pressed()
	f.Phases[1].Plans, f.Phases[1].Summaries, f.TotalPlans, f.CompletedPlans = 4, 4, 6, 6
	if next := Parse(e.Text).Recommend(f); next.Action != phases.Verify {
		t.Errorf("with another plan: %+v", next)
	}
}

func TestN6_AResumptionTakesWhatIsGiven(t *testing.T) {
	t.Parallel()
	flying := swap(t, mustSet(t, millText, "active_phase", "2"), "status: planning", "status: executing", "Status: Ready to plan",
		"Status: blocked on API key")
	e, err := Parse([]byte(flying)).Transition(Step{Event: "begin", Phase: "2", Name: "Dry press", Plans: 5, Force: true}, phases.Facts{},
		moment)
	m := Parse(e.Text).Model()
	if err != nil || m.Position.Phase != "2 of 3 (Dry press)" || m.CurrentPhaseName != "Dry press" ||
		m.Position.Plan != "2 of 5 in current phase" {
		t.Errorf("%v %+v", err, m)
	}
	if m.Position.Status != "Executing Phase 2" || m.LastActivityDesc != "Phase 2 execution resumed" {
		t.Errorf("by force: %+v", m.Position)
	}
}

func TestN6_CurrentPlanFollowsALineThatStays(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"0 of TBD until the glass is here": "0", "6 of 7 and then we wait for the paint and the crew to come back": "6",
	} {
		e, err := Parse([]byte(swap(t, millText, "2 of 3 in current phase", line))).Transition(Step{Event: "begin", Phase: "3"}, mill(),
			moment)
		if m := Parse(e.Text).Model(); err != nil || m.Position.Plan != line || m.CurrentPlan != want {
			t.Errorf("%q: %v %q %q", line, err, m.Position.Plan, m.CurrentPlan)
		}
	}
}

func TestN6_PlanningThatEndsCountsThePlans(t *testing.T) {
	t.Parallel()
	text := swap(t, millText, "2 of 3 in current phase", "Not started")
	e, err := Parse([]byte(text)).Transition(Step{Event: "plan", Phase: "2", Done: true}, mill(), moment)
	if m := Parse(e.Text).Model(); err != nil || m.Position.Plan != "3 of 3 in current phase" {
		t.Errorf("%v %+v", err, m.Position)
	}
}

func TestN7_AnActivePhaseClearsTheNextStep(t *testing.T) {
	t.Parallel()
	text := swap(t, millText, "status: planning\n", "status: planning\nnext_action: plan-phase\nnext_phases: [\"2\"]\n")
	e, err := Parse([]byte(text)).Set("active_phase", "2", false, moment)
	if m := Parse(e.Text).Model(); err != nil || m.ActivePhase != "2" || m.NextAction != "" || m.NextPhases != nil || len(e.Findings) > 0 {
		t.Errorf("%v %+v %+v", err, m, e.Findings)
	}
}

func TestN11_ProgressInBracesGetsLines(t *testing.T) {
	t.Parallel()
	front := "progress:\n  total_phases: 3\n  completed_phases: 1\n  total_plans: 5\n  completed_plans: 4\n  percent: 33\n"
	text := swap(t, millText, front, "progress: {total_phases: 0, note: 'a, b', completed_phases: 0}  # counts\n")
	e := syncOf(t, text, pressed(), nil)
	want := "progress:\n  total_phases: 3\n  note: 'a, b'\n  completed_phases: 2  # counts\n  total_plans: 5\n  completed_plans: 5\n " +
		" percent: 67\n"
	for _, eol := range []string{"\n", "\r\n"} {
		e = syncOf(t, strings.ReplaceAll(text, "\n", eol), pressed(), nil)
		if got := strings.ReplaceAll(string(e.Text), "\r\n", "\n"); !strings.Contains(got, want) || len(e.Findings) > 0 {
			t.Errorf("%+v\n%s", e.Findings, got)
		}
	}
	if s := ReadHead(e.Text); s.TotalPhases != "3" || s.CompletedPhases != "2" || s.Percent != "67" {
		t.Errorf("the original parser reads %+v", s)
	}
	for _, odd := range []string{
		"progress: {percent: [1]}\n", "progress: &a {percent: 1}\n", "progress: {percent: 1,\n  total_phases: 2}\n",
	} {
		e := syncOf(t, swap(t, millText, front, odd), pressed(), nil)
		if !strings.Contains(string(e.Text), odd) || len(e.Findings) != 1 || e.Findings[0].Code != "progress_drift" {
			t.Errorf("%q: %+v\n%s", odd, e.Findings, e.Text)
		}
	}
}

func TestN3_FrontMatterThatIsMadeHasAStatus(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"# P\n": "unknown", "# P\n\nStatus: Executing Phase 1\n": "executing", "# P\n\nStatus: odd\n": "odd",
	} {
		e := syncOf(t, body, mill(), nil)
		if m := Parse(e.Text).Model(); m.StatusRaw != want || !Parse(e.Text).has("status") {
			t.Errorf("%q: %q", body, m.StatusRaw)
		}
	}
}

func TestN3_TheNameOfTheNextMilestone(t *testing.T) {
	t.Parallel()
	text := swap(t, millText, "status:", "milestone: v1.2\nmilestone_name: Tide Tables\nstatus:")
	for _, c := range []struct {
		version, given string
		facts          phases.Facts
		want           string
	}{
		{"v2.0", "Dry end", phases.Facts{Milestone: "v2.0", MilestoneName: "Other"}, "Dry end"},
		{"v2.0", "", phases.Facts{Milestone: "v2.0", MilestoneName: "Other"}, "Other"},
		{"v2.0", "", phases.Facts{Milestone: "v2.0", MilestoneName: "milestone"}, ""},
		{"v1.2", "", phases.Facts{Milestone: "v1.2", MilestoneName: "milestone"}, "Tide Tables"},
	} {
		e, err := Parse([]byte(text)).Transition(Step{Event: "milestone", Version: c.version, Name: c.given}, c.facts, moment)
		if m := Parse(e.Text).Model(); err != nil || m.MilestoneName != c.want || m.Milestone != c.version {
			t.Errorf("%+v: %v %q", c, err, m.MilestoneName)
		}
	}
}

func TestN5_AResumedActivityIsAProgramsText(t *testing.T) {
	t.Parallel()
	if !writtenActivity("2026-08-01 — Phase 3 execution resumed after the storm") || writtenActivity("2026-08-01 — we resumed work") {
		t.Error("resumed")
	}
}
