package project

import (
	"context"
	"strings"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/report"
)

// digestStatus adds what the digests say to a status. A project without one is fine; a digest that cannot be read is a
// warning, because the rest is worth showing.
func (p *Project) digestStatus(ctx context.Context, out *StatusResult) error {
	at, places, err := p.forDigest(ctx, "status")
	if err != nil {
		if report.CodeOf(err) == "no_digest" {
			return nil
		}
		if e := report.As(err); e.Code == "digest_missing" {
			out.Warnings = append(out.Warnings, report.Finding{Code: e.Code, Severity: report.Warning, Path: e.Path, Text: e.Error() + "; " + e.Hint})
			return nil
		}
		return err
	}
	for _, place := range places {
		out.Layouts = append(out.Layouts, LayoutView{Role: "digest", Name: place.Layout, Path: place.Dir})
		shown, err := at.show(ctx, "status", place)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			e := report.As(err)
			out.Warnings = append(out.Warnings, report.Finding{
				Code: report.CodeOf(err), Severity: report.Warning, Path: place.State, Line: e.Line, Text: e.Error() + "; " + e.Hint,
			})
			continue
		}
		out.Warnings = append(out.Warnings, shown.Warnings...)
		out.Digests = append(out.Digests, briefly(shown))
		out.Sizes = append(out.Sizes, SizeRow{
			Path: shown.Path, Lines: shown.Size.Lines, MaxLines: shown.MaxLines, Bytes: shown.Size.Bytes, MaxBytes: shown.MaxBytes,
			Over: at.policy(place).Over(shown.Size),
		})
	}
	return nil
}

// briefly makes a status of what "state show" shows.
func briefly(s StateResult) DigestStatus {
	out := DigestStatus{Layout: s.Layout, Path: s.Path, Decisions: len(s.Decisions), Archived: s.Archived}
	if s.Specflow != nil {
		specflowBriefly(*s.Specflow, &out)
	}
	if s.GSD == nil {
		return out
	}
	gsdBriefly(*s.GSD, &out)
	if s.Next != nil && s.Next.Action != "" && out.ActivePhase == "" {
		out.NextAction, out.NextPhases = s.Next.Action, s.Next.Phases
	}
	return out
}

func gsdBriefly(m gsd.Model, out *DigestStatus) {
	out.Milestone, out.MilestoneName, out.Percent = m.Milestone, m.MilestoneName, m.Progress.Percent
	out.Status, out.Phase, out.ActivePhase = m.Status, m.Position.Phase, m.ActivePhase
	if m.Status == "unknown" && m.StatusRaw != "" {
		out.Status = m.StatusRaw
	}
	out.NextAction, out.NextPhases = m.NextAction, m.NextPhases
	out.LastActivity, out.StoppedAt = m.Position.LastActivity, m.Session.StoppedAt
	for _, b := range m.Blockers {
		out.Blockers = append(out.Blockers, b.Text)
	}
}

func specflowBriefly(m specflow.Model, out *DigestStatus) {
	for _, a := range m.Active {
		out.Specs = append(out.Specs, strings.TrimSpace(a.ID+" "+a.Status))
	}
	if row, ok := specflow.NextInQueue(m.Queue); ok {
		out.NextSpec = row.ID
	}
}
