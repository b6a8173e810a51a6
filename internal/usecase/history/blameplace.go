package history

import (
	"context"
	"path"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/workspace"
)

// blamed finds the document that a person named, and the workspace whose root contains it.
func (p History) blamed(
	ctx context.Context, roots []*workspace.Workspace, asked string,
) (*workspace.Workspace, string, error) {
	type candidate struct {
		at   *workspace.Workspace
		name string
	}
	var found []candidate
	for _, at := range roots {
		names, err := Of(at).blameable(ctx, asked)
		if err != nil {
			return nil, "", err
		}
		for _, name := range names {
			found = append(found, candidate{at: at, name: name})
		}
	}
	if len(found) == 1 {
		return found[0].at, found[0].name, nil
	}
	if len(found) == 0 {
		if id, err := task.ParseID(strings.TrimPrefix(asked, "#")); err == nil && id.Numeric() {
			return nil, "", p.UnknownTask(ctx, p.Store, id)
		}
		return nil, "", &report.Error{
			Kind: report.NotFound, Code: report.CodeDocumentUnknown,
			Message: "no task file, digest or archive has the name " + safetext.Quote(asked),
			Hint: "give a task's id, or a file such as STATE.md; `baton task list` shows the tasks, `baton " +
				"status` the digest",
		}
	}
	var names []string
	for _, c := range found {
		names = append(names, c.name)
	}
	return nil, "", &report.Error{
		Kind: report.Conflict, Code: report.CodeDocumentAmbiguous,
		Message: "several files have the name " + safetext.Quote(asked) + ": " +
			strings.Join(names, ", "), Hint: "give more of the path",
	}
}

// blameable returns the documents below this root that a name may refer to: a task by its id, or
// the task files, digests and archives that "snapshot list" would accept for it.
func (p History) blameable(ctx context.Context, asked string) ([]string, error) {
	if id, err := task.ParseID(strings.TrimPrefix(asked, "#")); err == nil {
		if l, err := p.LoadTask(ctx, p.Store, id); err == nil {
			return []string{l.Name}, nil
		} else if report.KindOf(err) != report.NotFound {
			return nil, err
		}
	}
	var names []string
	root, places := p.DigestRoot()
	if root == p.Root {
		for _, place := range places {
			names = append(names, p.FamilyDocs(place.State)...)
		}
	}
	if asked == "" {
		return nil, nil
	}
	base := path.Base(strings.ReplaceAll(asked, `\`, "/"))
	id, isTask := task.IDOfAnyFile(base)
	if !isTask {
		id, isTask = workspace.ArchiveID(base)
	}
	if isTask {
		for _, d := range p.SearchDirs(id) {
			names = append(names, workspace.TaskDocs(id, d.Dir)...)
		}
		if l, err := p.LoadTask(ctx, p.Store, id); err == nil {
			names = append(names, l.Name, l.Archive)
		}
	}
	wanted := p.documentNames(asked)
	var out []string
	for _, name := range names {
		if workspace.DocKind(name) == "" || !wanted(name) || slices.Contains(out, name) {
			continue
		}
		part, err := p.Store.Head(ctx, name, 1)
		if err != nil {
			return nil, err
		}
		if part.Exists {
			out = append(out, name)
		}
	}
	return out, nil
}
