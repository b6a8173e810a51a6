package doctor

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"baton/internal/digest/gsd"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

// remedyOf returns the command that repairs a finding, or else the register's advice on it.
func (d *doctor) remedyOf(f report.Finding, s scene) workspace.Remedy {
	switch {
	case drifts(f.Code) && (s.repairs[f.Code] || f.Code == report.CodeOutOfSync):
		return workspace.Remedy{Command: d.command("state sync", s.layout), Fixable: true}
	case s.repairs[f.Code]:
		return workspace.Remedy{Command: d.fixCommand(), Fixable: true}
	}
	if f.Repair != "" {
		return workspace.Remedy{Command: d.command(f.Repair, s.layout)}
	}
	switch f.Code {
	case report.CodeOverLines, report.CodeOverBytes:
		if f.Severity == report.Severe {
			return workspace.Remedy{Command: d.command("state rotate", s.layout), Fixable: true}
		}
	case report.CodeEmptied:
		return workspace.Remedy{
			Command: d.command("lost --restore "+f.Path, ""),
			Advice:  report.CodeEmptied.Remedy(report.Parts{"command": d.command("lost --accept "+f.Path, "")}),
		}
	case report.CodeCompletedDecrease:
		return advice(f.Code, report.Parts{"command": d.command("state sync --allow-decrease", s.layout)})
	case report.CodeLockStale:
		if !strings.HasSuffix(f.Path, "/STATE.md.lock") && !strings.HasSuffix(f.Path, "/.state.lock") {
			return workspace.Remedy{Command: d.command("dir unlock --stale", s.layout)}
		}
	case report.CodeSweepPending:
		if workspace.Exists(filepath.Join(d.p.Store.Runtime(), "journal")) { // or it is below another root
			return workspace.Remedy{Command: d.fixCommand(), Fixable: true}
		}
	case report.CodeArchiveOrder, report.CodeManifestOrphaned:
		if f.Code == report.CodeArchiveOrder && !strings.Contains(f.Text, "--fix") {
			break // no folder is of an earlier baton; the text says what to do
		}
		return workspace.Remedy{Command: d.fixCommand(), Fixable: true}
	case report.CodeOutputEmpty:
		if id, ok := task.IDOfAnyFile(path.Base(f.Path)); ok {
			return advice(f.Code, report.Parts{"command": d.command("task output "+string(id)+" --summary TEXT", "")})
		}
	}
	return adviceOn(f)
}

// adviceOn returns the register's advice on a finding.
func adviceOn(f report.Finding) workspace.Remedy {
	place := "the file"
	if f.Line > 0 {
		place = "line " + strconv.Itoa(f.Line)
	}
	return advice(f.Code, report.Parts{
		"place": place, "config": config.Name, "statuses": statusWords(f.Path),
	})
}

// advice returns the register's advice on a code.
func advice(code report.Code, parts report.Parts) workspace.Remedy {
	return workspace.Remedy{Advice: code.Remedy(parts)}
}

// statusWords lists the statuses that a digest may have.
func statusWords(digest string) string {
	if strings.HasPrefix(digest, ".specflow/") {
		return strings.Join(workspace.SpecStatuses(), ", ")
	}
	return strings.Join(gsd.Statuses(), ", ")
}

// fixCommand is the doctor's own remedy.
func (d *doctor) fixCommand() string { return d.command("doctor --fix", "") }
