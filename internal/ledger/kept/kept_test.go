package kept

import (
	"testing"

	"baton/internal/ledger"
	"baton/internal/task"
)

func log(sessions string) *task.State {
	return task.Parse("1", []byte("# Task #1: A\n\n## 3. Progress Log\n\n"+sessions))
}

func TestD44_ANumberOrANoteOfIt(t *testing.T) {
	t.Parallel()
	held := func(heading string) []task.Held {
		return task.Hold(log("### " + heading + "\n**Did:** a\n").Bytes()).Sessions
	}
	for name, c := range map[string]struct {
		before, after string
		lost          bool
	}{
		"the number stays":     {"Session 1 - 2026-03-01 10:00", "Session 1 - 2026-03-01 10:00", false},
		"without a note":       {"Session 1 - 2026-03-01 10:00", "Session 4 - 2026-03-01 10:00", true},
		"with a note":          {"Session 1 - 2026-03-01 10:00", "Session 4 - 2026-03-01 10:00 (was session 1)", false},
		"the second time":      {"Session 4 - 2026-03-01 10:00 (was session 1)", "Session 6 - 2026-03-01 10:00 (was session 1)", false},
		"it gets its own back": {"Session 4 - 2026-03-01 10:00 (was session 1)", "Session 1 - 2026-03-01 10:00", false},
		"one of two is left": {
			"Session 1 - 2026-03-01 10:00\n**Did:** a\n\n### Session 2 - 2026-03-01 10:00", "Session 2 - 2026-03-01 10:00", false,
		},
		"another session": {"Session 1 - 2026-03-01 10:00", "Session 4 - 2026-03-01 11:00", false},
	} {
		if s, lost := Renumbered(held(c.before), held(c.after)); lost != c.lost {
			t.Errorf("%s: %v %+v", name, lost, s)
		}
	}
}

func TestD44_SessionsOfAMergeAscend(t *testing.T) {
	t.Parallel()
	const one, two, three = "### Session 1 - 2026-03-01 10:00\n", "### Session 2 - 2026-03-02 10:00\n", "### Session 3 - 2026-03-01 12:00\n"
	for name, c := range map[string]struct {
		ours, theirs, merged string
		late                 bool
	}{
		"in order":                 {one + two, one, one + two, false},
		"out of order":             {one + two, one, two + one, true},
		"a side is out of order":   {two + one, one, two + one, false},
		"the numbers ascend":       {one + two, one + three, one + two + three, false},
		"the session has a number": {one + two, one, two + "### Session 1 - 2026-03-01 10:00 (was session 4)\n", false},
	} {
		if _, late := LateMerge(log(c.ours), log(c.theirs), log(c.merged)); late != c.late {
			t.Errorf("%s: %v", name, late)
		}
	}
}

// An entry that both sides edited is not lost if one of the versions is there.
func TestD44_VersionsOfOneEntry(t *testing.T) {
	t.Parallel()
	entry := func(kind ledger.Kind, text, date string, number int) ledger.Entry {
		e := ledger.NewEntry(kind, text)
		e.Raw, e.Date, e.Number = text, date, number
		return e
	}
	for name, c := range map[string]struct {
		ours, merged ledger.Entry
		lost         bool
	}{
		"an output":     {entry(ledger.Output, "a", "", 0), entry(ledger.Output, "b", "", 0), false},
		"a session":     {entry(ledger.Session, "a", "2026-03-01", 1), entry(ledger.Session, "b", "2026-03-01", 2), false},
		"another one":   {entry(ledger.Session, "a", "2026-03-01", 1), entry(ledger.Session, "b", "2026-03-02", 1), true},
		"without dates": {entry(ledger.Session, "a", "", 1), entry(ledger.Session, "b", "", 1), false},
		"other words":   {entry(ledger.Criterion, "ships pass", "", 0), entry(ledger.Criterion, "it stands", "", 0), true},
		"another kind":  {entry(ledger.Criterion, "it stands", "", 0), entry(ledger.Decision, "it stands", "", 0), true},
	} {
		nothing := func(ledger.Entry) bool { return false }
		if _, lost := Merge(nil, []ledger.Entry{c.ours}, nil, []ledger.Entry{c.merged}, nothing); lost != c.lost {
			t.Errorf("%s: %v", name, lost)
		}
	}
}
