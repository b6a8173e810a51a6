package history

import (
	"context"
	"path/filepath"
	"time"

	"baton/internal/report"
	"baton/internal/store/history"
	"baton/internal/workspace"
)

// rootLog is the log of one root. newestLog reads it one record at a time.
type rootLog struct {
	at     *workspace.Workspace
	all    []history.Change
	faults []history.LogFault
	left   int // number of records not read yet; they are the oldest ones
}

// logRoots returns the workspaces whose logs belong together for a person: those of versionRoots.
// done closes them, except p. It fails with NotFound no_project if there is no document of any
// kind.
func (p History) logRoots(ctx context.Context, op string) (roots []*workspace.Workspace, done func(), err error) {
	if err := p.NeedAny(op); err != nil {
		return nil, nil, err
	}
	roots, done, err = p.versionRoots(ctx, op)
	return roots, done, workspace.InOp(err, op)
}

func readLogs(ctx context.Context, roots []*workspace.Workspace) ([]*rootLog, error) {
	logs := make([]*rootLog, 0, len(roots))
	for _, at := range roots {
		all, faults, err := at.Kept.Changes(ctx, 0)
		if err != nil {
			return nil, err
		}
		logs = append(logs, &rootLog{at: at, all: all, faults: faults, left: len(all)})
	}
	return logs, nil
}

// newestLog returns the log whose next record is the newest of all, or nil at the end. The records
// of one log keep their order, even if the clock was set back.
func newestLog(logs []*rootLog) *rootLog {
	var newest *rootLog
	for _, l := range logs {
		if l.left > 0 && (newest == nil || l.all[l.left-1].At.After(newest.all[newest.left-1].At)) {
			newest = l
		}
	}
	return newest
}

// begunLogs returns when the first of some logs began, or the zero time if none did.
func begunLogs(logs []*rootLog) time.Time {
	var first time.Time
	for _, l := range logs {
		if len(l.all) > 0 && (first.IsZero() || l.all[0].At.Before(first)) {
			first = l.all[0].At
		}
	}
	return first
}

// logFault is a fault and the path of its file: relative for p's root, absolute for the log of
// another root.
type logFault struct {
	history.LogFault
	path string
}

func (p History) logFaults(logs []*rootLog) []logFault {
	var out []logFault
	for _, l := range logs {
		for _, f := range l.faults {
			name := LogPath(f)
			if l.at.Root != p.Root {
				name = filepath.ToSlash(filepath.Join(l.at.Root, name))
			}
			out = append(out, logFault{f, name})
		}
	}
	return out
}

func faultWarnings(faults []logFault) []report.Finding {
	out := make([]report.Finding, 0, len(faults))
	for _, f := range faults {
		out = append(out, report.CodeLogAltered.Finding(f.path, f.Line, "the log was altered: "+f.Text))
	}
	return out
}
