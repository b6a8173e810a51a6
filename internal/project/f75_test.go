package project

import (
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
