package selftest

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"baton/internal/report"
)

// The task that all writers change, and its files in the default layout.
const (
	taskID       = "1"
	boxes        = 6
	liveName     = ".baton/tasks/task-1-state.md"
	archiveName  = ".baton/archive/task-1-archive.md"
	evidenceName = ".baton/archive/task-1-evidence.jsonl"
	runtimeName  = ".baton/local"
)

// mostFaults ends a run early, because more faults would not help to find the cause.
const mostFaults = 25

// crowd has the writers of one run and what they share.
type crowd struct {
	s    *site
	h    *history
	o    Options
	end  time.Time // zero if there is no limit
	acks atomic.Int64
	beat chan struct{} // one token for each acknowledged change, for the reader
}

// torture creates the task, runs the writers, the reader and the killer on it, and compares what is
// left.
func (s *site) torture(ctx context.Context, o Options, r *Report) error {
	if err := s.create(ctx, r.Dialect); err != nil {
		return err
	}
	c := &crowd{s: s, h: &history{}, o: o, beat: make(chan struct{}, 1024)}
	if o.Time > 0 {
		c.end = o.Env.Now().Add(o.Time)
	}
	kills, err := c.work(ctx)
	if err != nil {
		return err
	}
	r.Acknowledged, r.Refused = c.h.count(acknowledged), c.h.count(refused) // without the change that finish adds
	left, err := c.finish(ctx)
	if err != nil {
		return err
	}
	r.Kills, r.Recoveries, r.Reads = kills, c.h.healed, c.h.read
	r.Failures = append(r.Failures, c.h.faults...)
	r.verify(c.h, left)
	return nil
}

// dialect returns the form of the file, which depends on the seed: the usual one, or the one with
// more metadata that every write has to update.
func dialect(seed uint64) string {
	if seed%4 == 0 {
		return "v1"
	}
	return "v2"
}

// create creates the task with the program itself.
func (s *site) create(ctx context.Context, dialect string) error {
	args := []string{
		"task", "new", "A task that many write to", "--id", taskID, "--json", "--dialect", dialect,
		"--requirements", "Every entry stays.",
	}
	for n := range boxes {
		args = append(args, "--accept", "criterion number "+string(rune('1'+n)))
	}
	a, err := s.run(ctx, s.project, "", false, args...)
	if err != nil {
		return err
	}
	if !a.ok() {
		return broken("the task for the test cannot be created", a)
	}
	return nil
}

func broken(what string, a answer) error {
	return &report.Error{Kind: report.Internal, Op: "selftest", Message: what + ": " + a.complaint()}
}

// work runs all writers to their end, then stops reader and killer. It returns the number of
// processes killed.
func (c *crowd) work(ctx context.Context) (int, error) {
	all, stop := context.WithCancelCause(ctx) // ends early if the program cannot be run at all
	defer stop(nil)
	company, dismiss := context.WithCancel(all)
	defer dismiss()
	var writers, others sync.WaitGroup
	others.Go(func() {
		k := killer{s: c.s, rng: dice(c.o.Seed, 1000), lock: c.s.file(runtimeName + "/lock.json")}
		k.prowl(company)
	})
	others.Go(func() {
		if err := c.watch(company); err != nil && company.Err() == nil {
			stop(err)
		}
	})
	dead := make([]int, c.o.Writers)
	for n := range c.o.Writers {
		writers.Go(func() {
			w := writer{c: c, n: n, rng: dice(c.o.Seed, uint64(n))}
			if err := w.work(all); err != nil {
				stop(err)
			}
			dead[n] = w.dead
		})
	}
	writers.Wait()
	dismiss()
	others.Wait()
	kills := 0
	for _, n := range dead {
		kills += n
	}
	if all.Err() != nil {
		return kills, context.Cause(all)
	}
	return kills, nil
}

// dice returns a source of random choices. Each writer has its own, so that no choice depends on
// the timing of another.
func dice(seed, who uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, who)) }

// over reports whether no more changes should be started.
func (c *crowd) over() bool {
	c.h.mu.Lock()
	faults := len(c.h.faults)
	c.h.mu.Unlock()
	return faults >= mostFaults || !c.end.IsZero() && !c.o.Env.Now().Before(c.end)
}

// done counts an acknowledged change.
func (c *crowd) done() {
	n := c.acks.Add(1)
	select {
	case c.beat <- struct{}{}:
	default:
	}
	if n%100 == 0 {
		c.o.tell("%d changes acknowledged", n)
	}
}

// betweenReads is the number of acknowledged changes between two complete reads.
const betweenReads = 15

// watch reads the whole task again and again while it is being written. A change that was
// acknowledged before a read began must be in it, even while an entry moves between task file and
// archive (D8).
func (c *crowd) watch(ctx context.Context) error {
	for {
		for range betweenReads {
			select {
			case <-ctx.Done():
				return nil
			case <-c.beat:
			}
		}
		expected := c.h.durable()
		a, err := c.s.run(ctx, c.s.project, "", false, "task", "show", taskID, "--all", "--json")
		if err != nil {
			return err
		}
		c.compare(a, expected)
	}
}

func (c *crowd) compare(a answer, expected []string) {
	if !a.ok() {
		c.h.fault("a read while writers were at work failed with exit status %d: %s", a.code, a.complaint())
		return
	}
	var view shown
	if err := json.Unmarshal(a.stdout, &view); err != nil {
		c.h.fault("a read while writers were at work gave no JSON: %v", err)
		return
	}
	found := map[string]int{}
	for _, session := range view.Sessions {
		markers([]byte(strings.Join(session.Did, "\n")), entry, found)
	}
	for _, marker := range expected {
		if found[marker] == 0 {
			c.h.fault("a read while writers were at work did not show %s, which had been acknowledged", marker)
		}
	}
	c.h.mu.Lock()
	c.h.read++
	c.h.mu.Unlock()
}

// finish makes one more change, after which nothing of killed processes may be left, and collects
// what is there.
func (c *crowd) finish(ctx context.Context) (remains, error) {
	w := writer{c: c, n: c.o.Writers, rng: dice(c.o.Seed, uint64(c.o.Writers)), immortal: true}
	if err := w.change(ctx, entry); err != nil {
		return remains{}, err
	}
	a, err := c.s.run(ctx, c.s.project, "", false, "task", "show", taskID, "--all", "--json")
	if err != nil {
		return remains{}, err
	}
	if !a.ok() {
		c.h.fault("the task cannot be shown at the end, exit status %d: %s", a.code, a.complaint())
	}
	left := remains{shown: a.stdout}
	for name, into := range map[string]*[]byte{
		liveName: &left.live, archiveName: &left.archive, evidenceName: &left.evidence,
	} {
		*into, err = os.ReadFile(c.s.file(name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return left, cannotMake(name, err)
		}
	}
	left.leftovers, err = leftovers(c.s.project)
	return left, err
}

// isCache reports whether a file is the temporary file of a cache. Caches are written without the
// lock, so a kill may leave such a file in the runtime folder for a minute; the next session start
// removes it.
func isCache(rel string) bool {
	for _, cache := range [...]string{
		"/.active.json.", "/.lost.json.", "/agents/.", "/sessions/.", "/renewals/.", "/dismissed/.",
	} {
		if strings.HasPrefix(rel, runtimeName+"/") && strings.Contains(rel, cache) {
			return true
		}
	}
	return false
}

// leftovers lists journals, temporary files and conflicts anywhere in a project. Nobody edits files
// by hand here, so there is no reason for a conflict.
func leftovers(root string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name, inRuntime := d.Name(), strings.HasPrefix(filepath.ToSlash(rel), runtimeName+"/")
		temporary := strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".tmp") && !isCache(filepath.ToSlash(rel))
		conflict := inRuntime && filepath.Base(filepath.Dir(path)) == "conflicts"
		if temporary || conflict || inRuntime && !d.IsDir() && name == "journal" {
			found = append(found, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		return nil, cannotMake(root, err)
	}
	return found, nil
}
