package farm

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// verify merges all branches into main and looks for everything that was acknowledged.
func (f *farm) verify() {
	f.t.Helper()
	for i := range f.size.workers {
		f.must(main, "git", "merge", "-q", "--no-edit", nameOf(i))
		f.unmarked(main)
	}
	f.stopIfFailed()
	f.entries()
	f.sessions()
	f.history()

	var list listed
	if err := json.Unmarshal([]byte(f.must(main, "baton", "task", "list", "--json")), &list); err != nil {
		f.fault("%v", err)
	}
	for _, t := range list.Tasks {
		if t.Status != "complete" || t.Claim != nil {
			f.fault("task %s is %s in the merged main, with the claim %+v", t.ID, t.Status, t.Claim)
		}
	}
	if len(list.Tasks) != f.size.tasks || len(f.finished) != f.size.tasks {
		f.fault("%d tasks are listed, %d were completed", len(list.Tasks), len(f.finished))
	}
	f.doctor()

	// All worktrees get what main has, so nothing is left that only one of them knows.
	f.must(main, "git", "add", "-A")
	f.must(main, "git", "commit", "-q", "--allow-empty", "-m", "all")
	for i := range f.size.workers {
		f.must(nameOf(i), "git", "merge", "-q", main)
		f.unmarked(nameOf(i))
		f.must(nameOf(i), "baton", "task", "log", "1", "--did", "merged main")
		f.must(nameOf(i), "git", "checkout", "-q", ".")
		if out := f.must(nameOf(i), "baton", "task", "ready", "--json"); !strings.Contains(out, `"tasks": []`) {
			f.fault("%s offers tasks at the end\n%s", nameOf(i), out)
		}
		f.tidy(nameOf(i))
	}
	f.tidy(main)
	f.marks()
	f.stopIfFailed()
}

// must runs a command that has to succeed, and returns what it printed.
func (f *farm) must(worktree, name string, args ...string) string {
	a := f.run(worktree, worktree, "", 0, name, args...)
	if a.code != 0 {
		f.fault("%s: %s %s: exit code %d\n%s%s", worktree, name, strings.Join(args, " "), a.code, a.stdout, a.stderr)
	}
	return a.stdout
}

// unmarked looks for conflict markers in the state of a worktree.
func (f *farm) unmarked(worktree string) {
	for path, text := range f.state(worktree) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "<<<<<<<") || strings.HasPrefix(line, ">>>>>>>") {
				f.fault("%s has a conflict: %s", path, line)
			}
		}
	}
}

// state returns the documents of a worktree, by their paths.
func (f *farm) state(worktree string) map[string]string {
	out := map[string]string{}
	root := filepath.Join(f.dir, worktree, ".baton")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && e.Name() == "local" {
			return fs.SkipDir
		}
		if e.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		out[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		f.fault("%v", err)
	}
	return out
}

var sessionHead = regexp.MustCompile(`^### Session \d+ - `)

// entries looks for every text where a person would: an acknowledged one is there once, and one whose command was
// killed at most once.
func (f *farm) entries() {
	state := f.state(main)
	for _, w := range f.words {
		var names []string
		switch w.kind {
		case "session":
			names = []string{"tasks/task-" + w.task + "-state.md", "archive/task-" + w.task + "-archive.md"}
		case "evidence":
			names = []string{"archive/task-" + w.task + "-evidence.jsonl"}
		default:
			names = []string{"STATE.md", "STATE-ARCHIVE.md", "DECISIONS_ARCHIVE.md"}
		}
		n := 0
		for _, name := range names {
			below := ""
			for line := range strings.Lines(state[name]) {
				if strings.HasPrefix(line, "#") {
					below = line
				}
				// The summary of archived sessions repeats the beginning of their texts.
				if strings.Contains(line, w.text) && (w.kind != "session" || sessionHead.MatchString(below)) {
					n++
				}
			}
		}
		if n > 1 || n == 0 && w.sure {
			f.fault("%+v is there %d times in %v", w, n, names)
		}
	}
}

var sessionHeading = regexp.MustCompile(`^##+ Session (\d+) - `)

// sessions checks that each session of a task has a number of its own and its own text only.
func (f *farm) sessions() {
	state := f.state(main)
	for i := range f.size.tasks {
		id, seen := strconv.Itoa(i+1), map[string]bool{}
		for _, name := range []string{"tasks/task-" + id + "-state.md", "archive/task-" + id + "-archive.md"} {
			number, did, last := "", 0, 0
			for line := range strings.Lines(state[name] + "# End\n") {
				if strings.HasPrefix(line, "**Did:**") {
					did++
				}
				if !strings.HasPrefix(line, "#") {
					continue
				}
				if number != "" && did != 1 {
					f.fault("session %s in %s has the texts of %d sessions", number, name, did)
				}
				number, did = "", 0
				m := sessionHeading.FindStringSubmatch(line)
				if m == nil {
					continue
				}
				number = m[1]
				if seen[number] {
					f.fault("session %s of task %s is there twice, in %s", number, id, name)
				}
				seen[number] = true
				if n, _ := strconv.Atoi(number); n < last {
					f.fault("session %d is after session %d in %s", n, last, name)
				} else {
					last = n
				}
			}
		}
	}
}

var statusField = regexp.MustCompile(`"status": "([a-z_]+)"`)

// history checks with git that each task became complete in one commit only, and never anything else afterwards. A merge
// completes a task if no parent has it complete.
func (f *farm) history() {
	out := f.run(main, main, "", 0, "git", "log", "--all", "-m", "--raw", "--no-abbrev", "--no-renames", "--format=commit %H %P").stdout
	type change struct{ old, new string }
	type commit struct {
		id      string
		parents int
		changes map[string][]change // by task, one for each parent that has another version
	}
	var commits []*commit
	file := regexp.MustCompile(`\.baton/tasks/task-(\d+)-state\.md$`)
	blobs := map[string]string{}
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "commit "); ok {
			// git repeats a merge for each parent: "ID PARENTS" or "ID (from ID) PARENTS".
			words := strings.Fields(rest)
			if n := len(commits); n == 0 || commits[n-1].id != words[0] {
				parents := 0
				for _, w := range words[1:] {
					if len(w) == 40 {
						parents++
					}
				}
				commits = append(commits, &commit{words[0], parents, map[string][]change{}})
			}
			continue
		}
		if m := file.FindStringSubmatch(line); m != nil && strings.HasPrefix(line, ":") {
			fields := strings.Fields(line)
			c := commits[len(commits)-1]
			c.changes[m[1]] = append(c.changes[m[1]], change{fields[2], fields[3]})
			blobs[fields[2]], blobs[fields[3]] = "", ""
		}
	}
	f.statuses(blobs)
	completions := map[string][]string{}
	for _, c := range commits {
		for id, list := range c.changes {
			completed := len(list) == c.parents
			for _, ch := range list {
				was, is := blobs[ch.old], blobs[ch.new]
				completed = completed && was != "complete" && is == "complete"
				if was == "complete" && is != "complete" {
					f.fault("commit %s takes back that task %s is complete: it is %s", c.id, id, is)
				}
			}
			if completed {
				completions[id] = append(completions[id], c.id)
			}
		}
	}
	for i := range f.size.tasks {
		if id := strconv.Itoa(i + 1); len(completions[id]) != 1 {
			f.fault("task %s is completed by these commits: %v", id, completions[id])
		}
	}
}

// statuses fills in the status that each version of a task file has.
func (f *farm) statuses(blobs map[string]string) {
	var asked strings.Builder
	for id := range blobs {
		if strings.Trim(id, "0") != "" {
			asked.WriteString(id + "\n")
		}
	}
	out := f.run(main, main, asked.String(), 0, "git", "cat-file", "--batch").stdout
	for out != "" {
		header, rest, _ := strings.Cut(out, "\n")
		fields := strings.Fields(header)
		if len(fields) != 3 {
			f.fault("git cat-file answers %q", header)
			return
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size >= len(rest) {
			f.fault("git cat-file answers %q", header)
			return
		}
		m := statusField.FindStringSubmatch(rest[:size])
		if m == nil {
			f.fault("no status in %s", fields[0])
			return
		}
		blobs[fields[0]] = m[1]
		out = rest[size+1:]
	}
}

// doctor checks that the doctor finds nothing wrong in the merged main.
func (f *farm) doctor() {
	a := f.run(main, main, "", 0, "baton", "doctor", "--json")
	var report struct {
		Findings []struct{ Code, Severity, Path, Text string }
	}
	if err := json.Unmarshal([]byte(a.stdout), &report); err != nil || a.code != 0 {
		f.fault("doctor: exit code %d, %v\n%s%s", a.code, err, a.stdout, a.stderr)
	}
	for _, found := range report.Findings {
		// A worker logged to a task that another one completed: D44 wants a note of the status that does not count.
		if found.Code == "status_merged" && strings.Contains(found.Text, "complete counts") {
			continue
		}
		f.fault("the doctor finds %+v", found)
	}
}

// marks checks that marks leave the book when every branch has what they say. A writer asks git about one other
// worktree and one mark, so that no command waits for long.
func (f *farm) marks() {
	id := strconv.Itoa(f.size.tasks + 1)
	f.must(main, "baton", "task", "new", "Last", "--accept", "it is done")
	for range 2 + (f.size.workers+f.size.tasks)/2 { // each round writes twice
		f.must(main, "baton", "task", "claim", id)
		f.must(main, "baton", "task", "release", id)
	}
	var book struct {
		Marks []struct{ Task, Worktree, Status string }
	}
	data, err := os.ReadFile(filepath.Join(f.dir, main, ".baton", "local", "shared", "claims.json"))
	if err == nil {
		err = json.Unmarshal(data, &book)
	}
	for _, m := range book.Marks {
		if m.Task == id || m.Status != "complete" { // others forbid nothing
			continue
		}
		f.fault("a mark is left: %+v", m)
	}
	if err != nil || len(book.Marks) == 0 {
		f.fault("no marks can be read: %v", err)
	}
}

// tidy checks that processes left nothing behind: temporary files, a journal, claims, or an outbox that was not taken.
func (f *farm) tidy(worktree string) {
	root := filepath.Join(f.dir, worktree)
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if e != nil && e.IsDir() && e.Name() == ".git" {
			return fs.SkipDir
		}
		if err == nil && (strings.HasSuffix(path, ".tmp") || e.Name() == "journal" || e.Name() == "conflicts") {
			f.fault("%s is left", path)
		}
		return err
	})
	if err != nil {
		f.fault("%v", err)
	}
	var book struct {
		Claims   map[string]any
		Outboxes map[string]int
	}
	data, err := os.ReadFile(filepath.Join(f.dir, main, ".baton", "local", "shared", "claims.json"))
	if err == nil {
		err = json.Unmarshal(data, &book)
	}
	if err != nil || len(book.Claims) > 0 {
		f.fault("claims are left: %v, %v", slices.Collect(maps.Keys(book.Claims)), err)
	}
	outbox, _ := os.ReadFile(filepath.Join(root, ".baton", "local", "outbox"))
	if lines, name := strings.Count(string(outbox), "\n"), strings.TrimPrefix(worktree, main); lines != book.Outboxes[name] {
		f.fault("the outbox of %s has %d lines, %d were taken", worktree, lines, book.Outboxes[name])
	}
}
