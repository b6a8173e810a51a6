package tasks

import (
	"context"
	"path"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/inputs"
	"baton/internal/workspace"
)

// Output reads or writes a task's chain output. If somebody else holds the task, the text is stored
// as a draft in the archive folder, and the answer names it; so nothing is lost and the holder's
// text is not overwritten (D3). It fails with Usage output_unclear if the whole and parts are both
// given, or neither.
func (p Tasks) Output(ctx context.Context, r OutputRequest) (OutputResult, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return OutputResult{}, err
	}
	if !r.Write {
		return p.readOutput(ctx, id)
	}
	if (len(r.Set) == 0) == (strings.TrimSpace(r.Whole) == "") {
		return OutputResult{}, &report.Error{
			Op: "task.output", Kind: report.Usage, Code: report.CodeOutputUnclear,
			Message: "write the output as a whole or part by part",
			Hint:    "give --file, or --summary and --set PART=TEXT, with some text",
		}
	}
	hold, doubts := p.ClaimOf(ctx, id)
	var out OutputResult
	notes, err := p.Update(ctx, func(c *workspace.Change) error {
		l, err := p.LoadForWrite(ctx, c, id)
		if err != nil {
			return err
		}
		next, err := inputs.SetOutput(l.State, r.Set, r.Whole)
		if err != nil {
			return workspace.Located(err, l.Name)
		}
		if hold.Foreign() {
			out = p.outputOf(l.State)
			return p.draft(c, l, next, hold, &out)
		}
		c.Worked = id
		out = p.outputOf(next)
		out.Warnings = append(out.Warnings, unknownParts(l.Name, next)...)
		out.Warnings = append(append(out.Warnings, l.Doubts()...), p.doneApart(ctx, c, l)...)
		if string(next.Bytes()) == string(l.State.Bytes()) {
			return nil
		}
		out.Changed = true
		if next.Status() == task.StatusComplete {
			out.Warnings = append(out.Warnings, report.CodeOutputChanged.Finding(l.Name, 0,
				"task "+id.Ref()+" is complete; its dependents receive the new output at their next session "+
					"start, or with `baton task complete "+string(id)+"`"))
		}
		return p.WriteTask(c, l, next)
	})
	if err != nil {
		return OutputResult{}, err
	}
	out.Warnings = append(append(out.Warnings, doubts...), notes...)
	return out, nil
}

// unknownParts warns about parts of an output that are not passed on because of their headings
// (5.9, 5.11.2).
func unknownParts(name string, s *task.State) []report.Finding {
	others := inputs.OtherParts(s)
	if len(others) == 0 {
		return nil
	}
	for i := range others {
		others[i] = safetext.Quote(others[i])
	}
	return []report.Finding{report.CodePartUnknown.Finding(name, 0,
		"the text under "+strings.Join(others, ", ")+" is passed on only as a link; use Summary, API "+
			"Contract, Configuration Required or Integration Notes for text")}
}

// readOutput returns the output of a task. A task without a file, or with an empty output, may have
// an older hand-off file (5.1).
func (p Tasks) readOutput(ctx context.Context, id task.ID) (OutputResult, error) {
	l, err := p.LoadTask(ctx, p.Store, id)
	unknown := report.CodeOf(err) == report.CodeTaskUnknown
	if err != nil && !unknown {
		return OutputResult{}, err
	}
	state := task.Parse(id, nil)
	var doubts []report.Finding
	if !unknown {
		state, doubts = l.State, l.Doubts()
	}
	if state.Output.State == task.OutputEmpty {
		old, _, failed := p.OlderOutput(ctx, p.Store, state)
		switch {
		case failed != nil:
			return OutputResult{}, failed
		case old != nil:
			state = old
		case unknown:
			return OutputResult{}, err
		}
	}
	out := p.outputOf(state)
	out.Warnings = append(out.Warnings, doubts...)
	return out, nil
}

// outputOf returns a task's chain output for answers (5.9).
func (p Tasks) outputOf(s *task.State) OutputResult {
	rec := inputs.Downstream(s, p.Now())
	out := OutputResult{
		Task: rec.TaskID, Title: rec.TaskTitle, State: string(s.Output.State), Summary: rec.Summary,
		Parts: map[string]string{}, Timestamp: rec.Timestamp, Warnings: []report.Finding{},
	}
	for name, text := range rec.Parts {
		out.Parts[string(name)] = text
	}
	return out
}

// draft stores the output of a non-holder next to the archive. The same text is stored only once
// (TS-31).
func (p Tasks) draft(
	c *workspace.Change, l *workspace.Loaded, next *task.State, hold workspace.ClaimState, out *OutputResult,
) error {
	when := " while " + safetext.Line(hold.By) + " held the task"
	if hold.Claim == nil {
		when = " after " + safetext.Line(hold.Newer) + " had claimed the task"
	}
	text := "# Draft of the output of task " + l.ID.Ref() + "\n\nWritten by " + safetext.Line(c.As) + when + ".\n\n" +
		next.Output.Text + "\n"
	dir, prefix := path.Dir(l.Archive), "task-"+string(l.ID)+"-output-draft-"
	entries, err := c.Tx.List(dir)
	if err != nil {
		return err
	}
	name := prefix + c.Now.UTC().Format("20060102T150405Z") + ".md"
	for _, e := range entries {
		if !strings.HasPrefix(e.Name, prefix) {
			continue
		}
		doc, err := c.Tx.Read(workspace.Join(dir, e.Name))
		if err != nil {
			return err
		}
		if string(doc.Data) == text {
			name = e.Name
		} else if e.Name == name {
			name = strings.TrimSuffix(name, ".md") + "b.md"
		}
	}
	out.Draft = workspace.Join(dir, name)
	out.Warnings = append(out.Warnings, report.CodeClaimedByOther.Finding(out.Draft, 0,
		"task "+l.ID.Ref()+" "+hold.Words(c.Now)+"; the text was saved as a draft"))
	c.Tx.Write(out.Draft, []byte(text))
	c.Tx.AtMost(out.Draft, l.Name)
	return nil
}
