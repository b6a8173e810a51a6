package tasks

import (
	"context"
	"slices"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/workspace"
)

// ImportResult is the answer of "task import".
type ImportResult struct {
	Task     task.ID          `json:"task"`
	Title    string           `json:"title"`
	Path     string           `json:"path"`
	Dialect  string           `json:"dialect"`
	Status   string           `json:"status"`
	Sessions int              `json:"sessions"` // including those in the summary
	Changed  bool             `json:"changed"`  // fences were rewritten, or one around the file was removed
	Warnings []report.Finding `json:"warnings"`
}

// Import adds a task file of any dialect, byte for byte (5.12.1). Its id is the given one, or else
// that of its file name, its title or its metadata, or else the next free number. Inputs are added
// at the first session start (5.11.1). With Lenient, nested fences are read as they were meant
// (TS-D15). It fails with Usage id_invalid or layout_ambiguous, with Conflict id_taken, with
// Violation not_a_task or unclosed_fence, and with Corrupt for bytes that no task file may contain.
func (p Tasks) Import(ctx context.Context, r ImportRequest) (ImportResult, error) {
	data := r.Data
	if bad, unsafe := markdown.Unsafe(data); unsafe {
		return ImportResult{}, &report.Error{
			Op: "task.import", Kind: report.Corrupt, Code: bad.Code, Path: r.Name, Line: bad.Line,
			Message: r.Name + " cannot be imported: " + bad.Text, Hint: workspace.UnsafeHint(bad.Code),
		}
	}
	if r.Lenient {
		data = create.Lenient(data)
	}
	wanted, err := importID(r, data)
	if err != nil {
		return ImportResult{}, err
	}
	if err := create.Importable(r.Name, r.Lenient, task.Parse("0", data)); err != nil {
		return ImportResult{}, err
	}
	dir, err := p.NewDir()
	if err != nil {
		return ImportResult{}, err
	}
	if err := p.Settings().Fault(); err != nil {
		return ImportResult{}, err
	}
	drafts := []*Draft{{wanted: wanted}}
	if _, err := p.Numbered(ctx, &workspace.Change{Reader: p.Store, Now: p.Now()}, dir, drafts); err != nil {
		return ImportResult{}, importTaken(err)
	}
	var out ImportResult
	plan := func(c *workspace.Change) error {
		if _, err := p.Numbered(ctx, c, dir, drafts); err != nil {
			return importTaken(err)
		}
		d := drafts[0]
		state := task.Parse(d.Id, data)
		out = ImportResult{
			Task: d.Id, Title: state.Title, Path: d.name, Dialect: string(
				state.Dialect,
			), Status: string(state.Status()),
			Sessions: state.TotalSessions(), Changed: string(data) !=
				string(r.Data), Warnings: workspace.Placed(state.Findings, d.name),
		}
		c.Tx.Create(d.name, data)
		return nil
	}
	notes, lost, err := p.PreferShared(ctx, plan)
	if err != nil {
		return ImportResult{}, err
	}
	out.Warnings = slices.Concat(out.Warnings, p.begun(), notes, CounterLost(lost))
	return out, p.FoundNow()
}

// importID returns the id that a file names, or "".
func importID(r ImportRequest, data []byte) (task.ID, error) {
	if r.ID != "" {
		return task.ParseID(r.ID)
	}
	if id, ok := task.IDOfStateFile(r.Name); ok {
		return id, nil
	}
	id, _ := create.NamedID(data)
	return id, nil
}

// importTaken adds how an imported file can get another id.
func importTaken(err error) error {
	if report.CodeOf(err) != report.CodeIDTaken {
		return err
	}
	e := *report.As(err)
	e.Op, e.Hint = "task.import", "give the file another id with --id ID"
	return &e
}
