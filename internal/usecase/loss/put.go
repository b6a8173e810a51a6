package loss

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

// RestoreLost puts missing entries back where they stood, all documents below one root in one transaction, or says what that would change. A
// document that is gone or empty becomes first what baton wrote last. What cannot be put back stays lost and is a warning, and only where that
// is everything an error. Usage lost_invalid, NotFound no_project or lost_unknown, Conflict lost_ambiguous or lost_busy, Corrupt for a document that
// must not be written, Violation lost_unplaceable, and the errors of every write.
func (p Loss) RestoreLost(ctx context.Context, r LostRestoreRequest) (LostRestored, error) {
	const op = "lost"
	out := LostRestored{Entries: []LostEntry{}, Changes: []workspace.DoctorChange{}, Rotations: []decision.Result{}, Warnings: []report.Finding{}}
	beside, err := p.pickedLosses(ctx, op, r.IDs, func(at *workspace.Workspace, picked, found []Entry) error {
		var done lossPut
		work := func(c *workspace.Change) (err error) {
			done, err = Of(at).putBack(ctx, c, picked)
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
			Of(at).rememberLosses(nil, found, picked)
		}
		out.Entries = append(out.Entries, LostEntries(picked, found)...)
		out.Rotations = append(out.Rotations, done.rotations...)
		out.Warnings = append(append(out.Warnings, leftBehind(done.left)...), done.doubled...)
		return nil
	})
	if err != nil {
		if !out.Applied {
			out.Entries = nil
		}
		return LostRestored{}, workspace.InOp(AlsoDone(err, "put back", out.Entries), op)
	}
	out.Unsure, out.Warnings = beside.Unsure, append(out.Warnings, beside.Warnings...)
	return out, nil
}

// AlsoDone adds to an error on documents of one root what was done to those of another before.
func AlsoDone(err error, what string, done []LostEntry) error {
	if len(done) == 0 {
		return err
	}
	var docs []string
	for _, e := range done {
		docs = append(docs, safetext.OneLine(e.Document))
	}
	some := "1 entry was"
	if len(done) > 1 {
		some = strconv.Itoa(len(done)) + " entries were"
	}
	e := *report.As(err)
	e.Message += "; before that, " + some + " " + what + ": of " + strings.Join(workspace.Compact(docs), ", ")
	return &e
}

// pickedLosses hands the missing entries that ids stand for to a function, once for each root that has some. beside counts those that may be
// lost and were not meant, and warns of them and of what could not be judged.
func (p Loss) pickedLosses(ctx context.Context, op string, ids []string, use func(at *workspace.Workspace, picked, found []Entry) error) (beside Answer, err error) {
	roots, done, err := p.LossRoots(ctx, op)
	if err != nil {
		return beside, err
	}
	defer done()
	told := make([]Answer, len(roots))
	var all []Entry
	for i, at := range roots {
		if at.Git.Busy() {
			return beside, &report.Error{
				Kind: report.Conflict, Code: "lost_busy", Message: "a merge, a rebase or a bisect is going on: what is lost shows when it is over",
				Hint: "finish it, or give it up, and run the command again",
			}
		}
		if told[i], err = Of(at).ToldLosses(ctx, Question{Git: true, All: true, Patience: LossPatience}); err != nil {
			return beside, err
		}
		all = append(all, told[i].Found...)
	}
	wanted := map[*ledger.Known]bool{}
	picked, err := PickLosses(all, ids)
	if err != nil {
		return beside, err
	}
	for _, l := range picked {
		wanted[l.Known] = true
	}
	for i, at := range roots {
		here := slices.DeleteFunc(slices.Clone(told[i].Found), func(l Entry) bool { return !wanted[l.Known] })
		for _, l := range here {
			if l.Unsure {
				told[i].Unsure--
			}
		}
		beside.Unsure += told[i].Unsure
		beside.Warnings = append(beside.Warnings, told[i].AllWarnings()...)
		if len(here) == 0 {
			continue
		}
		if err := use(at, here, told[i].Found); err != nil {
			return beside, err
		}
	}
	return beside, ctx.Err()
}

// lossPut is what came of putting entries back.
type lossPut struct {
	left      map[*ledger.Known]error // why some are left behind
	rotations []decision.Result       // of digests that were too long with them
	doubled   []report.Finding        // sessions that came back and whose number another one has meanwhile
}

// putBack puts entries into the documents in which they stood last; it is an error where all are left behind. A digest comes after its archives:
// what makes it too long moves there.
func (p Loss) putBack(ctx context.Context, c *workspace.Change, picked []Entry) (out lossPut, err error) {
	names, lists := ByDocument(picked)
	places := workspace.LookDigests(p.Root, p.Env.Getenv)
	digestOf := func(name string) int {
		return slices.IndexFunc(places, func(d workspace.DigestPlace) bool { return d.State == name })
	}
	sorting.By(names, func(a, b string) int { return min(digestOf(a), 0) - min(digestOf(b), 0) })
	out.left = map[*ledger.Known]error{}
	revived, err := p.reviveAll(ctx, c, names)
	if err != nil {
		return out, err
	}
	for _, name := range names {
		list := lists[name]
		book, err := p.Kept.Book(ctx, list[0].Family)
		if err != nil {
			return out, err
		}
		known, back := bookOfDoc(book, name, list)
		for key := range revived[list[0].Family] {
			delete(back, key)
		}
		var without []*ledger.Entry
		if i := digestOf(name); i >= 0 {
			var moved decision.Result
			if without, moved, err = p.putIntoDigest(ctx, c, places[i], known, back); err == nil && moved.Rotated {
				out.rotations = append(out.rotations, moved)
			}
		} else {
			without, err = p.putInto(ctx, c, name, known, back)
		}
		if err != nil && report.KindOf(err) != report.Corrupt {
			return out, err
		}
		placeless := map[string]*ledger.Entry{}
		for _, e := range without {
			placeless[e.Key] = e
		}
		for _, l := range list {
			if e := placeless[l.Known.Key]; err != nil {
				out.left[l.Known] = err
			} else if e != nil {
				out.left[l.Known] = Unplaceable(name, e)
			}
		}
	}
	if len(out.left) == len(picked) {
		return out, out.left[picked[0].Known]
	}
	out.doubled, err = p.numbersTaken(ctx, c, picked, out.left)
	return out, err
}

// leftBehind warns of what was not put back: once of a document, and of each entry without a place.
func leftBehind(left map[*ledger.Known]error) []report.Finding {
	var out []report.Finding
	for _, err := range left {
		e := report.As(err)
		out = append(out, report.Finding{Code: e.Code, Severity: report.Warning, Path: e.Path, Line: e.Line, Text: "not put back: " + e.Message})
	}
	sorting.By(out, func(a, b report.Finding) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Text, b.Text))
	})
	return slices.Compact(out)
}

// bookOfDoc gives what a book knows of one document, in its order, and the keys of what goes back.
func bookOfDoc(book *ledger.Book, name string, list []Entry) (known []ledger.Entry, back map[string]bool) {
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

// putInto changes a document that is no digest.
func (p Loss) putInto(ctx context.Context, c *workspace.Change, name string, known []ledger.Entry, back map[string]bool) (left []*ledger.Entry, err error) {
	now, err := p.revived(ctx, c, name)
	if err != nil {
		return nil, err
	}
	next, left, err := p.WithEntries(name, now, known, p.absent(name, now, back))
	if err == nil && !bytes.Equal(next, now) {
		c.Tx.Write(name, next)
	}
	return left, err
}

// putIntoDigest does the same as every change of a digest, so that it is stamped, and rotated where it is over its limits.
func (p Loss) putIntoDigest(ctx context.Context, c *workspace.Change, place workspace.DigestPlace, known []ledger.Entry, back map[string]bool) (left []*ledger.Entry, moved decision.Result, err error) {
	if _, err := p.revived(ctx, c, place.State); err != nil {
		return nil, moved, err
	}
	within := func(_ context.Context, plan func(*workspace.Change) error) ([]report.Finding, error) {
		return nil, plan(c)
	}
	done, err := digests.Of(p.Workspace).ChangePlace(ctx, "lost", place, within, func(d *digests.DigestChange) error {
		var err error
		d.Text, left, err = p.WithEntries(place.State, d.Src, known, p.absent(place.State, d.Src, back))
		return err
	})
	return left, done.Rotation, err
}

// absent leaves out what stands in a document already.
func (p Loss) absent(name string, now []byte, back map[string]bool) map[string]bool {
	there := map[string]bool{}
	for _, e := range p.EntriesOf(name, now) {
		there[e.Key] = true
	}
	out := map[string]bool{}
	for key := range back {
		if !there[key] {
			out[key] = true
		}
	}
	return out
}
