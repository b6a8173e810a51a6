package sessions

import (
	"context"
	"path/filepath"
	"strings"

	"baton/internal/statedir"
	"baton/internal/statedir/record"
	"baton/internal/usecase/folder"
	"baton/internal/workspace"
)

// guardFolder judges the names of a state folder: those that the contract does not have, and those
// that only commands write (devt.md 5.4). It opens only the project's additions to the contract.
func (p Sessions) guardFolder(ctx context.Context, s spot, t toolTarget) string {
	for _, f := range statedir.Folders() {
		rest, below := cutFolder(s.name, f.Dir)
		if !below {
			continue
		}
		at, place, err := p.FindFolder(ctx, "hook")
		if err != nil || at.Root != s.root && p.Root != s.root {
			return ""
		}
		if at.Root != s.root {
			at = p.Workspace
		}
		if place.Layout != f.Layout {
			place = workspace.FolderIn(f.Layout)
		}
		place.Contract, place.Broken = folder.Of(at).Contract(ctx, place)
		return Of(at).guardEntry(place, rest, t)
	}
	return ""
}

// guardEntry judges the name of a file in a state folder, or in the folder of an instance.
func (p Sessions) guardEntry(place workspace.FolderPlace, rest string, t toolTarget) string {
	first, inner, deeper := strings.Cut(rest, "/")
	shown := workspace.PlainWord(place.In(rest), mostGuardName)
	switch {
	case sameName(first, statedir.ArchiveName):
		return shown +
			" lies in the archive of the state folder, where sweeps put what they move. `baton dir history` " +
			"shows what is there, " +
			"and `baton dir restore STAMP --apply` brings it back."
	case sameName(first, statedir.InstancesName):
		return shown +
			" is in the register of instances, which baton writes. `baton dir begin TYPE TASK --instance ID` " +
			"enters one."
	case sameName(rest, record.FileName):
		return shown +
			" is the record of the workflow, which is written under a lock. `baton dir update KEY=VALUE` changes it, " +
			"`baton dir begin TYPE TASK` begins a new one, and `baton dir read` shows it."
	case sameName(rest, statedir.LockName):
		return shown +
			" is the lock of the state folder. `baton dir unlock --stale` takes away one that nobody holds any more."
	case deeper:
		return p.guardInner(place, first, inner, t)
	case place.Broken != nil || t.deletes(): // the project's additions are unknown, or an odd name is removed
		return ""
	case place.Contract.Classify(first, false, false).Bucket == statedir.AdHoc:
		return adHocDenial(place, shown, place.Contract.Nearest(first), rest)
	}
	return ""
}

// guardInner judges a file in a folder of the state folder: a declared folder may contain any name,
// that of an instance the names of a state folder.
func (p Sessions) guardInner(place workspace.FolderPlace, first, inner string, t toolTarget) string {
	dir := filepath.Join(p.Root, filepath.FromSlash(place.In(first)))
	switch {
	case place.Contract.Classify(first, true, false).Bucket == statedir.Canonical:
		return ""
	case p.looksLikeInstance(place, first, dir):
		place.Dir, place.Instance = place.In(first), first
		return p.guardEntry(place, inner, t)
	case place.Broken != nil || place.Instance != "" || workspace.IsDir(dir) ||
		p.Env.Getenv(folder.InstanceVariable) == first:
		return "" // somebody made the folder for a reason that is unknown here
	}
	return adHocDenial(place, workspace.PlainWord(place.In(first), mostGuardName)+
		"/", place.Contract.Nearest(first+"/"), first)
}

// looksLikeInstance is isInstance without a listing.
func (p Sessions) looksLikeInstance(place workspace.FolderPlace, id, dir string) bool {
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
func (t toolTarget) deletes() bool {
	for _, edit := range t.edits {
		if !edit.Delete {
			return false
		}
	}
	return len(t.edits) > 0
}

func adHocDenial(place workspace.FolderPlace, shown, near, given string) string {
	text := shown + " has a name that the contract of " + place.Dir +
		" does not know, so a sweep would take it for a left-over. "
	if near != "" && strings.TrimSuffix(near, "/") != given {
		text += "Write " + place.In(near) + " instead; "
	} else {
		text += "Write a short note to " + place.In("scratchpad.md") + " instead; "
	}
	return text + "`baton dir contract` lists the names that are allowed."
}
