package project

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"baton/internal/ledger"
	"baton/internal/report"
)

// RestoreLost puts missing entries back where they stood, all documents below one root in one transaction, or says what that would change. A
// document that is gone or empty becomes first what baton wrote last. What cannot be put back stays lost and is a warning, and only where that
// is everything an error. Usage lost_invalid, NotFound no_project or lost_unknown, Conflict lost_ambiguous or lost_busy, Corrupt for a document that
// must not be written, Violation lost_unplaceable, and the errors of every write.
func (p *Project) RestoreLost(ctx context.Context, r LostRestoreRequest) (LostRestored, error) {
	const op = "lost"
	out := LostRestored{Entries: []LostEntry{}, Changes: []DoctorChange{}, Warnings: []report.Finding{}}
	beside, err := p.pickedLosses(ctx, op, r.IDs, func(at *Project, picked, found []loss) error {
		var left map[*ledger.Known]error
		work := func(c *change) (err error) {
			left, err = at.putBack(ctx, c, picked)
			return err
		}
		changes, err := at.foreseen(ctx, nil, work)
		if err != nil {
			return err
		}
		if !r.DryRun {
			notes, err := at.update(ctx, work)
			if err != nil {
				return err
			}
			out.Warnings = append(out.Warnings, notes...)
		}
		out.Applied = !r.DryRun
		out.Changes = append(out.Changes, changes...)
		picked = slices.DeleteFunc(picked, func(l loss) bool { return left[l.Known] != nil })
		if out.Applied {
			at.rememberLosses(nil, found, picked)
		}
		out.Entries = append(out.Entries, lostEntries(picked, found)...)
		out.Warnings = append(out.Warnings, leftBehind(left)...)
		return nil
	})
	if err != nil {
		return LostRestored{}, inOp(err, op)
	}
	out.Unsure, out.Warnings = beside.Unsure, append(out.Warnings, beside.Warnings...)
	return out, nil
}

// pickedLosses hands the missing entries that ids stand for to a function, once for each root that has some. beside counts those that may be
// lost and were not meant, and warns of them and of what could not be judged.
func (p *Project) pickedLosses(ctx context.Context, op string, ids []string, use func(at *Project, picked, found []loss) error) (beside lossTold, err error) {
	roots, done, err := p.lossRoots(ctx, op)
	if err != nil {
		return beside, err
	}
	defer done()
	told := make([]lossTold, len(roots))
	var all []loss
	for i, at := range roots {
		if at.git.Busy() {
			return beside, &report.Error{
				Kind: report.Conflict, Code: "lost_busy", Message: "a merge, a rebase or a bisect is going on: what is lost shows when it is over",
				Hint: "finish it, or give it up, and run the command again",
			}
		}
		if told[i], err = at.toldLosses(ctx, lossAsk{Git: true, All: true, Patience: lossPatience}); err != nil {
			return beside, err
		}
		all = append(all, told[i].Found...)
	}
	wanted := map[*ledger.Known]bool{}
	picked, err := pickLosses(all, ids)
	if err != nil {
		return beside, err
	}
	for _, l := range picked {
		wanted[l.Known] = true
	}
	for i, at := range roots {
		here := slices.DeleteFunc(slices.Clone(told[i].Found), func(l loss) bool { return !wanted[l.Known] })
		for _, l := range here {
			if l.Unsure {
				told[i].Unsure--
			}
		}
		beside.Unsure += told[i].Unsure
		beside.Warnings = append(beside.Warnings, told[i].warnings()...)
		if len(here) == 0 {
			continue
		}
		if err := use(at, here, told[i].Found); err != nil {
			return beside, err
		}
	}
	return beside, ctx.Err()
}

// putBack puts entries into the documents in which they stood last, and tells why some are left behind; it is an error where all are. A digest
// comes after its archives: what makes it too long moves there.
func (p *Project) putBack(ctx context.Context, c *change, picked []loss) (left map[*ledger.Known]error, err error) {
	names, lists := byDocument(picked)
	places := lookDigests(p.root, p.env.Getenv)
	digestOf := func(name string) int {
		return slices.IndexFunc(places, func(d digestPlace) bool { return d.State == name })
	}
	slices.SortStableFunc(names, func(a, b string) int { return min(digestOf(a), 0) - min(digestOf(b), 0) })
	left = map[*ledger.Known]error{}
	revived, err := p.reviveAll(ctx, c, names)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		list := lists[name]
		book, err := p.store.Book(ctx, list[0].Family)
		if err != nil {
			return nil, err
		}
		known, back := bookOfDoc(book, name, list)
		for key := range revived[list[0].Family] {
			delete(back, key)
		}
		var without []*ledger.Entry
		if i := digestOf(name); i >= 0 {
			without, err = p.putIntoDigest(ctx, c, places[i], known, back)
		} else {
			without, err = p.putInto(ctx, c, name, known, back)
		}
		if err != nil && report.KindOf(err) != report.Corrupt {
			return nil, err
		}
		placeless := map[string]*ledger.Entry{}
		for _, e := range without {
			placeless[e.Key] = e
		}
		for _, l := range list {
			if e := placeless[l.Known.Key]; err != nil {
				left[l.Known] = err
			} else if e != nil {
				left[l.Known] = unplaceable(name, e)
			}
		}
	}
	if len(left) == len(picked) {
		return nil, left[picked[0].Known]
	}
	return left, nil
}

// leftBehind warns of what was not put back: once of a document, and of each entry without a place.
func leftBehind(left map[*ledger.Known]error) []report.Finding {
	var out []report.Finding
	for _, err := range left {
		e := report.As(err)
		out = append(out, report.Finding{Code: e.Code, Severity: report.Warning, Path: e.Path, Line: e.Line, Text: "not put back: " + e.Message})
	}
	slices.SortFunc(out, func(a, b report.Finding) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Text, b.Text))
	})
	return slices.Compact(out)
}

// bookOfDoc gives what a book knows of one document, in its order, and the keys of what goes back.
func bookOfDoc(book *ledger.Book, name string, list []loss) (known []ledger.Entry, back map[string]bool) {
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
func (p *Project) putInto(ctx context.Context, c *change, name string, known []ledger.Entry, back map[string]bool) (left []*ledger.Entry, err error) {
	now, err := p.revived(ctx, c, name)
	if err != nil {
		return nil, err
	}
	next, left, err := p.withEntries(name, now, known, p.absent(name, now, back))
	if err == nil && !bytes.Equal(next, now) {
		c.tx.Write(name, next)
	}
	return left, err
}

// putIntoDigest does the same as every change of a digest, so that it is stamped, and rotated where it is over its limits.
func (p *Project) putIntoDigest(ctx context.Context, c *change, place digestPlace, known []ledger.Entry, back map[string]bool) (left []*ledger.Entry, err error) {
	if _, err := p.revived(ctx, c, place.State); err != nil {
		return nil, err
	}
	within := func(_ context.Context, plan func(*change) error) ([]report.Finding, error) { return nil, plan(c) }
	_, err = p.changePlace(ctx, "lost", place, within, func(d *digestChange) error {
		var err error
		d.text, left, err = p.withEntries(place.State, d.src, known, p.absent(place.State, d.src, back))
		return err
	})
	return left, err
}

// absent leaves out what stands in a document already.
func (p *Project) absent(name string, now []byte, back map[string]bool) map[string]bool {
	there := map[string]bool{}
	for _, e := range p.entriesOf(name, now) {
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
