package loss

import (
	"context"
	"fmt"
	"path"

	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/workspace"
)

// numbersTaken warns of sessions that came back and whose number another one has meanwhile, in their task file or its archive as they are in the
// transaction. Neither is wrong, and only the doctor gives numbers anew.
func (p Loss) numbersTaken(ctx context.Context, c *workspace.Change, picked []Entry, left map[*ledger.Known]error) ([]report.Finding, error) {
	var families []string
	numbers := map[string]map[int]bool{}
	for _, l := range picked {
		if l.Known.Kind != ledger.Session || left[l.Known] != nil {
			continue
		}
		if numbers[l.Family] == nil {
			families, numbers[l.Family] = append(families, l.Family), map[int]bool{}
		}
		numbers[l.Family][l.Known.Number] = true
	}
	var out []report.Finding
	for _, family := range families {
		found, err := p.twiceInFamily(ctx, c, family, numbers[family])
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// twiceInFamily looks for some numbers that two sessions of a task have.
func (p Loss) twiceInFamily(ctx context.Context, c *workspace.Change, family string, numbers map[int]bool) ([]report.Finding, error) {
	states, archive, shelf := map[string][]byte{}, []byte(nil), ""
	for _, name := range p.familyNames(ctx, family) {
		kind := workspace.DocKind(name)
		if kind != workspace.DocTask && kind != workspace.DocTaskArchive {
			continue
		}
		doc, err := c.Tx.Read(name)
		switch {
		case err != nil:
			return nil, err
		case !doc.Exists:
		case kind == workspace.DocTask:
			states[name] = doc.Data
		default:
			archive, shelf = doc.Data, name
		}
	}
	var out []report.Finding
	for _, name := range workspace.SortedKeys(states) {
		id, _ := task.IDOfFile(path.Base(name))
		told := map[int]bool{}
		for _, t := range task.Parse(id, states[name]).Twice(archive) {
			if !numbers[t.Number] || told[t.Number] {
				continue
			}
			told[t.Number] = true
			f := report.Finding{
				Code: "session_number_doubled", Severity: report.Warning, Path: name, Line: t.Line,
				Text: fmt.Sprintf("task %s has another session %d meanwhile; `baton doctor --fix` gives the later one the next number", id.Ref(), t.Number),
			}
			if t.Archived {
				f.Path = shelf
			}
			out = append(out, f)
		}
	}
	return out, ctx.Err()
}
