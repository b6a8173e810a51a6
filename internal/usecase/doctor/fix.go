package doctor

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statusline"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/textdiff"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/statusbar"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// treatment is one run of --fix, for real or as a plan.
type treatment struct {
	*doctor
	fixes   []workspace.DoctorFix
	refused []report.Finding // repairs that a document's own rules do not allow
	doubts  []report.Finding // questions that a person has to decide now
	wrote   []string         // names of the written documents
}

// again discards the results of a transaction that starts over.
func (t *treatment) again() { t.fixes, t.refused, t.doubts, t.wrote = nil, nil, nil, nil }

// took records which documents a change writes.
func (t *treatment) took(c *workspace.Change) {
	for _, w := range c.Tx.Changes() {
		t.wrote = append(t.wrote, w.Name)
	}
	for _, gone := range c.Tx.Discards() {
		t.wrote = append(t.wrote, gone.Document)
	}
}

// tried records a repair that a document refuses, so that the other repairs are still made. Nothing
// of a refused repair is in the transaction, because a use case writes into it as its last step.
func (t *treatment) tried(err error, path string) error {
	switch report.KindOf(err) {
	case report.Violation, report.Corrupt, report.NotFound, report.Usage:
	default:
		return err
	}
	e := report.As(err)
	t.refused = append(t.refused, report.CodeOf(e).Finding(cmp.Or(e.Path, path), e.Line,
		"it could not be repaired: "+safetext.Line(e.Error())).As(report.Warning))
	return nil
}

// safely makes a repair below p's root if it does no harm (D44), and records it if a document
// refuses it.
func (t *treatment) safely(
	ctx context.Context, p *workspace.Workspace, c *workspace.Change, path string, repair func() error,
) error {
	before := len(t.fixes)
	err := p.Keep(ctx, c, "doctor", repair)
	if err != nil {
		t.fixes = t.fixes[:before]
	}
	return t.tried(err, path)
}

func (t *treatment) did(code report.Code, path, text string) {
	t.fixes = append(t.fixes, workspace.DoctorFix{Code: code, Path: path, Text: text})
}

// Fix makes the repairs that need no decision by a person. Everything below p's root is one
// transaction, together with the claims; digests of another root are a second one. If files change
// meanwhile, the transaction starts over and examines everything again.
func (d *doctor) Fix(ctx context.Context) ([]workspace.DoctorFix, []report.Finding, error) {
	t := &treatment{doctor: d}
	var fixes []workspace.DoctorFix
	var refused []report.Finding
	for _, p := range d.journal {
		// Even an empty update completes an interrupted change.
		if _, err := p.Store.Update(ctx, func(*store.Tx) error { return nil }); err != nil {
			return nil, nil, err
		}
		fixes = append(fixes, workspace.DoctorFix{Code: report.CodeJournalPending, Path: workspace.RuntimeDir +
			"/journal", Text: "the interrupted change was finished"})
	}
	if d.bare {
		if err := d.p.Store.WriteCache(".gitignore", []byte("*\n")); err != nil {
			return nil, nil, err
		}
		fixes = append(fixes, workspace.DoctorFix{Code: report.CodeRuntimeNotIgnored, Path: workspace.RuntimeDir +
			"/.gitignore", Text: "written, so that git ignores the folder"})
	}
	if changed, _ := statusbar.Of(d.p).KeepBridge(); changed && d.blind {
		fixes = append(fixes, workspace.DoctorFix{
			Code: report.CodeMonitorBlind, Path: workspace.RuntimeDir + "/" + statusline.PreparedName,
			Text: "the status line writes the file that GSD's context monitor reads",
		})
	}
	tidied, err := d.tidyFolders(ctx, false)
	if err != nil {
		return nil, nil, err
	}
	fixes = append(fixes, tidied...)
	if d.other != nil && len(d.digests) > 0 {
		if _, err := d.other.Update(
			ctx, func(c *workspace.Change) error { t.again(); return t.ofDigestsIn(ctx, c) },
		); err != nil {
			return nil, nil, err
		}
		fixes, refused = append(fixes, t.fixes...), t.refused
	}
	work := func(c *workspace.Change) error {
		t.again()
		err := t.inRoot(ctx, c)
		t.took(c)
		return err
	}
	switch {
	case len(d.Claims) > 0:
		_, err = d.p.UpdateShared(ctx, work)
	case len(d.doubled) > 0: // assigns new ids
		var lost error
		_, lost, err = d.p.PreferShared(ctx, work)
		refused = append(refused, tasks.CounterLost(lost)...)
	case len(d.large)+len(d.counts)+len(d.filed)+len(d.twice)+len(d.misread) > 0, d.other == nil && len(d.digests) > 0:
		_, err = d.p.Update(ctx, work)
	default:
		return fixes, refused, nil
	}
	if err != nil {
		return nil, nil, err
	}
	d.next = Of(d.p).endOfMerge(t.wrote)
	return append(fixes, t.fixes...), append(append(refused, t.refused...), t.doubts...), nil
}

// endOfMerge returns the commands with which a person ends a merge after documents were repaired in
// the middle of it, or "" if no merge is in progress.
func (p Doctor) endOfMerge(wrote []string) string {
	_, end := p.Git.Joining()
	if end == "" || len(wrote) == 0 {
		return ""
	}
	git, line := "git", strings.Builder{}
	if p.Start() != p.Root {
		git += " -C " + WordInShell(p.Root)
	}
	line.WriteString(git + " add --")
	for _, name := range wrote {
		if safetext.Clean(name) != name {
			return "" // a path with control characters cannot be pasted
		}
		line.WriteString(" " + WordInShell(name))
	}
	return line.String() + ", then " + git + strings.TrimPrefix(end, "git")
}

// rehearse returns what Fix would do. It takes no lock and writes nothing.
func (d *doctor) rehearse(ctx context.Context) ([]workspace.DoctorFix, []workspace.DoctorChange, error) {
	t := &treatment{doctor: d}
	var changes []workspace.DoctorChange
	if len(d.journal) > 0 {
		t.did(report.CodeJournalPending, workspace.RuntimeDir+"/journal", "the interrupted change would be finished")
	}
	if d.bare {
		t.did(report.CodeRuntimeNotIgnored, workspace.RuntimeDir+"/.gitignore",
			"written, so that git ignores the folder")
		changes = append(changes, workspace.DoctorChange{Path: workspace.RuntimeDir +
			"/.gitignore", Diff: textdiff.Unified(workspace.RuntimeDir+"/.gitignore", nil, []byte("*\n"), false, true)})
	}
	if d.blind {
		t.did(report.CodeMonitorBlind, workspace.RuntimeDir+"/"+statusline.PreparedName,
			"the status line would write the file that GSD's context monitor reads")
	}
	tidied, err := d.tidyFolders(ctx, true)
	if err != nil {
		return nil, nil, err
	}
	t.fixes = append(t.fixes, tidied...)
	if d.other != nil {
		diffs, err := d.other.Foreseen(ctx, nil, func(c *workspace.Change) error { return t.ofDigestsIn(ctx, c) })
		if err != nil {
			return nil, nil, err
		}
		changes = append(changes, diffs...)
	}
	book, _ := d.p.ClaimsNow(ctx)
	diffs, err := d.p.Foreseen(ctx, book, func(c *workspace.Change) error { return t.inRoot(ctx, c) })
	d.take(t.doubts, scene{})
	return t.fixes, append(changes, diffs...), err
}

// inRoot makes all repairs below p's root.
func (t *treatment) inRoot(ctx context.Context, c *workspace.Change) error {
	if t.other == nil {
		if err := t.ofDigestsIn(ctx, c); err != nil {
			return err
		}
	}
	if err := t.renumber(ctx, c); err != nil {
		return err
	}
	for _, id := range t.single(t.filed) {
		if slices.Contains(t.twice, id) || slices.Contains(t.misread, id) {
			continue // one change for each file
		}
		if err := t.safely(ctx, t.p, c, "", func() error { return t.undouble(ctx, c, id) }); err != nil {
			return err
		}
	}
	for _, id := range t.single(t.large) {
		if slices.Contains(t.filed, id) {
			continue
		}
		if err := t.safely(ctx, t.p, c, "", func() error { return t.archive(ctx, c, id) }); err != nil {
			return err
		}
	}
	for _, id := range t.single(t.counts) {
		if slices.Contains(t.large, id) || slices.Contains(t.filed, id) || slices.Contains(t.twice, id) {
			continue // one change for each file; the next run corrects the counts
		}
		if err := t.safely(ctx, t.p, c, "", func() error { return t.count(ctx, c, id) }); err != nil {
			return err
		}
	}
	for _, s := range t.Claims {
		if c.Claims != nil && Of(t.p).stillStale(c, s) && c.Claims.Release(s.id) {
			t.did(report.CodeClaimReleased, Of(t.p).claimsPath(), "the claim on task "+s.id.Ref()+" was released")
		}
	}
	return nil
}

// stillStale checks a claim again under the lock, because its holder may have come back.
func (p Doctor) stillStale(c *workspace.Change, s staleClaim) bool {
	claim, live := c.Claims.Live(s.id, c.Now)
	return claim.Fence == s.fence && (!live || p.goneHolders()[claim.By])
}

func (t *treatment) ofDigestsIn(ctx context.Context, c *workspace.Change) error {
	for _, doc := range t.digests {
		if err := t.safely(ctx, doc.At, c, doc.Place.State, func() error { return t.digest(ctx, c, doc) }); err != nil {
			return err
		}
	}
	return nil
}

// digest repairs front matter and tables, updates derived values, and moves decisions if the limits
// are exceeded, all in one change of the digest.
func (t *treatment) digest(ctx context.Context, c *workspace.Change, doc *digests.DigestDoc) error {
	const op = "doctor"
	within := func(_ context.Context, plan func(*workspace.Change) error) ([]report.Finding, error) {
		return nil, plan(c)
	}
	var fixes []workspace.DoctorFix
	out, err := digests.Of(doc.At).ChangePlace(ctx, op, doc.Place, within, func(dc *digests.DigestChange) error {
		now := *doc
		now.Data = dc.Src
		text, done := now.Repaired()
		dc.Text, dc.Idle = text, true
		before := len(dc.Out.Changed)
		if err := t.sync(ctx, dc); err != nil {
			return err
		}
		if n := len(dc.Out.Changed) - before; n > 0 {
			done = append(done, workspace.DoctorFix{
				Code: report.CodeOutOfSync, Path: doc.Place.State, Text: safetext.Count(n, "value") + " " +
					"updated",
			})
		}
		fixes = done
		return nil
	})
	if err != nil {
		return err
	}
	t.fixes = append(t.fixes, fixes...)
	if n := out.Rotation.Moved; n > 0 {
		t.did(report.CodeOverLines, doc.Place.State, safetext.Count(n, "decision")+" moved to "+doc.Place.Archive)
	}
	return nil
}

// sync makes the same change as "state sync".
func (t *treatment) sync(ctx context.Context, dc *digests.DigestChange) error {
	if dc.Place.Layout != workspace.LayoutSpecflow {
		s, err := digests.Of(dc.At).SyncStep(ctx, dc.Place, dc.Text, gsd.SyncOptions{Now: dc.Now})
		if err == nil {
			dc.Took(s.Edited)
		}
		return err
	}
	files, _, err := digests.ReadExecutions(ctx, dc.Reader, dc.Place)
	if err != nil {
		return err
	}
	done, err := specflow.Parse(dc.Text).SyncExecution(files)
	if err != nil {
		return digests.InDigest(err, "doctor", dc.Place)
	}
	dc.TookSpecflow(done)
	return dc.Shelve("doctor", "Archived Execution Status", done.Gone)
}

// archive moves the older sessions of a task that is over the limit.
func (t *treatment) archive(ctx context.Context, c *workspace.Change, id task.ID) error {
	out, err := tasks.Of(t.p).ArchiveIn(ctx, c, id, t.p.Limits().KeepSessions)
	if err == nil && len(out.Archived) > 0 {
		t.did(report.CodeOverLimit, out.Path, safetext.Count(len(out.Archived), "session")+" of task "+id.Ref()+
			" moved there")
	}
	return err
}

// undouble removes the sessions of a task that are also in its archive.
func (t *treatment) undouble(ctx context.Context, c *workspace.Change, id task.ID) error {
	l, n, err := tasks.Of(t.p).UndoubleIn(ctx, c, id)
	if err == nil && n > 0 {
		t.did(report.CodeSessionInArchive, l.Name, safetext.Count(n, "session")+" of task "+id.Ref()+
			" removed, because "+l.Archive+" has the same")
	}
	return err
}

// count rebuilds the summary and the counts of a task from its archive.
func (t *treatment) count(ctx context.Context, c *workspace.Change, id task.ID) error {
	out, err := tasks.Of(t.p).RebuildIn(ctx, c, id)
	if err == nil && out.Rebuilt {
		t.did(report.CodeArchiveCount, out.Path, "the summary of task "+id.Ref()+
			" and its counts were rebuilt from there")
	}
	return err
}
