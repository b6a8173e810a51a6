package selftest

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// netSettings make archiving frequent in a project of small entries.
const netSettings = "tasks:\n  warn_kb: 8\n  archive_kb: 12\n"

// guarded is a project whose documents somebody damages while processes write to them and are
// killed.
type guarded struct {
	s    *site
	root string
	h    *history
	o    Options
	end  time.Time // zero if there is no limit

	acks, kills, edits, looks atomic.Int64
	// one token for each acknowledged change, for the editor and for the observer
	beat, pulse chan struct{}
}

// net creates a project with a digest and a task, runs writers, an editor and the killer on it, and
// checks that every acknowledged entry is in a document or offered.
func (s *site) net(ctx context.Context, o Options, r *Report) error {
	g := &guarded{
		s: s, root: filepath.Join(s.base, "net"), h: &history{}, o: o,
		beat: make(chan struct{}, 1024), pulse: make(chan struct{}, 1024),
	}
	if err := plant(g.root, netSettings); err != nil {
		return cannotMake(g.root, err)
	}
	if err := g.create(ctx); err != nil {
		return err
	}
	if o.Time > 0 {
		g.end = o.Env.Now().Add(o.Time)
	}
	if err := g.work(ctx); err != nil {
		return err
	}
	left, err := g.finish(ctx)
	if err != nil {
		return err
	}
	r.Net = Net{Changes: g.h.count(
		acknowledged,
	), Kills: int(g.kills.Load()), Edits: int(g.edits.Load()), Looks: int(g.looks.Load())}
	r.Failures = append(r.Failures, g.h.faults...)
	r.guard(g.h, left)
	return nil
}

func (g *guarded) create(ctx context.Context) error {
	for _, args := range [][]string{
		{"init", "--json"},
		{"task", "new", "A task whose file is damaged", "--id", taskID, "--accept", "every entry stays", "--json"},
	} {
		a, err := g.s.run(ctx, g.root, "", false, args...)
		if err != nil {
			return err
		}
		if !a.ok() {
			return broken("the project for the safety net cannot be made", a)
		}
	}
	return nil
}

// work runs all writers to their end, then stops everything else.
func (g *guarded) work(ctx context.Context) error {
	all, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	company, dismiss := context.WithCancel(all)
	defer dismiss()
	var writers, others sync.WaitGroup
	others.Go(func() {
		k := killer{s: g.s, rng: dice(
			g.o.Seed, 2000,
		), lock: filepath.Join(g.root, filepath.FromSlash(runtimeName), "lock.json")}
		k.prowl(company)
	})
	others.Go(func() { (&editor{g: g, rng: dice(g.o.Seed, 2001)}).damage(company) })
	others.Go(func() {
		if err := g.watch(company); err != nil && company.Err() == nil {
			stop(err)
		}
	})
	for n := range g.o.Writers {
		writers.Go(func() {
			w := netWriter{g: g, n: n, rng: dice(g.o.Seed, uint64(3000+n))}
			if err := w.work(all); err != nil {
				stop(err)
			}
		})
	}
	writers.Wait()
	dismiss()
	others.Wait()
	if all.Err() != nil {
		return context.Cause(all)
	}
	return nil
}

func (g *guarded) over() bool {
	g.h.mu.Lock()
	faults := len(g.h.faults)
	g.h.mu.Unlock()
	return faults >= mostFaults || !g.end.IsZero() && !g.o.Env.Now().Before(g.end)
}

// netBetweenLooks is the number of acknowledged changes between two checks of ledger, log and
// versions.
const netBetweenLooks = 25

// watch checks again and again that ledger, log and versions answer, whatever is killed or damaged.
func (g *guarded) watch(ctx context.Context) error {
	for {
		for range netBetweenLooks {
			select {
			case <-ctx.Done():
				return nil
			case <-g.pulse:
			}
		}
		if err := g.look(ctx); err != nil {
			return err
		}
	}
}

// look calls every command that must answer at any moment.
func (g *guarded) look(ctx context.Context) error {
	for _, line := range []string{"lost --json", "log --check --json", "snapshot list --limit 1 --json"} {
		if a, err := g.ask(ctx, line); err != nil || !a.ok() {
			return err
		}
	}
	g.looks.Add(1)
	return nil
}

// ask runs a command that is not killed and must end with exit status 0.
func (g *guarded) ask(ctx context.Context, line string) (answer, error) {
	a, err := g.s.run(ctx, g.root, "", false, strings.Fields(line)...)
	if err == nil && !a.ok() {
		g.h.fault("baton %s ended with exit status %d: %s", line, a.code, a.complaint())
	}
	return a, err
}

// netWriter makes one change after the other, each in its own process.
type netWriter struct {
	g    *guarded
	n    int
	rng  *rand.Rand
	made int // changes started

	immortal bool
}

// work makes changes until enough were not killed. Because documents are damaged, a change may be
// refused.
func (w *netWriter) work(ctx context.Context) error {
	for alive := 0; w.g.o.Changes < 0 || alive < w.g.o.Changes; {
		if w.g.over() {
			return nil
		}
		how, err := w.change(ctx, w.choose())
		if err != nil {
			return err
		}
		if how != killed {
			alive++
		}
	}
	return nil
}

func (w *netWriter) choose() deed {
	switch n := w.rng.IntN(20); {
	case n < 6:
		return decide
	case n < 11:
		return entry
	case n < 14:
		return obstruct
	case n < 15:
		return resolve
	case n < 16:
		return shelve
	case n < 17:
		return rotate
	case n < 18:
		return fix
	default:
		return putBack
	}
}

// change makes one change and notes the outcome. It is refused if damage explains the error; any
// other error is a finding.
func (w *netWriter) change(ctx context.Context, kind deed) (outcome, error) {
	w.made++
	c := &change{deed: kind, marker: newMarker(kind, w.n, w.made, w.rng.Uint32())}
	args := append(w.command(c), "--as", "w"+strconv.Itoa(w.n), "--json")
	g := w.g
	g.h.begin(c)
	a, err := g.s.run(ctx, g.root, "", !w.immortal, args...)
	if err != nil {
		return refused, err
	}
	how := refused
	switch {
	case a.ok():
		how = acknowledged
		w.done()
	case a.killed:
		how = killed
		g.kills.Add(1)
	case !excused(a.code):
		g.h.fault("baton %s ended with exit status %d: %s", strings.Join(args[:2], " "), a.code, a.complaint())
	}
	g.h.end(c, how)
	return how, nil
}

// excused reports whether a change may end with an exit status while documents are damaged: not
// found, conflict, locked, refused by a rule, or a file that cannot be understood.
func excused(code int) bool { return code >= 3 && code <= 7 }

func (w *netWriter) done() {
	if n := w.g.acks.Add(1); n%100 == 0 {
		w.g.o.tell("%d changes acknowledged in documents that are damaged", n)
	}
	for _, to := range [...]chan struct{}{w.g.beat, w.g.pulse} {
		select {
		case to <- struct{}{}:
		default: // busy; a lost token does no harm
		}
	}
}

func (w *netWriter) command(c *change) []string {
	switch c.deed {
	case decide:
		return []string{"decision", "add", w.text(c)}
	case obstruct:
		return []string{"blocker", "add", w.text(c)}
	case resolve:
		return []string{"blocker", "resolve", "1"}
	case rotate:
		return []string{"decision", "rotate", "--keep", strconv.Itoa(1 + w.rng.IntN(5))}
	case shelve:
		return []string{"task", "archive", taskID, "--keep", strconv.Itoa(1 + w.rng.IntN(5))}
	case putBack:
		return []string{"lost", "--restore"}
	case fix:
		return []string{"doctor", "--fix"}
	default:
		// The marker comes after the 160 characters of an item that an archived summary quotes
		// (D4), because a quotation is not an entry.
		return []string{"task", "log", taskID, "--did", w.words(30) + " " + c.marker, "--next", w.words(3)}
	}
}

// text returns words that no other entry has, because an entry that shares most of its words with
// another may be taken for it.
func (w *netWriter) text(c *change) string { return c.marker + " " + w.words(8+w.rng.IntN(8)) }

func (w *netWriter) words(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = strconv.FormatUint(uint64(w.rng.Uint32()), 36)
	}
	return strings.Join(words, " ")
}
