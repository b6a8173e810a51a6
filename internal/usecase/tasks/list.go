package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"baton/internal/chain"
	"baton/internal/parallel"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/workspace"
)

// statusWaiting is the state of ready tasks that wait for others. It is computed; no file contains
// the word.
const statusWaiting = "waiting"

// StateOf returns the state of a task with a status: the word that lists show and filter by.
func StateOf(status string, waitsFor []task.ID) string {
	if status == string(task.StatusReady) && len(waitsFor) > 0 {
		return statusWaiting
	}
	return status
}

// List returns the tasks that the request asks for (5.12.1, D29). It fails with Usage
// status_unknown for a status that is neither an accepted word nor the status of any task, and with
// Usage usage for an unknown order.
func (p Tasks) List(ctx context.Context, r ListRequest) (TaskList, error) {
	if err := p.Need("task.list"); err != nil {
		return TaskList{}, err
	}
	if err := checkOrder(r.Sort); err != nil {
		return TaskList{}, err
	}
	losses := p.O.Above.Losses(p.Workspace)
	wait := losses.Prepare(ctx)
	defer wait()
	var gone []report.Finding
	a, err := p.Everything(ctx, p.Store, func(all []*workspace.Head) {
		wait()
		gone = losses.GoneTaskFindings(ctx, all)
	})
	if err != nil {
		return TaskList{}, err
	}
	want, known := task.CanonicalStatus(r.Status)
	waiting := strings.EqualFold(strings.TrimSpace(r.Status), statusWaiting)
	if r.Status != "" && !known && !waiting {
		for _, h := range a.Tasks {
			if strings.EqualFold(string(h.Status()), r.Status) {
				want, known = h.Status(), true
			}
		}
		if !known {
			return TaskList{}, &report.Error{
				Op: "task.list", Kind: report.Usage, Code: report.CodeStatusUnknown, Message: "there is no status " +
					safetext.Quote(r.Status),
				Hint: "use backlog, ready, waiting, in_progress, in_review, blocked, complete, cancelled or decomposed",
			}
		}
	}
	chained := a.ChainFindings()
	for i := range chained {
		for _, g := range gone {
			if g.Repair != "" && workspace.LacksFile(chained[i], g.Path) {
				chained[i].Text += "; `baton " + g.Repair + "` brings it back"
				break
			}
		}
	}
	a.Findings = slices.Concat(a.Findings, gone, chained)
	claimed, mine := p.Unoffered(a.Book, a.Elsewhere), p.mine(a)
	out, err := p.Rows(ctx, a, func(h *workspace.Head) bool {
		waits := workspace.Waits(a.Graph, h.ID)
		fits := r.Status == "" || h.Status() == want && !waits
		if waiting {
			fits = h.Sound() && waits
		}
		return fits && (r.Epic == "" || epicMatches(h.State, r.Epic)) && matches(h.State, r.Match) &&
			(!r.Mine || mine(h)) && (!r.Ready || h.Sound() && a.Graph.IsReady(h.ID, claimed))
	})
	out.arrange(r)
	return out, err
}

// Ready returns the tasks that can start now, in the recommended order (D17).
func (p Tasks) Ready(ctx context.Context) (TaskList, error) {
	if err := p.Need("task.ready"); err != nil {
		return TaskList{}, err
	}
	a, err := p.Everything(ctx, p.Store)
	if err != nil {
		return TaskList{}, err
	}
	if len(a.Tasks) == 0 {
		a.Findings = slices.Concat(a.Findings, p.O.Above.Losses(p.Workspace).GoneTaskFindings(ctx, nil))
	}
	taken := p.Unoffered(a.Book, a.Elsewhere)
	out, err := p.Rows(ctx, a, func(h *workspace.Head) bool { return h.Sound() && a.Graph.IsReady(h.ID, taken) })
	out.Later = Later(a)
	return out, err
}

// Rows returns the rows of the tasks for which keep returns true, in topological order.
func (p Tasks) Rows(ctx context.Context, a workspace.All, keep func(*workspace.Head) bool) (TaskList, error) {
	out := TaskList{Tasks: []TaskRow{}, Warnings: a.TornFirst(a.Findings)}
	head := workspace.FindIn(a.Tasks)
	find := func(id task.ID) *task.State {
		if h := head(id); h != nil {
			return h.State
		}
		return nil
	}
	claimed := p.Unoffered(a.Book, a.Elsewhere)
	var kept []*workspace.Head
	for id := range a.Graph.InOrder() {
		if h := head(id); h != nil && keep(h) {
			kept = append(kept, h)
		}
	}
	out.Tasks = append(out.Tasks, make([]TaskRow, len(kept))...)
	parallel.Halves(len(kept), func(from, to int) {
		for i, h := range kept[from:to] {
			out.Tasks[from+i] = p.row(a, h, claimed, find)
		}
	})
	for i, h := range kept {
		if workspace.Closed(h.Status()) {
			continue
		}
		changes, err := p.headChanges(ctx, p.Store, h)
		if err != nil {
			return TaskList{}, err
		}
		out.Tasks[i].InputChanged = changes
	}
	return out, nil
}

// row returns one task for a list, without changes of its inputs. claimed reports which tasks are
// held. find returns other tasks, whose criteria may count for this one (5.15).
func (p Tasks) row(
	a workspace.All, h *workspace.Head, claimed func(task.ID) bool, find func(task.ID) *task.State,
) TaskRow {
	row := TaskRow{
		ID: h.ID, Title: h.State.Title, Status: string(h.Status()), Epic: epicOf(h.State), Sessions: h.Sessions,
		Agent:     h.State.Context.Agent,
		SizeBytes: h.Size, Path: h.Name, CriteriaTotal: len(h.State.Criteria),
		Priority: h.State.Meta.Priority.Shown(), From: h.State.Meta.From, Source: h.State.Meta.Source,
		Ready: h.Sound() && a.Graph.IsReady(h.ID, claimed),
	}
	delegated := h.State.Delegated(find)
	for _, c := range h.State.Criteria {
		if c.Counts(delegated) {
			row.CriteriaDone++
		}
	}
	if c, live := a.Book.Live(h.ID, p.Now()); live && !finished(h.Status()) {
		row.Claim = c.View()
	}
	if row.Note = rowNote(h, find); h.Resolve != "" {
		row.Note = "merge conflict"
	}
	if !workspace.Closed(h.Status()) {
		row.WaitingFor = a.Graph.WaitingFor(h.ID)
		row.CompleteOn, row.ReadyOnce = a.Elsewhere.CompleteOn(h.ID), a.Elsewhere.Once(row.WaitingFor)
		row.StatusOn = a.Elsewhere.OpenOn(h.ID)
	}
	row.State = StateOf(row.Status, row.WaitingFor)
	return row
}

// finished reports whether a task needs no holder any more. A claim on it may remain after a merge,
// and is not shown.
func finished(s task.Status) bool { return s == task.StatusComplete || s == task.StatusCancelled }

// Later returns the tasks that a merge would make ready, in the order in which they should be
// started.
func Later(a workspace.All) []LaterTask {
	var out []LaterTask
	for id := range a.Graph.InOrder() {
		n, _ := a.Graph.Node(id)
		if !chain.Startable(n.Status) || a.Elsewhere.Has(id) {
			continue
		}
		if once := a.Elsewhere.Once(a.Graph.WaitingFor(id)); once != nil {
			out = append(out, LaterTask{ID: id, Title: n.Title, ReadyOnce: *once})
		}
	}
	return out
}

// rowNote returns a note for a list: why a task is blocked, or how far its parts are.
func rowNote(h *workspace.Head, find func(task.ID) *task.State) string {
	s := h.State
	switch s.Status() {
	case task.StatusBlocked:
		return h.Blocked()
	case task.StatusDecomposed:
		if len(s.Meta.Children) == 0 {
			return ""
		}
		done := 0
		words := make([]string, len(s.Meta.Children))
		for i, id := range s.Meta.Children {
			words[i] = string(id)
			if part := find(id); part != nil && part.Status() == task.StatusComplete {
				done++
			}
		}
		return fmt.Sprintf("parts %s (%d/%d complete)", strings.Join(words, ", "), done, len(words))
	}
	return ""
}

// headChanges looks for changed inputs of a task of which only the head was read. It costs nothing
// for tasks that never received an input.
func (p Tasks) headChanges(ctx context.Context, r store.Reader, h *workspace.Head) ([]InputChange, error) {
	if len(h.State.Meta.Inputs) == 0 || h.Fault != nil {
		return nil, nil
	}
	l, err := p.LoadTask(ctx, r, h.ID)
	if err != nil {
		return nil, ctx.Err()
	}
	return p.InputChanges(ctx, r, l, l.State)
}

// epicOf returns a task's epic for display: the one of the context, or else the id in the metadata.
func epicOf(s *task.State) string {
	if s.Context.Epic != "" {
		return s.Context.Epic
	}
	if s.Meta.EpicID != "" {
		return task.ID(s.Meta.EpicID).Ref()
	}
	return ""
}

// epicMatches compares an epic with a word, which may be its id with or without "#", its title, or
// both.
func epicMatches(s *task.State, word string) bool {
	word = strings.TrimSpace(word)
	title, id := s.Epic()
	return strings.EqualFold(word, epicOf(s)) ||
		title != "" && strings.EqualFold(word, title) ||
		id != "" && strings.EqualFold(strings.TrimPrefix(word, "#"), id)
}
