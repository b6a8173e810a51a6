package selftest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// scene is a history of five acknowledged changes and one killed entry, with the files that belong to it. Session 1 is
// archived, 2 and 3 are live.
type scene struct {
	h    *history
	view shown
	left remains
}

const (
	firstMark  = "baton-selftest:log:0:1:00000001."
	secondMark = "baton-selftest:log:1:1:00000002."
	deadMark   = "baton-selftest:log:0:2:00000003."
	checkMark  = "baton-selftest:check:1:2:00000004."
	outputMark = "baton-selftest:output:0:3:00000005."
)

func newScene() *scene {
	s := &scene{h: &history{}}
	s.add(&change{deed: entry, marker: firstMark, session: 1}, acknowledged)
	s.add(&change{deed: entry, marker: secondMark, session: 2}, acknowledged)
	s.add(&change{deed: entry, marker: deadMark}, killed)
	s.add(&change{deed: mark, marker: checkMark, criterion: 1}, acknowledged)
	s.add(&change{deed: deliver, marker: outputMark}, acknowledged)
	s.view.Total, s.view.Archived = 3, 1
	must(json.Unmarshal([]byte(fmt.Sprintf(
		`[{"number":1,"did":["words %s"],"archived":true},{"number":2,"did":["words %s"]},{"number":3,"did":["words %s"]}]`,
		firstMark, secondMark, deadMark)), &s.view.Sessions))
	must(json.Unmarshal([]byte(`[{"n":1,"checked":true},{"n":2,"checked":false}]`), &s.view.Criteria))
	s.view.Output.Text = "### Summary\nwords " + outputMark
	s.left.archive = []byte("## Session 1\n**Did:** words " + firstMark + "\n")
	s.left.live = []byte("### Session 2\n**Did:** words " + secondMark + "\n### Session 3\n**Did:** words " + deadMark + "\n" +
		s.view.Output.Text)
	s.left.evidence = []byte(`{"criterion":"1","text":"words ` + checkMark + `"}` + "\n")
	return s
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (s *scene) add(c *change, how outcome) {
	s.h.begin(c)
	s.h.end(c, how)
}

func (s *scene) verify(t *testing.T) Report {
	t.Helper()
	if s.left.shown == nil {
		data, err := json.Marshal(s.view)
		if err != nil {
			t.Fatal(err)
		}
		s.left.shown = data
	}
	var r Report
	r.verify(s.h, s.left)
	return r
}

func TestCheckerAcceptsWhatIsWhole(t *testing.T) {
	t.Parallel()
	r := newScene().verify(t)
	if len(r.Failures) != 0 {
		t.Errorf("failures on a sound scene: %q", r.Failures)
	}
	if want := (Tally{Acknowledged: 2, Found: 3}); r.Entries != want {
		t.Errorf("entries %+v, want %+v", r.Entries, want)
	}
	if want := (Tally{Acknowledged: 1, Found: 1}); r.Evidence != want {
		t.Errorf("evidence %+v, want %+v", r.Evidence, want)
	}
}

// TestCheckerCatches makes each kind of fault in the scene and checks that it is found, because a check that cannot
// fail is useless.
func TestCheckerCatches(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		doctor func(*scene)
		want   string // part of a failure
	}{
		"an entry lost from archive and reading": {func(s *scene) {
			s.left.archive = nil
			s.view.Sessions, s.view.Total, s.view.Archived = s.view.Sessions[1:], 2, 0
		}, firstMark + " was acknowledged and is not there"},
		"an entry lost from the bytes only": {func(s *scene) {
			s.left.live = []byte(strings.Replace(string(s.left.live), secondMark, "", 1))
		}, secondMark + " was acknowledged and is not there in the bytes"},
		"an entry doubled over archive and live file": {func(s *scene) {
			s.left.live = append(s.left.live, s.left.archive...)
			s.view.Sessions = append(s.view.Sessions, s.view.Sessions[0])
			s.view.Total++
		}, firstMark + " is there 2 times"},
		"an entry doubled in the bytes only": {func(s *scene) {
			s.left.archive = append(s.left.archive, s.left.archive...)
		}, firstMark + " is there 2 times in the bytes"},
		"a killed entry doubled": {func(s *scene) {
			s.left.live = append(s.left.live, deadMark...)
		}, deadMark + " is there 2 times"},
		"an entry cut in the middle": {func(s *scene) {
			s.left.live = append(s.left.live, deadMark[:20]...)
		}, "(torn)"},
		"an entry that nobody wrote": {func(s *scene) {
			s.left.live = append(s.left.live, "baton-selftest:log:9:9:00000009."...)
		}, "was never written"},
		"an entry that was refused": {func(s *scene) { s.h.changes[2].outcome = refused }, deadMark + " was refused and is there"},
		"an entry under another number": {func(s *scene) {
			s.view.Sessions[0].Number, s.view.Sessions[1].Number = 2, 1
		}, "was acknowledged as session"},
		"a session number twice":    {func(s *scene) { s.view.Sessions[2].Number = 2 }, "session number 2 is there 2 times"},
		"a session number left out": {func(s *scene) { s.view.Sessions[2].Number = 4 }, "session number 3 is there 0 times"},
		"a wrong count of sessions": {func(s *scene) { s.view.Total = 7 }, "counts 7 sessions in all"},
		"a wrong count in archive":  {func(s *scene) { s.view.Archived = 2 }, "counts 2 archived sessions"},
		"evidence lost":             {func(s *scene) { s.left.evidence = nil }, checkMark + " was acknowledged and is not there"},
		"evidence doubled": {func(s *scene) { s.left.evidence = append(s.left.evidence, s.left.evidence...) }, checkMark +
			" is there 2 times"},
		"evidence that is no JSON": {
			func(s *scene) { s.left.evidence = append(s.left.evidence, "{\"crit\n"...) }, "line 2 of the evidence file is no JSON",
		},
		"an empty line of evidence": {
			func(s *scene) { s.left.evidence = append(s.left.evidence, '\n') }, "line 2 of the evidence file is no JSON",
		},
		"evidence that ends early": {
			func(s *scene) { s.left.evidence = append(s.left.evidence, "{}"...) }, "last line of the evidence file is torn",
		},
		"a box that turned back":    {func(s *scene) { s.view.Criteria[0].Checked = false }, "criterion 1 is unchecked"},
		"a box that checked itself": {func(s *scene) { s.view.Criteria[1].Checked = true }, "criterion 2 is checked"},
		"an output that is gone":    {func(s *scene) { s.view.Output.Text = "" }, "the chain output holds nothing"},
		"an output of two writers": {
			func(s *scene) { s.view.Output.Text += " baton-selftest:output:1:9:00000009." }, "the chain output holds",
		},
		"a file left behind": {
			func(s *scene) { s.left.leftovers = []string{".baton/local/journal"} }, ".baton/local/journal was left behind",
		},
		"a file that does not parse": {func(s *scene) { s.left.shown = []byte("{") }, "cannot be read back"},
		"a warning of a broken file": {func(s *scene) {
			must(json.Unmarshal([]byte(`[{"code":"metadata_invalid","text":"line 4"}]`), &s.view.Warnings))
		}, "warns of metadata_invalid"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene()
			c.doctor(s)
			r := s.verify(t)
			if !slices.ContainsFunc(r.Failures, func(f string) bool { return strings.Contains(f, c.want) }) {
				t.Errorf("no failure contains %q: %q", c.want, r.Failures)
			}
		})
	}
}

func TestCheckerCountsLostAndDoubled(t *testing.T) {
	t.Parallel()
	s := newScene()
	s.left.archive = nil // the first entry is lost
	s.view.Sessions = s.view.Sessions[1:]
	s.view.Sessions[0].Did = []string{secondMark, secondMark} // the second is doubled
	s.left.live = append(s.left.live, secondMark...)
	r := s.verify(t)
	if want := (Tally{Acknowledged: 2, Found: 2, Lost: 1, Doubled: 1}); r.Entries != want {
		t.Errorf("entries %+v, want %+v", r.Entries, want)
	}
}

// TestCheckerKnowsPossibleLastValues checks which final values are accepted: after concurrent changes the value of
// either, after a killed change its value or the one before. But an acknowledged change that began later decides.
func TestCheckerKnowsPossibleLastValues(t *testing.T) {
	t.Parallel()
	at := func(kind deed, began, ended int64, how outcome) *change {
		return &change{deed: kind, criterion: 1, began: began, ended: ended, outcome: how}
	}
	cases := map[string]struct {
		changes   []*change
		checked   bool
		unchecked bool
	}{
		"untouched":               {nil, false, true},
		"checked":                 {[]*change{at(mark, 1, 2, acknowledged)}, true, false},
		"checked, then unchecked": {[]*change{at(mark, 1, 2, acknowledged), at(unmark, 3, 4, acknowledged)}, false, true},
		"at the same time":        {[]*change{at(mark, 1, 3, acknowledged), at(unmark, 2, 4, acknowledged)}, true, true},
		"killed alone":            {[]*change{at(mark, 1, 2, killed)}, true, true},
		"killed after":            {[]*change{at(mark, 1, 2, acknowledged), at(unmark, 3, 4, killed)}, true, true},
		"killed before":           {[]*change{at(unmark, 1, 2, killed), at(mark, 3, 4, acknowledged)}, true, false},
		"refused after":           {[]*change{at(mark, 1, 2, acknowledged), at(unmark, 3, 4, refused)}, true, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for checked, possible := range map[bool]bool{true: c.checked, false: c.unchecked} {
				var view shown
				must(json.Unmarshal([]byte(fmt.Sprintf(`{"criteria":[{"n":1,"checked":%t}]}`, checked)), &view))
				var r Report
				r.criteria(&history{changes: c.changes}, view)
				if accepted := len(r.Failures) == 0; accepted != possible {
					t.Errorf("checked=%t accepted=%t, want %t: %q", checked, accepted, possible, r.Failures)
				}
			}
		})
	}
}

func TestReaderMissesNothingUnseen(t *testing.T) {
	t.Parallel()
	s := newScene()
	data, err := json.Marshal(s.view)
	must(err)
	c := &crowd{h: s.h}
	c.compare(answer{stdout: data}, s.h.durable())
	if len(s.h.faults) != 0 || s.h.read != 1 {
		t.Errorf("a sound read: %d reads, faults %q", s.h.read, s.h.faults)
	}
	s.view.Sessions = s.view.Sessions[1:]
	data, err = json.Marshal(s.view)
	must(err)
	c.compare(answer{stdout: data}, s.h.durable())
	if len(s.h.faults) != 1 || !strings.Contains(s.h.faults[0], firstMark) {
		t.Errorf("a read without the first entry: faults %q", s.h.faults)
	}
}

func TestClaimsCheckerCatches(t *testing.T) {
	t.Parallel()
	sound := []hold{{"1", "w0", 1}, {"2", "w1", 2}, {"3", "w0", 3}}
	cases := map[string]struct {
		holds, kept []hold
		doubles     int
		want        string // part of a failure; "" for none
	}{
		"sound": {sound, sound, 0, ""},
		"a task handed out twice": {
			append(sound[:3:3], hold{"2", "w0", 4}), sound, 1, "task 2 was handed to w1 (fence 2) and to w0 (fence 4)",
		},
		"a fencing number twice": {
			[]hold{{"1", "w0", 1}, {"2", "w1", 1}, {"3", "w0", 3}}, sound, 1, "fencing number 1 was given for task 1 and for task 2",
		},
		"a task left over":        {sound[:2], sound[:2], 0, "2 of 3 tasks were handed out"},
		"a claim not kept":        {sound, sound[:2], 0, "2 claims are kept, 3 tasks were handed out"},
		"a claim of another kept": {sound, []hold{sound[0], {"2", "w9", 2}, sound[2]}, 0, "task 2 is kept for w9"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Report{Claims: Claims{Tasks: 3}}
			r.claims(c.holds, c.kept)
			if r.Claims.Doubles != c.doubles {
				t.Errorf("doubles %d, want %d", r.Claims.Doubles, c.doubles)
			}
			if c.want == "" && len(r.Failures) > 0 {
				t.Errorf("failures on sound claims: %q", r.Failures)
			}
			if !slices.ContainsFunc(r.Failures, func(f string) bool { return strings.Contains(f, c.want) }) && c.want != "" {
				t.Errorf("no failure contains %q: %q", c.want, r.Failures)
			}
		})
	}
}
