package loss

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"baton/internal/digest/decision"
	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

// RestoreLost restores missing entries, or returns what that would change. All documents below one
// root change in one transaction. Missing or empty documents are first recreated from baton's last
// written version. An entry that cannot be restored stays lost and becomes a warning; if none can
// be restored, that is an error. RestoreLost fails with Usage lost_invalid, with NotFound
// no_project or lost_unknown, with Conflict lost_ambiguous or lost_busy, with Corrupt for a
// document that must not be written, with Violation lost_unplaceable, and with the errors of every
// write.
func (p Loss) RestoreLost(ctx context.Context, r LostRestoreRequest) (LostRestored, error) {
	out, err := p.restoreLost(ctx, r)
	if err != nil || !out.Applied || len(r.IDs) > 0 {
		return out, err
	}
	// A damaged entry may have counted as two. If it is one of them again, the other is missing.
	more, err := p.restoreLost(ctx, r)
	if err != nil {
		e := report.As(err)
		f := e.Code.Finding(e.Path, e.Line, "not restored: "+e.Message).As(report.Warning)
		out.Warnings = append(out.Warnings, f)
		return out, nil
	}
	out.Entries, out.Changes = append(out.Entries, more.Entries...), append(out.Changes, more.Changes...)
	out.Rotations, out.Unsure = append(out.Rotations, more.Rotations...), more.Unsure
	for _, f := range more.Warnings {
		if !slices.Contains(out.Warnings, f) {
			out.Warnings = append(out.Warnings, f)
		}
	}
	return out, nil
}

func (p Loss) restoreLost(ctx context.Context, r LostRestoreRequest) (LostRestored, error) {
	const op = "lost"
	out := LostRestored{
		Entries: []LostEntry{}, Changes: []workspace.DoctorChange{}, Rotations: []decision.Result{},
		Warnings: []report.Finding{},
	}
	rest, err := p.eachRoot(ctx, op, r.IDs, func(at *workspace.Workspace, docs []string, picked, found []Entry) error {
		var done restored
		work := func(c *workspace.Change) (err error) {
			c.Refills = true
			done, err = Of(at).putBack(ctx, c, docs, picked)
			return err
		}
		changes, err := at.Foreseen(ctx, nil, work)
		if err != nil {
			return err
		}
		if !r.DryRun {
			notes, err := at.Update(ctx, work)
			if err != nil {
				return err
			}
			out.Warnings = append(out.Warnings, notes...)
		}
		out.Applied = !r.DryRun
		out.Changes = append(out.Changes, changes...)
		picked = slices.DeleteFunc(picked, func(l Entry) bool { return done.left[l.Known] != nil })
		if out.Applied {
			Of(at).cacheFates(nil, found, picked)
		}
		out.Entries = append(out.Entries, LostEntries(picked, found)...)
		out.Rotations = append(out.Rotations, done.rotations...)
		out.Warnings = append(append(out.Warnings, notRestored(done.left)...), done.doubled...)
		return nil
	})
	if err != nil {
		if !out.Applied {
			out.Entries = nil
		}
		return LostRestored{}, workspace.InOp(AlsoDone(err, "put back", out.Entries), op)
	}
	out.Unsure, out.Warnings = rest.Unsure, append(out.Warnings, rest.Warnings...)
	return out, nil
}

// eachRoot calls use once for each root with missing entries or emptied documents that the ids
// refer to. An id is that of an entry, or the name of a document. rest counts the other entries
// that may be lost, and contains the warnings.
func (p Loss) eachRoot(
	ctx context.Context, op string, ids []string,
	use func(at *workspace.Workspace, docs []string, picked, found []Entry) error,
) (rest Result, err error) {
	roots, done, err := p.LossRoots(ctx, op)
	if err != nil {
		return rest, err
	}
	defer done()
	results := make([]Result, len(roots))
	var all []Entry
	for i, at := range roots {
		if at.Git.Busy() {
			return rest, &report.Error{
				Kind: report.Conflict, Code: report.CodeLostBusy,
				Message: "a merge, a rebase or a bisect is in progress; baton can look for losses only afterwards",
				Hint:    "finish or abort it, then run the command again",
			}
		}
		results[i], err = Of(at).Find(ctx, Query{Git: true, All: true, Patience: LossPatience})
		if err != nil {
			return rest, err
		}
		all = append(all, results[i].Found...)
	}
	meant, ids, err := p.meantDocs(ctx, roots, ids)
	if err != nil {
		return rest, err
	}
	var picked []Entry
	if len(ids) > 0 || meant.all {
		if picked, err = PickLosses(all, ids); err != nil {
			return rest, err
		}
	}
	wanted := map[*ledger.Known]bool{}
	for _, l := range picked {
		wanted[l.Known] = true
	}
	for i, at := range roots {
		docs := meant.of[at]
		here := slices.DeleteFunc(slices.Clone(results[i].Found), func(l Entry) bool {
			return !wanted[l.Known] && (meant.all || l.Fate != FateLost || !slices.Contains(docs, l.Doc))
		})
		for _, l := range here {
			if l.Unsure {
				results[i].Unsure--
			}
		}
		rest.Unsure += results[i].Unsure
		rest.Warnings = append(rest.Warnings, results[i].AllWarnings()...)
		if len(here)+len(docs) == 0 {
			continue
		}
		if err := use(at, docs, here, results[i].Found); err != nil {
			return rest, err
		}
	}
	return rest, ctx.Err()
}

// restored is the outcome of putBack.
type restored struct {
	left      map[*ledger.Known]error // why some entries were not restored
	rotations []decision.Result       // of digests that became too long
	doubled   []report.Finding        // restored sessions whose number is taken
}

// putBack recreates emptied documents, and restores entries to the documents that contained them
// last. It fails if no entry can be restored. Digests are restored after their archives, because a
// digest that becomes too long moves entries to its archive.
func (p Loss) putBack(
	ctx context.Context, c *workspace.Change, docs []string, picked []Entry,
) (out restored, err error) {
	names, lists := ByDocument(picked)
	places := workspace.LookDigests(p.Root, p.Env.Getenv)
	digestOf := map[string]*workspace.DigestPlace{}
	for i := range places {
		digestOf[places[i].State] = &places[i]
	}
	last := func(name string) int {
		if digestOf[name] != nil {
			return 1
		}
		return 0
	}
	sorting.By(names, func(a, b string) int { return last(a) - last(b) })
	out.left = map[*ledger.Known]error{}
	recreated, err := p.recreateAll(ctx, c, workspace.Compact(slices.Concat(docs, names)))
	if err != nil {
		return out, err
	}
	for _, name := range names {
		list := lists[name]
		put := func(some []Entry) error {
			return p.putDoc(ctx, c, digestOf[name], some, recreated[list[0].Family], &out)
		}
		err := put(list)
		if report.CodeOf(err) == report.CodeRepairWouldLose && len(list) > 1 {
			for i := range list { // one that has no proper place does not keep the others away
				if err := put(list[i : i+1]); err != nil && !refuses(err) {
					return out, err
				}
			}
		} else if err != nil && !refuses(err) {
			return out, err
		}
	}
	if len(picked) > 0 && len(out.left) == len(picked) {
		return out, out.left[picked[0].Known]
	}
	out.doubled, err = p.doubledNumbers(ctx, c, picked, out.left)
	return out, err
}

// refuses reports whether a document does not allow a restore, although others may.
func refuses(err error) bool {
	return report.KindOf(err) == report.Corrupt || report.CodeOf(err) == report.CodeRepairWouldLose
}

// putDoc restores entries of one document, and notes in out why some were not restored. digest is
// nil if the document is no digest. there has the keys of the entries that came back with the
// document.
func (p Loss) putDoc(
	ctx context.Context, c *workspace.Change, digest *workspace.DigestPlace, list []Entry, there map[string]bool,
	out *restored,
) error {
	name := cmp.Or(list[0].Doc, list[0].Family)
	book, err := p.Kept.Book(ctx, list[0].Family)
	if err != nil {
		return err
	}
	known, back := knownOf(book, name, list)
	seen := book.FirstSeen()
	for key := range there {
		delete(back, key)
	}
	var left []*ledger.Entry
	var moved decision.Result
	err = p.Keep(ctx, c, "lost", func() (err error) {
		if digest == nil {
			left, err = p.putInto(ctx, c, name, known, back, seen)
			return err
		}
		filed, err := p.putIntoArchive(c, *digest, book, back, seen)
		if err != nil {
			return err
		}
		left, moved, err = p.putIntoDigest(ctx, c, *digest, known, back, seen)
		left = append(left, filed...)
		return err
	})
	if err == nil && moved.Rotated {
		out.rotations = append(out.rotations, moved)
	}
	unplaced := map[string]*ledger.Entry{}
	for _, e := range left {
		unplaced[e.Key] = e
	}
	for _, l := range list {
		delete(out.left, l.Known)
		if e := unplaced[l.Known.Key]; err != nil {
			out.left[l.Known] = err
		} else if e != nil {
			out.left[l.Known] = Unplaceable(name, e)
		}
	}
	return err
}

// notRestored warns about entries that were not restored: each one without a place, and once for
// any other problem of a document.
func notRestored(left map[*ledger.Known]error) []report.Finding {
	var out []report.Finding
	for _, err := range left {
		e := report.As(err)
		out = append(out, e.Code.Finding(e.Path, e.Line, "not restored: "+e.Message).As(report.Warning))
	}
	sorting.By(out, func(a, b report.Finding) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Text, b.Text))
	})
	return slices.Compact(out)
}

// knownOf returns a document's entries from a book, in the book's order, and the keys of the
// entries to restore.
func knownOf(book *ledger.Book, name string, list []Entry) (known []ledger.Entry, back map[string]bool) {
	back = map[string]bool{}
	for _, l := range list {
		back[l.Known.Key] = true
	}
	if book == nil {
		return nil, back
	}
	for _, e := range book.Entries {
		if e.Doc == name && (e.State != ledger.Left || back[e.Key]) {
			known = append(known, e.Entry)
		}
	}
	return known, back
}

// putInto restores entries to a document that is not a digest.
func (p Loss) putInto(
	ctx context.Context, c *workspace.Change, name string, known []ledger.Entry, back map[string]bool,
	seen func(key string) time.Time,
) (left []*ledger.Entry, err error) {
	now, err := p.recreated(ctx, c, name)
	if err != nil {
		return nil, err
	}
	fuller := p.extended(name, now, known, back)
	next, left, err := p.WithEntries(name, fuller, known, back, seen)
	if err == nil && !bytes.Equal(next, now) {
		c.Tx.Write(name, next)
	}
	return left, err
}

// putIntoArchive restores the decisions that are older than the newest one in a digest's archive
// and than every one in the digest: they would have moved before them. It takes them out of back.
func (p Loss) putIntoArchive(
	c *workspace.Change, place workspace.DigestPlace, book *ledger.Book, back map[string]bool,
	seen func(key string) time.Time,
) (left []*ledger.Entry, err error) {
	doc, err := c.Tx.Read(place.Archive)
	if err != nil || !doc.Exists || book == nil {
		return nil, err
	}
	digest, err := c.Tx.Read(place.State)
	if err != nil {
		return nil, err
	}
	archived, standing := p.EntriesOf(place.Archive, doc.Data), p.EntriesOf(place.State, digest.Data)
	// A decision that was written down late, with an earlier date, is not newer than one of a later
	// day.
	before := func(a, b *ledger.Entry) bool {
		return seen(a.Key).Before(seen(b.Key)) && (a.Date == "" || b.Date == "" || a.Date <= b.Date)
	}
	older := func(e *ledger.Entry) bool {
		return !seen(e.Key).IsZero() &&
			slices.ContainsFunc(archived, func(x ledger.Entry) bool { return before(e, &x) }) &&
			!slices.ContainsFunc(standing, func(x ledger.Entry) bool {
				return x.Kind == ledger.Decision && !seen(x.Key).IsZero() && before(&x, e)
			})
	}
	var known []ledger.Entry
	filed := map[string]bool{}
	for _, e := range book.Entries {
		if e.Kind == ledger.Decision && back[e.Key] && older(&e.Entry) {
			filed[e.Key] = true
		}
		if filed[e.Key] || e.Doc == place.Archive && e.State != ledger.Left {
			known = append(known, e.Entry)
		}
	}
	if len(filed) == 0 {
		return nil, nil
	}
	next, left, err := p.WithEntries(place.Archive, doc.Data, known, filed, seen)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(next, doc.Data) {
		c.Tx.Write(place.Archive, next)
	}
	for key := range filed {
		delete(back, key)
	}
	return left, nil
}

// putIntoDigest restores entries to a digest. Like every change of a digest it is stamped, and
// rotated if the digest becomes too long.
func (p Loss) putIntoDigest(
	ctx context.Context, c *workspace.Change, place workspace.DigestPlace, known []ledger.Entry, back map[string]bool,
	seen func(key string) time.Time,
) (left []*ledger.Entry, moved decision.Result, err error) {
	if _, err := p.recreated(ctx, c, place.State); err != nil {
		return nil, moved, err
	}
	within := func(_ context.Context, plan func(*workspace.Change) error) ([]report.Finding, error) {
		return nil, plan(c)
	}
	done, err := digests.Of(p.Workspace).ChangePlace(ctx, "lost", place, within, func(d *digests.DigestChange) error {
		var err error
		d.Text, left, err = p.WithEntries(place.State, d.Src, known, back, seen)
		return err
	})
	return left, done.Rotation, err
}
