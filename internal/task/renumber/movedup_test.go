package renumber

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/internal/task"
)

// A session that shares its number with the one before gets the number after it, and those that
// follow move up as far as they have to: numbers ascend in time, and each says what it was.
func TestD44_NumbersAscendAfterARepair(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		log   string // numbers in the order of the file and of time; -n begins one hour earlier than the one before
		filed int    // sessions in the archive
		known int    // highest number that the ledger knows
		want  string
	}{
		"in the middle":            {log: "5 5 6 7", want: "5 6 7 8"},
		"with a gap":               {log: "1 1 5 6", want: "1 2 5 6"},
		"two in the middle":        {log: "1 1 2 2 3", want: "1 2 3 4 5"},
		"three of one":             {log: "4 4 4 5", want: "4 5 6 7"},
		"at the end":               {log: "5 6 6", known: 9, want: "5 6 10"},
		"of the archive":           {log: "3 4", filed: 3, want: "4 5"},
		"of the archive, alone":    {log: "3", filed: 3, want: "4"},
		"not in the order of time": {log: "5 -5 6 7", want: "8 5 6 7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
			var log, filed strings.Builder
			for n := range c.filed {
				filed.WriteString("## Session " + strconv.Itoa(n+1) + " - 2026-02-0" + strconv.Itoa(n+1) + " 10:00\n**Did:** filed\n\n")
			}
			for i, word := range strings.Fields(c.log) {
				if at = at.Add(time.Hour); strings.HasPrefix(word, "-") {
					at = at.Add(-2 * time.Hour)
				}
				log.WriteString("### Session " + strings.TrimPrefix(word, "-") + " - " + at.Format("2006-01-02 15:04") +
					"\n**Did:** thing " + strconv.Itoa(i) + "\n\n")
			}
			s := task.Parse("1", []byte("# Task #1: A\n\n## 3. Progress Log\n\n"+log.String()+"## 4. Chain Output\n"))
			next, old, done, err := Sessions(s, []byte(filed.String()), "a.md", at, Ledger{Highest: c.known})
			if err != nil || string(old) != filed.String() {
				t.Fatal(err, string(old))
			}
			var numbers []string
			for i, one := range next.Sessions {
				numbers = append(numbers, strconv.Itoa(one.Number))
				if was := s.Sessions[i]; was.Number != one.Number && one.Note != task.Note(was.Label) {
					t.Errorf("session %d has the note %q", one.Number, one.Note)
				}
			}
			if got := strings.Join(numbers, " "); got != c.want {
				t.Errorf("%s, want %s (%v)", got, c.want, done)
			}
			if again := FindTwice(next, old, Ledger{}); len(again) > 0 {
				t.Errorf("%+v", again)
			}
		})
	}
}
