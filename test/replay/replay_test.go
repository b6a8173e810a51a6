package replay

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/test/programs"
)

// program builds baton once for all tests.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "baton-replay-")
	if err != nil {
		return "", err
	}
	return programs.Make(dir, "baton")
})

// TestMain acts as the second process if a variable says so, and then runs no tests.
func TestMain(m *testing.M) {
	if tool := os.Getenv(actVariable); tool != "" {
		many, err := strconv.Atoi(os.Getenv(manyVariable))
		if err == nil {
			err = act(tool, os.Getenv(rootVariable), many)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	if path, err := program(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// relay is one project to which decisions are added.
type relay struct {
	t       *testing.T
	program string
	root    string
	digest  string // file names below the root
	archive string
	random  *rand.Rand
	mine    []string // decisions that were added, by text
	kills   int      // runs that were killed before they answered
}

// The seed decides which hand edits and kills come when; a failure names it.
const seed = 460

func newRelay(t *testing.T, layout, folder string) *relay {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{
		t: t, program: path, root: t.TempDir(), digest: folder + "/STATE.md", archive: folder + "/DECISIONS_ARCHIVE.md",
		random: rand.New(rand.NewPCG(seed, uint64(len(layout)))),
	}
	r.must("init", "--layout", layout)
	return r
}

// run starts baton as a separate process. With a limit, it is killed after that time.
func (r *relay) run(limit time.Duration, args ...string) (out string, killed bool, err error) {
	var both bytes.Buffer
	cmd := exec.Command(r.program, append([]string{"-C", r.root}, args...)...)
	cmd.Stdout, cmd.Stderr = &both, &both
	if err := cmd.Start(); err != nil {
		return "", false, err
	}
	if limit > 0 {
		timer := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	err = cmd.Wait()
	return both.String(), err != nil && cmd.ProcessState.ExitCode() == -1, err
}

func (r *relay) must(args ...string) string {
	r.t.Helper()
	out, _, err := r.run(0, args...)
	if err != nil {
		r.t.Fatalf("seed %d: baton %s: %v\n%s", seed, strings.Join(args, " "), err, out)
	}
	return out
}

func (r *relay) read(name string) string {
	data, err := os.ReadFile(filepath.Join(r.root, name))
	if err != nil && !os.IsNotExist(err) {
		r.t.Fatal(err)
	}
	return string(data)
}

func (r *relay) write(name, text string) {
	if err := os.WriteFile(filepath.Join(r.root, name), []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// add adds one decision, sometimes in a process that is killed. Then the next writer recovers, and a decision that is
// missing is added again, as a person would do.
func (r *relay) add(text, date string) {
	limit := time.Duration(0)
	if r.random.IntN(4) == 0 {
		limit = time.Duration(r.random.IntN(9000)) * time.Microsecond
	}
	out, killed, err := r.run(limit, "decision", "add", text, "--date", date)
	if killed {
		r.kills++
		r.must("state", "rotate")
		if n := r.count(text); n == 0 {
			r.must("decision", "add", text, "--date", date)
		}
	} else if err != nil {
		r.t.Fatalf("seed %d: decision add %q: %v\n%s", seed, text, err, out)
	}
	r.mine = append(r.mine, text)
}

// count returns how often a decision is in digest and archive together.
func (r *relay) count(text string) int {
	return strings.Count(r.read(r.digest), text) + strings.Count(r.read(r.archive), text)
}

// check looks for every decision that was ever added.
func (r *relay) check(step int) {
	r.t.Helper()
	digest, archive := r.read(r.digest), r.read(r.archive)
	for _, text := range r.mine {
		here, there := strings.Count(digest, text), strings.Count(archive, text)
		if here+there != 1 {
			r.t.Fatalf("seed %d, step %d: %q stands %d times in %s and %d times in %s", seed, step, text, here, r.digest, there, r.archive)
		}
	}
}

// edit edits the digest as people and agents do by hand: rows in reverse order, a new row, prose, blank lines at the
// end, two rows swapped.
func (r *relay) edit(step int, row func(text string) string) {
	lines := strings.SplitAfter(r.read(r.digest), "\n")
	var rows []int
	for i, line := range lines {
		if strings.Contains(line, "Decision No. ") {
			rows = append(rows, i)
		}
	}
	switch kind := r.random.IntN(5); {
	case kind == 0 && len(rows) > 1:
		for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
			lines[rows[i]], lines[rows[j]] = lines[rows[j]], lines[rows[i]]
		}
	case kind == 1 && len(rows) > 0:
		text := fmt.Sprintf("Decision No. %04d-hand;", step)
		at := rows[len(rows)-1]
		lines[at] += row(text)
		r.mine = append(r.mine, text)
	case kind == 2:
		lines = append(lines, fmt.Sprintf("\nA note by hand, number %d.\n", step))
	case kind == 3:
		lines = append(lines, "\n", "\n")
	case len(rows) > 1:
		i, j := rows[r.random.IntN(len(rows))], rows[r.random.IntN(len(rows))]
		lines[i], lines[j] = lines[j], lines[i]
	}
	r.write(r.digest, strings.Join(lines, ""))
}

// TestReplayOfDecisions is the acceptance test 8.2 of specflow.md for every layout: whatever happens in between, each
// decision is in exactly one of the two files at the end.
func TestReplayOfDecisions(t *testing.T) {
	t.Parallel()
	layouts := []struct {
		name, folder string
		many         int
		row          func(date, text string) string
	}{
		{"specflow", ".specflow", 460, func(date, text string) string { return "| " + date + " | SPEC-001 | " + text + " |\n" }},
		{"gsd", ".planning", 230, func(_, text string) string { return "- [Phase 2]: " + text + "\n" }},
		{"baton", ".baton", 230, func(date, text string) string { return "| " + date + " | 2 | " + text + " |\n" }},
	}
	for _, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			r := newRelay(t, l.name, l.folder)
			day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			for i := range l.many {
				date := day.AddDate(0, 0, i/4).Format(time.DateOnly) // several a day, so that dates are equal
				r.add(fmt.Sprintf("Decision No. %04d;", i), date)
				if i%7 == 6 {
					r.edit(i, func(text string) string { return l.row(date, text) })
				}
				if i%23 == 22 {
					r.check(i)
				}
			}
			r.must("state", "rotate")
			r.check(l.many)
			if r.kills == 0 {
				t.Error("no process was killed: the test showed nothing about crashes")
			}
			t.Logf("%d decisions, %d kills", len(r.mine), r.kills)
		})
	}
}
