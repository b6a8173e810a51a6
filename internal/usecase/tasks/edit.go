package tasks

import (
	"context"
	"strconv"

	"baton/internal/chain"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/task/edit"
	"baton/internal/workspace"
)

// EditRequest changes what a task says. Nil and empty fields change nothing. Numbers of criteria
// are those before the call.
type EditRequest struct {
	ID           string
	Title        *string
	Epic         *string
	Repository   *string
	Requirements *string
	Priority     string
	After        []string
	NotAfter     []string
	Accept       []string
	Reword       []edit.Words
	Verify       []edit.Words
	Drop         []int
	Reason       string // why criteria are dropped; goes to the archive
	Note         string
}

// EditResult is the answer of "task edit".
type EditResult struct {
	Task       task.ID          `json:"task"`
	Title      string           `json:"title"`
	Path       string           `json:"path"`
	Changed    []string         `json:"changed"`
	Removed    []string         `json:"removed,omitempty"` // what went to the archive
	Archive    string           `json:"archive,omitempty"` // the archive, if something went there
	Reopened   []int            `json:"reopened,omitempty"`
	Ready      bool             `json:"ready"`
	WaitingFor []task.ID        `json:"waiting_for,omitempty"`
	Warnings   []report.Finding `json:"warnings"`
}

// Edit changes a task by splicing. What it removes goes to the task's archive (D44). It fails with
// Usage nothing_to_edit, reason_missing or value_invalid, with NotFound task_unknown,
// criterion_unknown or dependency_missing, with Violation dependency_cycle or repair_would_lose,
// with Conflict claim_held, and with Corrupt for a file that cannot store the change.
func (p Tasks) Edit(ctx context.Context, r EditRequest) (EditResult, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return EditResult{}, err
	}
	change, err := r.parsed()
	if err != nil {
		return EditResult{}, err
	}
	if _, err := p.LoadTask(ctx, p.Store, id); err != nil {
		return EditResult{}, err
	}
	var out EditResult
	notes, err := p.Guarded(ctx, id, func(c *workspace.Change) error {
		out, err = p.editIn(ctx, c, id, change, r.Reason)
		return err
	})
	if err != nil {
		return EditResult{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// parsed checks a request as far as that is possible without the task.
func (r EditRequest) parsed() (edit.Request, error) {
	out := edit.Request{
		Title: r.Title, Epic: r.Epic, Repository: r.Repository, Requirements: r.Requirements, Reword: r.Reword,
		Verify: r.Verify, Drop: r.Drop, Accept: r.Accept, Note: r.Note,
	}
	usage := func(code report.Code, message, hint string) error {
		return &report.Error{Op: "task.edit", Kind: report.Usage, Code: code, Message: message, Hint: hint}
	}
	if len(r.Drop) > 0 && safetext.OneLine(r.Reason) == "" {
		return out, usage(report.CodeReasonMissing, "dropping a criterion needs a reason",
			"say with --reason why it is not needed; the archive keeps both")
	}
	for _, list := range []struct {
		words []string
		into  *[]task.ID
	}{{r.After, &out.After}, {r.NotAfter, &out.NotAfter}} {
		for _, word := range list.words {
			id, err := task.ParseID(word)
			if err != nil {
				return out, err
			}
			*list.into = append(*list.into, id)
		}
	}
	for _, id := range out.After {
		for _, no := range out.NotAfter {
			if id == no {
				return out, usage(report.CodeValueInvalid, "--after and --not-after both name "+id.Ref(),
					"give one of them")
			}
		}
	}
	if r.Priority != "" {
		level, err := task.ParsePriority(r.Priority)
		if err != nil {
			return out, err
		}
		out.Priority = &level
	}
	return out, nil
}

// editIn plans an edit in a change.
func (p Tasks) editIn(
	ctx context.Context, c *workspace.Change, id task.ID, change edit.Request, reason string,
) (EditResult, error) {
	l, err := p.LoadForWrite(ctx, c, id)
	if err != nil {
		return EditResult{}, err
	}
	change.Now = c.Now
	done, err := edit.Apply(l.State, change)
	if err != nil {
		return EditResult{}, workspace.Located(err, l.Name)
	}
	if n := len(done.State.Meta.Dependencies); n > task.MostDependencies && len(change.After) > 0 {
		return EditResult{}, &report.Error{
			Op: "task.edit", Kind: report.Usage, Code: report.CodeTooMany, Path: l.Name,
			Message: "task " + id.Ref() + " would depend on " + safetext.Count(n, "task") +
				"; at most 1,000 are allowed",
			Hint: report.CodeTooMany.Remedy(nil),
		}
	}
	out := EditResult{
		Task: id, Title: done.State.Title, Path: l.Name, Changed: append([]string{}, done.Changed...),
		Reopened: done.Opened, Warnings: append([]report.Finding{}, l.Doubts()...),
	}
	for _, gone := range done.Removed {
		out.Removed, out.Archive = append(out.Removed, gone.What), l.Archive
	}
	for _, n := range done.Opened {
		out.Warnings = append(out.Warnings, report.CodeCriterionReopened.Finding(l.Name, 0,
			"criterion "+strconv.Itoa(n)+" is open again: what was shown for its old words does not show the new ones"))
	}
	if err := p.rechained(ctx, l, done.State, change.After); err != nil {
		return EditResult{}, err
	}
	err = p.Keep(ctx, c, "task.edit", func() error { return p.writeEdit(ctx, c, l, done, reason) })
	if err != nil {
		return EditResult{}, err
	}
	if out.WaitingFor, err = p.WaitingShown(ctx, c.Reader, done.State); err != nil {
		return EditResult{}, err
	}
	out.Ready = chain.Startable(done.State.Status()) && len(out.WaitingFor) == 0
	return out, nil
}

// writeEdit writes the task with the inputs of its new dependencies, and what was removed.
func (p Tasks) writeEdit(
	ctx context.Context, c *workspace.Change, l *workspace.Loaded, done edit.Result, reason string,
) error {
	if filed := edit.Archived(done.Removed, reason, c.Now); len(filed) > 0 {
		if l.Outside != nil {
			return l.Outside
		}
		if err := appendArchive(c, l, filed); err != nil {
			return err
		}
	}
	h := handover{State: done.State}
	if !workspace.Closed(done.State.Status()) && len(done.State.Meta.Dependencies) > len(l.State.Meta.Dependencies) {
		var err error
		if h, err = p.Inject(ctx, c.Reader, done.State, l.Name, false, false); err != nil {
			return err
		}
		c.Note(h.Findings...)
	}
	if err := p.WriteTask(c, l, h.State); err != nil {
		return err
	}
	for _, source := range h.sources {
		c.Tx.AtMost(l.Name, source)
	}
	return nil
}

// appendArchive appends a text to a task's archive, and begins the archive if there is none.
func appendArchive(c *workspace.Change, l *workspace.Loaded, text []byte) error {
	known, err := c.Tx.Tail(l.Archive, store.TailLength)
	if err != nil {
		return err
	}
	if !known.Exists || known.Size == 0 {
		text = append([]byte(archive.Title(l.ID)+"\n"), text...)
	} else if known.Data[len(known.Data)-1] != '\n' {
		text = append([]byte("\n"), text...)
	}
	c.Tx.Append(l.Archive, text)
	c.Tx.AtMost(l.Archive, l.Name)
	return nil
}

// rechained checks new dependencies: each exists, and none closes a cycle.
func (p Tasks) rechained(ctx context.Context, l *workspace.Loaded, next *task.State, after []task.ID) error {
	if len(after) == 0 {
		return nil
	}
	headers, _, err := p.LoadAll(ctx, p.Store)
	if err != nil {
		return err
	}
	d := &Draft{Id: l.ID}
	d.task.Title = next.Title
	graph, err := p.ChainGraph(ctx, p.Store, headers)
	if err != nil {
		return err
	}
	for _, up := range after {
		if _, known := graph.Node(up); !known {
			return operation("task.edit", p.dependencyMissing(d, up, headers, false))
		}
		if up == l.ID {
			return operation("task.edit", cycleError([]task.ID{up, up}))
		}
		if path := graph.PathTo(up, l.ID); path != nil {
			return operation("task.edit", cycleError(append([]task.ID{l.ID}, path...)))
		}
	}
	return nil
}

// operation returns an error under the name of another operation.
func operation(op string, err error) error {
	e := *report.As(err)
	e.Op = op
	return &e
}
