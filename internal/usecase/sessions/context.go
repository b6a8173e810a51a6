package sessions

import (
	"context"
	"fmt"

	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/workspace"
)

// The size of a session's orientation (agents.md 1.5).
const (
	OrientationTarget = 3000
	OrientationMost   = 8000
)

// Limits of a context pack, in estimated tokens.
const (
	LeastContextBudget = 200
	MostContextBudget  = 200_000
)

// Context builds the pack for a session of a task: the named task, or else the active one. With
// Explain it returns the text for a fresh session, with a score. It writes nothing. It fails with
// Usage budget_invalid, and with NotFound no_project or task_unknown.
func (p Sessions) Context(ctx context.Context, r ContextRequest) (ContextResult, error) {
	const op = "context"
	if r.Budget == 0 {
		r.Budget = DefaultContextBudget
	}
	if r.Budget < LeastContextBudget || r.Budget > MostContextBudget {
		return ContextResult{}, &report.Error{
			Op: op, Kind: report.Usage, Code: report.CodeBudgetInvalid,
			Message: "the budget is out of range",
			Hint:    fmt.Sprintf("give a budget of %d to %d tokens", LeastContextBudget, MostContextBudget),
		}
	}
	if err := p.hasContext(op); err != nil {
		return ContextResult{}, err
	}
	ask := FactsAsk{Task: r.Task, Git: true, WithNeighbours: true}
	if r.Explain {
		ask.Source = "startup"
	}
	g, err := p.Gather(ctx, ask)
	if err != nil {
		return ContextResult{}, err
	}
	if err := p.LossFacts(ctx, &g, false); err != nil {
		g.Facts.Warnings = append(g.Facts.Warnings, "baton could not look for lost entries: "+
			workspace.FactLine(report.As(err).Error()))
	}
	f := g.Facts
	out := ContextResult{
		Budget: r.Budget, Neighbours: g.neighbours,
		Warnings: append([]report.Finding{}, p.Settings().Warnings()...),
	}
	if f.Task != nil {
		out.Task = task.ID(f.Task.Command)
	}
	var packed protocol.Packed
	if r.Explain {
		f = p.asBegun(&g, f)
		Warn(&f, p.UnboundNotes())
		packed = protocol.Orientation(f, protocol.Limit{Target: OrientationTarget, Characters: OrientationMost})
		score := protocol.Rate(f, packed)
		out.Score = &score
		out.Budget = 0 // the limit of the text is in characters
	} else {
		packed = protocol.Pack(f, protocol.Limit{Tokens: r.Budget})
	}
	out.Text, out.Parts, out.Left, out.Tokens = packed.Text, packed.Parts, packed.Left, packed.Tokens
	out.Characters = protocol.Characters(packed.Text)
	return out, ctx.Err()
}

// hasContext fails if there is nothing to report.
func (p Sessions) hasContext(op string) error {
	if p.HasState() {
		return nil
	}
	return p.Need(op)
}

// asBegun returns the facts as they would be after a session started now and took the claim of the
// active task. It takes it unless somebody holds it; the claim of a session that is over does not
// count.
func (p Sessions) asBegun(g *Gathered, f protocol.Facts) protocol.Facts {
	if f.Task != nil && g.active.Gone != "" {
		t := *f.Task
		t.Holder, t.Until = "", ""
		f.Task = &t
		Warn(&f, []string{g.active.takenOver()})
	}
	if f.Task == nil || f.Proposed || f.Task.Holder != "" || workspace.Closed(task.Status(f.Task.Status)) {
		return f
	}
	t := *f.Task
	t.Claimed, t.Status = true, string(task.StatusInProgress)
	f.Task = &t
	return f
}
