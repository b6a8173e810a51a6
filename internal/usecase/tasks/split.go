package tasks

import (
	"context"
	"encoding/json"
	"strings"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/task/inputs"
	"baton/internal/task/split"
	"baton/internal/workspace"
)

// quietFor is the number of sessions for which a dismissed notice is not shown again (5.15).
const quietFor = 5

// Split proposes sub-tasks (5.15). With Apply it creates them as a chain, in one transaction with
// the parent. With Dismiss it hides the notice about a large task for five sessions. It fails with
// Violation nothing_to_split or already_split, with Conflict claim_held, and with Usage
// split_unclear if both are set.
func (p Tasks) Split(ctx context.Context, r SplitRequest) (SplitResult, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return SplitResult{}, err
	}
	if r.Apply && r.Dismiss {
		return SplitResult{}, &report.Error{
			Op: "task.split", Kind: report.Usage, Code: report.CodeSplitUnclear,
			Message: "--apply and --dismiss cannot be used together", Hint: "give --apply or --dismiss",
		}
	}
	if r.Apply {
		return p.splitNow(ctx, id)
	}
	l, err := p.LoadTask(ctx, p.Store, id)
	if err != nil {
		return SplitResult{}, err
	}
	taken, err := p.taken(ctx, p.Store)
	if err != nil {
		return SplitResult{}, err
	}
	out, _ := splitPlan(l, p.Limits(), taken)
	if r.Dismiss {
		if err := p.Settings().Fault(); err != nil {
			return SplitResult{}, err
		}
		data, err := workspace.Encoded(dismissal{out.Sessions}, "")
		if err == nil {
			err = p.Store.WriteCache(dismissalFile(id), data)
		}
		if err != nil {
			return SplitResult{}, err
		}
		out.Dismissed = true
	}
	return out, nil
}

// splitPlan returns the proposal and its box.
func splitPlan(l *workspace.Loaded, limits task.Limits, taken map[string]task.ID) (SplitResult, split.Suggestion) {
	sessions := l.State.TotalSessions()
	sg := split.Suggest(l.State, sessions)
	used := isTaken(taken)
	out := SplitResult{
		Task: l.ID, Sessions: sessions, SizeBytes: int64(
			len(l.State.Bytes()),
		), Open: sg.Open, Suggested: []SubTask{}, Created: []Created{},
		Box: split.Notice(l.State, sg, sessions, sessions > limits.NoticeSessions, used), Warnings: []report.Finding{},
	}
	ids := split.ChildIDs(l.State, len(sg.Groups), used)
	for i, g := range sg.Groups {
		sub := SubTask{ID: ids[i], Title: g.Title, Criteria: []string{}, Estimate: g.Estimate}
		for _, crit := range g.Criteria {
			sub.Criteria = append(sub.Criteria, crit.Text)
		}
		out.Suggested = append(out.Suggested, sub)
	}
	return out, sg
}

// isTaken reports whether an id is in use, regardless of case, because such names are the same file
// on some systems (D21).
func isTaken(taken map[string]task.ID) func(task.ID) bool {
	return func(id task.ID) bool { return taken[strings.ToLower(string(id))] != "" }
}

// splitNow creates the sub-tasks. It also ends the parent's claim, because the work continues in
// the first sub-task.
func (p Tasks) splitNow(ctx context.Context, id task.ID) (SplitResult, error) {
	var out SplitResult
	notes, err := p.Guarded(ctx, id, func(c *workspace.Change) error {
		l, err := p.LoadForWrite(ctx, c, id)
		if err != nil {
			return err
		}
		taken, err := p.taken(ctx, p.Store)
		if err != nil {
			return err
		}
		var sg split.Suggestion
		out, sg = splitPlan(l, p.Limits(), taken)
		made, err := split.Task(l.State, sg, isTaken(taken), c.Now)
		if err != nil {
			return workspace.Located(err, l.Name)
		}
		for i, child := range made.Children {
			var input *inputs.Block
			if i == 0 {
				input = &made.Input
			}
			created, err := p.createChild(ctx, c, l, child, input, &out)
			if err != nil {
				return err
			}
			out.Created = append(out.Created, created)
		}
		c.Standing, out.Applied = true, true
		if c.Claims != nil {
			c.Claims.Release(id)
		}
		return p.WriteTask(c, l, made.Parent)
	})
	if err != nil {
		return SplitResult{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// createChild writes one sub-task next to the parent. The first one gets the parent's context and
// the outputs of the parent's own dependencies.
func (p Tasks) createChild(
	ctx context.Context, c *workspace.Change, parent *workspace.Loaded, n create.Request, input *inputs.Block,
	out *SplitResult,
) (Created, error) {
	state := task.Parse(n.ID, create.New(n))
	name := parent.Dir.StateFile(n.ID)
	made := Created{
		ID: n.ID, Title: n.Title, Path: name, Dependencies: append([]task.ID{}, n.Dependencies...),
		Inputs: []task.ID{},
	}
	var sources []string
	if input != nil {
		next, _, err := inputs.Inject(state, *input, 0, false, nil)
		if err != nil {
			return made, workspace.Located(err, name)
		}
		h, err := p.Inject(ctx, c.Reader, next, name, false, false)
		if err != nil {
			return made, err
		}
		waiting, err := p.WaitingFor(ctx, c.Reader, next)
		if err != nil {
			return made, err
		}
		made.Ready = len(waiting) == 0
		made.Inputs = append(made.Inputs, parent.ID)
		for _, receipt := range h.Receipts {
			made.Inputs = append(made.Inputs, receipt.Task)
		}
		out.Warnings = append(out.Warnings, h.Findings...)
		state, sources = h.State, h.sources
	}
	if err := workspace.UnsafeError(name, state.Bytes()); err != nil {
		return made, err
	}
	c.Tx.Create(name, state.Reconcile(task.Reconciliation{Now: c.Now}).Bytes())
	for _, source := range sources {
		c.Tx.AtMost(name, source)
	}
	return made, nil
}

// dismissal records a dismissed notice in this checkout's runtime folder, because it is a person's
// wish and not a fact about the task.
type dismissal struct {
	Sessions int `json:"sessions"` // sessions of the task when the notice was dismissed
}

func dismissalFile(id task.ID) string { return "dismissed/task-" + string(id) + ".json" }

// notice returns the boxed proposal to split, or "" if it is not due or was dismissed less than
// five sessions ago. The proposed ids may be in use: checking them would read every folder, so only
// the split itself does.
func (p Tasks) notice(s *task.State, limits task.Limits) string {
	sessions := s.TotalSessions()
	if sessions <= limits.NoticeSessions {
		return ""
	}
	var d dismissal
	if data, err := p.Store.ReadCache(dismissalFile(s.ID)); err == nil && json.Unmarshal(data, &d) == nil &&
		d.Sessions > 0 && sessions < d.Sessions+quietFor {
		return ""
	}
	return split.Notice(s, split.Suggest(s, sessions), sessions, true, nil)
}
