package project

import (
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/store/disk"
	"baton/internal/workspace"
)

// TestD3_WhoStartedThisCommand checks that a command below a client that a hook recorded acts as the client's session,
// unless something names another holder.
func TestD3_WhoStartedThisCommand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		do   func(a *agentStage)
		o    workspace.Options
		want string
	}{
		{name: "below the client", want: "s-1"},
		{name: "--as", o: workspace.Options{As: "me"}, want: "me"},
		{name: "BATON_AS", do: func(a *agentStage) { a.env["BATON_AS"] = "me" }, want: "me"},
		{name: "the agent's own variable", do: func(a *agentStage) { a.env["CODEX_THREAD_ID"] = "thread" }, want: "thread"},
		{
			name: "the session ended", do: func(a *agentStage) { a.record("s-1", func(r *agentsession.Record) { r.Ended = "x" }) },
			want: "agent-1@host",
		},
		{name: "another process has the number", do: func(a *agentStage) {
			a.family[5] = disk.ProcessInfo{Exists: true, Parent: 1, Name: "claude", StartID: "here/51"}
		}, want: "agent-1@host"},
		{
			name: "elsewhere", do: func(a *agentStage) { a.family[6] = disk.ProcessInfo{Exists: true, Parent: 1, StartID: "here/60"} },
			want: "agent-1@host",
		},
		{name: "the system does not tell", do: func(a *agentStage) { clear(a.family) }, want: "agent-1@host"},
		{
			name: "a circle of processes",
			do:   func(a *agentStage) { a.family[6] = disk.ProcessInfo{Exists: true, Parent: 7, StartID: "here/60"} }, want: "agent-1@host",
		},
		{name: "the client went on with another session", do: func(a *agentStage) {
			a.pass(time.Minute)
			a.record("s-2", func(r *agentsession.Record) {
				*r = agentsession.Record{
					Session: "s-2", Started: workspace.Stamp(a.time), Seen: workspace.Stamp(a.time), PID: 5, StartID: "here/50",
				}
			})
		}, want: "s-2"},
		{name: "an agent in an agent", do: func(a *agentStage) {
			a.family[6] = disk.ProcessInfo{Exists: true, Parent: 5, Name: "codex", StartID: "here/60"}
			a.record("s-2", func(r *agentsession.Record) {
				*r = agentsession.Record{Session: "s-2", Started: workspace.Stamp(a.time), PID: 6, StartID: "here/60"}
			})
		}, want: "s-2"},
		{
			name: "a session that writes under a name",
			do:   func(a *agentStage) { a.record("s-1", func(r *agentsession.Record) { r.As = "alice" }) }, want: "alice",
		},
	} {
		a := newAgents(t)
		a.record("s-1", func(r *agentsession.Record) {
			*r = agentsession.Record{Session: "s-1", Client: "claude", Started: workspace.Stamp(
				a.time,
			), Seen: workspace.Stamp(a.time), PID: 5, StartID: "here/50"}
		})
		if c.do != nil {
			c.do(a)
		}
		c.o.Process = a.process
		if got := a.open(c.o).Holder(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestD3_AnAgentsServerWithoutAName checks that the server acts as the only session that was seen within the lease, and
// under no session's name if there are two.
func TestD3_AnAgentsServerWithoutAName(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	clear(a.family)
	who := func(agent bool) string {
		return a.open(workspace.Options{Agent: agent, Process: a.process}).Holder()
	}
	if got := who(true); got != "agent-1@host" {
		t.Errorf("no session: %q", got)
	}
	a.record("s-1", func(r *agentsession.Record) {
		*r = agentsession.Record{Session: "s-1", Started: "x", Seen: workspace.Stamp(a.time)}
	})
	if got := who(true); got != "s-1" {
		t.Errorf("one session: %q", got)
	}
	if got := who(false); got != "agent-1@host" {
		t.Errorf("a person: %q", got)
	}
	a.pass(time.Hour)
	if got := who(true); got != "agent-1@host" {
		t.Errorf("one that was not seen for long: %q", got)
	}
	for _, session := range []string{"s-2", "s-3"} {
		a.record(session, func(r *agentsession.Record) {
			*r = agentsession.Record{Session: session, Started: "x", Seen: workspace.Stamp(a.time)}
		})
	}
	if got := who(true); got != "agent-1@host" {
		t.Errorf("two sessions: %q", got)
	}
	a.record("s-3", func(r *agentsession.Record) { r.Ended = workspace.Stamp(a.time) })
	if got := who(true); got != "s-2" {
		t.Errorf("one of two ended: %q", got)
	}
}

// TestD3_TheClientIsTheFirstProcessThatIsNoShell also checks that no client is recorded if a system process, such as
// init or tmux, comes next.
func TestD3_TheClientIsTheFirstProcessThatIsNoShell(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		do   func(a *agentStage)
		pid  int
	}{
		{name: "a shell between", pid: 5},
		{
			name: "no shell between",
			do:   func(a *agentStage) { a.family[7] = disk.ProcessInfo{Exists: true, Parent: 5, StartID: "here/70"} },
			pid:  5,
		},
		{name: "node is the client", do: func(a *agentStage) {
			a.family[5] = disk.ProcessInfo{Exists: true, Parent: 1, Name: "node", StartID: "here/50"}
		}, pid: 5},
		{name: "adopted", do: func(a *agentStage) {
			a.family[6] = disk.ProcessInfo{Exists: true, Parent: 1, Name: "sh", StartID: "here/60"}
		}},
		{name: "a person in tmux", do: func(a *agentStage) {
			a.family[5] = disk.ProcessInfo{Exists: true, Parent: 1, Name: "tmux: server", StartID: "here/50"}
		}},
		{name: "unknown", do: func(a *agentStage) { clear(a.family) }},
		{name: "a circle", do: func(a *agentStage) {
			a.family[6] = disk.ProcessInfo{Exists: true, Parent: 6, Name: "sh", StartID: "here/60"}
		}},
	} {
		a := newAgents(t)
		if c.do != nil {
			c.do(a)
		}
		rec := &agentsession.Record{PID: 99, StartID: "old"}
		a.hook("s-1").Agents.NoteClient(rec)
		if rec.PID != c.pid || (rec.StartID != "") != (c.pid != 0) {
			t.Errorf("%s: %d %q", c.name, rec.PID, rec.StartID)
		}
	}
}
