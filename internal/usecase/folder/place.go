package folder

import (
	"context"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/statedir/declaration"
	"baton/internal/workspace"
)

// ForFolder returns the nearest state folder and the workspace whose root contains it, which is p
// itself if the roots are the same (D16: every role is looked up separately). The folder need not
// exist. In a project of another layout it is baton's own. It fails with NotFound no_project, with
// Usage layout_unknown for a layout without a state folder, with Usage instance_invalid, and with
// Violation folder_invalid or instance_invalid for links.
//
// If one root has two state folders and nothing selects one, the place is the first one. A read
// then adds place.doubts to its answer, and a write first asks place.chosen.
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

// Contract reads the project's additions to the contract. With an error only the declared contract
// applies. It fails with Corrupt contract_invalid, also if something other than a contract has the
// file's name. An error that blocks every read, such as a refused journal, is returned as it is.
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
