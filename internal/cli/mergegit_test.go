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
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/internal/project"
	"baton/internal/report"
)

// history is one repository in which branches work at the same time.
type history struct {
	t     *testing.T
	dir   string
	rand  *rand.Rand
	now   time.Time
	words []string
	done  []string // for the report of a failure
}

func (h *history) git(args ...string) {
	h.t.Helper()
	h.done = append(h.done, "git "+strings.Join(args, " "))
	cmd := exec.Command("git", args...)
	cmd.Dir = h.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "HOME="+h.dir, "GORACE=atexit_sleep_ms=0", "GIT_EDITOR=true",
		"GIT_AUTHOR_NAME=agent-1", "GIT_AUTHOR_EMAIL=agent-1@example.org", "GIT_COMMITTER_NAME=agent-1", "GIT_COMMITTER_EMAIL=agent-1@example.org")
	if out, err := cmd.CombinedOutput(); err != nil {
		diff := exec.Command("git", "diff")
		diff.Dir = h.dir
		shown, _ := diff.Output()
		h.t.Fatalf("%v\n%s\n%s\n%s", err, strings.Join(h.done, "\n"), out, shown)
	}
}

func (h *history) baton(args ...string) {
	h.t.Helper()
	h.done = append(h.done, "baton "+strings.Join(args, " "))
	var out bytes.Buffer
	h.now = h.now.Add(time.Minute)
	code := Main(h.t.Context(), report.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out,
		Getenv:  func(name string) string { return map[string]string{"BATON_AS": "agent-1"}[name] },
		Environ: os.Environ(), Dir: h.dir, Now: func() time.Time { return h.now }, Rand: rand.NewChaCha8([32]byte{}), PID: os.Getpid(),
	}, Doors{})
	if code != 0 {
		h.t.Fatalf("exit code %d\n%s\n%s", code, strings.Join(h.done, "\n"), out.String())
	}
}

// work makes some changes on a branch and commits each.
func (h *history) work(branch string, layout string) {
	h.git("checkout", "-q", "-b", branch, "main")
	for i := range 1 + h.rand.IntN(4) {
		word := fmt.Sprintf("word-%s-%d-end", branch, i)
		id := strconv.Itoa(1 + h.rand.IntN(2))
		switch h.rand.IntN(5) {
		case 0:
			h.baton("task", "log", id, "--did", word, "--next", "go on")
		case 1:
			h.baton("task", "log", id, "--did", word)
			h.baton("task", "archive", id, "--keep", "1")
		case 2:
			h.baton("task", "check", id, strconv.Itoa(1+h.rand.IntN(3)), "--evidence", word)
		case 3:
			if layout == "specflow" {
				h.baton("decision", "add", word, "--spec", "SPEC-00"+id)
				break
			}
			h.baton("blocker", "add", word)
		default:
			h.baton("decision", "add", word)
		}
		h.words = append(h.words, word)
		h.git("add", "-A")
		h.git("commit", "-q", "-m", word)
	}
}

// join brings a branch to main in one of git's ways.
func (h *history) join(branch string) {
	switch h.rand.IntN(4) {
	case 0:
		h.git("checkout", "-q", branch)
		h.git("rebase", "-q", "main")
		h.git("checkout", "-q", "main")
		h.git("merge", "-q", "--ff-only", branch)
	case 1:
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

// holds looks for every entry in the documents.
func (h *history) holds() {
	h.t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(h.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && (e.Name() == ".git" || e.Name() == "local") {
			return fs.SkipDir
		}
		if e.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		all.Write(data)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	for _, word := range h.words {
		if !strings.Contains(all.String(), word) {
			h.t.Errorf("%s is lost\n%s", word, strings.Join(h.done, "\n"))
		}
	}
	if strings.Contains(all.String(), "<<<<<<<") {
		h.t.Errorf("a conflict is left\n%s", strings.Join(h.done, "\n"))
	}
}

// checked holds "merge check" to the one thing that it may find: two branches that moved different sessions of one number
// to the archive, where nothing is ever changed.
func (h *history) checked() {
	h.t.Helper()
	var out bytes.Buffer
	Main(h.t.Context(), report.Env{
		Args: []string{"merge", "check", "--json"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard,
		Getenv: func(string) string { return "" }, Environ: os.Environ(), Dir: h.dir, Now: func() time.Time { return h.now },
	}, Doors{})
	var got project.MergeCheck
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Files == 0 {
		h.t.Fatalf("%v\n%s", err, out.String())
	}
	for _, f := range got.Findings {
		if f.Code != "session_number_doubled" || !strings.HasSuffix(f.Path, "-archive.md") {
			h.t.Errorf("%s:%d: %s\n%s", f.Path, f.Line, f.Text, strings.Join(h.done, "\n"))
		}
	}
}

// Every entry of every branch is there after any merge, rebase, cherry-pick and stash pop (D40). BATON_MERGES says how many
// histories are played, and BATON_SEED where they begin.
func TestD40_NothingIsLostInMergesOfBranches(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on PATH: install git to play merges")
	}
	count, seed := 30, 1
	if n, err := strconv.Atoi(os.Getenv("BATON_MERGES")); err == nil {
		count = n
	}
	if n, err := strconv.Atoi(os.Getenv("BATON_SEED")); err == nil {
		seed = n
	}
	for i := range count {
		t.Run(strconv.Itoa(seed+i), func(t *testing.T) {
			t.Parallel()
			h := &history{t: t, dir: t.TempDir(), rand: rand.New(rand.NewPCG(uint64(seed+i), 1)), now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
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
			branches := []string{"a", "b", "c"}[:2+h.rand.IntN(2)]
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
