package project

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/textdiff"
)

// treatment is one run of what --fix does, for real or as a plan.
type treatment struct {
	*doctor
	fixes   []DoctorFix
	refused []report.Finding // what a document's own rules did not let happen
	doubts  []report.Finding // what somebody has to settle now
	wrote   []string         // documents
}

// again forgets what a transaction did that begins anew.
func (t *treatment) again() { t.fixes, t.refused, t.doubts, t.wrote = nil, nil, nil, nil }

// took remembers which documents a change writes.
func (t *treatment) took(c *change) {
	for _, w := range c.tx.Changes() {
		t.wrote = append(t.wrote, w.Name)
	}
	for _, gone := range c.tx.Discards() {
		t.wrote = append(t.wrote, gone.Document)
	}
}

// tried lets a fix fail that a document refuses, so that the others are made all the same. A use case writes into the transaction
// as its last step, so that nothing of a refused one is in it.
func (t *treatment) tried(err error, path string) error {
	switch report.KindOf(err) {
	case report.Violation, report.Corrupt, report.NotFound, report.Usage:
	default:
		return err
	}
	e := report.As(err)
	t.refused = append(t.refused, report.Finding{
		Code: report.CodeOf(e), Severity: report.Warning, Path: cmp.Or(e.Path, path), Line: e.Line, Text: "it could not be mended: " + oneLine(neutral(e.Error())),
	})
	return nil
}

func (t *treatment) did(code, path, text string) {
	t.fixes = append(t.fixes, DoctorFix{Code: code, Path: path, Text: text})
}

// mend does what needs nobody's judgement. What is below p's root is one transaction, together with the claims; digests
// of another root are a second one. Bytes that change meanwhile make the transaction begin again, so that everything in it is
// looked at anew.
func (d *doctor) mend(ctx context.Context) ([]DoctorFix, []report.Finding, error) {
	t := &treatment{doctor: d}
	var fixes []DoctorFix
	var refused []report.Finding
	for _, p := range d.journal {
		// A writer that wants nothing still finishes what another left.
		if _, err := p.store.Update(ctx, func(*store.Tx) error { return nil }); err != nil {
			return nil, nil, err
		}
		fixes = append(fixes, DoctorFix{"journal_pending", runtimeDir + "/journal", "the interrupted change was finished"})
	}
	if d.bare {
		if err := d.p.store.WriteCache(".gitignore", []byte("*\n")); err != nil {
			return nil, nil, err
		}
		fixes = append(fixes, DoctorFix{"runtime_not_ignored", runtimeDir + "/.gitignore", "written, so that git ignores the folder"})
	}
	if d.other != nil && len(d.digests) > 0 {
		if _, err := d.other.update(ctx, func(c *change) error { t.again(); return t.ofDigestsIn(ctx, c) }); err != nil {
			return nil, nil, err
		}
		fixes, refused = append(fixes, t.fixes...), t.refused
	}
	work := func(c *change) error {
		t.again()
		err := t.inRoot(ctx, c)
		t.took(c)
		return err
	}
	var err error
	switch {
	case len(d.claims) > 0:
		_, err = d.p.updateShared(ctx, work)
	case len(d.doubled) > 0: // new ids are given out
		var lost error
		_, lost, err = d.p.preferShared(ctx, work)
		refused = append(refused, counterLost(lost)...)
	case len(d.large)+len(d.counts)+len(d.twice)+len(d.misread) > 0, d.other == nil && len(d.digests) > 0:
		_, err = d.p.update(ctx, work)
	default:
		return fixes, refused, nil
	}
	if err != nil {
		return nil, nil, err
	}
	d.next = d.p.endOfMerge(t.wrote)
	return append(fixes, t.fixes...), append(append(refused, t.refused...), t.doubts...), nil
}

// endOfMerge is what a person does after documents were mended in the middle of a merge; "" else.
func (p *Project) endOfMerge(wrote []string) string {
	_, end := p.git.Joining()
	if end == "" || len(wrote) == 0 {
		return ""
	}
	git, line := "git", strings.Builder{}
	if p.start() != p.root {
		git += " -C " + wordInShell(p.root)
	}
	line.WriteString(git + " add --")
	for _, name := range wrote {
		if neutral(name) != name {
			return "" // what a page cannot show as it is cannot be pasted either
		}
		line.WriteString(" " + wordInShell(name))
	}
	return line.String() + ", then " + git + strings.TrimPrefix(end, "git")
}

// rehearse says what mend would do. It takes no lock and leaves no trace.
func (d *doctor) rehearse(ctx context.Context) ([]DoctorFix, []DoctorChange, error) {
	t := &treatment{doctor: d}
	var changes []DoctorChange
	if len(d.journal) > 0 {
		t.did("journal_pending", runtimeDir+"/journal", "the interrupted change would be finished")
	}
	if d.bare {
		t.did("runtime_not_ignored", runtimeDir+"/.gitignore", "written, so that git ignores the folder")
		changes = append(changes, DoctorChange{runtimeDir + "/.gitignore", textdiff.Unified(runtimeDir+"/.gitignore", nil, []byte("*\n"), false, true)})
	}
	if d.other != nil {
		diffs, err := d.other.foreseen(ctx, nil, func(c *change) error { return t.ofDigestsIn(ctx, c) })
		if err != nil {
			return nil, nil, err
		}
		changes = append(changes, diffs...)
	}
	book, _ := d.p.claimsNow(ctx)
	diffs, err := d.p.foreseen(ctx, book, func(c *change) error { return t.inRoot(ctx, c) })
	d.take(t.doubts, scene{})
	return t.fixes, append(changes, diffs...), err
}

// foreseen runs a change as a plan and gives what it would do to each document.
func (p *Project) foreseen(ctx context.Context, book *claimBook, fn func(*change) error) ([]DoctorChange, error) {
	tx := store.NewTx(ctx, p.store)
	c := &change{tx: tx, reader: tx.Reader(), now: p.now(), as: p.holder(), claims: book, dry: true}
	if err := fn(c); err != nil {
		return nil, err
	}
	var out []DoctorChange
	for _, w := range tx.Changes() {
		was, err := p.store.Read(ctx, w.Name)
		if err != nil {
			return nil, err
		}
		next := w.Data
		if w.Kind == store.Append {
			next = slices.Concat(was.Data, w.Data)
		}
		if !bytes.Equal(was.Data, next) {
			out = append(out, DoctorChange{Path: w.Name, Diff: neutral(textdiff.Unified(w.Name, was.Data, next, was.Exists, true))})
		}
	}
	for _, gone := range tx.Discards() {
		was, err := p.store.Read(ctx, gone.Document)
		if err != nil {
			return nil, err
		}
		out = append(out, DoctorChange{Path: gone.Document, Diff: neutral(textdiff.Unified(gone.Document, was.Data, nil, was.Exists, false))})
	}
	return out, nil
}

// inRoot is everything below p's root.
func (t *treatment) inRoot(ctx context.Context, c *change) error {
	if t.other == nil {
		if err := t.ofDigestsIn(ctx, c); err != nil {
			return err
		}
	}
	if err := t.renumber(ctx, c); err != nil {
		return err
	}
	for _, id := range t.single(t.large) {
		if err := t.tried(t.archive(ctx, c, id), ""); err != nil {
			return err
		}
	}
	for _, id := range t.single(t.counts) {
		if slices.Contains(t.large, id) || slices.Contains(t.twice, id) {
			continue // one change for each file; the next run counts anew
		}
		if err := t.tried(t.count(ctx, c, id), ""); err != nil {
			return err
		}
	}
	for _, s := range t.claims {
		if c.claims != nil && t.p.stillStale(c, s) && c.claims.release(s.id) {
			t.did("claim_released", t.p.claimsPath(), "the claim on task "+s.id.Ref()+" was given back")
		}
	}
	return nil
}

// stillStale looks once more under the lock: a holder may have come back meanwhile.
func (p *Project) stillStale(c *change, s staleClaim) bool {
	claim, live := c.claims.live(s.id, c.now)
	return claim.Fence == s.fence && (!live || p.goneHolders()[claim.By])
}

func (t *treatment) ofDigestsIn(ctx context.Context, c *change) error {
	for _, doc := range t.digests {
		if err := t.tried(t.digest(ctx, c, doc), doc.place.State); err != nil {
			return err
		}
	}
	return nil
}

// digest puts front matter and tables in order, brings derived values up to date and moves decisions where the limits are
// passed, all as one change of the digest.
func (t *treatment) digest(ctx context.Context, c *change, doc *digestDoc) error {
	const op = "doctor"
	within := func(_ context.Context, plan func(*change) error) ([]report.Finding, error) { return nil, plan(c) }
	var fixes []DoctorFix
	out, err := doc.at.changePlace(ctx, op, doc.place, within, func(dc *digestChange) error {
		now := *doc
		now.data = dc.src
		text, done := now.mended()
		dc.text, dc.idle = text, true
		before := len(dc.out.Changed)
		if err := t.sync(ctx, dc); err != nil {
			return err
		}
		if n := len(dc.out.Changed) - before; n > 0 {
			done = append(done, DoctorFix{"out_of_sync", doc.place.State, plural(n, "value") + " brought up to date"})
		}
		fixes = done
		return nil
	})
	if err != nil {
		return err
	}
	t.fixes = append(t.fixes, fixes...)
	if n := out.Rotation.Moved; n > 0 {
		t.did("over_lines", doc.place.State, plural(n, "decision")+" moved to "+doc.place.Archive)
	}
	return nil
}

// sync is the step of "state sync".
func (t *treatment) sync(ctx context.Context, dc *digestChange) error {
	if dc.place.Layout != layoutSpecflow {
		s, err := dc.at.syncStep(ctx, dc.place, dc.text, gsd.SyncOptions{Now: dc.now})
		if err == nil {
			dc.took(s.edited)
		}
		return err
	}
	files, _, err := readExecutions(ctx, dc.reader, dc.place)
	if err != nil {
		return err
	}
	done, err := specflow.Parse(dc.text).SyncExecution(files)
	if err != nil {
		return inDigest(err, "doctor", dc.place)
	}
	dc.tookSpecflow(done)
	return dc.shelve("doctor", "Archived Execution Status", done.Gone)
}

// archive moves the older sessions of a task that is over the limit.
func (t *treatment) archive(ctx context.Context, c *change, id task.ID) error {
	out, err := t.p.archiveIn(ctx, c, id, t.p.limits().KeepSessions)
	if err == nil && len(out.Archived) > 0 {
		t.did("over_limit", out.Path, plural(len(out.Archived), "session")+" of task "+id.Ref()+" moved there")
	}
	return err
}

// count makes the summary and the counts of a task anew from its archive.
func (t *treatment) count(ctx context.Context, c *change, id task.ID) error {
	out, err := t.p.rebuildIn(ctx, c, id)
	if err == nil && out.Rebuilt {
		t.did("archive_count", out.Path, "the summary of task "+id.Ref()+" and its counts made anew from there")
	}
	return err
}
