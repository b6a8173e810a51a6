package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/usecase/loss"
	"baton/internal/workspace"
)

// repairHistory is a project in which people and agents damage documents between baton's changes. In the end everything
// that baton recommends is done, in the order in which baton recommends it.
type repairHistory struct {
	branchHistory
	layout string
	older  map[string]string // an earlier text of each document
	hurt   map[string]bool   // tasks and digests of which a document was damaged, or that were merged
	named  int               // words so far

	driver  bool                // git merges with baton's driver; otherwise by lines, and people resolve conflicts
	ignored bool                // archives are not committed
	second  string              // a second worktree, or ""
	saved   int                 // commits so far
	titles  []string            // of tasks that were created on the way
	never   []string            // words of commands that were killed before they had an effect
	line    []string            // the words of decisions on this branch, in time order
	after   map[string][]string // the words of the decisions that were there before each
	sorted  bool                // no person decided about the order of decisions
}

// act makes one change with baton.
func (r *repairHistory) act() {
	r.named++
	n := r.named
	word := fmt.Sprintf("word-%d-end", n)
	did := fmt.Sprintf("%s a%d b%d c%d", word, n, n, n) // otherwise all sessions of a day would have the same words
	id := strconv.Itoa(1 + r.rand.IntN(2))
	e := branchEntry{kind: "session", task: id, word: word}
	switch r.rand.IntN(12) {
	case 0, 1:
		if r.layout != "specflux" { // which has no digest
			e.kind = "decision"
			r.decide(word, id)
			r.decided(word)
			break
		}
		r.work("task", "log", id, "--did", did)
	case 2, 3:
		r.work("task", "log", id, "--did", did)
		r.work("task", "archive", id, "--keep", "2")
	case 4:
		e.kind, e.criterion = "criterion", 1+r.rand.IntN(3)
		r.work("task", "check", id, strconv.Itoa(e.criterion), "--evidence", word)
	case 5:
		r.session(id, word)
	case 6:
		if !r.killed(id, word) {
			return
		}
	case 7, 8:
		r.turn(id)
		return
	case 9:
		if len(r.titles) < 3 {
			r.titles = append(r.titles, word)
			r.baton("task", "new", word, "--accept", "Alpha")
			return
		}
		fallthrough
	default:
		r.work("task", "log", id, "--did", did, "--next", "go on")
	}
	r.entries = append(r.entries, e)
	if r.rand.IntN(3) == 0 {
		r.save()
	}
}

// work runs a command on a task. If a session of an agent has claimed the task since, agent-1 claims it again.
func (r *repairHistory) work(args ...string) {
	r.t.Helper()
	r.now = r.now.Add(time.Minute)
	if _, code := r.answer(args...); code == 0 {
		return
	}
	r.answer("--as", "somebody", "task", "reopen", args[2])                            // agent-1 cannot claim a task that is closed
	r.answer("task", "claim", args[2], "--steal", "--force", "--reason", "it is over") // --force: somebody may have cancelled it
	r.answer("task", "release", args[2])
	r.baton(args...)
}

// decided notes which decisions were there before this one.
func (r *repairHistory) decided(word string) {
	r.after[word] = slices.Clone(r.line)
	r.line = append(r.line, word)
}

// move goes on in a clone, which has nothing but what was committed.
func (r *repairHistory) move() {
	r.follow()
	r.save()
	to := r.t.TempDir()
	r.git("clone", "-q", r.dir, to)
	r.done = append(r.done, "# goes on in a clone")
	r.dir, r.older, r.second = to, map[string]string{}, ""
	r.withoutLocks()
	r.baton("init") // reads everything, so that it is missed
	r.driver = r.driver && r.rand.IntN(4) > 0
	if r.driver {
		r.baton("merge", "install")
	}
	if !r.ignored {
		return
	}
	for i, e := range r.entries {
		if e.kind == "session" && !slices.ContainsFunc(r.lines("task-"+e.task+"-state.md"), func(line [2]string) bool {
			return sessionHeading.MatchString(line[0]) && strings.Contains(line[1], e.word)
		}) {
			r.entries[i].kind = "summary"
		}
	}
	r.entries = slices.DeleteFunc(r.entries, func(e branchEntry) bool {
		return e.kind == "criterion" || e.kind == "summary" && !strings.Contains(r.text("task-"+e.task+"-state.md"), e.word)
	})
}

func (r *repairHistory) decide(word, id string) {
	if r.layout == "specflow" {
		r.baton("decision", "add", word, "--spec", "SPEC-00"+id)
	} else {
		r.baton("decision", "add", word)
	}
}

// save commits what changed. A commit without changes could not be picked.
func (r *repairHistory) save() {
	r.git("add", "-A")
	cmd := exec.Command("git", "diff", "--cached", "--quiet")
	cmd.Dir, cmd.Env = r.dir, r.environ()
	if cmd.Run() != nil {
		r.saved++
		r.git("commit", "-q", "-m", fmt.Sprint("work ", r.saved))
	}
}

// documents returns the texts of all documents, by path.
func (r *repairHistory) documents() map[string]string {
	r.t.Helper()
	out := map[string]string{}
	for _, pattern := range [...]string{
		"*/STATE.md", "*/DECISIONS_ARCHIVE.md", "*/tasks/*.md", "*/archive/*.md", "*/task-states/*.md", "*/archives/*.md",
	} {
		found, err := filepath.Glob(filepath.Join(r.dir, "."+pattern))
		if err != nil {
			r.t.Fatal(err)
		}
		for _, path := range found {
			data, err := os.ReadFile(path)
			if err != nil {
				r.t.Fatal(err)
			}
			out[path] = string(data)
		}
	}
	return out
}

var wipedSession = regexp.MustCompile(`(?ms)^### Session \d+ - .*?(^### |^## )`)

// damage does to a document what editors and agents do.
func (r *repairHistory) damage() {
	r.t.Helper()
	all := r.documents()
	paths := workspace.SortedKeys(all)
	path := paths[r.rand.IntN(len(paths))]
	text, what := all[path], ""
	switch r.rand.IntN(5) {
	case 0: // somebody deletes a line with a decision
		lines := strings.SplitAfter(text, "\n")
		at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "word-") && strings.ContainsAny(l[:1], "-|") })
		if at >= 0 && !taskOf.MatchString(filepath.Base(path)) { // a line of a session makes it another text, not a lost one
			text, what = strings.Join(slices.Delete(lines, at, at+1), ""), "a line is deleted"
		}
	case 1: // an agent writes the log again and forgets a session
		if m := wipedSession.FindStringSubmatchIndex(text); m != nil {
			text, what = text[:m[0]]+text[m[2]:], "a session is wiped"
		}
	case 2: // an editor saves an earlier text
		if was, ok := r.older[path]; ok && was != text {
			text, what = was, "an earlier text is saved"
			r.unbox(taskOf.FindString(filepath.Base(path)))
		}
	case 3: // somebody deletes a file
		if strings.HasSuffix(path, "-archive.md") || strings.HasSuffix(path, "DECISIONS_ARCHIVE.md") {
			what = "the file is deleted"
		}
	default: // all sessions of a log are gone
		if i := strings.Index(text, "### Session "); i >= 0 && strings.Contains(text[i:], "\n## ") {
			text, what = text[:i]+text[i+strings.Index(text[i:], "\n## ")+1:], "every session is wiped"
		}
	}
	if what == "" {
		return
	}
	r.done = append(r.done, "# "+what+": "+path)
	r.hurt[belongsTo(path)] = true
	var err error
	if what == "the file is deleted" {
		err = os.Remove(path)
	} else {
		err = os.WriteFile(path, []byte(text), 0o666)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// unbox forgets the criteria of a task, whose boxes are as somebody wrote them.
func (r *repairHistory) unbox(task string) {
	r.entries = slices.DeleteFunc(r.entries, func(e branchEntry) bool {
		return e.kind == "criterion" && task == "task-"+e.task
	})
}

var taskOf = regexp.MustCompile(`task-\d+`)

// belongsTo returns the task of a document, or the folder of a digest: repairs may change all documents of one.
func belongsTo(path string) string {
	if id := taskOf.FindString(filepath.Base(path)); id != "" {
		return id
	}
	return filepath.Dir(path)
}

// answer runs a command that may fail.
func (r *repairHistory) answer(args ...string) (out string, code int) {
	r.t.Helper()
	r.done = append(r.done, "baton "+strings.Join(args, " "))
	var stdout, stderr bytes.Buffer
	r.now = r.now.Add(time.Second)
	code = Main(r.t.Context(), report.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv:  func(name string) string { return map[string]string{"BATON_AS": "agent-1"}[name] },
		Environ: r.environ(), Dir: r.dir, Now: func() time.Time { return r.now }, Rand: rand.NewChaCha8([32]byte{}), PID: os.Getpid(),
	}, Doors{})
	if code != 0 && stderr.Len() > 0 {
		r.done = append(r.done, "#   "+strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), code
}

// recommended returns the commands that baton recommends now, in its order.
func (r *repairHistory) recommended() (out []string) {
	r.t.Helper()
	add := func(line string) {
		if strings.HasPrefix(line, "baton ") && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	text, _ := r.answer("lost", "--json")
	var lost loss.LostList
	if err := json.Unmarshal([]byte(text), &lost); err != nil {
		r.t.Fatalf("%v\n%s", err, text)
	}
	if len(lost.Lost) > 0 {
		add("baton lost --restore")
	}
	for _, f := range lost.Files {
		add(f.Restore)
	}
	for _, f := range r.look().Findings {
		add(f.Command)
	}
	if len(out) > 0 {
		return out
	}
	for _, page := range [...]string{"status", "task list"} {
		text, _ := r.answer(append(strings.Fields(page), "--json")...)
		for _, m := range repairAdvised.FindAllStringSubmatch(text, -1) {
			add(m[1])
		}
	}
	return out
}

// repairAdvised finds the repairs that a page recommends. What else it recommends is work, which never ends.
var repairAdvised = regexp.MustCompile("`(baton (?:lost --restore|doctor --fix|snapshot restore|merge|task archive|state rotate)[^`A-Z]*)`")

func (r *repairHistory) look() (d workspace.DoctorResult) {
	r.t.Helper()
	text, _ := r.answer("doctor", "--json")
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		r.t.Fatalf("%v\n%s", err, text)
	}
	return d
}

// follow does what baton recommends until it recommends nothing more, or nothing that changes anything.
func (r *repairHistory) follow() {
	r.t.Helper()
	idle, at, were := map[string]bool{}, r.documents(), r.statuses()
	defer func() {
		r.keptStatuses(were)
		for path, text := range r.documents() {
			if was, ok := at[path]; ok && was != text && !r.hurt[belongsTo(path)] {
				r.t.Errorf("%s was changed, and nobody had damaged it\n%s", path, strings.Join(r.done, "\n"))
			}
		}
		clear(r.hurt)
	}()
	for range 20 {
		var next string
		for _, line := range r.recommended() {
			if !idle[line] {
				next = line
				break
			}
		}
		if next == "" {
			return
		}
		if (next == "baton lost --restore" || next == "baton doctor --fix") && r.rand.IntN(3) == 0 {
			r.mortal(80, strings.Fields(next)[1:]...) // and once more, because it is still recommended
		}
		before := fmt.Sprint(r.documents())
		if _, code := r.answer(shellWords(r.t, strings.TrimPrefix(next, "baton "))...); code == report.Locked.Row().Exit {
			r.now = r.now.Add(time.Minute) // the lock of a killed process is old then
			r.answer(shellWords(r.t, strings.TrimPrefix(next, "baton "))...)
		}
		if strings.HasPrefix(next, "baton task ") {
			were = r.statuses()
		}
		if before == fmt.Sprint(r.documents()) {
			idle[next] = true
		} else {
			clear(idle)
		}
	}
	r.t.Errorf("baton goes on recommending\n%s", strings.Join(r.done, "\n"))
}

var sessionHeading = regexp.MustCompile(`^##+ Session (\d+) - (\d{4}-\d\d-\d\d \d\d:\d\d)`)

// ordered checks that the numbers of each task's sessions are unique and ascend in time. Of two sessions that overlapped,
// either may be the first: the stamp says when a session began. A session that came from another branch after newer ones
// moved to the archive has a higher number than these, and a note: a merge does not see the archive, where numbers stay.
func (r *repairHistory) ordered() {
	r.t.Helper()
	type session struct {
		word, stamp     string
		number, heading int // the heading's position in the file
		noted, archived bool
	}
	for _, id := range [...]string{"1", "2"} {
		var before []session
		for _, e := range r.entries {
			if e.kind != "session" || e.task != id {
				continue
			}
			for _, file := range [...]string{"task-" + id + "-state.md", "task-" + id + "-archive.md"} {
				heading := 0
				for at, line := range r.lines(file) {
					if line[0] == line[1] {
						heading = at
					}
					m := sessionHeading.FindStringSubmatch(line[0])
					if m == nil || !strings.Contains(line[1], e.word) {
						continue
					}
					now := session{word: e.word, stamp: m[2], heading: heading, archived: strings.HasSuffix(file, "-archive.md")}
					now.number, _ = strconv.Atoi(m[1])
					now.noted = strings.Contains(line[0], "(was session ")
					for _, b := range before {
						same := now.heading == b.heading && now.archived == b.archived // one entry with both words (D53)
						if now.number == b.number && !same || now.number < b.number && now.stamp >= b.stamp && !(b.noted && now.archived) {
							r.t.Errorf("task %s: %s has the number %d after %d of %s\n%s", id, e.word, now.number, b.number,
								b.word, strings.Join(r.done, "\n"))
						}
					}
					before = append(before, now)
				}
			}
		}
	}
}

// quiet checks that the doctor finds nothing more than what a person has to decide.
func (r *repairHistory) quiet() {
	r.t.Helper()
	for _, f := range r.look().Findings {
		switch {
		case f.Severity == report.Info, f.Code == "future_time", f.Code == "must_split", f.Code == "archive_gone" && r.ignored:
		case f.Code == "lock_stale": // of a killed process; the next change of that digest removes it
		default:
			r.t.Errorf("the doctor finds %s: %s\n%s", f.Code, f.Text, strings.Join(r.done, "\n"))
		}
	}
}
