package loss

import (
	"context"
	"slices"

	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/workspace"
)

// AcceptLost records that missing entries may be gone. What has other words now is not missed, so that it is not accepted but a warning. Errors:
// those of RestoreLost without Corrupt.
func (p Loss) AcceptLost(ctx context.Context, r LostAcceptRequest) (LostAccepted, error) {
	const op = "lost"
	out := LostAccepted{Entries: []LostEntry{}, Warnings: []report.Finding{}}
	beside, err := p.pickedLosses(ctx, op, r.IDs, func(at *workspace.Workspace, picked, found []Entry) error {
		if err := at.Settings().Fault(); err != nil {
			return err
		}
		keys := map[string][]string{}
		var docs []string
		for _, l := range picked {
			keys[l.Family] = append(keys[l.Family], l.Known.Key)
			docs = append(docs, at.FamilyDocs(l.Family)...)
		}
		// Only what is recorded as missing can be accepted.
		if _, err := at.Kept.Observe(ctx, workspace.Compact(docs)); err != nil {
			return err
		}
		if err := at.Kept.Accept(ctx, keys); err != nil {
			return err
		}
		accepted, err := Of(at).accepted(ctx, picked)
		if err != nil {
			return err
		}
		Of(at).rememberLosses(nil, found, accepted)
		out.Entries = append(out.Entries, LostEntries(accepted, found)...)
		out.Warnings = append(out.Warnings, notAccepted(picked, accepted)...)
		return nil
	})
	if err != nil {
		return LostAccepted{}, workspace.InOp(AlsoDone(err, "accepted", out.Entries), op)
	}
	out.Unsure, out.Warnings = beside.Unsure, append(out.Warnings, beside.Warnings...)
	return out, nil
}

// accepted gives those of some entries whose books say now that they may be gone.
func (p Loss) accepted(ctx context.Context, picked []Entry) ([]Entry, error) {
	var out []Entry
	books := map[string]*ledger.Book{}
	for _, l := range picked {
		if books[l.Family] == nil {
			book, err := p.Kept.Book(ctx, l.Family)
			if err != nil {
				return nil, err
			}
			if book == nil {
				continue
			}
			books[l.Family] = book
		}
		if known := books[l.Family].Get(l.Known.Key); known != nil && known.State == ledger.Left && known.How == ledger.Accepted {
			out = append(out, l)
		}
	}
	return out, nil
}

// notAccepted warns of entries that were to be accepted and are not.
func notAccepted(picked, accepted []Entry) []report.Finding {
	var out []report.Finding
	for _, l := range picked {
		if slices.ContainsFunc(accepted, func(a Entry) bool { return a.Known == l.Known }) {
			continue
		}
		why := "its document cannot be read, or it is there again"
		if l.Fate == FateReworded {
			why = "it has other words now, so that nobody misses it"
		}
		out = append(out, report.Finding{Code: "lost_not_accepted", Severity: report.Warning, Path: l.Doc, Text: "not accepted: " + lossName(l.Known) + ": " + why})
	}
	return out
}
