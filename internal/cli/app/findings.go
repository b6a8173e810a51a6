package app

import (
	"baton/internal/report"
)

// Unsized returns the findings that say more than a size against its limits, which the page shows,
// and more than that a new digest is new.
func Unsized(list []report.Finding) []report.Finding {
	var kept []report.Finding
	for _, f := range list {
		switch f.Code {
		case report.CodeOverLines, report.CodeOverBytes, report.CodeAtLimit, report.CodeUnfilledTemplate:
		default:
			kept = append(kept, f)
		}
	}
	return kept
}

// Findings puts warnings on the page itself.
func (p *Page) Findings(list []report.Finding) {
	if len(list) == 0 {
		return
	}
	p.Heading("Warnings")
	for _, f := range list {
		t := Warn
		switch f.Severity {
		case report.Info:
			t = Faint
		case report.Severe:
			t = Bad
		}
		p.Item("  ", t, "!", RemarkText(f))
	}
}
