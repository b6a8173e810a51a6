package project

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store/filestore"
	"baton/internal/task"
)

// agents is a stage on which sessions of agents run. Its processes are made up: 7 is this one, below a shell of number 6,
// below the client of number 5.
type agents struct {
	*stage
	kin map[int]filestore.Kin
}

func newAgents(t *testing.T) *agents {
	t.Helper()
	return &agents{newStage(t), map[int]filestore.Kin{
		7: {Exists: true, Parent: 6, Name: "baton", Born: "here/70"},
		6: {Exists: true, Parent: 5, Name: "sh", Born: "here/60"},
		5: {Exists: true, Parent: 1, Name: "claude", Born: "here/50"},
		1: {Exists: true, Name: "init", Born: "here/1"},
	}}
}

// hook opens the project as the hook of a session does.
func (a *agents) hook(session string) *Project {
	a.t.Helper()
	p := a.open(Options{Session: session, Wait: 300 * time.Millisecond, Process: a.process})
	p.git.Patience = time.Minute
	return p
}

func (a *agents) process(pid int) filestore.Kin { return a.kin[pid] }

// event lets a session's event happen.
func (a *agents) event(session, name string, more ...func(*AgentEvent)) AgentAnswer {
	a.t.Helper()
	e := AgentEvent{Client: "claude", Event: name, Session: session}
	for _, set := range more {
		set(&e)
	}
	return must(a.hook(session).Agent(a.t.Context(), e))(a.t)
}

// prompt says in which prompt an event happens.
func prompt(id string) func(*AgentEvent) { return func(e *AgentEvent) { e.Prompt = id } }

// record changes what is kept of a session, as other hooks do.
func (a *agents) record(session string, change func(*agentRecord)) agentRecord {
	a.t.Helper()
	p := a.hook(session)
	rec := p.agentRecordOf(session)
	if change != nil {
		change(rec)
		p.saveAgent(rec)
	}
	return *rec
}

// begin is a session that was told of a task, made without the hook of its start.
func (a *agents) begin(session string, id task.ID) {
	a.t.Helper()
	a.record(session, func(rec *agentRecord) {
		*rec = agentRecord{Session: session, Client: "claude", Started: stamp(a.time), Seen: stamp(a.time), Task: id, Base: a.task(string(id)).TotalSessions()}
		rec.Head = a.hook(session).git.Place.Head()
	})
}

// edited notes edits, as the hook after a tool does.
func (a *agents) edited(session string, files ...string) {
	a.record(session, func(rec *agentRecord) {
		rec.Edits += len(files)
		rec.Files = append(rec.Files, files...)
	})
}

// ran notes a command, as the hook after a tool does.
func (a *agents) ran(session, command string) {
	a.record(session, func(rec *agentRecord) { rec.Commands = append(rec.Commands, command) })
}

// logAs logs as the session's own command does.
func (a *agents) logAs(session, id, did string) {
	a.t.Helper()
	must(a.hook(session).Log(a.t.Context(), LogRequest{ID: id, Entry: task.Entry{Did: []string{did}, Next: []string{"Go on"}}}))(a.t)
}

// repository makes the stage a checkout with one commit of everything.
func (a *agents) repository() {
	a.t.Helper()
	a.git("init", "-q", "-b", "main")
	a.write(".git/info/exclude", ".baton/local/\n")
	a.commit("First")
}

// commit commits everything at the time of the stage.
func (a *agents) commit(subject string) {
	a.t.Helper()
	a.git("add", "-A")
	a.git("commit", "-q", "--allow-empty", "-m", subject)
}

// entries gives a task's log.
func (a *agents) entries(id string) []task.Session { return a.task(id).Sessions }

// lastDid is the newest entry's first field in one text.
func (a *agents) lastDid(id string) string {
	list := a.entries(id)
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list[len(list)-1].Did, "\n")
}

// claims names the holders of tasks.
func (a *agents) claims() map[task.ID]string {
	a.t.Helper()
	book, _ := a.as("x").claimsNow(a.t.Context())
	out := map[task.ID]string{}
	for id := range book.Claims {
		if c, live := book.live(id, a.time); live {
			out[id] = c.By
		}
	}
	return out
}

// raw puts a file into the folder of records.
func (a *agents) raw(session, text string) { a.write(".baton/local/"+agentFile(session), text) }

// locked holds the lock of a session's record until the function that it gives is called.
func (a *agents) locked(session string) func() {
	a.t.Helper()
	p, err := Open(a.t.Context(), Options{Env: report.Env{Dir: a.dir, Home: a.env["HOME"]}})
	if err != nil {
		a.t.Fatal(err)
	}
	free, held := p.store.LockCache(a.t.Context(), agentLock(session), time.Second)
	if !held {
		a.t.Fatal("the lock is not to be had")
	}
	return free
}

// recordText is a record as it is written.
func recordText(t *testing.T, r agentRecord) string {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
