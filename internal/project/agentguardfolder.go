package project

import (
	"context"
	"path/filepath"
	"strings"

	"baton/internal/statedir"
)

// guardFolder knows the names of a state folder: those that the contract does not have, and what only commands write there
// (devt.md 5.4). It opens nothing but what the project added to the contract.
func (p *Project) guardFolder(ctx context.Context, s spot, t toolTarget) string {
	for _, f := range statedir.Folders() {
		rest, below := cutFolder(s.name, f.Dir)
		if !below {
			continue
		}
		at, place, err := p.findFolder(ctx, "hook")
		if err != nil || at.root != s.root && p.root != s.root {
			return ""
		}
		if at.root != s.root {
			at = p
		}
		if place.Layout != f.Layout {
			place = folderIn(f.Layout)
		}
		place.contract, place.broken = at.contract(ctx, place)
		return at.guardEntry(place, rest, t)
	}
	return ""
}

// guardEntry judges the name of a file in a state folder, or in the folder of an instance.
func (p *Project) guardEntry(place folderPlace, rest string, t toolTarget) string {
	first, inner, deeper := strings.Cut(rest, "/")
	shown := plainWord(place.in(rest), mostGuardName)
	switch {
	case sameName(first, statedir.ArchiveName):
		return shown + " lies in the archive of the state folder, where sweeps put what they move. `baton dir history` shows what is there, " +
			"and `baton dir restore STAMP` brings it back."
	case sameName(first, statedir.InstancesName):
		return shown + " is in the register of instances, which baton writes. `baton dir begin TYPE TASK --instance ID` enters one."
	case sameName(rest, statedir.RecordName):
		return shown + " is the record of the workflow, which is written under a lock. `baton dir update KEY=VALUE` changes it, " +
			"`baton dir begin TYPE TASK` begins a new one, and `baton dir read` shows it."
	case sameName(rest, statedir.LockName):
		return shown + " is the lock of the state folder. `baton dir unlock --stale` takes away one that nobody holds any more."
	case deeper:
		return p.guardInner(place, first, inner, t)
	case place.broken != nil || t.deletes(): // what the project added is not known, or an odd name goes
		return ""
	case place.contract.Classify(first, false, false).Bucket == statedir.AdHoc:
		return adHocDenial(place, shown, place.contract.Nearest(first), rest)
	}
	return ""
}

// guardInner judges a file in a folder of the state folder: in a declared folder any name may stand, in that of an instance those
// of a state folder.
func (p *Project) guardInner(place folderPlace, first, inner string, t toolTarget) string {
	dir := filepath.Join(p.root, filepath.FromSlash(place.in(first)))
	switch {
	case place.contract.Classify(first, true, false).Bucket == statedir.Canonical:
		return ""
	case p.looksLikeInstance(place, first, dir):
		place.Dir, place.Instance = place.in(first), first
		return p.guardEntry(place, inner, t)
	case place.broken != nil || place.Instance != "" || isDir(dir) || p.env.Getenv(instanceVariable) == first:
		return "" // whoever made the folder had a reason that is not known here
	}
	return adHocDenial(place, plainWord(place.in(first), mostGuardName)+"/", place.contract.Nearest(first+"/"), first)
}

// looksLikeInstance is isInstance without a listing.
func (p *Project) looksLikeInstance(place folderPlace, id, dir string) bool {
	if place.Instance != "" || !isInstanceID(id) {
		return false
	}
	if exists(filepath.Join(p.root, filepath.FromSlash(place.in(statedir.InstancesName)), id+".json")) {
		return true
	}
	for _, name := range [...]string{statedir.RecordName, statedir.LockName, statedir.ArchiveName} {
		if exists(filepath.Join(dir, name)) {
			return true
		}
	}
	return false
}

// deletes tells that nothing is written and the file goes.
func (t toolTarget) deletes() bool {
	for _, edit := range t.edits {
		if !edit.Delete {
			return false
		}
	}
	return len(t.edits) > 0
}

func adHocDenial(place folderPlace, shown, near, given string) string {
	text := shown + " has a name that the contract of " + place.Dir + " does not know, so a sweep would take it for a left-over. "
	if near != "" && strings.TrimSuffix(near, "/") != given {
		text += "Write " + place.in(near) + " instead; "
	} else {
		text += "Write a short note to " + place.in("scratchpad.md") + " instead; "
	}
	return text + "`baton dir contract` lists the names that are allowed."
}
