package folder

import (
	"context"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/store/foreign"
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
	place = Of(at).Placed(ctx, place)
	if err := Of(at).noFolderLink(op, place); err != nil {
		return nil, workspace.FolderPlace{}, err
	}
	if err := Of(at).intoInstance(op, r, &place); err != nil {
		return nil, workspace.FolderPlace{}, err
	}
	return at, place, nil
}

// Placed adds the contract to a place, and moves on to the folder that it declares, if any.
func (p Folder) Placed(ctx context.Context, place workspace.FolderPlace) workspace.FolderPlace {
	place.Contract, place.Broken = p.Contract(ctx, place)
	if dir := place.Contract.Folder(); dir != "" {
		place.Dir = dir
	}
	return place
}

// lock returns the lock file of a folder. Only the original tool's folders have one that writers
// take, because no other program writes to a folder that a project declares.
func lock(place workspace.FolderPlace) foreign.Lock {
	name := place.In(statedir.LockName)
	lock, known := workspace.ForeignLock(name)
	if !known {
		lock, _ = workspace.ForeignLock(statedir.BatonFolder + "/" + statedir.LockName)
		lock.Name = name
		if place.Instance != "" {
			lock.Unlock += " --instance " + place.Instance
		}
	}
	return lock
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
