package selftest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"baton/internal/report"
)

// writer makes one change after the other, each in its own process.
type writer struct {
	c        *crowd
	n        int
	rng      *rand.Rand
	made     int // changes started
	dead     int // of them killed
	immortal bool
}

// work makes changes until enough are acknowledged. A killed one is not repeated; another one
// follows it.
func (w *writer) work(ctx context.Context) error {
	for alive := 0; w.c.o.Changes < 0 || alive < w.c.o.Changes; {
		if w.c.over() {
			return nil
		}
		before := w.dead
		if err := w.change(ctx, w.choose()); err != nil {
			return err
		}
		if w.dead == before {
			alive++ // refused changes count too: they are findings, and the run must end
		}
	}
	return nil
}

// choose picks the next change: half are entries, the rest are other changes of a task.
func (w *writer) choose() deed {
	switch n := w.rng.IntN(20); {
	case n < 10:
		return entry
	case n < 14:
		return mark
	case n < 16:
		return unmark
	case n < 18:
		return deliver
	default:
		return shelve
	}
}

// change makes one change and notes its outcome.
func (w *writer) change(ctx context.Context, kind deed) error {
	w.made++
	c := &change{deed: kind, marker: newMarker(kind, w.n, w.made, w.rng.Uint32()), criterion: 1 + w.rng.IntN(boxes)}
	args := append(w.command(c), "--as", "w"+strconv.Itoa(w.n), "--json")
	h := w.c.h
	h.begin(c)
	a, err := w.c.s.run(ctx, w.c.s.project, "", !w.immortal, args...)
	if err != nil {
		return err
	}
	switch {
	case a.ok():
		w.accept(c, a)
		h.end(c, acknowledged)
		w.c.done()
	case a.killed:
		w.dead++
		h.end(c, killed)
	default:
		h.end(c, refused)
		h.fault("a change was refused with exit status %d: baton %s: %s", a.code, strings.Join(
			args[:3], " ",
		), a.complaint())
	}
	return nil
}

// accept takes what is compared later from an answer.
func (w *writer) accept(c *change, a answer) {
	var view struct {
		Session  int    `json:"session"`
		Draft    string `json:"draft"`
		Warnings []struct {
			Code report.Code `json:"code"`
			Text string      `json:"text"`
		} `json:"warnings"`
	}
	if err := json.Unmarshal(a.stdout, &view); err != nil {
		w.c.h.fault("the answer to a %s is no JSON: %v", c.deed, err)
		return
	}
	c.session = view.Session
	if view.Draft != "" {
		w.c.h.fault("an output was kept as a draft in %s although nobody holds the task", view.Draft)
	}
	for _, warning := range view.Warnings {
		switch warning.Code {
		case report.CodeRecovered, report.CodeSwept:
			w.c.h.mu.Lock()
			w.c.h.healed++
			w.c.h.mu.Unlock()
		case report.CodeConflictKept, report.CodeJournalLeft, report.CodeTempLeft:
			w.c.h.fault("a %s was answered with the warning %s: %s", c.deed, warning.Code, warning.Text)
		}
	}
}

// command returns the command line of a change.
func (w *writer) command(c *change) []string {
	box := strconv.Itoa(c.criterion)
	switch c.deed {
	case entry:
		// The marker comes after the 160 characters of an item that an archived summary quotes
		// (D4), so that it is in the files once.
		args := []string{"task", "log", taskID, "--did", w.prose(1500+w.rng.IntN(2500)) + " " + c.marker}
		if w.rng.IntN(3) == 0 {
			args = append(args, "--issues", w.prose(200))
		}
		return append(args, "--next", w.prose(100))
	case mark:
		if w.rng.IntN(4) == 0 {
			return []string{"task", "check", taskID, box, "--run", "echo " + c.marker}
		}
		return []string{"task", "check", taskID, box, "--evidence", w.prose(60) + " " + c.marker}
	case unmark:
		return []string{"task", "uncheck", taskID, box}
	case deliver:
		return []string{"task", "output", taskID, "--set", "summary=" + w.prose(200+w.rng.IntN(600)) + " " + c.marker}
	default:
		return []string{"task", "archive", taskID, "--keep", fmt.Sprint(1 + w.rng.IntN(5))}
	}
}

// prose returns at least n bytes of words in one line, some with letters of more than one byte.
func (w *writer) prose(n int) string {
	words := [...]string{
		"moved", "the", "parser", "behind", "a", "table", "größe", "wrote", "tests", "naïve", "copy", "removed", "状態",
		"after", "review", "42", "of", "handlers", "kept", "order", "измерил", "under", "load", "and", "split",
		"module",
	}
	var b strings.Builder
	for b.Len() < n {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(words[w.rng.IntN(len(words))])
	}
	return b.String()
}
