package project

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// agentStage is a project in which sessions of agents run. Its processes are simulated: 7 is the current one, its parent 6
// is a shell, and the parent of that is the client, 5.
type agentStage struct {
	*stage
	family map[int]disk.ProcessInfo
}

func newAgents(t *testing.T) *agentStage {
	t.Helper()
	return &agentStage{stage: newStage(t), family: map[int]disk.ProcessInfo{
		7: {Exists: true, Parent: 6, Name: "baton", StartID: "here/70"},
		6: {Exists: true, Parent: 5, Name: "sh", StartID: "here/60"},
		5: {Exists: true, Parent: 1, Name: "claude", StartID: "here/50"},
		1: {Exists: true, Name: "init", StartID: "here/1"},
	}}
}

// hook opens the project as a hook of the session does.
func (a *agentStage) hook(session string) *Project {
	a.t.Helper()
	return a.open(workspace.Options{Session: session, Wait: 300 * time.Millisecond, Process: a.process})
}

func (a *agentStage) process(pid int) disk.ProcessInfo { return a.family[pid] }

// event plays an event of a session.
func (a *agentStage) event(session, name string, more ...func(*agentsession.Event)) agentsession.Answer {
	a.t.Helper()
	e := agentsession.Event{Client: "claude", Event: name, Session: session, Alone: true} // so that every stop matters
	for _, set := range more {
		set(&e)
	}
	return must(a.hook(session).Agents.Agent(a.t.Context(), e))(a.t)
}

// prompt sets the prompt of an event.
func prompt(id string) func(*agentsession.Event) {
	return func(e *agentsession.Event) { e.Prompt = id }
}

// record changes a session's record, as other hooks do.
func (a *agentStage) record(session string, change func(*agentsession.Record)) agentsession.Record {
	a.t.Helper()
	p := a.hook(session)
	rec := p.AgentRecordOf(session)
	if change != nil {
		change(rec)
		p.SaveAgent(rec)
	}
	return *rec
}

// begin records a session with a task, without the hook of its start.
func (a *agentStage) begin(session string, id task.ID) {
	a.t.Helper()
	a.record(session, func(rec *agentsession.Record) {
		*rec = agentsession.Record{Session: session, Client: "claude", Started: workspace.Stamp(
			a.time,
		), Seen: workspace.Stamp(a.time), Task: id, Base: a.task(string(id)).TotalSessions()}
		rec.Head = a.hook(session).Git.Place.Head()
	})
}

// edited records edits, as the hook after a tool does.
func (a *agentStage) edited(session string, files ...string) {
	a.record(session, func(rec *agentsession.Record) {
		rec.Edits += len(files)
		rec.Files = append(rec.Files, files...)
	})
}

// ran records a command, as the hook after a tool does.
func (a *agentStage) ran(session, command string) {
	a.record(session, func(rec *agentsession.Record) { rec.Commands = append(rec.Commands, command) })
}

// logAs logs an entry as the session's own command does.
func (a *agentStage) logAs(session, id, did string) {
	a.t.Helper()
	must(
		a.hook(session).Tasks.Log(a.t.Context(), tasks.LogRequest{ID: id, Entry: task.Entry{Did: []string{did}, Next: []string{"Go on"}}}),
	)(a.t)
}

// repository makes the project a checkout with one commit of everything.
func (a *agentStage) repository() {
	a.t.Helper()
	a.git("init", "-q", "-b", "main")
	a.write(".git/info/exclude", ".baton/local/\n")
	a.commit("First")
}

// commit commits everything at the project's time.
func (a *agentStage) commit(subject string) {
	a.t.Helper()
	a.git("add", "-A")
	a.git("commit", "-q", "--allow-empty", "-m", subject)
}

// entries returns a task's sessions.
func (a *agentStage) entries(id string) []task.Session { return a.task(id).Sessions }

// lastDid returns the first field of the newest entry as one text.
func (a *agentStage) lastDid(id string) string {
	list := a.entries(id)
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list[len(list)-1].Did, "\n")
}

// claims returns the holders of tasks.
func (a *agentStage) claims() map[task.ID]string {
	a.t.Helper()
	book, _ := a.as("x").ClaimsNow(a.t.Context())
	out := map[task.ID]string{}
	for id := range book.Claims {
		if c, live := book.Live(id, a.time); live {
			out[id] = c.By
		}
	}
	return out
}

// raw writes a file into the folder of records.
func (a *agentStage) raw(session, text string) {
	a.write(".baton/local/"+agentsession.RecordFile(session), text)
}

// locked takes the lock of a session's record and returns the function that releases it.
func (a *agentStage) locked(session string) func() {
	a.t.Helper()
	p, err := Open(a.t.Context(), workspace.Options{Env: report.Env{Dir: a.dir, Home: a.env["HOME"]}})
	if err != nil {
		a.t.Fatal(err)
	}
	free, held := p.Store.LockCache(a.t.Context(), agentsession.RecordLock(session), time.Second)
	if !held {
		a.t.Fatal("the lock is not to be had")
	}
	return free
}

// recordText returns a record as it is written.
func recordText(t *testing.T, r agentsession.Record) string {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
