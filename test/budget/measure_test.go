//go:build budget

package budget

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	pairs      = 50 // pairs in a batch
	leastPairs = 15 // pairs in a batch of commands that take long
	longest    = 1500 * time.Millisecond
	batches    = 5 // batches; the best one counts
)

// built has the programs under test, built once per run.
type built struct{ baton, floor string }

var programs = sync.OnceValues(func() (built, error) {
	dir, err := os.MkdirTemp("", "baton-budget-")
	if err != nil {
		return built{}, err
	}
	b := built{filepath.Join(dir, "baton"), filepath.Join(dir, "floor")}
	// Built with a version, as in `make build`: otherwise the program would first read its build information.
	for out, pkg := range map[string]string{b.baton: "./cmd/baton", b.floor: "./test/budget/floor"} {
		linked := out + ".linked"
		cmd := exec.Command(
			"go", "build", "-trimpath", "-gcflags=all=-dwarf=false", "-gcflags=baton/...=-dwarf=false -l", // as in the Makefile
			"-ldflags=-s -w -X baton/internal/cli/app.version=v0.0.0-budget", "-o", linked, pkg,
		)
		cmd.Dir = filepath.Join("..", "..")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if text, err := cmd.CombinedOutput(); err != nil {
			return built{}, fmt.Errorf("build %s: %w\n%s", pkg, err, text)
		}
		if err := install(linked, out); err != nil {
			return built{}, err
		}
	}
	return b, nil
})

// install copies a program, as `make install` does. People start such a copy. The file that the linker wrote starts
// slower while its pages are in memory, because it was written in small pieces.
func install(linked, out string) error {
	data, err := os.ReadFile(linked)
	if err != nil {
		return err
	}
	return os.WriteFile(out, data, 0o755)
}

func TestMain(m *testing.M) {
	code := m.Run()
	if b, err := programs(); err == nil {
		os.RemoveAll(filepath.Dir(b.baton))
	}
	os.Exit(code)
}

// command is one process to measure. It runs in dir, with standard input from a pipe if stdin is not empty.
type command struct {
	dir   string
	args  []string
	stdin string
	fresh func() string   // returns the standard input of the next run, in place of stdin
	more  func() []string // returns the arguments of the next run, after args
}

// once runs the command and returns its wall-clock time.
func (c command) once(t *testing.T) time.Duration {
	t.Helper()
	args := c.args[1:len(c.args):len(c.args)]
	if c.more != nil {
		args = append(args, c.more()...)
	}
	cmd := exec.Command(c.args[0], args...)
	cmd.Dir = c.dir
	// USER is set for everyone who is logged in; without it the user database is read.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.dir, "USER=budget", "BATON_AS=budget", "TMPDIR=" + c.dir}
	// Standard output is the null device. With a pipe, the time that this test needs to read would be measured too, and
	// the empty program writes nothing.
	var complaint strings.Builder
	cmd.Stderr = &complaint
	if c.fresh != nil {
		c.stdin = c.fresh()
	}
	if c.stdin != "" {
		cmd.Stdin = strings.NewReader(c.stdin)
	}
	start := time.Now()
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, complaint.String())
	}
	return time.Since(start)
}

// within checks that what takes at most limit times as long as base, both as medians of alternating pairs. Before that,
// it subtracts from what the time that `paid` takes longer than base: the fsyncs that a durable write needs.
func within(t *testing.T, limit float64, what, base command, paid *command) {
	t.Helper()
	withinRepeated(t, limit, func() contest { return contest{what, base, paid} })
}

// contest has the commands that within compares.
type contest struct {
	what, base command
	paid       *command
}

// withinRepeated is within for commands that make the project larger: each batch begins with a new one.
func withinRepeated(t *testing.T, limit float64, begin func() contest) {
	t.Helper()
	var best float64
	var c contest
	for batch := range batches {
		c = begin()
		// Everything that was written before, by this batch's set-up and by other tests, is synced before the
		// measurement. Without this program, it is written during the measurement.
		_ = exec.Command("sync").Run()
		var whats, bases, paids []time.Duration
		for begun := time.Now(); len(whats) < pairs && (len(whats) < leastPairs || time.Since(begun) < longest); {
			bases = append(bases, c.base.once(t))
			whats = append(whats, c.what.once(t))
			if c.paid != nil {
				paids = append(paids, c.paid.once(t))
			}
		}
		b, w := median(bases), median(whats)
		disk := time.Duration(0)
		if c.paid != nil {
			disk = max(0, median(paids)-b)
		}
		ratio := float64(w-disk) / float64(b)
		t.Logf("batch %d: %.2f ms, base %.2f ms, disk %.2f ms: %.2f× (limit %.2f×)", batch+1, ms(w), ms(b), ms(disk), ratio, limit)
		if batch == 0 || ratio < best {
			best = ratio
		}
		if best <= limit {
			return
		}
	}
	t.Errorf("%s takes %.2f times its base, %.2f are allowed", strings.Join(c.what.args[1:], " "), best, limit)
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
