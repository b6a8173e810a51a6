package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
)

// TS-27: files that editors and interrupted writers leave beside task files are not tasks, and stay as they are.
func TestTS27_FilesNextToTasks(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	text := s.read(statePath("1"))
	nearby := []string{
		".task-1-state.md.swp", "task-1-state.md~", "#task-1-state.md#", "task-1-state.md.bak", "task-1-state.md.orig",
		".task-1-state.md.4711.tmp", "task-1-state.markdown", "task--state.md", "notes.md", "4913",
		// The same beside a file that is gone: none of them makes its task exist.
		".task-9-state.md.swp", "task-9-state.md~", "#task-9-state.md#", "task-9-state.md.bak", ".#task-9-state.md",
		".task-9-state.md.4711.tmp", "TASK-9-STATE.MD",
	}
	for _, name := range nearby {
		s.write(".baton/tasks/"+name, text)
	}
	s.log("a", "1", "Wrote")
	s.plant(create.Request{ID: "2", Dependencies: []task.ID{"1"}})
	s.finish("1", "Done")
	rows := must(s.as("a").Tasks.List(t.Context(), tasks.ListRequest{}))(t)
	if diff := cmp.Diff([]task.ID{"1", "2"}, rowIDs(rows.Tasks)); diff != "" || len(rows.Warnings) != 0 {
		t.Errorf("listed %s, warnings %+v", diff, rows.Warnings)
	}
	for _, name := range nearby {
		if s.read(".baton/tasks/"+name) != text {
			t.Errorf("%s was changed", name)
		}
	}
}

// TS-28: the lock is a kernel lock. Files of a dead owner block nobody, whether they are empty or name a process id
// that is now another process's.
func TestTS28_WhatADeadOwnerLeft(t *testing.T) {
	t.Parallel()
	for name, owner := range map[string]string{
		"empty": "", "a number in use": `{"pid":1,"host":"h","command":"task log","since":"2026-01-01T00:00:00Z"}`, "torn": `{"pid":`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.plant(create.Request{ID: "1"})
			for _, dir := range []string{".baton/local", ".baton/local/shared"} {
				s.write(dir+"/lock", "")
				s.write(dir+"/lock.json", owner)
			}
			must(s.as("a").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t)
			if got := s.log("b", "1", "Wrote"); got.Session != 1 {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// D35, 5.20: task files have no lock files. baton neither waits for one that another program left, nor removes it, nor
// creates one.
func TestD35_NoLockNextToTaskFiles(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.plant(create.Request{ID: "2", Dependencies: []task.ID{"1"}})
	foreign := []string{statePath("1") + ".lock", archivePath("1") + ".lock", ".planning/STATE.md.lock"}
	for _, name := range foreign {
		s.write(name, "4711")
	}
	s.start("a", "1")
	s.log("a", "1", "Wrote")
	s.finish("1", "Done")
	for _, name := range foreign {
		if s.read(name) != "4711" {
			t.Errorf("%s was touched", name)
		}
	}
	for _, dir := range []string{".baton/tasks", ".baton/archive"} {
		locks, err := filepath.Glob(s.path(dir) + "/*.lock")
		if err != nil || len(locks) != 1 {
			t.Errorf("locks in %s: %v, %v", dir, locks, err)
		}
	}
}

// TS-56: only the command that is for them changes the servers in an agent's configuration (5.19).
func TestTS56_NoOtherCommandTouchesTheServers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const settings = "{\n  // ours\n  \"mcpServers\": {\"github\": {\"command\": \"mine\"}},\n}\n"
	s.write(".mcp.json", settings)
	s.plant(create.Request{ID: "1"})
	must(s.as("a").Setup.Init(t.Context(), setup.InitRequest{}))(t)
	s.start("a", "1")
	s.log("a", "1", "Wrote")
	if data, err := os.ReadFile(s.path(".mcp.json")); err != nil || string(data) != settings {
		t.Fatalf("the settings were touched: %q, %v", data, err)
	}
}
