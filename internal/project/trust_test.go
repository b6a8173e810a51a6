package project

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/usecase/setup"
	"baton/internal/workspace"
)

// wide is a configuration with one setting that must be approved.
const wide = "paths:\n  allow: [\"/\"]\n"

// F-83, D45: approvals of several projects at the same time are all kept. They are in one file of the user.
func TestF83_ApprovalsAtTheSameTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const projects = 8
	var wait sync.WaitGroup
	start := make(chan struct{})
	name := func(i int) string { return fmt.Sprintf("p%d", i) }
	for i := range projects {
		w.write(name(i)+"/.baton/config.yaml", wide)
		w.mkdir(name(i) + "/.git")
		p := w.open(workspace.Options{Dir: name(i)})
		wait.Go(func() {
			<-start
			if n, err := p.Approve(t.Context(), p.WideSettings()); n != 1 || err != nil {
				t.Errorf("%s: %d, %v", name(i), n, err)
			}
		})
	}
	close(start)
	wait.Wait()
	for i := range projects {
		p := w.open(workspace.Options{Dir: name(i)})
		if list := p.WideSettings(); len(list) != 1 || !list[0].Approved {
			t.Errorf("%s: %+v", name(i), list)
		}
	}
}

// F-83, D45: a coding agent does not approve anything, whatever it says: not below a client that a hook recorded, and
// not with the variable of a client.
func TestF83_AnAgentApprovesNothing(t *testing.T) {
	t.Parallel()
	type anyone struct {
		do      func(a *agentStage)
		o       workspace.Options
		refused bool
	}
	cases := map[string]anyone{
		"below the client": {refused: true},
		"with --as":        {o: workspace.Options{As: "me"}, refused: true},
		"with BATON_AS":    {do: func(a *agentStage) { a.env["BATON_AS"] = "me" }, refused: true},
		"with CI":          {do: func(a *agentStage) { a.env["CI"] = "1" }, refused: true},
		"with the client's variable alone": {
			do: func(a *agentStage) { clear(a.family); a.env["CODEX_THREAD_ID"] = "x" }, refused: true,
		},
		"a door of an agent, and --as": {
			do: func(a *agentStage) { clear(a.family) }, o: workspace.Options{Agent: true, As: "me"}, refused: true,
		},
		"a person, outside of the client": {do: func(a *agentStage) { clear(a.family) }},
		"a person, with the name of one":  {do: func(a *agentStage) { clear(a.family) }, o: workspace.Options{As: "s-1"}},
		"a person, after the session ended": {do: func(a *agentStage) {
			a.record("s-1", func(r *agentsession.Record) { r.Ended = "x" })
		}},
		"a person, whose AGENT is no coding agent": {do: func(a *agentStage) { clear(a.family); a.env["AGENT"] = "ssh" }},
	}
	// In a clone without hooks, agents are known by what their clients set for every command (F-83).
	for _, marker := range []string{
		"CLAUDECODE=1", "CODEX_SANDBOX=seatbelt", "CODEX_SANDBOX_NETWORK_DISABLED=1", "COPILOT_CLI=1", "CURSOR_AGENT=1",
		"GEMINI_CLI=1", "OPENCODE=1", "QWEN_CODE=1", "AGENT=amp",
	} {
		name, value, _ := strings.Cut(marker, "=")
		cases["with "+marker] = anyone{do: func(a *agentStage) { clear(a.family); a.env[name] = value }, refused: true}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAgents(t)
			a.write(".baton/config.yaml", wide)
			a.record("s-1", func(r *agentsession.Record) {
				now := workspace.Stamp(a.time)
				*r = agentsession.Record{Session: "s-1", Client: "claude", Started: now, Seen: now, PID: 5, StartID: "here/50"}
			})
			if c.do != nil {
				c.do(a)
			}
			c.o.Process = a.process
			p := a.open(c.o)
			var hashes []string
			for _, s := range p.WideSettings() {
				hashes = append(hashes, s.Hash)
			}
			for _, r := range []setup.TrustRequest{{}, {Approve: hashes}, {Remove: true}} {
				_, err := p.Setup.Trust(t.Context(), r)
				if c.refused {
					wantError(t, err, report.Violation, "trust_refused")
				} else if err != nil {
					t.Errorf("%+v: %v", r, err)
				}
			}
		})
	}
}
