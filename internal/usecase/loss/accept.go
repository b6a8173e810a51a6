package loss

import (
	"context"

	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/workspace"
)

// AcceptLost records that missing entries may stay missing. A reworded entry is not missing, so it
// becomes a warning. It fails with the errors of RestoreLost except Corrupt.
func (p Loss) AcceptLost(ctx context.Context, r LostAcceptRequest) (LostAccepted, error) {
	const op = "lost"
	out := LostAccepted{Entries: []LostEntry{}, Emptied: []string{}, Gone: []string{}, Warnings: []report.Finding{}}
	rest, err := p.eachRoot(ctx, op, r.IDs, func(at *workspace.Workspace, named []string, picked, found []Entry) error {
		if err := at.Settings().Fault(); err != nil {
			return err
		}
		emptied, gone, err := Of(at).acceptEmptied(ctx, named)
		if err != nil {
			return err
		}
		out.Emptied = append(out.Emptied, emptied...)
		keys := map[string][]string{}
		var docs []string
		for _, l := range picked {
			keys[l.Family] = append(keys[l.Family], l.Known.Key)
			docs = append(docs, at.FamilyDocs(l.Family)...)
		}
		// Only entries that are recorded as missing can be accepted.
		if _, err := at.Kept.Observe(ctx, workspace.Compact(docs)); err != nil {
			return err
		}
		if err := at.Kept.Accept(ctx, keys); err != nil {
			return err
		}
		accepted, refused, err := Of(at).accepted(ctx, picked)
		if err != nil {
			return err
		}
		for _, name := range gone { // after their entries, which are only looked for in files that are missed
			if err := at.Kept.AcceptGone(ctx, name); err != nil {
				return err
			}
		}
		out.Gone = append(out.Gone, gone...)
		Of(at).cacheFates(nil, found, accepted)
		out.Entries = append(out.Entries, LostEntries(accepted, found)...)
		out.Warnings = append(out.Warnings, refused...)
		return nil
	})
	if err != nil {
		return LostAccepted{}, workspace.InOp(AlsoDone(err, "accepted", out.Entries), op)
	}
	out.Unsure, out.Warnings = rest.Unsure, append(out.Warnings, rest.Warnings...)
	return out, nil
}

// accepted returns the entries that the books now call accepted, and warnings about the others.
func (p Loss) accepted(ctx context.Context, picked []Entry) (accepted []Entry, refused []report.Finding, err error) {
	books := map[string]*ledger.Book{}
	for _, l := range picked {
		if _, read := books[l.Family]; !read {
			if books[l.Family], err = p.Kept.Book(ctx, l.Family); err != nil {
				return nil, nil, err
			}
		}
		var known *ledger.Known
		if book := books[l.Family]; book != nil {
			known = book.Get(l.Known.Key)
		}
		if known != nil && known.State == ledger.Left && known.How == ledger.Accepted {
			accepted = append(accepted, l)
			continue
		}
		why := "its document cannot be read, or the entry is back"
		if l.Fate == FateReworded {
			why = "it was reworded, so it is not lost"
		}
		refused = append(refused, report.CodeLostNotAccepted.Finding(l.Doc, 0,
			"not accepted: "+lossName(l.Known)+": "+why))
	}
	return accepted, refused, nil
}
