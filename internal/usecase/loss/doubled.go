package loss

import (
	"context"
	"fmt"
	"path"

	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/renumber"
	"baton/internal/workspace"
)

// doubledNumbers warns of restored sessions whose number was given to another session of the task
// file or its archive. Both numbers are valid, and only the doctor renumbers sessions.
func (p Loss) doubledNumbers(
	ctx context.Context, c *workspace.Change, picked []Entry, left map[*ledger.Known]error,
) ([]report.Finding, error) {
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
		found, err := p.doubledInFamily(ctx, c, family, numbers[family])
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// doubledInFamily looks for numbers that two sessions of a task share.
func (p Loss) doubledInFamily(
	ctx context.Context, c *workspace.Change, family string, numbers map[int]bool,
) ([]report.Finding, error) {
	states, archive, archiveName := map[string][]byte{}, []byte(nil), ""
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
			archive, archiveName = doc.Data, name
		}
	}
	var out []report.Finding
	for _, name := range workspace.SortedKeys(states) {
		id, _ := task.IDOfStateFile(path.Base(name))
		seen := map[int]bool{}
		for _, t := range renumber.FindTwice(task.Parse(id, states[name]), archive,
			renumber.Ledger{First: p.FirstSeen(ctx, name)}) {
			if !numbers[t.Number] || seen[t.Number] {
				continue
			}
			seen[t.Number] = true
			f := report.CodeSessionNumberDoubled.Finding(name, t.Line,
				fmt.Sprintf("task %s now has two sessions with the number %d; ", id.Ref(), t.Number)+"`baton doctor "+
					"--fix` renumbers the later one")
			if t.Archived {
				f.Path = archiveName
			}
			out = append(out, f)
		}
	}
	return out, ctx.Err()
}
