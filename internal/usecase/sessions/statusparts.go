package sessions

import (
	"context"
	"slices"
	"strings"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/digest/standing"
	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/folder"
	"baton/internal/usecase/loss"
	"baton/internal/workspace"
)

// digestStatus adds summaries of the digests. A project need not have one. An unreadable digest is
// only a warning, because the rest of the status is still useful.
func (p Sessions) digestStatus(ctx context.Context, out *StatusResult) error {
	at, places, err := p.ForDigest(ctx, "status")
	if err != nil {
		if report.CodeOf(err) == report.CodeNoDigest {
			return nil
		}
		if e := report.As(err); e.Code == report.CodeDigestMissing {
			out.Warnings = append(out.Warnings, e.Code.Finding(e.Path, 0, e.Error()+"; "+e.Hint).As(report.Warning))
			return nil
		}
		return err
	}
	for _, place := range places {
		out.Layouts = append(out.Layouts, LayoutView{Role: "digest", Name: place.Layout, Path: place.Dir})
		shown, err := digests.Of(at).Show(ctx, "status", place)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			e := report.As(err)
			out.Warnings = append(out.Warnings, report.CodeOf(err).Finding(place.State, e.Line,
				e.Error()+"; "+e.Hint).As(report.Warning))
			continue
		}
		out.Warnings = append(out.Warnings, shown.Warnings...)
		out.Digests = append(out.Digests, briefly(shown))
		out.Sizes = append(out.Sizes, SizeRow{
			Path: shown.Path, Lines: shown.Size.Lines, MaxLines: shown.MaxLines, Bytes: shown.Size.Bytes,
			MaxBytes: shown.MaxBytes,
			Over:     digests.Of(at).Policy(place).Over(shown.Size),
		})
	}
	return nil
}

// briefly returns a summary of the answer of "state show".
func briefly(s digests.StateResult) DigestStatus {
	out := DigestStatus{Layout: s.Layout, Path: s.Path, Decisions: len(s.Decisions), Archived: s.Archived}
	if s.Specflow != nil {
		specflowBriefly(*s.Specflow, &out)
	}
	if s.GSD == nil {
		return out
	}
	gsdBriefly(*s.GSD, &out)
	out.Tasks = s.Tasks
	if s.Next != nil && s.Next.Action != "" && out.ActivePhase == "" {
		out.NextAction, out.NextPhases = s.Next.Action, s.Next.Phases
	}
	return out
}

// stands says how far the tasks are, instead of a phase.
func (d *DigestStatus) stands(f standing.Facts) {
	if d.Tasks = &f; f.Total > 0 {
		d.Percent = &f.Percent
	}
	if f.Last != nil {
		d.LastActivity, d.StoppedAt = f.Last.Words(), f.NextWords()
	}
}

func gsdBriefly(m gsd.Model, out *DigestStatus) {
	out.Milestone, out.MilestoneName, out.Percent = m.Milestone, m.MilestoneName, m.Progress.Percent
	out.Status, out.Phase, out.ActivePhase = m.StatusText(), m.Position.Phase, m.ActivePhase
	out.NextAction, out.NextPhases = m.NextAction, m.NextPhases
	out.LastActivity, out.StoppedAt = m.Position.LastActivity, m.Session.StoppedAt
	for _, b := range m.Blockers {
		out.Blockers = append(out.Blockers, b.Text)
	}
}

func specflowBriefly(m specflow.Model, out *DigestStatus) {
	out.StoppedAt = m.LastPause
	for _, a := range m.Active {
		out.Specs = append(out.Specs, strings.TrimSpace(a.ID+" "+a.Status))
	}
	if row, ok := specflow.NextInQueue(m.Queue); ok {
		out.NextSpec = row.ID
	}
}

// folderStatus adds a summary of the state folder: the number of entries in each bucket, and the
// running workflow. A project need not have one, and an unreadable folder is only a warning. Only
// names are classified; an audit finds more.
func (p Sessions) folderStatus(ctx context.Context, out *StatusResult) error {
	if root, places := p.FolderRoot(); root == "" || len(places) == 0 {
		return nil
	}
	at, place, err := folder.Of(p.Workspace).ForFolder(ctx, "status", folder.DirRequest{})
	if err != nil {
		if report.CodeOf(err) != report.CodeInstanceInvalid {
			return err
		}
		out.Warnings = append(out.Warnings, report.CodeInstanceInvalid.Finding("", 0, report.As(err).Error()))
		return nil
	}
	for _, layout := range append([]string{place.Layout}, place.Others...) {
		dir := workspace.FolderIn(layout).Dir
		if layout == place.Layout {
			dir = place.Home().Dir
		}
		out.Layouts = append(out.Layouts, LayoutView{Role: "folder", Name: layout, Path: dir})
	}
	out.Warnings = append(out.Warnings, place.Doubts()...)
	v, err := folder.Of(at).ViewFolder(ctx, at.Store, place, at.Now())
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e := report.As(err)
		out.Warnings = append(out.Warnings, report.CodeOf(err).Finding(e.Path, 0, e.Error()).As(report.Warning))
		return nil
	}
	out.Warnings = slices.Concat(out.Warnings, v.Caveats(), v.Unread(), v.Skewed(), v.IgnoredLines())
	out.Folder = v.Briefly()
	return nil
}

// lostStatus returns how many entries are missing from the documents below p's root, of which all
// are the tasks, and below the digest's root if that is different.
func (p Sessions) lostStatus(ctx context.Context, all []*workspace.Head, out *StatusResult) error {
	out.Lost.Documents = map[string]int{}
	unknown := func(err error) {
		e := report.As(err)
		out.Warnings = append(out.Warnings, report.CodeOf(e).Finding(e.Path, 0,
			"lost entries could not be counted: "+e.Error()).As(report.Warning))
	}
	roots, done, err := loss.Of(p.Workspace).LossRoots(ctx, "status")
	if ctx.Err() != nil || report.KindOf(err) == report.NotFound { // no project
		return ctx.Err()
	}
	if err != nil {
		unknown(err)
		return nil
	}
	defer done()
	for _, at := range roots {
		if at != p.Workspace {
			all = nil
		}
		got, err := loss.Of(at).FindAmong(ctx, all, loss.Query{Git: true})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			unknown(err)
		}
		out.Warnings = append(out.Warnings, got.AllWarnings()...)
		out.Lost.Unsure += got.Unsure
		out.Lost.Count += len(got.Found)
		for _, l := range got.Found {
			out.Lost.Documents[l.Doc]++
		}
	}
	return nil
}
