package project

import (
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/usecase/folder"
	"baton/internal/workspace"
)

const ownFolder = "version: 1\nextends: none\nfolder: work/agents\ncanonical: [{name: review.json}, {name: plan.md, evict: session}]\n"

// TestF74_AgentsAreGuardedInAFolderOfTheProject checks that the guard follows the contract to its folder.
func TestF74_AgentsAreGuardedInAFolderOfTheProject(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks")
	w.write(".baton/contract.yaml", ownFolder)
	for path, want := range map[string]string{
		"work/agents/workflow.yaml": "baton dir update", "work/agents/ideas.md": "not in the contract of work/agents",
		"work/agents/review.json": "", "src/ideas.md": "", ".baton/work/ideas.md": "", "work/agents/.archive/x/y": "archive",
	} {
		got := w.deny(agentsession.FileEdit{Path: w.path(path), Content: text("x")})
		if (got == "") != (want == "") || !strings.Contains(got, want) || strings.Contains(got, "scratchpad") {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// TestF74_AFolderOfTheProjectIsSweptByItsOwnRules checks a whole cycle: begin, sweep, restore and reset.
func TestF74_AFolderOfTheProjectIsSweptByItsOwnRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	w.write(".baton/contract.yaml", ownFolder)
	p := w.open(workspace.Options{})
	if _, err := p.Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "anything", Task: "one"}); err != nil {
		t.Fatal(err)
	}
	w.write("work/agents/stray.md", "x")
	w.write("work/agents/plan.md", "p")
	w.write("src/stray.md", "mine")
	out := must(p.Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true}))(t)
	if len(out.Entries) != 1 || out.Entries[0].Name != "stray.md" || out.Folder != "work/agents" {
		t.Fatalf("%+v", out)
	}
	back := must(p.Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: *out.Snapshot}))(t)
	if !back.Emptied {
		t.Errorf("%+v", back)
	}
	w.pass(time.Hour)
	reset := must(p.Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
	if reset.Counts["moved"] != 3 {
		t.Errorf("%+v", reset)
	}
	if w.read("src/stray.md") != "mine" {
		t.Error("a file outside the folder moved")
	}
}
