// Package project opens a workspace and hands out its use cases: p.Tasks.Log(ctx,
// tasks.LogRequest{…}). No rule lives here.
package project

import (
	"context"

	"baton/internal/usecase/digests"
	"baton/internal/usecase/doctor"
	"baton/internal/usecase/find"
	"baton/internal/usecase/folder"
	"baton/internal/usecase/history"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/merging"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/statusbar"
	"baton/internal/usecase/tasks"
	"baton/internal/usecase/waiting"
	"baton/internal/usecase/work"
	"baton/internal/workspace"
)

// Project is one open project with all its use cases. One goroutine at a time uses it.
type Project struct {
	*workspace.Workspace

	Tasks     tasks.Tasks
	Digests   digests.Digests
	Folder    folder.Folder
	Find      find.Find
	StatusBar statusbar.StatusBar
	Loss      loss.Loss
	History   history.History
	Merging   merging.Merging
	Waiting   waiting.Waiting
	Sessions  sessions.Sessions
	Work      work.Work
	Setup     setup.Setup
	Doctor    doctor.Doctor
}

// Open finds the project around o.Dir. It writes nothing. A folder without any layout is fine: use
// cases that need one then return NotFound no_project. Usage for a layout word that does not exist.
func Open(ctx context.Context, o workspace.Options) (*Project, error) {
	o.Above = workspace.Above{
		Losses:   func(w *workspace.Workspace) workspace.Losses { return loss.Of(w) },
		Joins:    []func(*workspace.Workspace, *workspace.Change) error{tasks.Reconcile, digests.FollowTasks},
		Follows:  []workspace.Follow{sessions.KeepAside, sessions.NoteLogged, sessions.NoteNext, loss.NoteLosses},
		Manifest: folder.CompleteManifest,
	}
	w, err := workspace.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return of(w), nil
}

// of returns the project whose workspace is w.
func of(w *workspace.Workspace) *Project {
	return &Project{
		Workspace: w,
		Tasks:     tasks.Of(w),
		Digests:   digests.Of(w),
		Folder:    folder.Of(w),
		Find:      find.Of(w),
		StatusBar: statusbar.Of(w),
		Loss:      loss.Of(w),
		History:   history.Of(w),
		Merging:   merging.Of(w),
		Waiting:   waiting.Of(w),
		Sessions:  sessions.Of(w),
		Work:      work.Of(w),
		Setup:     setup.Of(w),
		Doctor:    doctor.Of(w),
	}
}
