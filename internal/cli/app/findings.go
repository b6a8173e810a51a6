package app

import (
	"baton/internal/report"
)

// Unsized returns the findings without those about sizes, which pages show anyway, and without the
// one that says that a digest is new.
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

// SeverityWords returns how a page marks a finding, as wide for all of them.
func SeverityWords(s report.Severity) (Tone, string) {
	switch s {
	case report.Severe:
		return Bad, "error  "
	case report.Info:
		return Faint, "note   "
	default:
		return Warn, "warning"
	}
}

// Findings puts warnings on the page itself.
func (p *Page) Findings(list []report.Finding) {
	if len(list) == 0 {
		return
	}
	p.Heading("Warnings")
	for _, f := range list {
		t, _ := SeverityWords(f.Severity)
		p.Item("  ", t, "!", RemarkText(f))
	}
}
