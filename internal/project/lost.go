package project

import (
	"context"
	"slices"
	"time"

	"baton/internal/ledger"
	"baton/internal/markdown"
	"baton/internal/report"
)

// loss is an entry that the ledger knows and that is nowhere now.
type loss struct {
	Family string
	Known  *ledger.Known
	Doc    string // document in which it stood last
	Fate   lossFate
	Became string // of lossReworded: what the entry that it became is called
	Unsure bool   // of lossPerhaps: git gave no answer
	Before bool   // it stood there when the book began
}

// lossFate says what is known of an entry that is missing (D9).
type lossFate string

// The fates of missing entries.
const (
	lossLost      lossFate = "lost"      // it was seen in what HEAD builds on
	lossElsewhere lossFate = "elsewhere" // it belongs to another branch: neither reported nor offered
	lossPerhaps   lossFate = "perhaps"   // the commit at which it was seen is not known any more; only `lost --all` shows it
	lossReworded  lossFate = "reworded"  // it has other words now; only `lost --all` shows it
	lossAccepted  lossFate = "accepted"  // somebody said that it may be gone; only `lost --all` shows it
)

// lossAsk says which losses are looked for.
type lossAsk struct {
	Families []string // nil: all that have a book
	Git      bool     // git may be asked (D9); without it, the answer of the last one that was allowed to counts
	All      bool     // with those that are perhaps lost, reworded or accepted

	Patience time.Duration // for all that git is asked of their history; 0: the limit of one question, for each
	Late     bool          // git was too slow before: it is asked no more than about the commits at which they were seen
}

// lossTold is what a look at documents tells.
type lossTold struct {
	Found    []loss
	Unsure   int              // how many are perhaps lost because git gave no answer, found or not
	Silent   string           // why it gave none
	Warnings []report.Finding // what could not be judged
}

// losses gives what is missing from documents, by family and in their order. A document that is as the ledger knows it costs a look at its
// size, time and identity (D7). It writes nothing (D8). During a merge, a rebase or a bisect there are none (D9).
func (p *Project) losses(ctx context.Context, ask lossAsk) ([]loss, error) {
	told, err := p.toldLosses(ctx, ask)
	return told.Found, err
}

// toldLosses is losses with what is not known.
func (p *Project) toldLosses(ctx context.Context, ask lossAsk) (lossTold, error) {
	told, err := p.fatedLosses(ctx, ask)
	told.Found = ask.tells(told.Found)
	return told, err
}

// rememberedLosses is toldLosses for a hook that may write: what git says of missing entries is kept for those that may not ask it.
func (p *Project) rememberedLosses(ctx context.Context, ask lossAsk) (lossTold, error) {
	told, err := p.fatedLosses(ctx, ask)
	if err == nil && ask.Git {
		p.rememberLosses(ask.Families, told.Found, nil)
	}
	told.Found = ask.tells(told.Found)
	return told, err
}

// tells leaves out what was not asked for.
func (a lossAsk) tells(found []loss) []loss {
	return slices.DeleteFunc(found, func(l loss) bool { return l.Fate == lossElsewhere || l.Fate != lossLost && !a.All })
}

// fatedLosses is toldLosses with those that belong to other branches.
func (p *Project) fatedLosses(ctx context.Context, ask lossAsk) (told lossTold, err error) {
	if p.git.Busy() {
		return told, ctx.Err()
	}
	look, err := p.lossLook(ctx)
	if err != nil {
		return told, err
	}
	families := ask.Families
	if families == nil {
		if families, err = look.books(ctx); err != nil {
			return told, err
		}
	}
	var found []loss
	for _, family := range families {
		if err := ctx.Err(); err != nil {
			return told, err
		}
		list, err := look.family(ctx, family, ask.All)
		if err != nil {
			return told, err
		}
		found = append(found, list...)
	}
	if told.Silent, err = p.fates(ctx, ask, found); err != nil {
		return told, err
	}
	if told.Found, err = look.withoutMoved(ctx, found); err != nil {
		return told, err
	}
	for i := range told.Found {
		if told.Found[i].Unsure {
			told.Unsure++
		}
	}
	told.Warnings = look.unjudged
	return told, nil
}

// lossLook is one look at documents for what is missing from them.
type lossLook struct {
	p     *Project
	known map[string]lossKnown
	looks folderLooks

	unjudged []report.Finding // families of which it is not known what is missing
}

// family gives what is missing from one family, with no fates yet except for what was reworded.
func (k *lossLook) family(ctx context.Context, family string, all bool) ([]loss, error) {
	docs := k.p.familyDocs(family)
	changed, quiet, err := k.changed(ctx, docs)
	if err != nil || quiet && !all {
		return nil, err
	}
	book, err := k.p.store.Book(ctx, family)
	if err != nil || book == nil {
		return nil, k.fault(ctx, bookUnusable, family, err)
	}
	for _, name := range sortedKeys(book.Docs) {
		if book.Docs[name].Unsure && !slices.Contains(changed, name) {
			changed = append(changed, name)
		}
		if !slices.Contains(docs, name) {
			docs, changed = append(docs, name), append(changed, name)
		}
	}
	now, err := k.entries(ctx, changed)
	if err != nil {
		return nil, k.fault(ctx, entriesUnjudged, family, err)
	}
	gone := book.Missing(now)
	if len(gone) > 0 && len(changed) < len(docs) {
		// A book may lack copies of an entry, so that before anybody is told the documents that are as they were are looked at too.
		if now, err = k.entries(ctx, docs); err != nil {
			return nil, k.fault(ctx, entriesUnjudged, family, err)
		}
		gone = book.Missing(now)
	}
	return reckoned(book, family, gone, now, all), nil
}

// reckoned gives the losses of one family: what is absent and has no other words now, and, for all, what has.
func reckoned(book *ledger.Book, family string, gone []ledger.Absence, now map[string][]ledger.Entry, all bool) []loss {
	var out []loss
	into := map[string]*ledger.Entry{}
	for _, a := range gone {
		l := lossOf(book, family, a.Known)
		if a.Into != nil {
			l.Fate, l.Became, into[a.Known.Key] = lossReworded, a.Into.Label, a.Into
		}
		if a.Into == nil || all {
			out = append(out, l)
		}
	}
	there := map[string]bool{}
	for _, entries := range now {
		for i := range entries {
			there[entries[i].Key] = true
		}
	}
	for _, known := range book.Entries {
		if known.State != ledger.Left || there[known.Key] {
			continue
		}
		if all && known.How == ledger.Accepted {
			l := lossOf(book, family, known)
			l.Fate = lossAccepted
			out = append(out, l)
		}
		if known.How != ledger.Reworded {
			continue
		}
		end := book.Became(known)
		if end.State == ledger.Left { // removed or accepted, with all that it was before
			continue
		}
		last := &end.Entry
		if next := into[end.Key]; next != nil {
			last = next
		}
		l := lossOf(book, family, known)
		if ledger.Similar(known.Entry, *last) { // else small steps wore it away
			l.Fate, l.Became = lossReworded, last.Label
		}
		if l.Fate == "" || all {
			out = append(out, l)
		}
	}
	return out
}

// lossOf begins with what a book says of a missing entry.
func lossOf(book *ledger.Book, family string, known *ledger.Known) loss {
	nobody := known.First.By == "" && known.First.Command == ""
	return loss{Family: family, Known: known, Doc: known.Doc, Before: nobody && !known.First.At.After(book.Since)}
}

// source says where a missing entry came from, as blame does of one that is there.
func (l *loss) source() string {
	switch {
	case l.Before:
		return BlameBefore
	case l.Known.First.By == "" && l.Known.First.Command == "":
		return BlameOutside
	}
	return BlameChange
}

// entries gives what documents hold. What cannot be read is an error, and so are the marks of a conflict: what stands behind them is not
// read as what it is. Then it is not known what is missing.
func (k *lossLook) entries(ctx context.Context, names []string) (map[string][]ledger.Entry, error) {
	out := make(map[string][]ledger.Entry, len(names))
	for _, name := range names {
		doc, err := k.p.store.Read(ctx, name)
		if err != nil {
			return nil, err
		}
		if bad, unsafe := markdown.Unsafe(doc.Data); unsafe && bad.Code == conflictMarkers {
			return nil, &report.Error{Op: "lost", Kind: report.Corrupt, Code: bad.Code, Path: name, Line: bad.Line, Message: name + ": " + bad.Text}
		}
		out[name] = k.p.entriesOf(name, doc.Data)
	}
	return out, nil
}
