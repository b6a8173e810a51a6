package guard

import (
	"context"
	"path/filepath"
	"strings"

	"baton/internal/statedir"
	"baton/internal/statedir/record"
	"baton/internal/usecase/folder"
	"baton/internal/workspace"
)

// folderDenial returns why a file in a state folder must not be edited, or "": its name is not in
// the contract, or only commands write it (devt.md 5.4). It opens only the project's additions to
// the contract.
func (p Guard) folderDenial(ctx context.Context, s spot, t Target) string {
	for _, f := range statedir.Folders() {
		place := workspace.FolderIn(f.Layout)
		contract := filepath.Join(s.root, filepath.FromSlash(place.ContractName()))
		if _, below := cutFolder(s.name, f.Dir); !below && !workspace.Exists(contract) {
			continue
		}
		at, found, err := p.FindFolder(ctx, "hook")
		if err != nil || at.Root != s.root && p.Root != s.root {
			return ""
		}
		if at.Root != s.root {
			at = p.Workspace
		}
		if found.Layout == f.Layout {
			place = found
		}
		place = folder.Of(at).Placed(ctx, place)
		if rest, below := cutFolder(s.name, place.Dir); below {
			return Of(at).entryDenial(place, rest, t)
		}
	}
	return ""
}

// entryDenial is folderDenial for a name in a state folder, or in the folder of an instance.
func (p Guard) entryDenial(place workspace.FolderPlace, rest string, t Target) string {
	first, inner, deeper := strings.Cut(rest, "/")
	shown := workspace.PlainWord(place.In(rest), mostName)
	switch {
	case sameName(first, statedir.ArchiveName):
		return shown +
			" is in the archive of the state folder, where sweeps move files. `baton dir history` " +
			"lists them, " +
			"and `baton dir restore STAMP --apply` brings them back."
	case sameName(first, statedir.InstancesName):
		return shown +
			" is in the register of instances, which only baton writes. `baton dir begin TYPE TASK --instance ID` " +
			"registers an instance."
	case sameName(rest, record.FileName):
		return shown +
			" is the record of the workflow, which may only be written under a lock. `baton dir update " +
			"KEY=VALUE` changes it, " +
			"`baton dir begin TYPE TASK` begins a new one, and `baton dir read` shows it."
	case sameName(rest, statedir.LockName):
		return shown +
			" is the lock of the state folder. `baton dir unlock --stale` removes it if nobody holds it any more."
	case deeper:
		return p.innerDenial(place, first, inner, t)
	case place.Broken != nil || t.deletes(): // the project's additions are unknown, or a stray file is removed
		return ""
	case place.Contract.Classify(first, false, false).Bucket == statedir.AdHoc:
		return adHocDenial(place, shown, place.Contract.Nearest(first), rest)
	}
	return ""
}

// innerDenial is folderDenial for a file in a subfolder of the state folder. A declared subfolder
// may contain any name; an instance's folder may contain the names of a state folder.
func (p Guard) innerDenial(place workspace.FolderPlace, first, inner string, t Target) string {
	dir := filepath.Join(p.Root, filepath.FromSlash(place.In(first)))
	switch {
	case place.Contract.Classify(first, true, false).Bucket == statedir.Canonical:
		return ""
	case p.looksLikeInstance(place, first, dir):
		place.Dir, place.Instance = place.In(first), first
		return p.entryDenial(place, inner, t)
	case place.Broken != nil || place.Instance != "" || workspace.IsDir(dir) ||
		p.Env.Getenv(folder.InstanceVariable) == first:
		return "" // somebody created the folder for an unknown reason
	}
	return adHocDenial(place, workspace.PlainWord(place.In(first), mostName)+
		"/", place.Contract.Nearest(first+"/"), first)
}

// looksLikeInstance reports whether a folder belongs to an instance, as far as its register and
// single names show: a guard lists no folder.
func (p Guard) looksLikeInstance(place workspace.FolderPlace, id, dir string) bool {
	if place.Instance != "" || !workspace.IsInstanceID(id) {
		return false
	}
	if workspace.Exists(filepath.Join(p.Root, filepath.FromSlash(place.In(statedir.InstancesName)), id+".json")) {
		return true
	}
	for _, name := range [...]string{record.FileName, statedir.LockName, statedir.ArchiveName} {
		if workspace.Exists(filepath.Join(dir, name)) {
			return true
		}
	}
	return false
}

// deletes reports whether an edit only removes the file.
func (t Target) deletes() bool {
	for _, edit := range t.edits {
		if !edit.Delete {
			return false
		}
	}
	return len(t.edits) > 0
}

func adHocDenial(place workspace.FolderPlace, shown, near, given string) string {
	text := shown + " has a name that is not in the contract of " + place.Dir +
		", so a sweep would move it to the archive. "
	if near != "" && strings.TrimSuffix(near, "/") != given {
		text += "Write " + place.In(near) + " instead; "
	} else if place.Contract.Classify("scratchpad.md", false, false).Bucket == statedir.Canonical {
		text += "Write a short note to " + place.In("scratchpad.md") + " instead; "
	}
	return text + "`baton dir contract` lists the allowed names."
}
