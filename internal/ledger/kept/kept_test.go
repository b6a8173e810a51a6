package kept

import (
	"slices"
	"testing"
	"time"

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

// A stamp says when a session began, so an entry that was logged later may have an earlier one.
func TestD44_ASessionThatComesAfterANewerOne(t *testing.T) {
	t.Parallel()
	const ten, eleven = "2026-03-01 10:00", "2026-03-01 11:00"
	type dates [2]string
	type seen [2]int // minutes at which the ledger saw the two sessions first; 0: it did not
	for name, c := range map[string]struct {
		dates
		numbers [2]int
		*seen   // nil if the ledger cannot be asked
		late    bool
	}{
		"in order":                         {dates: dates{ten, eleven}},
		"without a date":                   {dates: dates{eleven, ""}},
		"out of order":                     {dates: dates{eleven, ten}, late: true},
		"the ledger saw this order":        {dates{eleven, ten}, [2]int{1, 2}, &seen{1, 2}, false},
		"the ledger saw the other order":   {dates{eleven, ten}, [2]int{1, 2}, &seen{2, 1}, true},
		"seen at once, the numbers ascend": {dates{eleven, ten}, [2]int{1, 2}, &seen{1, 1}, false},
		"seen at once, the numbers fall":   {dates{eleven, ten}, [2]int{2, 1}, &seen{1, 1}, true},
		"the ledger knows only one":        {dates{eleven, ten}, [2]int{1, 2}, &seen{1, 0}, true},
	} {
		list := []task.Held{
			{Text: "first", Number: c.numbers[0], Date: c.dates[0]}, {Text: "second", Number: c.numbers[1], Date: c.dates[1]},
		}
		var first func(text string) time.Time
		if c.seen != nil {
			first = func(text string) time.Time {
				n := c.seen[0]
				if text == "second" {
					n = c.seen[1]
				}
				if n == 0 {
					return time.Time{}
				}
				return time.Date(2026, 3, 1, 0, n, 0, 0, time.UTC)
			}
		}
		if s, late := LateSession(list, nil, first); late != c.late || late && s.Text != "second" {
			t.Errorf("%s: %v %+v", name, late, s)
		}
		earlier := []task.Held{list[0], {Text: "between", Date: ten}, list[1]}
		if s, late := LateSession(list, earlier, first); late {
			t.Errorf("%s: after one between them went: %+v", name, s)
		}
		slices.Reverse(earlier)
		if _, late := LateSession(list, earlier, first); late != c.late {
			t.Errorf("%s: after they were in the other order: %v", name, late)
		}
	}
}

// What only the summary counts must stay counted, unless the session is back in the file.
func TestD44_SessionsThatOnlyTheSummaryCounts(t *testing.T) {
	t.Parallel()
	summary := func(numbers string) string {
		return "### Archived Summary (Sessions " + numbers + ")\n**Accomplishments:** a\n\n"
	}
	const first, third = "### Session 1 - 2026-03-01 10:00\n**Did:** a\n", "### Session 3 - 2026-03-01 10:00\n**Did:** a\n"
	for name, c := range map[string]struct {
		before, after string
		want          int // 0: nothing is lost
	}{
		"no summary before":       {first, "", 0},
		"the same":                {summary("1-3"), summary("1-3"), 0},
		"more":                    {summary("2-3"), summary("1-4"), 0},
		"the first one is gone":   {summary("1-3"), summary("2-3"), 1},
		"the last one is gone":    {summary("1-3"), summary("1-2"), 3},
		"the first one came back": {summary("1-3"), summary("2-3") + first, 0},
		"the last one came back":  {summary("1-3"), summary("1-2") + third, 0},
		"the summary is gone":     {summary("1-3"), first, 2},
	} {
		if n, less := Uncounted(log(c.before), log(c.after)); n != c.want || less != (c.want > 0) {
			t.Errorf("%s: %d %v, want %d", name, n, less, c.want)
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
