package project

import (
	"path"
	"path/filepath"
	"strings"

	"baton/internal/report"
	"baton/internal/task"
)

// scene is where a finding of another check was made.
type scene struct {
	layout string          // to be named in commands, because there are several; "" where there is one
	mends  map[string]bool // codes that --fix makes go away
}

// ails tells findings that somebody should do something about from remarks on a healthy document.
func ails(f report.Finding) bool {
	switch f.Code {
	case "archive_unsorted", "session_number_duplicate", "unknown_status":
		return true
	case "large": // below the limit
		return false
	case "journal_pending": // baton's own is told once for the whole store; nobody finishes that of another program
		return path.Base(f.Path) == ".rotate.json"
	}
	return f.Severity != report.Info
}

// remedyOf is the one table from the code of a finding to what mends it.
func (d *doctor) remedyOf(f report.Finding, s scene) remedy {
	switch {
	case drifts(f.Code) && (s.mends[f.Code] || f.Code == "out_of_sync"):
		return remedy{command: d.command("state sync", s.layout), fixable: true}
	case s.mends[f.Code]:
		return remedy{command: d.fixCommand(), fixable: true}
	}
	switch f.Code {
	case "over_lines", "over_bytes":
		if f.Severity == report.Severe {
			return remedy{command: d.command("state rotate", s.layout), fixable: true}
		}
	case "completed_decrease":
		return remedy{advice: "restore what is missing, or accept the lower numbers: " + d.command("state sync --allow-decrease", s.layout)}
	case "archive_unsorted":
		if strings.Contains(f.Text, "--sort-archive") {
			return remedy{command: d.command("decision rotate --sort-archive --apply", s.layout)}
		}
	case "lock_stale":
		if !strings.HasSuffix(f.Path, "/STATE.md.lock") && !strings.HasSuffix(f.Path, "/.state.lock") {
			return remedy{command: d.command("dir unlock --stale", s.layout)}
		}
	case "sweep_pending":
		if exists(filepath.Join(d.p.store.Runtime(), "journal")) { // else the folder is below another root
			return remedy{command: d.fixCommand(), fixable: true}
		}
	case "output_empty":
		if id, ok := task.IDOfFile(path.Base(f.Path)); ok {
			return remedy{advice: "write what downstream tasks need: " + d.command("task output "+string(id)+" --summary TEXT", "")}
		}
	}
	return remedy{advice: adviceOn(f.Code)}
}

// drifts tells the findings of a digest that is behind what stands beside it.
func drifts(code string) bool {
	switch code {
	case "out_of_sync", "progress_drift", "percent_stale", "plan_count_drift", "next_stale", "execution_row_without_file", "execution_file_without_row":
		return true
	}
	return false
}

// fixCommand is the doctor's own remedy.
func (d *doctor) fixCommand() string { return d.command("doctor --fix", "") }
