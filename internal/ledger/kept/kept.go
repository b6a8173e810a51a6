package kept

import (
	"slices"
	"strconv"
	"time"

	"baton/internal/ledger"
	"baton/internal/task"
)

// Uncounted returns a session that the summary counted before and neither the summary nor the file
// has after; less is false if there is none.
func Uncounted(before, after *task.State) (n int, less bool) {
	if before.Summary == nil {
		return 0, false
	}
	first, last := before.Summary.First, before.Summary.Last
	if s := after.Summary; s != nil {
		switch {
		case s.First <= first && s.Last >= last:
			return 0, false
		case s.First > first:
			last = min(last, s.First-1)
		default:
			first = s.Last + 1
		}
	}
	for n := first; n <= last; n++ {
		if !slices.ContainsFunc(after.Sessions, func(s task.Session) bool { return s.Number == n }) {
			return n, true
		}
	}
	return 0, false
}

// LateSession returns a session that comes after a newer one. Sessions without a time do not count,
// nor do those that an earlier version of the list, which may be nil, has in the same order: what
// stood between them is gone. Those that the ledger saw in this order do not count either: a stamp
// says when a session began, and another may have been logged before it ended. seen returns when
// the ledger saw a session first; it may be nil.
func LateSession(list, earlier []task.Held, seen func(text string) time.Time) (late task.Held, ok bool) {
	for i := 1; i < len(list); i++ {
		a, b := &list[i-1], &list[i]
		if a.Date == "" || b.Date == "" || b.Date >= a.Date {
			continue
		}
		if at := indexOf(earlier, b); at > 0 && indexOf(earlier[:at], a) >= 0 {
			continue
		}
		if seen == nil {
			return *b, true
		}
		x, y := seen(a.Text), seen(b.Text)
		if x.IsZero() || y.IsZero() || x.After(y) || x.Equal(y) && a.Number >= b.Number {
			return *b, true
		}
	}
	return late, false
}

// indexOf returns the position of a session of the same text and time, or -1.
func indexOf(list []task.Held, of *task.Held) int {
	return slices.IndexFunc(list, func(h task.Held) bool { return h.Text == of.Text && h.Date == of.Date })
}

// LateDecision returns a decision that breaks the order of time which the decisions of a document
// had, whether the newest was first or last. Decisions without a date do not count.
func LateDecision(before, after []ledger.Entry) (late ledger.Entry, ok bool) {
	rises, falls, _ := inTime(before)
	stillRises, stillFalls, late := inTime(after)
	kept := rises && stillRises || falls && stillFalls
	return late, (rises || falls) && !kept
}

// inTime reports whether the dated decisions of each section come in the order of time, and in the
// opposite order. late is the first that comes before an older one.
func inTime(entries []ledger.Entry) (rises, falls bool, late ledger.Entry) {
	rises, falls = true, true
	last := make(map[string]string) // the last date of each section
	for _, e := range entries {
		if e.Kind != ledger.Decision || e.Date == "" {
			continue
		}
		if date, known := last[e.Section]; known && date != e.Date {
			falls = falls && e.Date < date
			if e.Date < date && rises {
				rises, late = false, e
			}
		}
		last[e.Section] = e.Date
	}
	return rises, falls, late
}

// Renumbered returns a session that had a number before and has neither that nor a note of it
// after. A session that gets the number back which its note had does not count. Of sessions with
// the same text, nobody can tell which is which.
func Renumbered(before, after []task.Held) (lost task.Held, ok bool) {
	old, twice := map[string]task.Held{}, map[string]bool{}
	for _, was := range before {
		_, there := old[was.Text]
		old[was.Text], twice[was.Text] = was, there
	}
	for _, now := range after {
		was, there := old[now.Text]
		if there && !twice[now.Text] && was.Number > 0 && now.Number != was.Number && now.Note == "" &&
			was.Note != task.Note(strconv.Itoa(now.Number)) {
			return was, true
		}
	}
	return lost, false
}
