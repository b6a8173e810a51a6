package gsd

import (
	"fmt"
	"testing"

	"baton/internal/digest/phases"
)

// behind returns the fields, except last_updated, that a sync with the same facts would write.
func behind(t *testing.T, text []byte, f phases.Facts) []string {
	t.Helper()
	d := Parse(text)
	e, err := d.Sync(f, d.Recommend(f), nil, SyncOptions{Now: moment})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range e.Changed {
		if c.Field != "last_updated" {
			out = append(out, fmt.Sprintf("%s: %q for %q", c.Field, c.New, c.Old))
		}
	}
	return out
}

// everyStep returns each step in the life of three phases.
func everyStep() []Step {
	var out []Step
	for _, id := range []string{"1", "2", "3"} {
		for _, stage := range []string{"discuss", "plan", "execute", "verify"} {
			out = append(out, Step{Event: "begin", Phase: id, Stage: stage}, Step{Event: "begin", Phase: id, Stage: stage, Plans: 2})
			if stage != "verify" {
				out = append(out, Step{Event: "begin", Phase: id, Stage: stage, Done: true})
			}
		}
		out = append(out, Step{Event: "verify", Phase: id, Passed: true}, Step{Event: "verify", Phase: id, Failed: true},
			Step{Event: "plan", Phase: id, Done: true, Plans: 3}, Step{Event: "complete", Phase: id, Force: true})
	}
	return append(out, Step{Event: "pause"}, Step{Event: "resume"}, Step{Event: "milestone", Version: "v2"})
}

// If the files say nothing more recent, a sync has nothing to do after any two steps. It never undoes a stored step.
func TestGSD_NoStepLeavesWorkForASync(t *testing.T) {
	t.Parallel()
	for name, src := range map[string][]byte{
		"own": New(Own, moment, "x"), "planning": New(Planning, moment, "x"), "mill": []byte(millText),
	} {
		for _, first := range everyStep() {
			begun, err := Parse(src).Transition(first, phases.Facts{}, moment)
			if err != nil {
				continue // for example, another phase is active
			}
			if drift := behind(t, begun.Text, phases.Facts{}); len(drift) > 0 {
				t.Errorf("%s, %+v: %v", name, first, drift)
			}
			for _, second := range everyStep() {
				e, err := Parse(begun.Text).Transition(second, phases.Facts{}, moment)
				if err != nil {
					continue
				}
				if drift := behind(t, e.Text, phases.Facts{}); len(drift) > 0 {
					t.Errorf("%s, %+v, %+v: %v", name, first, second, drift)
				}
			}
		}
	}
}

// The files of a phase appear as its stages end. After every step the digest agrees with them.
func TestGSD_LifeOfAPhaseIsInStep(t *testing.T) {
	t.Parallel()
	f := phases.Facts{
		Milestone: "v1.0", Bounded: true, HasPhases: true, TotalPhases: 2,
		Phases: []phases.Phase{{ID: "1", Name: "Wet end", InRoadmap: true}, {ID: "2", Name: "Press", InRoadmap: true}},
	}
	f.Percent = phases.Percent(0, 0, 0, 2)
	d := Parse(New(Own, moment, "x"))
	e, err := d.Sync(f, d.Recommend(f), nil, SyncOptions{Now: moment})
	if err != nil {
		t.Fatal(err)
	}
	text, p := e.Text, &f.Phases[0]
	for _, s := range []struct {
		step Step
		then func()
	}{
		{step: Step{Event: "begin", Phase: "1", Stage: "discuss"}},
		{step: Step{Event: "pause", Text: "lunch"}},
		{step: Step{Event: "begin", Phase: "1", Stage: "discuss"}, then: func() { p.Context = true }},
		{step: Step{Event: "begin", Phase: "1", Stage: "discuss", Done: true}},
		{step: Step{Event: "plan", Phase: "1"}, then: func() { p.Plans, f.TotalPlans = 2, 2 }},
		{step: Step{Event: "plan", Phase: "1", Done: true, Plans: 2}},
		{step: Step{Event: "begin", Phase: "1"}, then: func() { p.Summaries, f.CompletedPlans, f.CompletedPhases = 2, 2, 1 }},
		{step: Step{Event: "begin", Phase: "1", Done: true}},
		{step: Step{Event: "verify", Phase: "1"}, then: func() { p.Verification = "passed" }},
		{step: Step{Event: "verify", Phase: "1", Passed: true}},
		{step: Step{Event: "begin", Phase: "2", Stage: "discuss"}},
		{step: Step{Event: "pause"}},
		{step: Step{Event: "resume"}},
	} {
		f.Percent = phases.Percent(f.CompletedPlans, f.TotalPlans, f.CompletedPhases, f.TotalPhases)
		e, err := Parse(text).Transition(s.step, f, moment)
		if err != nil {
			t.Fatalf("%+v: %v", s.step, err)
		}
		if drift := behind(t, e.Text, f); len(drift) > 0 {
			t.Errorf("%+v: %v\n%s", s.step, drift, e.Text)
		}
		if text = e.Text; s.then != nil {
			s.then()
		}
	}
}

// Counters without a total were written by baton. A step and a sync may overwrite them and do not report that a person
// wrote them.
func TestGSD_CountersWithoutATotalAreReplaced(t *testing.T) {
	t.Parallel()
	for _, plan := range []string{
		"1 of ? in current phase", "3 of ?", "? of ?", "? of 4 in current phase", "— of ?", "—", "Not started",
		"1 of ? in current phase — Not started",
	} {
		text := swap(t, millText, "Plan: 2 of 3 in current phase", "Plan: "+plan)
		e, err := Parse([]byte(text)).Transition(Step{Event: "milestone", Version: "v2"}, phases.Facts{}, moment)
		if got := Parse(e.Text).Model().Position.Plan; err != nil || len(e.Preserved) > 0 || got != "Not started" {
			t.Errorf("%q: %v, %+v, %q", plan, err, e.Preserved, got)
		}
	}
	text := swap(t, millText, "Plan: 2 of 3 in current phase", "Plan: 1 of ? in current phase")
	if got := Parse(syncOf(t, text, mill(), nil).Text).Model().Position.Plan; got != "3 of 3 in current phase" {
		t.Errorf("a sync that knows the total writes %q", got)
	}
	text = swap(t, millText, "Plan: 2 of 3 in current phase", "Plan: the second of the plans that we still have to write")
	e, err := Parse([]byte(text)).Transition(Step{Event: "milestone", Version: "v2"}, phases.Facts{}, moment)
	if err != nil || len(e.Preserved) != 1 {
		t.Errorf("a person's text: %v, %+v", err, e.Preserved)
	}
}
