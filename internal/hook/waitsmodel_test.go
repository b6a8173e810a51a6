package hook

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/internal/gitrepo/gittest"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/store/disk/unsynced"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// kind is what happens in a step of a script.
type kind int

const (
	start kind = iota
	prompted
	before
	after
	edited // a tool wrote a file
	asks
	reminds   // of what it asks
	questions // with a tool
	elicits   // with a dialog
	replied
	idles
	other
	interrupts
	stops
	fails
	limited
	compacts
	compacted
	subStarts
	subStops
	ends

	passes // time
	dies   // the client's process
	logs   // a hand-over
	kinds
)

// move is one step of a script.
type move struct {
	kind       kind
	text       string // source, prompt, question, last message, details of an error, trigger
	prompt     string
	tool       tool
	sub        bool // in a sub-agent
	background bool
	twice      bool // two copies of the event
	pass       time.Duration
}

// modelled is what the reference model knows of a session. It was written from the documentation, and shares no code with
// the program.
type modelled struct {
	known, over, gone, remote bool

	drafted bool // it is gone, and the start of another session in its worktree did what was left to do

	doing, about, until string
	since, seen         time.Time
	owes, task          bool // it wrote a file since its last hand-over; it holds the task
}

func (m *modelled) turn(doing, about string, at time.Time) {
	if m.doing != doing || m.about != about || m.until != "" {
		m.since = at
	}
	m.doing, m.about, m.until = doing, about, ""
}

// play follows a step that the client reported at a time.
func (m *modelled) play(s move, client string, at time.Time) {
	ignored := s.kind == other || s.sub && (s.kind == start || s.kind == prompted || s.kind == compacts || s.kind == compacted)
	if ignored || s.kind == before && (!m.known || m.doing == "working") {
		return // an event before a tool is recorded only if it ends something
	}
	m.known, m.seen = true, at
	asking := m.doing == "asks" || m.doing == "question"
	switch s.kind {
	case start:
		m.over = false
		switch {
		case s.text != "compact":
			m.turn("idle", "", at)
		case m.doing == "":
			m.turn("working", "", at)
		}
	case asks:
		about := s.tool.name + ": " + s.tool.command
		m.turn("asks", about, at)
	case reminds:
		if !asking {
			m.turn("asks", "needs your permission", at)
		}
	case questions:
		m.turn("question", s.text, at)
	case elicits:
		if client != qwen || !asking { // Qwen only reminds of a dialog
			m.turn("question", s.text, at)
		}
	case idles:
		if m.doing == "working" || m.doing == "" {
			m.turn("idle", "", at)
		}
	case interrupts:
		m.turn("idle", "", at)
	case stops:
		silent := client == copilot || client == opencode || client == cursor || client == kiro || client == vscode
		last := s.text[strings.LastIndex(s.text, "\n")+1:]
		switch {
		case s.sub, s.background && hasBackground(client):
			m.turn("working", "", at)
		case !silent && strings.HasSuffix(last, "?"):
			m.turn("question", last, at)
		case m.owes:
			m.turn("stopped", "", at)
		default:
			m.turn("idle", "", at)
		}
	case fails:
		m.turn("stopped", "server_error: "+s.text, at)
	case limited:
		about, until := "rate_limit: "+s.text, at.Add(20*time.Minute).UTC().Format(time.RFC3339)
		if m.doing != "limit" || m.about != about || m.until != until {
			m.since = at
		}
		m.doing, m.about, m.until = "limit", about, until
	case compacts, compacted:
		switch {
		case s.text == "auto":
			m.turn("working", "", at)
		case m.doing == "":
			m.turn("idle", "", at)
		}
	case ends:
		m.over = true
	default:
		m.turn("working", "", at)
	}
	switch s.kind {
	case edited:
		m.owes = true
	case compacts, ends: // an entry is drafted
		m.owes = false
	}
}

// view returns what a reader sees at a time: state, since, about, until; "" if nothing is listed.
func (m *modelled) view(at time.Time) string {
	stamp := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	quiet := at.Sub(m.seen)
	switch {
	case !m.known, m.over, m.drafted, (m.gone || m.remote) && quiet > 24*time.Hour:
		return ""
	case m.gone && !m.remote:
		return "dead " + stamp(m.seen)
	case quiet > 30*time.Minute && (m.remote || m.doing == "working"):
		return "silent " + stamp(m.seen)
	}
	return strings.TrimRight(strings.Join([]string{m.doing, stamp(m.since), m.until, m.about}, " "), " ")
}

// troupe is a project in which sessions of one client play scripts.
type troupe struct {
	t       *testing.T
	client  string
	dirs    []string // the project's worktrees; one outside git
	now     time.Time
	family  map[int]disk.ProcessInfo
	file    string // of the task
	content []byte
}

func newTroupe(t *testing.T, client string, git bool) *troupe {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &troupe{
		t: t, client: client, dirs: []string{filepath.Join(top, "p")}, now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC),
		family: map[int]disk.ProcessInfo{7: {Exists: true, Name: "baton", StartID: "here/7"}},
	}
	if err := os.MkdirAll(filepath.Join(w.dirs[0], ".baton"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.dirs[0], ".baton/config.yaml"), []byte("hooks:\n  hold: false\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if git {
		w.git("init", "-q", "-b", "main")
	}
	p := w.open("", 0)
	if _, err := p.Setup.Init(t.Context(), setup.InitRequest{}); err != nil {
		t.Fatal(err)
	}
	p = w.open("", 0)
	if _, err := p.Tasks.NewTasks(t.Context(), tasks.NewRequest{Tasks: []tasks.NewTask{{ID: "1", Title: "One"}}}); err != nil {
		t.Fatal(err)
	}
	w.file = filepath.Join(w.dirs[0], ".baton/tasks", task.StateName("1"))
	if w.content, err = os.ReadFile(w.file); err != nil {
		t.Fatal(err)
	}
	if git {
		w.git("add", "-A")
		w.git("commit", "-qm", "base")
		w.git("worktree", "add", "-q", filepath.Join(top, "w"), "-b", "w")
		w.dirs = append(w.dirs, filepath.Join(top, "w"))
	}
	return w
}

func (w *troupe) git(args ...string) {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.dirs[0], gittest.Environ(os.Environ(), "ann", w.now)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// options returns how a run in a worktree opens the project; pid is that of the run.
func (w *troupe) env(dir, pid int) report.Env {
	return report.Env{
		Getenv: func(string) string { return "" }, Dir: w.dirs[dir], Now: func() time.Time { return w.now },
		Rand: rand.NewChaCha8([32]byte{}),
		Home: filepath.Dir(w.dirs[0]), User: "u", Host: "h", PID: pid,
	}
}

func (w *troupe) open(session string, dir int) *project.Project {
	w.t.Helper()
	p, err := project.Open(w.t.Context(), workspace.Options{
		Env: w.env(dir, 7), FS: unsynced.Disk, Process: func(pid int) disk.ProcessInfo { return w.family[pid] }, Session: session,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// hook plays one payload.
func (w *troupe) hook(s sent, dir, pid int) {
	w.t.Helper()
	env := w.env(dir, pid)
	var out, errors bytes.Buffer
	env.Stdin, env.Stdout, env.Stderr = strings.NewReader(s.data), &out, &errors
	code := run(w.t.Context(), env, strings.Fields(s.args), func(ctx context.Context, o workspace.Options) (asker, error) {
		o.FS, o.Process = unsynced.Disk, func(pid int) disk.ProcessInfo { return w.family[pid] }
		return openProject(ctx, o)
	})
	if code != 0 || errors.Len() > 0 {
		w.t.Fatalf("%s\n%d %s", s.data, code, errors.String())
	}
}

// clear makes the project new again.
func (w *troupe) clear() {
	for _, dir := range w.dirs {
		if err := os.RemoveAll(filepath.Join(dir, ".baton/local")); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := os.WriteFile(w.file, w.content, 0o600); err != nil {
		w.t.Fatal(err)
	}
	_ = os.RemoveAll(filepath.Join(w.dirs[0], ".baton/archive"))
}

// seen returns what `baton waiting` says of each session.
func (w *troupe) seen() map[string]string {
	w.t.Helper()
	got, err := w.open("", 0).Waiting.List(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	out := map[string]string{}
	waits := 0
	for _, r := range got.Sessions {
		out[r.Session] = strings.TrimRight(strings.Join([]string{string(r.State), r.Since, r.Until, r.About}, " "), " ")
		switch string(r.State) {
		case "asks", "question", "stopped", "limit":
			waits++
		}
	}
	if waits != got.Waiting {
		w.t.Errorf("%d sessions wait, and it says %d", waits, got.Waiting)
	}
	return out
}

// actor is one session of a script.
type actor struct {
	talker
	modelled

	dir, pid int
	wrote    int
	prompts  int
}

// scene plays one random script with one or two sessions, and compares after each step.
func (w *troupe) scene(rnd *rand.Rand, name string) bool {
	w.t.Helper()
	w.clear()
	var cast []*actor
	for i := range 1 + rnd.IntN(2) {
		a := &actor{dir: i % len(w.dirs), pid: 100 + i}
		a.talker = talker{w.client, fmt.Sprintf("s-%d", i), w.dirs[a.dir]}
		place := "here"
		if a.remote = rnd.IntN(8) == 0; a.remote {
			place = "there"
		}
		w.family[a.pid] = disk.ProcessInfo{Exists: true, Parent: 200 + i, Name: "baton", StartID: place + "/1"}
		w.family[200+i] = disk.ProcessInfo{Exists: true, Parent: 1, Name: w.client, StartID: place + "/2"}
		cast = append(cast, a)
	}
	if a := cast[0]; rnd.IntN(2) == 0 {
		cast = cast[:1] // another session would take the task over once its claim has ended
		p := w.open(a.session, 0)
		if _, err := p.Sessions.StartSession(w.t.Context(), sessions.SessionStartRequest{ID: "1"}); err != nil {
			w.t.Fatal(err)
		}
		a.task = true
	}
	var played []string
	for number := range 6 + rnd.IntN(10) {
		a := cast[rnd.IntN(len(cast))]
		s := a.next(rnd)
		if !a.known && s.kind != passes {
			s = move{kind: start, text: "startup"} // a session begins with its start
		}
		w.now = w.now.Add(time.Duration(3+rnd.IntN(60)) * time.Second)
		if !w.perform(a, s, number) {
			continue
		}
		played = append(played, fmt.Sprintf("%s %+v", a.session, s))
		for _, b := range cast {
			b.drafted = b.drafted || s.kind == start && b != a && b.dir == a.dir && b.gone && !b.remote && !a.remote
		}
		got := w.seen()
		for _, a := range cast {
			if want := a.view(w.now); got[a.session] != want {
				w.t.Errorf("%s, %s, at %s: %q, and the model says %q\n%s",
					name, a.session, w.now.Format(time.TimeOnly), got[a.session], want, strings.Join(played, "\n"))
				return false
			}
		}
	}
	return true
}

// perform plays one step; false if it is nothing for this client.
func (w *troupe) perform(a *actor, s move, number int) bool {
	w.t.Helper()
	switch s.kind {
	case passes:
		w.now = w.now.Add(s.pass)
		return true
	case dies:
		info := w.family[a.pid+100]
		info.Exists = false
		w.family[a.pid+100] = info
		a.gone = true
		return true
	case logs:
		if !a.task || !a.known || a.over {
			return false
		}
		p := w.open(a.session, 0)
		if _, err := p.Tasks.Log(w.t.Context(), tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"x"}}}); err != nil {
			w.t.Fatal(err)
		}
		a.owes = false
		return true
	}
	if a.gone || a.over && s.kind != start {
		return false
	}
	if s.kind == edited && !a.task {
		return false // what a session without a task owes depends on the digest
	}
	if s.kind == edited {
		a.wrote++
		s.tool = tool{name: "Write", file: filepath.Join(a.talker.dir, "f"+strconv.Itoa(a.wrote)+".txt")}
		if a.client == copilot {
			s.tool.name = "create"
		} else if a.client != claude {
			s.tool.name = "write_file"
		}
		if a.client == opencode {
			s.tool.name = "write"
		}
	}
	said, ok := a.say(s, number, w.now)
	if !ok {
		return false
	}
	if s.tool.file != "" {
		if err := os.WriteFile(s.tool.file, []byte(strconv.Itoa(number)), 0o600); err != nil {
			w.t.Fatal(err)
		}
		if err := os.Chtimes(s.tool.file, w.now, w.now); err != nil {
			w.t.Fatal(err)
		}
	}
	w.hook(said, a.actorDir(), a.pid)
	a.play(s, a.client, w.now)
	if s.twice && s.kind != before {
		w.now = w.now.Add(time.Second)
		w.hook(said, a.actorDir(), a.pid)
	}
	return true
}

func (a *actor) actorDir() int { return a.dir }

// next draws a step.
func (a *actor) next(rnd *rand.Rand) move {
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	s := move{kind: kind(rnd.IntN(int(kinds))), twice: rnd.IntN(6) == 0, sub: rnd.IntN(8) == 0 && (a.client == claude || a.client == codex)}
	s.prompt = "p" + strconv.Itoa(a.prompts)
	switch s.kind {
	case start:
		s.text, s.sub = pick("startup", "resume", "compact"), false
		if a.client != claude && a.client != codex && a.client != qwen {
			s.text = "startup"
		}
	case prompted:
		a.prompts++
		s.prompt = "p" + strconv.Itoa(a.prompts)
		s.text, s.sub, s.twice = "do "+s.prompt, false, false // not every client has an id for it
	case before, after:
		s.tool = tool{name: "Bash", command: pick("go test", "ls", "make")}
	case asks:
		s.tool = tool{name: "Bash", command: pick("go test", "rm -r build")}
	case questions, elicits:
		s.text = pick("Which port?", "Which name?")
	case stops:
		s.text, s.background = pick("Done.", "Done.", "I am done.\nShall I go on?"), rnd.IntN(6) == 0
		s.sub = s.sub && a.client == claude
		a.prompts++ // so that it is no copy of an earlier stop
		s.prompt = "p" + strconv.Itoa(a.prompts)
	case fails:
		s.text, s.sub = pick("broken", "gone"), false
	case limited:
		s.text, s.sub = "try again in 20m", false
	case compacts, compacted:
		s.text = pick("manual", "auto")
		if a.client == opencode || a.client == copilot && s.kind == compacted {
			s.text = "auto"
		}
	case passes:
		s.pass = []time.Duration{time.Minute, 20 * time.Minute, 40 * time.Minute, 25 * time.Hour}[rnd.IntN(4)]
	case dies:
		if rnd.IntN(4) > 0 {
			s = move{kind: after, prompt: s.prompt, tool: tool{name: "Bash", command: "ls"}}
		}
	case ends, reminds, idles, other, interrupts, replied, subStarts, subStops:
		s.sub = false
	}
	return s
}

// TestWhatWaitingShowsIsWhatTheModelSays plays random scripts of each client through the door, and compares what `baton
// waiting` shows after each event with the reference model. One script in ten plays in two worktrees of a repository.
// BATON_WAITS sets the number of scripts for each client.
func TestWhatWaitingShowsIsWhatTheModelSays(t *testing.T) {
	t.Parallel()
	scripts := 12
	if n, err := strconv.Atoi(os.Getenv("BATON_WAITS")); err == nil {
		scripts = n
	}
	seed, err := strconv.ParseUint(os.Getenv("BATON_SEED"), 10, 64)
	if err != nil {
		seed = 1
	}
	for client := range names {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			plain, shared := newTroupe(t, client, false), newTroupe(t, client, true)
			for i := range scripts {
				w := plain
				if i%10 == 9 {
					w = shared
				}
				rnd := rand.New(rand.NewPCG(seed, uint64(i)))
				if !w.scene(rnd, fmt.Sprintf("%s script %d of seed %d", client, i, seed)) {
					return
				}
			}
		})
	}
}
