//go:build originals

package originals

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/internal/gitrepo/gittest"
	"baton/test/programs"
)

// world is one project that the original, baton and a person change in turns.
type world struct {
	t        *testing.T
	root     string
	folder   string // what the original keeps, below root
	program  string // baton
	original []string
	env      []string
	rng      *rand.Rand
	seed     uint64

	steps   []string          // what was played, for the report
	entries map[string]string // words of entries that must stay, and which step wrote them
	counter int
	last    string         // the folder's files after the step before
	used    map[string]int // how often each exception was needed
}

// answer is what a program said.
type answer struct {
	exit     int
	out, err string
}

// newWorld makes an empty project. Its steps depend on the seed and on name only.
func newWorld(t *testing.T, name, folder string, original ...string) *world {
	t.Helper()
	dir := t.TempDir()
	baton, err := programs.Make(dir, "baton")
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(number("BATON_SEED", 1))
	var salt uint64
	for _, b := range []byte(name) {
		salt = salt*131 + uint64(b)
	}
	w := &world{
		t: t, root: filepath.Join(dir, "project"), folder: folder, program: baton, original: original, seed: seed,
		rng: rand.New(rand.NewPCG(seed, salt)), entries: map[string]string{}, used: map[string]int{},
	}
	home := filepath.Join(dir, "home")
	for _, made := range []string{home, w.root, filepath.Join(dir, "tmp")} {
		if err := os.MkdirAll(made, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.env = append(gittest.Environ(quiet(os.Environ()), "ann", time.Unix(1770000000, 0)), "HOME="+home,
		"TMPDIR="+filepath.Join(dir, "tmp"), "TZ=UTC", "LANG=C.UTF-8",
		"NODE_COMPILE_CACHE="+filepath.Join(agentsDir(), "compiled"))
	cmd := exec.Command("git", "init", "-q", ".")
	cmd.Dir, cmd.Env = w.root, w.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	return w
}

// quiet returns an environment without the variables by which a session of an agent, or the originals, would be found.
func quiet(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		for _, prefix := range []string{"BATON_", "GSD_", "DEVT_", "CLAUDE", "CODEX", "TMUX", "TERM_SESSION", "NODE_"} {
			if strings.HasPrefix(entry, prefix) {
				return true
			}
		}
		return false
	})
}

// number returns the value of an environment variable that holds a number, or other.
func number(name string, other int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return other
}

// node returns the Node with which the originals run: the one beside the agents, else the one on PATH.
func node(t *testing.T) string {
	t.Helper()
	ready := filepath.Join(agentsDir(), "node", "node_modules", "node", "bin", "node")
	if _, err := os.Stat(ready); err == nil {
		return ready
	}
	found, err := exec.LookPath("node")
	if err != nil {
		t.Skip("the originals run on Node, which is not installed: make test-agents installs it, or install Node 22")
	}
	return found
}

// agentsDir returns the folder into which `make originals` puts GSD.
func agentsDir() string {
	if dir := os.Getenv("BATON_AGENTS_DIR"); dir != "" {
		return dir
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, ".cache", "baton-agents")
}

// checkout returns the folder of a checkout in BATON_ORIGINALS, or skips the test.
func checkout(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("BATON_ORIGINALS")
	if dir == "" {
		t.Skipf("BATON_ORIGINALS is not set: it names a folder with a checkout of %s in %s/", name, name)
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("BATON_ORIGINALS has no checkout of %s: %v", name, err)
	}
	return path
}

// exists reports whether there is a file or folder at a path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// run runs a program in the project.
func (w *world) run(argv ...string) answer { return w.start(argv...)() }

// start starts a program in the project, and returns what waits for its answer.
func (w *world) start(argv ...string) (wait func() answer) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = w.root, w.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		w.fail("%s cannot be run: %v", argv[0], err)
	}
	return func() answer {
		var exit *exec.ExitError
		if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
			w.fail("%s cannot be run: %v", argv[0], err)
		}
		return answer{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
	}
}

// baton runs baton. A refusal is an answer; an internal error or a panic fails the test.
func (w *world) baton(args ...string) answer {
	got := w.run(append([]string{w.program}, args...)...)
	if got.exit == 1 || got.exit == 2 || got.exit > 9 || strings.Contains(got.err, "goroutine ") {
		w.fail("baton %s ends with %d\n%s%s", strings.Join(args, " "), got.exit, got.out, got.err)
	}
	return got
}

// tool runs the original.
func (w *world) tool(args ...string) answer { return w.reading(args...)() }

// reading starts the original. Several that only read may run at the same time.
func (w *world) reading(args ...string) (wait func() answer) {
	return w.start(append(append([]string{}, w.original...), args...)...)
}

// play records a step and plays it with baton or the original.
func (w *world) play(by string, args ...string) answer {
	w.steps = append(w.steps, by+" "+strings.Join(args, " "))
	var got answer
	if by == "baton" {
		got = w.baton(args...)
	} else {
		got = w.tool(args...)
	}
	w.steps[len(w.steps)-1] += fmt.Sprintf("  → %d %s", got.exit, firstLine(got.out+got.err))
	return got
}

// firstLine returns the start of a text, for the report.
func firstLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 160 {
		text = text[:160] + "…"
	}
	return text
}

// entry returns a new text that occurs nowhere else. From now on it must be found in the folder.
func (w *world) entry(kind string) string {
	text := w.words(kind)
	w.entries[text] = fmt.Sprintf("step %d", len(w.steps)+1)
	return text
}

// words returns a new text that occurs nowhere else.
func (w *world) words(kind string) string {
	w.counter++
	return fmt.Sprintf("%s number %d is %s", kind, w.counter,
		w.pick("kept short", "as agreed", "for later", "not yet done", "about `code`"))
}

// pick returns one of several texts.
func (w *world) pick(of ...string) string { return of[w.rng.IntN(len(of))] }

// path returns the path of a file in the original's folder.
func (w *world) path(name string) string {
	return filepath.Join(w.root, w.folder, filepath.FromSlash(name))
}

// read returns a file of the original's folder, empty if it is absent.
func (w *world) read(name string) string {
	data, err := os.ReadFile(w.path(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.fail("%v", err)
	}
	return string(data)
}

// write writes a file of the original's folder, as a person or an agent does.
func (w *world) write(name, text string) {
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.fail("%v", err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.fail("%v", err)
	}
}

// kept fails if an entry that a program wrote is neither in a file of the folder nor in an archive.
// It reports whether anything in the folder has changed since the last call.
func (w *world) kept() (changed bool) {
	var all strings.Builder
	err := filepath.WalkDir(filepath.Join(w.root, w.folder), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		all.WriteString(path)
		all.Write(data)
		return err
	})
	if err != nil {
		w.fail("%v", err)
	}
	text := all.String()
	for entry, by := range w.entries {
		if !strings.Contains(text, entry) {
			w.fail("lost: %q, which %s wrote", entry, by)
		}
	}
	changed = text != w.last
	w.last = text
	return changed
}

// fail ends the test with everything that is needed to repeat it.
func (w *world) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("seed %d, step %d: %s\n\nsteps:\n%s\n\n%s", w.seed, len(w.steps), fmt.Sprintf(format, args...),
		numbered(w.steps), w.shown())
}

// numbered returns the last steps with their numbers.
func numbered(steps []string) string {
	var b strings.Builder
	for i, step := range steps {
		fmt.Fprintf(&b, "%4d  %s\n", i+1, step)
	}
	return b.String()
}

// shown returns the files that both programs write.
func (w *world) shown() string {
	out := ""
	for _, name := range []string{"STATE.md", "DECISIONS_ARCHIVE.md", "workflow.yaml"} {
		if data, err := os.ReadFile(w.path(name)); err == nil {
			out += name + ":\n" + string(data) + "\n"
		}
	}
	return out
}
