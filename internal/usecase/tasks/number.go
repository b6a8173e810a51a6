package tasks

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"baton/internal/chain"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/workspace"
)

// Numbered gives every draft its id and the name of its file, checks ids and dependencies against
// the existing tasks, and returns the graph with the drafts in it. A new number is above every
// number that a task has or names. If the change holds the lock of the shared folder, it is also
// above the counter that all checkouts share, and the counter advances (D21).
func (p Tasks) Numbered(
	ctx context.Context, c *workspace.Change, dir workspace.TaskDir, drafts []*Draft,
) (*chain.Graph, error) {
	if graph, err := p.numberedNext(ctx, c, dir, drafts); graph != nil || err != nil {
		return graph, err
	}
	headers, _, err := p.LoadAll(ctx, p.Store)
	if err != nil {
		return nil, err
	}
	taken, err := p.taken(ctx, p.Store)
	if err != nil {
		return nil, err
	}
	highest := int64(0)
	if c.Claims != nil {
		highest = c.Claims.Counted()
		for _, f := range p.CounterDoubts(c.Claims) {
			c.Note(f)
		}
	}
	see := func(id task.ID) {
		if n, ok := id.Number(); ok {
			highest = max(highest, n)
		}
	}
	for _, id := range taken {
		see(id)
	}
	for _, id := range named(headers) {
		see(id)
	}
	p.Index.SawHighest(highest)
	for _, d := range drafts {
		if d.Id = d.wanted; d.Id == "" {
			continue
		}
		key := strings.ToLower(string(d.Id))
		if other, ok := taken[key]; ok {
			return nil, idTaken(d.Id, other)
		}
		taken[key] = d.Id
		see(d.Id)
	}
	for _, d := range drafts {
		for _, id := range d.given() {
			see(id)
		}
	}
	if err := count(c, dir, drafts, highest); err != nil {
		return nil, err
	}
	return p.chained(ctx, headers, drafts)
}

// count gives every draft without an id the next number, and each its file.
func count(c *workspace.Change, dir workspace.TaskDir, drafts []*Draft, highest int64) error {
	for _, d := range drafts {
		if d.Id == "" {
			if highest++; highest > workspace.MaxID {
				return &report.Error{
					Op: "task.new", Kind: report.Refused, Code: report.CodeIDExhausted,
					Message: "a task already has the highest possible number, so there is no next one",
					Hint:    "give the id with --id",
				}
			}
			d.Id = task.ID(strconv.FormatInt(highest, 10))
		}
		d.name = dir.StateFile(d.Id)
	}
	for _, d := range drafts {
		d.linked()
	}
	if c.Claims != nil {
		c.Claims.LastID = workspace.IdCounter(max(c.Claims.Counted(), highest))
	}
	return nil
}

// numberedNext is Numbered for drafts without ids in a large project, of which the index knows the
// highest number. It looks at the dependencies of the drafts only. A new number is one that no task
// names, so no cycle can go through it. nil says that everything has to be looked at.
func (p Tasks) numberedNext(
	ctx context.Context, c *workspace.Change, dir workspace.TaskDir, drafts []*Draft,
) (*chain.Graph, error) {
	highest, known := p.highestNumber(ctx)
	if !known || slices.ContainsFunc(drafts, func(d *Draft) bool { return d.wanted != "" }) {
		return nil, ctx.Err()
	}
	if c.Claims != nil {
		if len(p.CounterDoubts(c.Claims)) > 0 {
			return nil, nil
		}
		highest = max(highest, c.Claims.Counted())
	}
	var ups []*workspace.Head
	for _, d := range drafts {
		for _, id := range d.given() {
			h := p.HeadNow(ctx, id)
			if h == nil {
				return nil, ctx.Err() // it may be a draft, an older file, or missing
			}
			ups = append(ups, h)
			if n, ok := id.Number(); ok {
				highest = max(highest, n)
			}
		}
	}
	before := workspace.IdCounter(0)
	if c.Claims != nil {
		before = c.Claims.LastID
	}
	for _, d := range drafts {
		d.Id = ""
	}
	if err := count(c, dir, drafts, highest); err != nil {
		return nil, err
	}
	for _, d := range drafts {
		if !p.isFree(ctx, d.Id) { // somebody made the file of a higher number
			if c.Claims != nil {
				c.Claims.LastID = before
			}
			return nil, ctx.Err()
		}
	}
	return p.chained(ctx, ups, drafts)
}

func idTaken(id, other task.ID) error {
	e := &report.Error{
		Op: "task.new", Kind: report.Conflict, Code: report.CodeIDTaken,
		Message: "task " + id.Ref() + " already exists",
		Hint:    "leave the id out to get the next free number", Details: map[string]any{"task": string(other)},
	}
	if id != other {
		e.Message = "task id " + id.Ref() + " differs from " + other.Ref() + " only in case"
	}
	return e
}

// chained checks the dependencies of the drafts. It fails with NotFound dependency_missing, and
// with Violation dependency_cycle.
func (p Tasks) chained(ctx context.Context, headers []*workspace.Head, drafts []*Draft) (*chain.Graph, error) {
	nodes := make([]chain.Node, len(drafts))
	for i, d := range drafts {
		nodes[i] = chain.Node{
			ID: d.Id, Title: d.task.Title, Status: task.StatusReady, After: d.after, Priority: d.task.Priority,
		}
	}
	graph, err := p.ChainGraph(ctx, p.Store, headers, nodes...)
	if err != nil {
		return nil, err
	}
	// Looking at all at once takes as long as looking for the way from one task to another.
	free := len(drafts) > 1 && len(graph.Cycles()) == 0
	for _, d := range drafts {
		for _, up := range d.after {
			if up == d.Id {
				return nil, cycleError([]task.ID{d.Id, d.Id})
			}
			if _, known := graph.Node(up); !known {
				return nil, p.dependencyMissing(d, up, headers, len(drafts) > 1)
			}
			if free {
				continue
			}
			if path := graph.PathTo(up, d.Id); path != nil {
				return nil, cycleError(append([]task.ID{d.Id}, path...))
			}
		}
	}
	return graph, nil
}

// dependencyMissing names the new task by its title, because nobody knows its future number. If
// several tasks are created, the id may have been meant for one of them.
func (p Tasks) dependencyMissing(d *Draft, up task.ID, headers []*workspace.Head, several bool) error {
	known := make([]task.ID, len(headers))
	for i, h := range headers {
		known[i] = h.ID
	}
	hint := "create it first, or leave it out"
	if near := task.Nearest(string(up), known); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "?"
	}
	if several {
		hint += "; tasks in one list refer to each other by the \"id\" given there"
	}
	return &report.Error{
		Op: "task.new", Kind: report.NotFound, Code: report.CodeDependencyMissing,
		Message: "task " + safetext.Quote(d.task.Title) + " cannot depend on " + up.Ref() +
			": there is no such task", Hint: hint,
	}
}
