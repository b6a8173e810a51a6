package project

import (
	"context"
	"fmt"
	"slices"

	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/task"
)

// Limits of a context pack, in estimated tokens.
const (
	LeastContextBudget = 200
	MostContextBudget  = 200_000
)

// Context builds the pack that a session of a task needs: of the task that was named, else of the active one. With Explain it
// gives what a fresh session is told at its start, with a score. Nothing is written. Usage budget_invalid; NotFound no_project,
// task_unknown.
func (p *Project) Context(ctx context.Context, r ContextRequest) (ContextResult, error) {
	const op = "context"
	if r.Budget == 0 {
		r.Budget = DefaultContextBudget
	}
	if r.Budget < LeastContextBudget || r.Budget > MostContextBudget {
		return ContextResult{}, &report.Error{
			Op: op, Kind: report.Usage, Code: "budget_invalid",
			Message: "no pack can be made within that budget",
			Hint:    fmt.Sprintf("give a budget of %d to %d tokens", LeastContextBudget, MostContextBudget),
		}
	}
	if err := p.hasContext(op); err != nil {
		return ContextResult{}, err
	}
	ask := factsAsk{Task: r.Task, Git: true}
	if r.Explain {
		ask.Source = "startup"
	}
	g, err := p.gather(ctx, ask)
	if err != nil {
		return ContextResult{}, err
	}
	if err := p.lossFacts(ctx, &g, false); err != nil {
		g.facts.Warnings = append(g.facts.Warnings, "what is missing could not be looked up: "+harmless(report.As(err).Error()))
	}
	f := g.facts
	out := ContextResult{Budget: r.Budget, Warnings: append([]report.Finding{}, p.config().warnings()...)}
	if f.Task != nil {
		out.Task = task.ID(f.Task.Command)
	}
	var packed protocol.Packed
	if r.Explain {
		f = p.asBegun(&g)
		packed = protocol.Orientation(f, protocol.Limit{Target: orientationTarget, Characters: orientationMost})
		score := protocol.Rate(f, packed)
		out.Score = &score
		out.Budget = 0 // the text is bounded in characters
	} else {
		packed = protocol.Pack(f, protocol.Limit{Tokens: r.Budget})
	}
	out.Text, out.Parts, out.Left, out.Tokens = packed.Text, packed.Parts, packed.Left, packed.Tokens
	out.Characters = protocol.Characters(packed.Text)
	return out, ctx.Err()
}

// hasContext refuses to go on where there is nothing to tell of.
func (p *Project) hasContext(op string) error {
	if p.hasState() {
		return nil
	}
	return p.need(op)
}

// asBegun is how a session that starts now finds the facts: it takes the claim of the active task, unless that is held.
// The claim of a session that is over is no hindrance.
func (p *Project) asBegun(g *gathered) protocol.Facts {
	f := g.facts
	if f.Task != nil && g.active.Gone != "" {
		t := *f.Task
		t.Holder, t.Until = "", ""
		f.Task = &t
		f.Warnings = distinctTexts(slices.Concat([]string{g.active.takenOver()}, f.Warnings))
		f.Warnings = f.Warnings[:min(mostFactWarnings, len(f.Warnings))]
	}
	if f.Task == nil || f.Proposed || f.Task.Holder != "" || closed(task.Status(f.Task.Status)) {
		return f
	}
	t := *f.Task
	t.Claimed, t.Status = true, string(task.StatusInProgress)
	f.Task = &t
	return f
}
