package tasks

import (
	"context"

	"baton/internal/report"
	"baton/internal/workspace"
)

// apart returns where a task is complete, cancelled or split that is not merged here, or nil (D42).
// It is nil for the holder of a claim, who was told when the claim was taken.
func (p Tasks) apart(ctx context.Context, c *workspace.Change, l *workspace.Loaded) *workspace.CompleteOn {
	book := c.Claims
	if book == nil {
		book, _ = p.ClaimsNow(ctx)
	}
	if held, live := book.Live(l.ID, c.Now); live && held.By == c.As || len(book.Marks) == 0 {
		return nil
	}
	where := p.ElsewhereOf(ctx, c.Reader, book, l.State, workspace.AskKeep)
	return where.Of(l.ID)
}

// doneApart warns a caller without a claim on the task that it is complete, cancelled or split
// on a branch that is not merged here.
func (p Tasks) doneApart(ctx context.Context, c *workspace.Change, l *workspace.Loaded) []report.Finding {
	on := p.apart(ctx, c, l)
	if on == nil {
		return nil
	}
	text := "task " + l.ID.Ref() + " is " + on.Words
	if on.Command != "" {
		text += "; `" + on.Command + "` merges it"
	}
	return []report.Finding{report.CodeCompleteElsewhere.Finding(l.Name, 0, text)}
}
