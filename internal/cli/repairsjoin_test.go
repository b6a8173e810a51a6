package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// branch works on a branch and on main at the same time, and joins them in one of git's ways. The branch is in this
// worktree or in a second one.
func (r *repairHistory) branch() {
	r.save()
	name := fmt.Sprintf("side-%d", r.named)
	r.git("tag", "-f", "base")
	here, before := r.dir, slices.Clone(r.line)
	switch {
	case r.ignored || r.rand.IntN(3) > 0:
		r.git("checkout", "-q", "-b", name)
	case r.second == "":
		r.second = filepath.Join(r.t.TempDir(), "beside")
		r.git("worktree", "add", "-q", "-b", name, r.second)
		r.dir = r.second
	default:
		r.dir = r.second
		r.git("checkout", "-q", "-f", "-B", name, "main")
	}
	r.done = append(r.done, "# in "+r.dir)
	for range 1 + r.rand.IntN(2) {
		r.act()
	}
	r.save()
	side, apart := r.line, r.dir != here
	if apart {
		r.git("checkout", "-q", "--detach")
	}
	r.dir, r.line = here, before
	r.done = append(r.done, "# in "+r.dir)
	r.git("checkout", "-q", "main")
	for range r.rand.IntN(3) {
		r.act()
	}
	r.save()
	for _, word := range side {
		if !slices.Contains(r.line, word) {
			r.line = append(r.line, word)
		}
	}
	resolved := r.join(name, apart)
	r.baton("init") // reads what came from the other worktree, so that it is missed
	for path := range r.documents() {
		r.hurt[belongsTo(path)] = true
	}
	if resolved { // both sides may have a session with the same number
		r.follow()
	}
}

// join brings a branch into main in one of git's ways, and checks what became of the statuses. apart says that the work
// was done in another worktree: what a person does not take of it, nobody here ever read.
func (r *repairHistory) join(branch string, apart bool) (resolved bool) {
	r.t.Helper()
	ours, theirs := r.rev("main"), r.rev(branch)
	if r.sorted && !r.driver {
		r.sorted = false
	}
	if theirs == r.rev("base") {
		return false // nothing was done there
	}
	switch r.rand.IntN(4) {
	case 0:
		r.picked = true
		r.git("checkout", "-q", branch)
		resolved = r.applied(r.merging("rebase", "main"))
		r.git("checkout", "-q", "main")
		r.git("merge", "-q", "--ff-only", branch)
		r.threeWaySteps(theirs, ours)
	case 1:
		r.picked = true
		resolved = r.applied(r.merging("cherry-pick", "base.."+branch))
		r.threeWaySteps(theirs, ours)
	case 2:
		r.git("checkout", "-q", branch)
		r.git("reset", "-q", "--soft", "base")
		r.git("stash", "-q")
		r.git("checkout", "-q", "main")
		if resolved = r.applied(r.merging("stash", "pop")); resolved {
			r.git("stash", "drop", "-q")
		}
		r.save()
		r.threeWay("base", ours, theirs, "HEAD")
	default:
		resolved = r.merging("merge", "--no-edit", branch)
		r.applied(resolved && apart)
		r.threeWay("base", ours, theirs, "HEAD")
	}
	r.noted()
	return resolved
}

func (r *repairHistory) rev(name string) string {
	out, err := r.ask("rev-parse", name)
	if err != nil {
		r.t.Fatal(err, out)
	}
	return strings.TrimSpace(out)
}

// ask runs git and returns its output.
func (r *repairHistory) ask(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, append(r.environ(), "GORACE=atexit_sleep_ms=0", "GIT_EDITOR=true")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// merging runs a command of git that may stop with conflicts, and resolves them until it is done. It reports whether a
// person resolved something.
func (r *repairHistory) merging(args ...string) (resolved bool) {
	r.t.Helper()
	for round := 0; ; round++ {
		r.done = append(r.done, "git "+strings.Join(args, " "))
		out, err := r.ask(args...)
		if err == nil {
			return resolved
		}
		r.done = append(r.done, "#   "+strings.TrimSpace(out))
		if round > 20 {
			r.t.Fatalf("%v\n%s", err, strings.Join(r.done, "\n"))
		}
		resolved = true
		r.resolve()
		r.git("add", "-A")
		nothing := strings.TrimSpace(r.must("status", "--porcelain")) == ""
		switch args[0] {
		case "stash":
			return true
		case "merge":
			args = []string{"commit", "-q", "--no-edit"}
		case "commit":
			r.t.Fatalf("%v\n%s", err, strings.Join(r.done, "\n"))
		default:
			args = []string{args[0], "--continue"}
			if nothing {
				args[1] = "--skip"
			}
		}
	}
}

func (r *repairHistory) must(args ...string) string {
	r.t.Helper()
	out, err := r.ask(args...)
	if err != nil {
		r.t.Fatalf("%v\n%s\n%s", err, strings.Join(r.done, "\n"), out)
	}
	return out
}

// resolve lets baton repair what it can, and then solves conflicts as a person does: by taking one side, or both.
func (r *repairHistory) resolve() {
	r.t.Helper()
	files := strings.Fields(r.must("diff", "--name-only", "--diff-filter=U"))
	r.answer("doctor", "--fix")
	for _, name := range files {
		path := filepath.Join(r.dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			r.t.Fatalf("%v\n%s", err, strings.Join(r.done, "\n"))
		}
		r.unbox(taskOf.FindString(name))
		if !strings.Contains(string(data), "<<<<<<< ") {
			continue
		}
		side := [...]string{"ours", "theirs", "both"}[r.rand.IntN(3)]
		r.done = append(r.done, "# a person takes "+side+" in "+name)
		if err := os.WriteFile(path, []byte(chosen(string(data), side)), 0o666); err != nil {
			r.t.Fatal(err)
		}
	}
}

// chosen returns a text with conflicts in which somebody took one side, or both. Nobody takes both where that would make
// no sense: in JSON, in summaries and in stamps. A person who takes two sessions leaves both whole.
func chosen(text, side string) string {
	var out, ours, theirs strings.Builder
	into := &out
	lines := slices.Collect(strings.Lines(text))
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "<<<<<<< "):
			into = &ours
		case strings.HasPrefix(line, "======="):
			into = &theirs
		case strings.HasPrefix(line, ">>>>>>> "):
			x, y := ours.String(), theirs.String()
			both := side == "both" && !singleOnly.MatchString(x+y)
			if side != "theirs" {
				out.WriteString(x)
			}
			sessions := both && strings.Contains(x, "### Session ") && strings.Contains(y, "### Session ")
			for _, line := range lines[i+1:] {
				if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "<<<<<<< ") || !sessions {
					break
				}
				out.WriteString(line)
			}
			if side == "theirs" || both {
				out.WriteString(y)
			}
			ours.Reset()
			theirs.Reset()
			into = &out
		default:
			into.WriteString(line)
		}
	}
	return out.String()
}

// applied forgets the entries that a person did not take, because the history of this branch does not have them, or
// this worktree never read them. It returns its argument.
func (r *repairHistory) applied(resolved bool) bool {
	if !resolved {
		return false
	}
	var all strings.Builder
	for _, text := range r.documents() {
		all.WriteString(text)
	}
	gone := func(word string) bool { return !strings.Contains(all.String(), word) }
	r.entries = slices.DeleteFunc(r.entries, func(e branchEntry) bool { return e.kind == "criterion" || gone(e.word) })
	r.titles = slices.DeleteFunc(r.titles, gone)
	for word := range r.after {
		if gone(word) {
			delete(r.after, word)
		}
	}
	r.line = slices.DeleteFunc(r.line, gone)
	for word, before := range r.after {
		r.after[word] = slices.DeleteFunc(before, gone)
	}
	return true
}

var (
	singleOnly    = regexp.MustCompile(`(?m)^ +"\w+": |Archived Summary|\*\*Accomplishments:|last_updated|^Last activity|^\*Last updated`)
	statusWritten = regexp.MustCompile(`"status": "(\w+)"`)
	noteWritten   = regexp.MustCompile(`"status_merged": "(\w+ over \w+)"`)
	stampWritten  = regexp.MustCompile(`(?m)^### Session \d+ - (\d{4}-\d\d-\d\d \d\d:\d\d)|"(?:updated_at|last_session_at)": "([^"]*)"`)
)
