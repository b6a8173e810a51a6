package folder

import (
	"context"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/store"
	"baton/internal/workspace"
)

// oddities returns the findings of an audit other than the buckets (5.7). It uses the results of
// audit.
func (v *FolderView) oddities(ctx context.Context, r store.Reader) []report.Finding {
	return slices.Concat(
		v.Caveats(), v.unreadRecord(), v.IgnoredLines(), v.Skewed(), v.halves(), v.namesOnFolders(), v.caseClashes(),
		v.staleLock(ctx), v.archiveFindings(ctx, r),
	)
}

func (v *FolderView) doubt(code report.Code, name, text string) report.Finding {
	path := v.place.Dir
	if name != "" {
		path = v.place.In(workspace.ShownEntry(name))
	}
	return code.Finding(path, 0, text)
}

// interrupted reports a sweep that was killed. The next writing command completes it (5.10).
func (v *FolderView) interrupted() []report.Finding {
	if !v.pending {
		return nil
	}
	return []report.Finding{v.doubt(report.CodeSweepPending, "",
		"a cleanup or a restore of "+v.place.Dir+" was interrupted; every entry is in exactly one place, and the next "+
			"command that writes completes it")}
}

// unreadRecord reports that the record cannot be read. That is an error of the folder, not of the
// audit (SD-4).
func (v *FolderView) unreadRecord() []report.Finding {
	out := v.Unread()
	for i := range out {
		out[i].Severity = report.Severe
	}
	return out
}

// halves reports pairs with only one file.
func (v *FolderView) halves() []report.Finding {
	var out []report.Finding
	for _, pair := range v.place.Contract.Sidecars() {
		sidecar, markdown := v.isHalf(pair.JSON), v.isHalf(pair.Markdown)
		switch {
		case sidecar && !markdown:
			out = append(out, v.doubt(report.CodePairIncomplete, pair.JSON, pair.JSON+" exists without "+pair.Markdown+
				", the text for people"))
		case markdown && !sidecar:
			out = append(out, v.doubt(report.CodePairIncomplete, pair.Markdown, pair.Markdown+" exists without "+
				pair.JSON+
				", which programs read the status from"))
		}
	}
	return out
}

// isHalf reports whether the name belongs to something that can be one file of a pair; a folder
// cannot.
func (v *FolderView) isHalf(name string) bool {
	item, here := v.items[name]
	return here && !item.Mode.IsDir()
}

// namesOnFolders reports folders with the name of a file. They count as ad hoc (SD-12).
func (v *FolderView) namesOnFolders() []report.Finding {
	var out []report.Finding
	for i, e := range v.facts.Entries {
		if v.outlooks[i].Class.Reason != "" {
			out = append(out, v.doubt(report.CodeNameOnFolder, e.Name, safetext.Quote(workspace.ShownEntry(e.Name))+
				" is a folder, but in the contract that name belongs to a file"))
		}
	}
	return out
}

// caseClashes reports names that differ only in case. They cannot coexist on a file system that
// ignores case (SD-18).
func (v *FolderView) caseClashes() []report.Finding {
	var out []report.Finding
	first := make(map[string]string, len(v.facts.Entries))
	for _, e := range v.facts.Entries {
		folded := strings.ToLower(e.Name)
		if other, clash := first[folded]; clash {
			out = append(out, v.doubt(report.CodeCaseClash, e.Name,
				safetext.Quote(workspace.ShownEntry(other))+" and "+safetext.Quote(workspace.ShownEntry(e.Name))+
					" differ only in upper and lower case; some file systems cannot hold both"))
			continue
		}
		first[folded] = e.Name
	}
	return out
}

// staleLock reports a lock file that nobody holds.
func (v *FolderView) staleLock(ctx context.Context) []report.Finding {
	if item, here := v.items[statedir.LockName]; !here || !item.Mode.IsRegular() {
		return nil // Caveats reports anything that is not a file
	}
	lock, err := v.at.Store.LookAtLock(ctx, lock(v.place))
	if err != nil {
		return []report.Finding{v.doubt(report.CodeOf(err), statedir.LockName, report.As(err).Error())}
	}
	if !lock.Stale {
		return nil
	}
	return []report.Finding{
		v.doubt(report.CodeLockStale, statedir.LockName, "the lock is stale: "+strings.TrimSuffix(lock.Why, ".")+
			"; the next writer takes it over; `baton dir unlock --stale` removes it"),
	}
}

// archiveFindings reports irregularities of the archive, and the snapshots beyond their ring.
func (v *FolderView) archiveFindings(ctx context.Context, r store.Reader) []report.Finding {
	a, err := v.openArchive(ctx, r)
	if err != nil {
		e := report.As(err)
		return []report.Finding{
			report.CodeOf(e).Finding(v.place.Archive(), 0, e.Error()).As(report.Severe),
		}
	}
	return slices.Concat(a.oddities(), v.unfinished(ctx, r, a), v.beyondRing(ctx, r, a))
}

// oddities reports manifests without a snapshot, because the original tool removes only the folder,
// and entries that only have the name of a manifest.
func (a *FolderArchive) oddities() []report.Finding {
	var out []report.Finding
	for _, name := range a.orphans() {
		out = append(out, report.CodeManifestOrphaned.Finding(a.place.Archive()+"/"+workspace.ShownEntry(name), 0,
			workspace.ShownEntry(name)+" describes a snapshot that no longer exists; the next clean-up and "+
				"`baton doctor --fix` remove it"))
	}
	for _, name := range a.odd {
		if snapshot, _ := snapshotOf(name); !a.names[snapshot] {
			continue
		}
		out = append(out, report.CodeManifestInvalid.Finding(a.place.Archive()+"/"+workspace.ShownEntry(name), 0,
			workspace.ShownEntry(name)+" is not a file, so baton uses the snapshot as it is"))
	}
	return out
}

// unfinished reports snapshots whose sweep can no longer be completed because somebody removed the
// journal. While a journal exists, the next writing command completes the sweep, and that is
// reported elsewhere.
func (v *FolderView) unfinished(ctx context.Context, r store.Reader, a *FolderArchive) []report.Finding {
	if v.pending {
		return nil
	}
	var out []report.Finding
	for _, name := range a.snapshots {
		if a.unfinished(ctx, r, name) {
			out = append(out, report.CodeSnapshotUnfinished.Finding(a.dir(name), 0,
				"the command that created "+name+" was interrupted and cannot be completed; what it moved is "+
					"in the snapshot, the rest is still in "+v.place.Dir))
		}
	}
	return out
}

// class returns the contract's class of an entry.
func (v *FolderView) class(e statedir.Entry) statedir.Class {
	return v.place.Contract.ClassifyEntry(e)
}
