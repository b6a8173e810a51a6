package doctor

import (
	"path"
	"path/filepath"
	"strings"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/workspace"
)

// remedyOf is the one table from the code of a finding to what repairs it.
func (d *doctor) remedyOf(f report.Finding, s workspace.Scene) workspace.Remedy {
	switch {
	case workspace.Drifts(f.Code) && (s.Repairs[f.Code] || f.Code == report.CodeOutOfSync):
		return workspace.Remedy{Command: d.command("state sync", s.Layout), Fixable: true}
	case s.Repairs[f.Code]:
		return workspace.Remedy{Command: d.fixCommand(), Fixable: true}
	}
	switch f.Code {
	case report.CodeOverLines, report.CodeOverBytes:
		if f.Severity == report.Severe {
			return workspace.Remedy{Command: d.command("state rotate", s.Layout), Fixable: true}
		}
	case report.CodeCompletedDecrease:
		return workspace.Remedy{Advice: "restore what is missing, or accept the lower numbers: " +
			d.command("state sync --allow-decrease", s.Layout)}
	case report.CodeArchiveUnsorted:
		if strings.Contains(f.Text, "--sort-archive") {
			return workspace.Remedy{Command: d.command("decision rotate --sort-archive --apply", s.Layout)}
		}
	case report.CodeLockStale:
		if !strings.HasSuffix(f.Path, "/STATE.md.lock") && !strings.HasSuffix(f.Path, "/.state.lock") {
			return workspace.Remedy{Command: d.command("dir unlock --stale", s.Layout)}
		}
	case report.CodeSweepPending:
		if workspace.Exists(filepath.Join(d.p.Store.Runtime(), "journal")) { // else the folder is below another root
			return workspace.Remedy{Command: d.fixCommand(), Fixable: true}
		}
	case report.CodeOutputEmpty:
		if id, ok := task.IDOfAnyFile(path.Base(f.Path)); ok {
			return workspace.Remedy{Advice: "write what downstream tasks need: " +
				d.command("task output "+string(id)+" --summary TEXT", "")}
		}
	}
	return workspace.Remedy{Advice: workspace.AdviceOn(f)}
}

// fixCommand is the doctor's own remedy.
func (d *doctor) fixCommand() string { return d.command("doctor --fix", "") }
