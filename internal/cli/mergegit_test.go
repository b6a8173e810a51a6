package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/internal/gitrepo/gittest"
	"baton/internal/report"
	"baton/internal/usecase/doctor"
)

// branchHistory is a repository in which branches are worked on at the same time.
type branchHistory struct {
	t       *testing.T
	dir     string
	rand    *rand.Rand
	now     time.Time
	entries []branchEntry
	done    []string // for the report of a failure
	picked  bool     // commits were applied one by one, by a rebase or a cherry-pick
}

// branchEntry is an entry that was made on a branch, and where a person looks for it.
type branchEntry struct {
	kind      string // session, summary, criterion, decision, blocker
	task      string
	criterion int
	word      string
}

func (h *branchHistory) git(args ...string) {
	h.t.Helper()
	h.done = append(h.done, "git "+strings.Join(args, " "))
	run := func(args ...string) ([]byte, error) {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = h.dir, append(h.environ(), "GORACE=atexit_sleep_ms=0")
		return cmd.CombinedOutput()
	}
	if out, err := run(args...); err != nil {
		shown, _ := run("diff")
		h.t.Fatalf("%v\n%s\n%s\n%s", err, strings.Join(h.done, "\n"), out, shown)
	}
}

// environ returns an environment in which git ignores the machine's settings and uses the time of the clock.
func (h *branchHistory) environ() []string {
	return append(gittest.Environ(os.Environ(), "agent-1", h.now), "HOME="+h.dir)
}

func (h *branchHistory) baton(args ...string) {
	h.t.Helper()
	h.done = append(h.done, "baton "+strings.Join(args, " "))
	var out bytes.Buffer
	h.now = h.now.Add(time.Minute)
	code := Main(h.t.Context(), report.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out,
		Getenv:  func(name string) string { return map[string]string{"BATON_AS": "agent-1"}[name] },
		Environ: h.environ(), Dir: h.dir, Now: func() time.Time { return h.now }, Rand: rand.NewChaCha8([32]byte{}), PID: os.Getpid(),
	}, Doors{})
	if code != 0 {
		h.t.Fatalf("exit code %d\n%s\n%s", code, strings.Join(h.done, "\n"), out.String())
	}
}

// work makes some changes on a branch and commits each.
func (h *branchHistory) work(branch string, layout string) {
	h.git("checkout", "-q", "-b", branch, "main")
	for i := range 1 + h.rand.IntN(4) {
		word := fmt.Sprintf("word-%s-%d-end", branch, i)
		id := strconv.Itoa(1 + h.rand.IntN(2))
		e := branchEntry{kind: "session", task: id, word: word}
		switch h.rand.IntN(5) {
		case 0:
			h.baton("task", "log", id, "--did", word, "--next", "go on")
		case 1:
			h.baton("task", "log", id, "--did", word)
			h.baton("task", "archive", id, "--keep", "1")
		case 2:
			e.kind, e.criterion = "criterion", 1+h.rand.IntN(3)
			h.baton("task", "check", id, strconv.Itoa(e.criterion), "--evidence", word)
		case 3:
			if layout == "specflow" {
				e.kind = "decision"
				h.baton("decision", "add", word, "--spec", "SPEC-00"+id)
				break
			}
			e.kind = "blocker"
			h.baton("blocker", "add", word)
		default:
			e.kind = "decision"
			h.baton("decision", "add", word)
		}
		h.entries = append(h.entries, e)
		h.git("add", "-A")
		h.git("commit", "-q", "-m", word)
	}
}

// join brings a branch into main in one of git's ways.
func (h *branchHistory) join(branch string) {
	switch h.rand.IntN(4) {
	case 0:
		h.picked = true
		h.git("checkout", "-q", branch)
		h.git("rebase", "-q", "main")
		h.git("checkout", "-q", "main")
		h.git("merge", "-q", "--ff-only", branch)
	case 1:
		h.picked = true
		h.git("checkout", "-q", "main")
		h.git("cherry-pick", "base.."+branch)
	case 2:
		h.git("checkout", "-q", branch)
		h.git("reset", "-q", "--soft", "base")
		h.git("stash", "-q")
		h.git("checkout", "-q", "main")
		h.git("stash", "pop", "-q")
		h.git("add", "-A")
		h.git("commit", "-q", "-m", "popped "+branch)
	default:
		h.git("checkout", "-q", "main")
		h.git("merge", "-q", "--no-edit", branch)
	}
}

// lines returns the lines of all documents with these names, each with the heading above it.
func (h *branchHistory) lines(names ...string) (out [][2]string) {
	h.t.Helper()
	err := filepath.WalkDir(h.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && (e.Name() == ".git" || e.Name() == "local") {
			return fs.SkipDir
		}
		if e.IsDir() || len(names) > 0 && !slices.Contains(names, e.Name()) {
			return nil
		}
		data, err := os.ReadFile(path)
		heading := ""
		for line := range strings.Lines(string(data)) {
			if strings.HasPrefix(line, "#") {
				heading = line
			}
			out = append(out, [2]string{heading, line})
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

// holds looks for every entry where a person would. It reads lines and headings, and does not use the code that merges.
// A session is once below its own heading, in the task's file or its archive, or after a rebase or a cherry-pick in
// both. A decision and a blocker are on one line. A checked criterion is checked and has its evidence.
func (h *branchHistory) holds() {
	h.t.Helper()
	session := regexp.MustCompile(`^##+ Session \d+ - `)
	for _, e := range h.entries {
		n := 0
		state, archive := "task-"+e.task+"-state.md", "task-"+e.task+"-archive.md"
		switch e.kind {
		case "session":
			in := map[string]int{}
			for _, name := range [...]string{state, archive} {
				for _, line := range h.lines(name) {
					if session.MatchString(line[0]) && strings.Contains(line[1], e.word) {
						in[name]++
					}
				}
			}
			n = in[state] + in[archive]
			// Commits that are applied one by one may give a session a new number in one and archive it in the next: it
			// is then in both files.
			if h.picked && in[state] == 1 && in[archive] == 1 {
				n = 1
			}
		case "criterion":
			for _, line := range h.lines("task-" + e.task + "-evidence.jsonl") {
				if strings.Contains(line[1], `"text":"`+e.word+`"`) {
					n++
				}
			}
			box := "- [x] " + [...]string{"Alpha", "Beta", "Gamma"}[e.criterion-1] + "\n"
			if !slices.ContainsFunc(h.lines(state), func(line [2]string) bool { return line[1] == box }) {
				h.t.Errorf("criterion %d of task %s is not checked any more\n%s", e.criterion, e.task, strings.Join(h.done, "\n"))
			}
		case "decision":
			n = h.standing(e.word, "STATE.md", "DECISIONS_ARCHIVE.md")
		case "summary": // its archive was never committed, so a clone only has what the summary says
			n = min(1, strings.Count(h.text(state), e.word))
		default:
			n = h.standing(e.word, "STATE.md")
		}
		if n != 1 {
			h.t.Errorf("%+v stands %d times\n%s", e, n, strings.Join(h.done, "\n"))
		}
	}
	for _, line := range h.lines() {
		if strings.HasPrefix(line[1], "<<<<<<<") {
			h.t.Errorf("a conflict is left\n%s", strings.Join(h.done, "\n"))
		}
	}
}

// text returns the text of all documents with this name.
func (h *branchHistory) text(name string) string {
	var all strings.Builder
	for _, line := range h.lines(name) {
		all.WriteString(line[1])
	}
	return all.String()
}

// standing counts the lines of a list or a table that have a word.
func (h *branchHistory) standing(word string, names ...string) (n int) {
	for _, line := range h.lines(names...) {
		if strings.Contains(line[1], word) && strings.ContainsAny(line[1][:1], "-|") {
			n++
		}
	}
	return n
}

// checked checks that "merge check" finds at most two branches that moved different sessions of one number to the
// archive, and that "doctor --fix" repairs that.
func (h *branchHistory) checked() {
	h.t.Helper()
	ask := func() doctor.MergeCheck {
		var out bytes.Buffer
		Main(h.t.Context(), report.Env{
			Args: []string{"merge", "check", "--json"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard,
			Getenv: func(string) string { return "" }, Environ: h.environ(), Dir: h.dir, Now: func() time.Time { return h.now },
		}, Doors{})
		var got doctor.MergeCheck
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Files == 0 {
			h.t.Fatalf("%v\n%s", err, out.String())
		}
		return got
	}
	found := ask().Findings
	for _, f := range found {
		if f.Code != "session_number_doubled" || !strings.HasSuffix(f.Path, "-archive.md") {
			h.t.Errorf("%s:%d: %s\n%s", f.Path, f.Line, f.Text, strings.Join(h.done, "\n"))
		}
	}
	if len(found) == 0 {
		return
	}
	h.baton("doctor", "--fix")
	h.holds()
	for _, f := range ask().Findings {
		h.t.Errorf("after doctor --fix %s:%d: %s\n%s", f.Path, f.Line, f.Text, strings.Join(h.done, "\n"))
	}
}

// Every entry of every branch is there after any merge, rebase, cherry-pick and stash pop (D40). BATON_MERGES sets the
// number of histories, and BATON_SEED the first seed.
func TestD40_NothingIsLostInMergesOfBranches(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on PATH: install git to play merges")
	}
	count, seed := 6, 1
	if n, err := strconv.Atoi(os.Getenv("BATON_MERGES")); err == nil {
		count = n
	}
	if n, err := strconv.Atoi(os.Getenv("BATON_SEED")); err == nil {
		seed = n
	}
	for i := range count {
		t.Run(strconv.Itoa(seed+i), func(t *testing.T) {
			t.Parallel()
			h := &branchHistory{t: t, dir: t.TempDir(), rand: rand.New(rand.NewPCG(uint64(seed+
				i), 1)), now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
			layout := [...]string{"baton", "gsd", "specflow"}[i%3]
			h.git("init", "-q", "-b", "main")
			h.baton("init", "--layout", layout)
			for _, title := range [...]string{"One", "Two"} {
				h.baton("task", "new", title, "--accept", "Alpha", "--accept", "Beta", "--accept", "Gamma")
			}
			h.baton("decision", "add", "The first")
			h.baton("merge", "install")
			h.git("add", "-A")
			h.git("commit", "-q", "-m", "base")
			h.git("tag", "base")
			branches := []string{"a", "b", "c"}[:2+i%2] // two and three, in each layout
			for _, branch := range branches {
				h.work(branch, layout)
			}
			for _, branch := range branches {
				h.join(branch)
			}
			h.holds()
			h.checked()
			h.baton("task", "list")
			h.baton("status")
		})
	}
}
