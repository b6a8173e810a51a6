package loss

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"baton/internal/report"
	"baton/internal/workspace"
)

// meantDocs are the documents that the arguments of a command refer to, by root.
type meantDocs struct {
	of  map[*workspace.Workspace][]string
	all bool // no argument: all emptied documents and files that are gone, and all lost entries
}

// meantDocs separates names of documents from ids of entries. Without arguments it means all
// emptied documents and all files that are gone.
func (p Loss) meantDocs(ctx context.Context, roots []*workspace.Workspace, args []string) (meantDocs, []string, error) {
	out := meantDocs{of: map[*workspace.Workspace][]string{}, all: len(args) == 0}
	var ids []string
	for _, arg := range args {
		if !strings.ContainsAny(arg, "./\\") {
			ids = append(ids, arg)
			continue
		}
		at, name, err := p.docNamed(ctx, roots, arg)
		if err != nil {
			return out, nil, err
		}
		out.of[at] = append(out.of[at], name)
	}
	if !out.all {
		return out, ids, nil
	}
	for _, at := range roots {
		defer Of(at).Patiently()()
		docs, err := at.EmptiedDocs(ctx)
		if err != nil {
			return out, nil, err
		}
		gone, err := Of(at).GoneFiles(ctx, nil)
		if err != nil {
			return out, nil, err
		}
		for _, g := range gone {
			docs = append(docs, g.Name)
		}
		out.of[at] = docs
	}
	return out, nil, nil
}

// docNamed returns the known document that a name refers to: its path from the current folder, its
// name below the root, or the end of that name. It fails with NotFound document_unknown, and with
// Conflict document_ambiguous.
func (p Loss) docNamed(
	ctx context.Context, roots []*workspace.Workspace, asked string,
) (*workspace.Workspace, string, error) {
	var at *workspace.Workspace
	var found []string
	file := workspace.AbsoluteIn(workspace.Real(p.Absolute(p.O.Dir)), asked)
	file = filepath.Join(workspace.Real(filepath.Dir(file)), filepath.Base(file))
	end := path.Clean(filepath.ToSlash(asked))
	for _, root := range roots {
		known, err := root.Kept.Known(ctx)
		if err != nil {
			return nil, "", err
		}
		for _, name := range workspace.SortedKeys(known) {
			if file == filepath.Join(root.Root, filepath.FromSlash(name)) || name == end {
				return root, name, nil
			}
			if strings.HasSuffix(name, "/"+end) {
				at, found = root, append(found, name)
			}
		}
	}
	switch len(found) {
	case 1:
		return at, found[0], nil
	case 0:
		return nil, "", &report.Error{
			Kind: report.NotFound, Code: report.CodeDocumentUnknown,
			Message: "baton knows no document " + asked, Hint: "`baton log` lists the documents that baton changed",
		}
	}
	return nil, "", &report.Error{
		Kind: report.Conflict, Code: report.CodeDocumentAmbiguous,
		Message: asked + " may be " + strings.Join(found, " or "), Hint: "give more of the path",
	}
}

// acceptEmptied records that the emptied ones among the documents may be empty. It also returns
// those that are gone.
func (p Loss) acceptEmptied(ctx context.Context, names []string) (emptied, gone []string, err error) {
	for _, name := range workspace.Compact(names) {
		doc, err := p.Store.Read(ctx, name)
		if err != nil {
			return emptied, gone, err
		}
		switch {
		case !doc.Exists:
			gone = append(gone, name)
		case p.Emptied(ctx, doc):
			if err := p.Kept.AcceptEmptied(ctx, name, doc.Data); err != nil {
				return emptied, gone, err
			}
			emptied = append(emptied, name)
		}
	}
	return emptied, gone, nil
}

// emptiedFindings warns of the emptied documents.
func (p Loss) emptiedFindings(ctx context.Context) ([]report.Finding, error) {
	names, err := p.EmptiedDocs(ctx)
	var out []report.Finding
	for _, name := range names {
		if doc, err := p.Store.Read(ctx, name); err == nil {
			out = append(out, p.EmptiedFindings(ctx, doc)...)
		}
	}
	return out, err
}
