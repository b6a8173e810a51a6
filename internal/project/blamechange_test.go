package project

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/agentsession"
	kept "baton/internal/store/history"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/history"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// origins returns the entries of a document, sorted, as "label: change by agent session".
func (w *world) origins(document string) []string {
	w.t.Helper()
	out := []string{}
	for _, e := range must(w.as("reader").History.Blame(w.t.Context(), history.BlameRequest{Document: document}))(w.t).Entries {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s: %d %s %s %s", e.Label, e.Change, e.By, e.Agent, e.Session)))
	}
	slices.Sort(out)
	return out
}

func (w *world) wantOrigins(document string, want ...string) {
	w.t.Helper()
	for i := range want {
		want[i] = strings.TrimSpace(want[i])
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, w.origins(document)); diff != "" {
		w.t.Error(diff)
	}
}

// TestBlameNumbersChanges checks that an entry has the number that `log` gives its change, also in an archive. An entry
// that a hook found has the number of that record. One from before, or one that a write found, has none.
func TestBlameNumbersChanges(t *testing.T) {
	t.Parallel()
	const state = ".specflow/STATE.md"
	w := newWorld(t)
	w.write(
		state,
		"# SpecFlow State\n\n## Decisions\n\n| Date | Specification | Decision |\n|---|---|---|\n| 2026-01-01 | — | Stood there |\n",
	)
	adds := func(as, text string) {
		t.Helper()
		w.pass(time.Hour)
		must(w.open(workspace.Options{As: as, Command: "decision add"}).Digests.AddDecision(
			t.Context(), digests.DecisionRequest{Text: text},
		))(t)
	}
	byHand := func(text string) {
		t.Helper()
		w.pass(time.Hour)
		w.write(state, w.read(state)+"| 2026-01-01 | — | "+text+" |\n")
	}
	adds("ann", "Came first")
	byHand("Found by a write")
	adds("bob", "Came second")
	byHand("Found by a hook")
	must(w.as("agent-1").Kept.Observe(t.Context(), []string{state}))(t)
	adds("ann", "Came third")
	old := []string{
		"Stood there: 0", "Came first: 1 ann", "Found by a write: 0", "Came second: 2 bob", "Found by a hook: 3",
	}
	w.wantOrigins("STATE.md", append(slices.Clone(old), "Came third: 4 ann")...)
	one := 1
	w.pass(time.Hour)
	must(w.open(workspace.Options{As: "eve", Command: "state rotate"}).Digests.StateRotate(t.Context(), digests.RotateRequest{Keep: &one}))(
		t,
	)
	w.wantOrigins("DECISIONS_ARCHIVE.md", old...)

	if err := os.Rename(w.path(".baton/local/log"), w.path(".baton/local/log.away")); err != nil {
		t.Fatal(err)
	}
	w.wantOrigins("STATE.md", "Came third: 0 ann")
}

// TestBlameDoesNotGuess checks that blame gives no number if several changes have the same time, holder and command.
func TestBlameDoesNotGuess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", "# State\n\n### Decisions\nNone yet.\n")
	for i, as := range []string{"ann", "ann", "bob"} {
		must(w.open(workspace.Options{As: as, Command: "decision add"}).Digests.AddDecision(
			t.Context(), digests.DecisionRequest{Text: fmt.Sprintf("Number %d is taken", i)},
		))(t)
	}
	must(w.open(workspace.Options{As: "bob", Command: "decision add"}).Tasks.NewTasks(
		t.Context(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Of another file"}}},
	))(t)
	w.wantOrigins("STATE.md", "Number 0 is taken: 0 ann", "Number 1 is taken: 0 ann", "Number 2 is taken: 3 bob")
}

// TestBlameReportsAgentAndSession checks that they are found under any name and from every source.
func TestBlameReportsAgentAndSession(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		env  map[string]string
		do   func(a *agentStage)
		o    workspace.Options
		want string // who, agent, session
	}{
		{name: "a person", o: workspace.Options{As: "ann"}, want: "ann"},
		{name: "a person without a name", want: "agent-1@host"},
		{name: "the agent says its session", env: map[string]string{"CODEX_THREAD_ID": "t-1"}, want: "t-1 codex t-1"},
		{name: "and writes under a name", env: map[string]string{
			"CLAUDE_CODE_SESSION_ID": "c-1", "BATON_AS": "bot",
		}, want: "bot claude c-1"},
		{name: "Gemini", env: map[string]string{"GEMINI_SESSION_ID": "g-1"}, o: workspace.Options{As: "bot"}, want: "bot gemini g-1"},
		{name: "OpenCode", env: map[string]string{"OPENCODE_SESSION_ID": "o-1"}, want: "o-1 opencode o-1"},
		{name: "a server was told the session", o: workspace.Options{Session: "s-9", Agent: true}, want: "s-9  s-9"},
		{name: "which the environment names too", o: workspace.Options{
			Session: "t-1",
		}, env: map[string]string{"CODEX_THREAD_ID": "t-1"}, want: "t-1 codex t-1"},
		{name: "a server was told a session that hooks know", o: workspace.Options{
			Session: "s-1", As: "bot",
		}, do: knownSession, want: "bot claude s-1"},
		{name: "below the client that hooks know", do: knownSession, want: "s-1 claude s-1"},
		{name: "below it under a name", do: knownSession, o: workspace.Options{As: "ann"}, want: "ann claude s-1"},
		{name: "hooks know it under a name", do: func(a *agentStage) {
			knownSession(a)
			a.record("s-1", func(r *agentsession.Record) { r.As = "bot" })
		}, want: "bot claude s-1"},
		{name: "what is hostile is one harmless line", env: map[string]string{
			"CODEX_THREAD_ID": "t\x1b[31m-1\nx",
		}, want: "t-1 x codex t-1 x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := newAgents(t)
			a.write(".planning/STATE.md", "# State\n\n### Decisions\nNone yet.\n")
			if c.do != nil {
				c.do(a)
			}
			for name, value := range c.env {
				a.env[name] = value
			}
			c.o.Process, c.o.Command = a.process, "decision add"
			must(a.open(c.o).Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "Use one lock"}))(t)
			log := must(a.as("reader").History.ChangeLog(t.Context(), history.ChangeLogRequest{Limit: 1}))(t)
			made := log.Changes[0]
			a.wantOrigins(".planning/STATE.md", fmt.Sprintf("Use one lock: %d %s", made.Number, c.want))
			if got := strings.TrimSpace(made.By + " " + made.Agent + " " + made.Session); got != c.want {
				t.Errorf("the log: %q", got)
			}
		})
	}
}

// knownSession records a session of the client above this process, as hooks do.
func knownSession(a *agentStage) {
	a.record("s-1", func(r *agentsession.Record) {
		*r = agentsession.Record{
			Session: "s-1", Client: "claude", Started: workspace.Stamp(a.time), Seen: workspace.Stamp(a.time), PID: 5, StartID: "here/50",
		}
	})
}

// TestAHookWritesForItsAgent checks that a hook writes under its agent's session, even before that has a record.
func TestAHookWritesForItsAgent(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.event("s-1", agentsession.Prompt)
	p := a.hook("s-2")
	must(p.Agents.Agent(t.Context(), agentsession.Event{Client: "opencode", Event: agentsession.Prompt, Session: "s-2"}))(t)
	if client, session := p.AgentWriting(); client != "opencode" || session != "s-2" {
		t.Errorf("%q %q", client, session)
	}
}

// TestTheSessionsRecordNamesTheAgent checks that if a record of the log does not name the agent, the session's record
// does.
func TestTheSessionsRecordNamesTheAgent(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	knownSession(a)
	known := a.as("reader").History.AgentsKnown()
	for _, c := range []struct {
		change          kept.Change
		client, session string
	}{
		{kept.Change{By: "s-1"}, "claude", "s-1"},
		{kept.Change{By: "bot", Session: "s-1"}, "claude", "s-1"},
		{kept.Change{By: "s-1", Agent: "codex", Session: "t-1"}, "codex", "t-1"},
		{kept.Change{By: "ann", Session: "elsewhere"}, "", "elsewhere"},
		{kept.Change{By: "ann@host"}, "", ""},
		{kept.Change{By: "../s-1"}, "", ""},
		{kept.Change{Docs: []kept.DocChange{{Kind: kept.DocOutside}}}, "", ""},
	} {
		if client, session := known.Of(&c.change); client != c.client || session != c.session {
			t.Errorf("%+v: %q %q", c.change, client, session)
		}
	}
}
