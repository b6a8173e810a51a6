package project

import (
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/usecase/folder"
	"baton/internal/workspace"
)

// TestF75_AWorkflowOfSomebodyElseIsNotEnded checks begin and reset over the workflow of a holder who was at work a
// moment ago, and that an old one is no obstacle.
func TestF75_AWorkflowOfSomebodyElseIsNotEnded(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	as := func(name string) folder.Folder { return w.with(workspace.Options{As: name}).Folder }
	begin := func(by string, r folder.BeginRequest) error {
		_, err := as(by).DirBegin(t.Context(), r)
		return err
	}
	one, two := folder.BeginRequest{Type: "dev", Task: "one"}, folder.BeginRequest{Type: "debug", Task: "two"}
	if err := begin("ann", one); err != nil {
		t.Fatal(err)
	}
	w.touch("workflow.yaml", 0)
	before := w.tree(stateDir)
	refused(t, begin("bob", two), report.Conflict, "workflow_live")
	_, err := as("cy").DirReset(t.Context(), folder.SweepRequest{Apply: true})
	refused(t, err, report.Conflict, "workflow_live")
	for name, text := range before {
		if w.tree(stateDir)[name] != text {
			t.Errorf("%s changed", name)
		}
	}
	dry := must(as("cy").DirReset(t.Context(), folder.SweepRequest{}))(t)
	if !hasCode(dry.Warnings, "workflow_live") {
		t.Errorf("%+v", dry.Warnings)
	}
	if err := begin("bob", one); err != nil { // the same workflow: it goes on
		t.Error(err)
	}
	if err := begin("ann", two); err != nil { // her own
		t.Error(err)
	}
	w.touch("workflow.yaml", 0)
	refused(t, begin("bob", one), report.Conflict, "workflow_live")
	stolen := one
	stolen.Steal = true
	if err := begin("bob", stolen); err != nil {
		t.Error(err)
	}
	w.touch("workflow.yaml", 0)
	w.pass(time.Hour)
	if _, err := as("cy").DirReset(t.Context(), folder.SweepRequest{Apply: true}); err != nil {
		t.Error(err)
	}
}

// TestF75_DevtsAgentsOnLanesAreNotDisturbed checks the guard of devt 0.244: agents that it calls running, less than 30
// minutes ago, while lanes are registered.
func TestF75_DevtsAgentsOnLanesAreNotDisturbed(t *testing.T) {
	t.Parallel()
	const lanes = "active: true\nworkflow_type: code_review_parallel\ntask: PR 1\nlanes:\n  - id: L1\n    status: in_flight\n"
	for _, c := range []struct {
		name, record, agents, config string
		refused, noted               bool
	}{
		{name: "now", record: lanes, agents: `{"agents":{"a":{"status":"running","timestamp":"NOW"}}}`, refused: true, noted: true},
		{name: "no time", record: lanes, agents: `{"agents":{"unknown":{"status":"running"}}}`, refused: true, noted: true},
		{name: "old", record: lanes, agents: `{"agents":{"x":{"status":"running","timestamp":"2020-01-01T00:00:00.000Z"}}}`},
		{name: "stopped", record: lanes, agents: `{"agents":{"x":{"status":"completed","timestamp":"NOW"}}}`},
		{name: "no lanes", record: "active: true\n", agents: `{"agents":{"x":{"status":"running","timestamp":"NOW"}}}`},
		{name: "no list", record: lanes, agents: `nonsense`},
		{name: "warn", record: lanes, agents: `{"agents":{"x":{"status":"running"}}}`, config: `{"lane_state_guard":"warn"}`, noted: true},
		{name: "off", record: lanes, agents: `{"agents":{"x":{"status":"running"}}}`, config: `{"lane_state_guard":"off"}`},
	} {
		w := newStateWorld(t)
		w.aged("workflow.yaml", c.record, 0)
		w.aged("status.json", strings.ReplaceAll(c.agents, "NOW", w.time.Add(-time.Minute).Format(time.RFC3339)), 0)
		if c.config != "" {
			w.write(".devt/config.json", c.config)
		}
		dry := must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{}))(t)
		if hasCode(dry.Warnings, "workflow_live") != c.noted {
			t.Errorf("%s: %+v", c.name, dry.Warnings)
		}
		begin := folder.BeginRequest{Type: "dev", Task: "two"}
		_, err := w.p().Folder.DirBegin(t.Context(), begin)
		if !c.refused {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		refused(t, err, report.Conflict, "workflow_live")
		_, err = w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"workflow_type=debug"}})
		refused(t, err, report.Conflict, "workflow_live") // it would start another workflow
		begin.Steal = true
		if _, err := w.p().Folder.DirBegin(t.Context(), begin); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
