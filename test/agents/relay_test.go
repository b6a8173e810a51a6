//go:build agents && linux

package agents

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The files of the relay's project.
const (
	taskFile = ".baton/tasks/task-1-state.md"
	second   = "Nothing else changes" // the criterion that a session wipes
)

// relay is one project in which sessions of coding agents follow each other. The task in it is only proposed: nobody
// starts it, and no session runs a command or a tool of baton.
type relay struct {
	*world
	legs []*leg
	seen map[string]bool // every word that a file ever had
}

// leg is one session of a relay: what the script makes it do, and what happened.
type leg struct {
	*world
	r       *relay
	h       habits
	name    string
	id      string   // the client's id of the session
	wrote   []string // files that the client's tools changed
	ran     []string // commands as entries name them, with their outcome
	commits []string // subjects of the commits in its time
	bound   string   // why baton bound it to the task, "" if the task was its own from the start
	last    string   // its last message, "" if the client was killed
	mark    int      // hooks that ran before it
	pid     int
	limit   *time.Timer // kills it if it takes too long
	done    chan ran
}

// newRelay creates a project with one task, sets up all clients as their users do, and commits everything.
func newRelay(t *testing.T, all ...habits) *relay {
	t.Helper()
	r := &relay{world: newWorld(t, all[0].client, spied), seen: map[string]bool{}}
	r.baton("init")
	r.baton("task", "new", title, "--accept", criterion, "--accept", second)
	var names []string
	for _, h := range all {
		names = append(names, h.name)
	}
	r.baton("init", "--agent", strings.Join(names, ","))
	for name, content := range map[string]string{
		"parser.go": "package p\n\nvar depth = 3\n", "lexer.go": "package p\n\nvar width = 5\n",
		"tokens.go": "package p\n\nvar kinds = 7\n", "check.sh": "exit 3\n",
	} {
		r.file(filepath.Join(r.project, name), content)
	}
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "the project")
	for _, h := range all {
		s := r.leg("set up", h)
		s.play()
		h.setUp(s.world)
	}
	r.legs = nil
	r.look()
	return r
}

// leg returns the next session of the relay.
func (r *relay) leg(name string, h habits) *leg {
	r.t.Helper()
	argv, _, why := h.installed()
	if why != "" {
		missing(r.t, h.name, why)
	}
	w := *r.world
	w.client, w.argv, w.model, w.part = h.client, argv, nil, "-"+strings.ReplaceAll(name, " ", "-")
	s := &leg{world: &w, r: r, h: h, name: name}
	r.legs = append(r.legs, s)
	return s
}

// Six sessions of one client, in its default settings. With -short, only those of Claude Code, which is the quickest.
func TestRelay(t *testing.T) {
	t.Parallel()
	for _, h := range daily() {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && h.name != "claude" {
				t.Skip("-short: only the relay of Claude Code runs; make test-agents runs all")
			}
			newRelay(t, h).sixSessions(h, h, h, h, h)
		})
	}
}

// Six sessions that alternate between all clients that are installed.
func TestRelayMixed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: only the relay of Claude Code runs; make test-agents runs all")
	}
	var all []habits
	for _, h := range daily() {
		if _, _, why := h.installed(); why == "" {
			all = append(all, h)
		}
	}
	if len(all) < 2 {
		t.Skip("a relay of several clients needs two of them: make test-agents installs them")
	}
	at := func(i int) habits { return all[i%len(all)] }
	newRelay(t, all...).sixSessions(at(0), at(1), at(2), at(3), at(4))
}

// sixSessions runs them. The fifth goes on with the third.
func (r *relay) sixSessions(first, wiping, killed, other, refused habits) {
	r.t.Helper()
	r.changesTheTask(r.leg("1 changes the task", first))
	r.wipesACriterion(r.leg("2 wipes a criterion", wiping))
	third := r.leg("3 is killed", killed)
	r.isKilled(third, r.leg("4 at the same time", other))
	r.goesOn(third, r.leg("5 goes on", killed))
	r.isRefused(r.leg("6 is refused", refused), "lexer.go", r.legs[4].said(), "tokens.go")
	r.finish()
	r.check()
}

// changesTheTask is a session that edits the task's file and a source file, and tries a command.
func (r *relay) changesTheTask(s *leg) {
	s.start("", s.h.edit, flat(
		s.edit(taskFile, "### Requirements\n", "### Requirements\n\nKeep the old interface.\n"),
		s.edit("parser.go", "var depth = 3\n", "var depth = 3\nvar unrolled = true\n"),
		[]turn{{calls: []call{s.client.shell(checkCommand)}}}, s.says("The loop is unrolled"),
	)...)
	s.ends()
	s.wrote, s.ran, s.bound = []string{taskFile, "parser.go"}, s.h.check, "the edit of "+taskFile
	s.startsWith(title, criterion, second)
}

// wipesACriterion is a session that removes a criterion from the task's file with its own tool.
func (r *relay) wipesACriterion(s *leg) {
	s.start("", s.h.edit, flat(
		s.edit(taskFile, "- [ ] "+second+"\n", ""), s.writes("notes.md", "Measured twice.\n"), s.says("One criterion is superfluous"),
	)...)
	s.ends()
	s.wrote = []string{taskFile, "notes.md"}
	s.startsWith("parser.go", r.legs[0].said(), criterion, second)
	if strings.Contains(r.content(taskFile), second) {
		r.t.Fatal("the criterion was not wiped")
	}
}

// isKilled is a session that is killed while it waits for its model. Before that, a person does what its first text says
// about the lost criterion, and another session works beside it and ends.
func (r *relay) isKilled(s, other *leg) {
	hangs := make(chan struct{})
	restored := turn{text: "I see.", before: func() { r.restores(s) }}
	turns := s.edit("lexer.go", "var width = 5\n", "var width = 5\nvar wider = 9\n")
	turns[0].before = restored.before
	s.start("", s.h.edit, append(turns, turn{hangs: hangs})...)
	s.wrote = []string{"lexer.go"}
	s.reaches(hangs)
	s.startsWith("notes.md", r.legs[1].said(), second)

	other.start("", other.h.edit, flat(
		other.edit("tokens.go", "var kinds = 7\n", "var kinds = 7\nvar names = 8\n"), other.says("There are more tokens"),
	)...)
	other.ends()
	other.wrote = []string{"tokens.go"}
	other.startsWith("Also at work", s.client.name)
	r.must(syscall.Kill(-s.pid, syscall.SIGKILL))
	<-s.done
}

// restores is a person who types the command that the session's first text names.
func (r *relay) restores(s *leg) {
	command := "baton lost --restore"
	if _, after, found := strings.Cut(s.digest(), "`"+command); found {
		line, _, _ := strings.Cut(after, "`")
		r.baton(append([]string{"lost", "--restore"}, strings.Fields(line)...)...)
		return
	}
	r.t.Errorf("the session is not told about %s:\n%s", command, s.digest())
}

// goesOn continues the killed session, and a commit is made.
func (r *relay) goesOn(killed, s *leg) {
	const subject = "lexer: wider"
	commit := []turn{{calls: []call{s.client.shell("git commit -qam '" + subject + "'")}}}
	mode := words(s.h.edit, s.h.commit)
	if s.h.commit == nil { // the person commits
		commit, mode = nil, s.h.edit
	}
	turns := flat(s.edit("lexer.go", "var wider = 9\n", "var wider = 9\nvar widest = 11\n"), commit, s.says("The lexer is wider"))
	if s.h.commit == nil {
		turns[len(turns)-2].before = func() { r.git("commit", "-qam", subject) }
	} else {
		s.ran = []string{"git commit -qam '" + subject + "'"}
	}
	s.start(killed.id, mode, turns...)
	s.ends()
	s.wrote, s.commits = []string{"lexer.go"}, []string{subject}
	s.startsWith("before the interruption, this session changed lexer.go, and logged nothing of it", "tokens.go")
	if s.id != killed.id {
		r.t.Errorf("session %s went on as %s", killed.id, s.id)
	}
}

// isRefused is a session in default settings, in which the client refuses every change.
func (r *relay) isRefused(s *leg, facts ...string) {
	before := map[string]string{}
	var turns []turn
	for _, name := range s.h.forbidden {
		if exists(s.path(name)) {
			before[name] = r.content(name)
			turns = append(turns, s.edit(name, lastLine(before[name])+"\n", "// changed\n")...)
		} else {
			turns = append(turns, s.writes(name, "no\n")...)
		}
	}
	s.start("", nil, append(turns, s.says("I may not do that")[0])...)
	s.ends()
	s.startsWith(facts...)
	for _, name := range s.h.forbidden {
		if was, there := before[name]; exists(s.path(name)) != there || there && r.content(name) != was {
			r.t.Errorf("%s did not refuse to change %s", s.client.name, name)
		}
	}
	if n := len(s.model.mains()); n != len(turns)+1 && !s.h.halts {
		r.t.Errorf("the model was asked %d times in a session of %d answers", n, len(turns)+1)
	}
}

func (s *leg) path(name string) string { return filepath.Join(s.project, name) }

// edit returns turns that read a file, if the client requires that, and change whole lines of it.
func (s *leg) edit(name, old, new string) []turn {
	var turns []turn
	if s.client.read != nil {
		turns = append(turns, turn{calls: []call{*s.client.read(s.path(name))}})
	}
	return append(turns, turn{calls: []call{s.h.change(s.path(name), old, new)}})
}

func (s *leg) writes(name, content string) []turn {
	return []turn{{calls: []call{s.client.write(s.path(name), content)}}}
}

// says returns the turns that end the session: its message, and what it says if its stop is held.
func (s *leg) says(text string) []turn {
	s.last = text + ", as I said."
	if s.h.repeats {
		s.last = text + ". " + s.last
	}
	return []turn{{text: text + "."}, {text: text + ", as I said."}}
}

// said returns what the next session must know of this one's last message.
func (s *leg) said() string {
	if s.h.mute {
		return ""
	}
	return s.last
}

func flat(lists ...[]turn) []turn { return slices.Concat(lists...) }

// start starts the client in the project, with a prompt that names no task.
func (s *leg) start(goOn string, mode []string, turns ...turn) {
	s.t.Helper()
	s.play(turns...)
	s.t.Cleanup(s.keep)
	atOnce <- struct{}{}
	s.mark = len(s.hooks())
	cmd := s.command(words(s.argv, s.h.line(s.world, goOn, mode...), []string{"do the thing"})...)
	cmd.Env = s.environ(s.client.environ(s.world)...)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &complaint, 2*time.Second
	begun := time.Now()
	s.must(cmd.Start())
	s.pid, s.done = cmd.Process.Pid, make(chan ran, 1)
	s.limit = time.AfterFunc(s.client.limit, func() { syscall.Kill(-s.pid, syscall.SIGKILL) })
	go func() {
		cmd.Wait()
		late := !s.limit.Stop()
		syscall.Kill(-s.pid, syscall.SIGKILL)
		s.t.Logf("session %s: %s ran for %s", s.name, s.client.name, time.Since(begun).Round(100*time.Millisecond))
		s.done <- ran{out.String(), complaint.String(), cmd.ProcessState.ExitCode(), late}
	}()
}

// ends waits until the client has ended by itself.
func (s *leg) ends() {
	s.t.Helper()
	r := <-s.done
	<-atOnce
	if r.code != 0 || r.late {
		s.t.Fatalf("session %s: exit %d, too late: %v\n%s\n%s", s.name, r.code, r.late, tail(r.out), tail(r.err))
	}
	s.r.look()
}

// reaches waits until the client has asked its model for something that it will not get. Until it is killed, it only
// waits, so another client may run.
func (s *leg) reaches(hangs chan struct{}) {
	s.t.Helper()
	select {
	case <-hangs:
		<-atOnce
		s.limit.Reset(10 * time.Minute) // another client may start as slowly
	case r := <-s.done:
		<-atOnce
		s.t.Fatalf("session %s ended early: exit %d, too late: %v\n%s\n%s", s.name, r.code, r.late, tail(r.out), tail(r.err))
	}
	s.r.look()
}

// digest returns what the session was told at its start, and notes the session's id.
func (s *leg) digest() string {
	s.t.Helper()
	var digests []string
	for _, h := range s.hooks()[s.mark:] {
		if text := h.context(); text != "" && within(h.event(), starts) {
			digests = append(digests, text)
			s.id = word(h.in["session_id"]) + word(h.in["sessionId"])
		}
	}
	if len(digests) != 1 {
		s.t.Fatalf("session %s: %d digests were given", s.name, len(digests))
	}
	return digests[0]
}

// startsWith checks that the first request of the session has the digest, and that the digest says all of this.
func (s *leg) startsWith(facts ...string) {
	s.t.Helper()
	digest := s.digest()
	s.landed(s.model.mains()[0], digest)
	for _, fact := range facts {
		if !strings.Contains(digest, fact) {
			s.t.Errorf("session %s was not told %q:\n%s", s.name, fact, digest)
		}
	}
}
