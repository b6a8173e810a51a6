package agents

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"baton/internal/agentsession"
	"baton/internal/usecase/sessions"
)

// MarkFile records a file as the session left it, so that the next start can show what somebody
// else changed. Documents are recorded in Docs instead, with their contents.
func (p Agents) MarkFile(ctx context.Context, rec *agentsession.Record, name string) {
	if _, known := rec.Docs[name]; known || !filepath.IsLocal(filepath.FromSlash(name)) {
		delete(rec.Marks, name)
		return
	}
	if rec.Marks == nil {
		rec.Marks = map[string]agentsession.Doc{}
	}
	if mark, ok := sessions.Of(p.Workspace).MarkOf(ctx, name, rec.Marks[name]); ok {
		rec.Marks[name] = mark
	}
	for _, old := range slices.Sorted(maps.Keys(rec.Marks)) {
		if len(rec.Marks) > agentsession.MostFiles && !slices.Contains(rec.Files, old) && old != name {
			delete(rec.Marks, old)
		}
	}
	if len(rec.Marks) > agentsession.MostFiles {
		delete(rec.Marks, name)
	}
}

// lookAround records HEAD and the marked files as the session sees them. The draft of an entry does
// not call it, because others may have changed them by then.
func (p Agents) lookAround(ctx context.Context, rec *agentsession.Record) {
	p.markFiles(ctx, rec)
	rec.Tip = p.Git.Place.Begin()
}

// markFiles updates the marks of files, because everything up to now is the session's own work.
func (p Agents) markFiles(ctx context.Context, rec *agentsession.Record) {
	for _, name := range slices.Sorted(maps.Keys(rec.Marks)) {
		p.MarkFile(ctx, rec, name)
	}
}
