package project

import (
	"context"
	"slices"
	"strconv"

	"baton/internal/report"
)

// ofLosses names decisions, sessions, criteria, blockers and outputs that the ledger knows and that are nowhere now, by the document in which
// they stood last. What belongs to another branch is not lost (D9).
func (d *doctor) ofLosses(ctx context.Context) error {
	for _, p := range []*Project{d.p, d.other} {
		if p == nil {
			continue
		}
		told, err := p.toldLosses(ctx, lossAsk{Git: true, Patience: lossPatience})
		if err != nil {
			if err := d.fault(ctx, err, runtimeDir+"/ledger"); err != nil {
				return err
			}
			continue
		}
		for _, f := range told.warnings() {
			if f.Code != entriesUnjudged || !d.inConflict(f.Path) {
				d.add(f, remedy{advice: unsureAdvice(f.Code)})
			}
		}
		names, lists := byDocument(told.Found)
		for _, name := range names {
			if d.told(name, taskGone) {
				continue
			}
			d.add(report.Finding{
				Code: "entries_lost", Severity: report.Warning, Path: name,
				Text: goneWords(lists[name]),
			}, remedy{command: d.command("lost --restore", ""), advice: "or, where it may be gone: " + d.command("lost --accept", "")})
		}
	}
	return nil
}

// inConflict says whether the doctor told already that a document is in conflict, which says as much.
func (d *doctor) inConflict(path string) bool { return d.told(path, "conflict_markers") }

func (d *doctor) told(path, code string) bool {
	return slices.ContainsFunc(d.found, func(f DoctorFinding) bool { return f.Path == path && f.Code == code })
}

// unsureAdvice says how it becomes known what is missing.
func unsureAdvice(code string) string {
	switch code {
	case gitSilent:
		return "see to it that `git log` works here, and run the doctor again"
	case bookUnusable:
		return "move it away: baton begins to remember anew with its next write"
	}
	return "settle that in an editor, and run the doctor again"
}

// goneWords says what is missing from a document.
func goneWords(lost []loss) string {
	text := "1 entry is"
	if len(lost) > 1 {
		text = strconv.Itoa(len(lost)) + " entries are"
	}
	return text + " gone, and in no other document" + lossList(lost, min(mostLossNames, len(lost)))
}
