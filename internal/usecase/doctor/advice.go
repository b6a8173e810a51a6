package doctor

import (
	"path"

	"baton/internal/report"
)

// scene is the context of a finding that another check made.
type scene struct {
	layout  string               // layout to name in commands if there are several; "" if there is one
	repairs map[report.Code]bool // codes that --fix resolves
}

// ails reports whether somebody should act on a finding. A note on a healthy document needs no
// action.
func ails(f report.Finding) bool {
	switch f.Code {
	case report.CodeArchiveUnsorted, report.CodeSessionNumberDuplicate, report.CodeStatusMerged,
		report.CodeUnknownStatus:
		return true
	case report.CodeLarge: // below the limit
		return false
	case report.CodeJournalPending: // baton reports its own journal once, and nobody can complete another program's
		return path.Base(f.Path) == ".rotate.json"
	}
	return f.Severity != report.Info
}

// drifts reports whether a finding says that a digest is out of date compared with the files next
// to it.
func drifts(code report.Code) bool {
	switch code {
	case report.CodeOutOfSync, report.CodeProgressDrift, report.CodePercentStale, report.CodePlanCountDrift,
		report.CodeNextStale,
		report.CodeExecutionRowWithoutFile, report.CodeExecutionFileWithoutRow:
		return true
	}
	return false
}
