package folder

import (
	"context"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/statedir/declaration"
	"baton/internal/workspace"
)

// ForFolder returns the project whose root holds the nearest state folder, and its place: p itself
// where the roots are one (D16: every role is looked for on its own). The folder itself need not
// exist. In a project of another layout it is baton's own; without any project NotFound no_project.
// Usage layout_unknown for a layout that keeps no state folder, and instance_invalid; Violation
// folder_invalid and instance_invalid for links in their place.
//
// Where two state folders are in one root and nothing says which is meant, the place is the first
// one: a read adds place.doubts to its answer, a write asks place.chosen before it does anything.
func (p Folder) ForFolder(ctx context.Context, op string, r DirRequest) (*workspace.Workspace, workspace.FolderPlace,
	error,
) {
	at, place, err := p.FindFolder(ctx, op)
	if err != nil {
		return nil, workspace.FolderPlace{}, err
	}
	if err := Of(at).noFolderLink(op, place); err != nil {
		return nil, workspace.FolderPlace{}, err
	}
	place.Contract, place.Broken = Of(at).Contract(ctx, place)
	if err := Of(at).intoInstance(op, r, &place); err != nil {
		return nil, workspace.FolderPlace{}, err
	}
	return at, place, nil
}

// Contract reads what the project adds to the contract. An error means that the declared contract
// holds alone; Corrupt contract_invalid also for what is in the file's place and is none. What
// is in the way of every read, such as a journal that is refused, is told as it is.
func (p Folder) Contract(ctx context.Context, place workspace.FolderPlace) (*declaration.Contract, error) {
	declared, name := declaration.Declared(), place.ContractName()
	doc, err := p.Store.Read(ctx, name)
	switch {
	case ctx.Err() != nil:
		return declared, ctx.Err()
	case err != nil && report.As(err).Path != name:
		return declared, err
	case err != nil:
		return declared, workspace.ContractFault(name, "it cannot be read: "+reasonIn(err, name))
	case !doc.Exists && workspace.Exists(filepath.Join(p.Root, filepath.FromSlash(name))):
		return declared, workspace.ContractFault(name, "it is a link that leads nowhere")
	case !doc.Exists:
		return declared, nil
	}
	extended, err := declared.Extend(name, doc.Data)
	if err != nil {
		return declared, err
	}
	return extended, nil
}
