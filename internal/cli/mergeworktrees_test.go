package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/internal/usecase/loss"
)

// Two worktrees log, archive and merge each other again and again, also by squash merges, and commands are killed: no
// session is lost, named as lost, or there twice (D40). BATON_MERGES sets the number of histories, and BATON_SEED the first
// seed.
func TestD40_NothingIsLostInWorktreesThatKeepMerging(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on PATH: install git to play merges")
	}
	count, seed := 4, 1
	if n, err := strconv.Atoi(os.Getenv("BATON_MERGES")); err == nil {
		count = n
	}
	if n, err := strconv.Atoi(os.Getenv("BATON_SEED")); err == nil {
		seed = n
	}
	for i := range count {
		t.Run(strconv.Itoa(seed+i), func(t *testing.T) {
			t.Parallel()
			w := newWorktrees(t, seed+i)
			for range 30 {
				w.step()
			}
			w.together()
		})
	}
}

// worktrees are two worktrees of one repository, main and side. Each word belongs to one of them until they merge.
type worktrees struct {
	repairHistory
	dirs      [2]string
	words     [2][]string // that must be in each worktree
	committed [2][]string // that are committed on each branch
	at        int         // the worktree at work
}

func newWorktrees(t *testing.T, seed int) *worktrees {
	w := &worktrees{repairHistory: repairHistory{
		branchHistory: branchHistory{
			t: t, dir: t.TempDir(), rand: rand.New(rand.NewPCG(uint64(seed), 3)),
			now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
		},
		layout: "baton",
	}}
	w.dirs = [2]string{w.dir, filepath.Join(t.TempDir(), "side")}
	w.git("init", "-q", "-b", "main")
	w.withoutLocks()
	w.baton("init")
	w.baton("merge", "install")
	w.baton("task", "new", "One", "--accept", "Alpha")
	w.save()
	w.git("worktree", "add", "-q", "-b", "side", w.dirs[1])
	return w
}

// step makes one change in one of the worktrees.
func (w *worktrees) step() {
	w.at = w.rand.IntN(2)
	w.dir = w.dirs[w.at]
	w.done = append(w.done, "# in "+w.dir)
	switch w.rand.IntN(14) {
	case 0, 1, 2, 3, 4:
		w.log()
	case 5:
		w.answer("task", "archive", "1", "--keep", strconv.Itoa(w.rand.IntN(4)))
	case 6, 7:
		w.answer("session", "start", "1", "--force", "--reason", "it goes on")
	case 8:
		w.answer("session", "end", "1")
	case 9, 10:
		w.merge("--no-edit")
	case 11:
		w.merge("--squash")
	case 12:
		w.answer("doctor", "--fix")
	default:
		w.nothingLost()
	}
	for _, word := range w.words[w.at] {
		if text := w.text("task-1-state.md") + w.text("task-1-archive.md"); !strings.Contains(text, word) {
			w.t.Fatalf("%s is gone\n%s", word, strings.Join(w.done, "\n"))
		}
	}
}

// log logs a session or adds to one. One command in four may be killed.
func (w *worktrees) log() {
	w.named++
	word := fmt.Sprintf("word-%d-end", w.named)
	args := []string{"task", "log", "1", "--did", word}
	if w.rand.IntN(2) == 0 { // two words are too few to find a text that was changed
		args[4] += fmt.Sprintf(" a%d b%d c%d", w.named, w.named, w.named)
	}
	if w.rand.IntN(4) > 0 {
		w.baton(args...)
	} else if !w.mortal(40, args...) {
		w.baton("task", "show", "1") // completes a change that was made
		if !strings.Contains(w.text("task-1-state.md"), word) {
			return
		}
	}
	w.words[w.at] = append(w.words[w.at], word)
	w.entries = append(w.entries, branchEntry{kind: "session", task: "1", word: word})
}

// merge commits what was done and merges the other branch.
func (w *worktrees) merge(how string) {
	w.save()
	w.committed[w.at] = slices.Clone(w.words[w.at])
	w.git("merge", "-q", how, [...]string{"side", "main"}[w.at])
	w.save()
	w.words[w.at] = append(w.words[w.at], w.committed[1-w.at]...)
	w.committed[w.at] = slices.Clone(w.words[w.at])
}

func (w *worktrees) nothingLost() {
	w.t.Helper()
	text, _ := w.answer("lost", "--json")
	var lost loss.LostList
	if err := json.Unmarshal([]byte(text), &lost); err != nil || len(lost.Lost)+len(lost.Files) > 0 {
		w.t.Errorf("%v\n%s\n%s", err, strings.Join(w.done, "\n"), text)
	}
}

// together merges both worktrees, does what the doctor recommends, and looks for every session.
func (w *worktrees) together() {
	w.dir = w.dirs[1]
	w.save()
	for w.at, w.dir = range w.dirs {
		w.done = append(w.done, "# in "+w.dir)
		w.merge("--no-edit")
		w.baton("task", "list")
		for range 3 { // it changes each file once
			w.answer("doctor", "--fix")
		}
		w.once()
		w.nothingLost()
		w.numbered()
	}
}

// once checks that every word is in one session. One side may archive a session while the other side adds to it: the
// archive then has its earlier text, too, because nothing is taken out of an archive.
func (w *worktrees) once() {
	w.t.Helper()
	words := map[string][]string{} // by heading with its position
	stamps := map[string]string{}
	at, heading := 0, ""
	for _, line := range w.lines("task-1-state.md", "task-1-archive.md") {
		if line[0] == line[1] {
			at++
			heading = fmt.Sprint(at, " ", line[0])
		}
		if m := sessionHeading.FindStringSubmatch(line[0]); m != nil && anyWord.MatchString(line[1]) {
			words[heading], stamps[heading] = append(words[heading], anyWord.FindString(line[1])), m[2]
		}
	}
	found := map[string]int{}
	for here, list := range words {
		earlier := false
		for there, more := range words {
			all := !slices.ContainsFunc(list, func(word string) bool { return !slices.Contains(more, word) })
			earlier = earlier || len(more) > len(list) && all && stamps[here] == stamps[there]
		}
		for _, word := range list {
			if !earlier {
				found[word]++
			}
		}
	}
	for _, e := range w.entries {
		if found[e.word] != 1 {
			w.t.Errorf("%s is in %d sessions\n%s", e.word, found[e.word], strings.Join(w.done, "\n"))
		}
	}
}

// numbered checks that no two sessions have one number.
func (w *worktrees) numbered() {
	w.t.Helper()
	seen := map[string]string{}
	for _, line := range w.lines("task-1-state.md", "task-1-archive.md") {
		if m := sessionHeading.FindStringSubmatch(line[0]); m != nil && line[0] == line[1] {
			if was := seen[m[1]]; was != "" {
				w.t.Errorf("two sessions have the number %s:\n%s%s%s", m[1], was, line[0], strings.Join(w.done, "\n"))
			}
			seen[m[1]] = line[0]
		}
	}
}
