package loss

import (
	"context"
	"slices"
	"time"

	"baton/internal/ledger"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/workspace"
)

// loss is an entry that the ledger knows and that is nowhere now.
type Entry struct {
	Family string
	Known  *ledger.Known
	Doc    string // document in which it stood last
	Fate   Fate
	Became string // of lossReworded: what the entry that it became is called
	Unsure bool   // of lossPerhaps: git gave no answer
	Before bool   // it stood there when the book began
}

// lossFate says what is known of an entry that is missing (D9).
type Fate string

// The fates of missing entries.
const (
	FateLost      Fate = "lost"      // it was seen in what HEAD builds on
	FateElsewhere Fate = "elsewhere" // it belongs to another branch: neither reported nor offered
	FatePerhaps   Fate = "perhaps"   // the commit at which it was seen is not known any more; only `lost --all` shows it
	FateReworded  Fate = "reworded"  // it has other words now; only `lost --all` shows it
	lossAccepted  Fate = "accepted"  // somebody said that it may be gone; only `lost --all` shows it
)

// lossAsk says which losses are looked for.
type Question struct {
	Families []string // nil: all that have a book
	Git      bool     // git may be asked (D9); without it, the answer of the last one that was allowed to counts
	All      bool     // with those that are perhaps lost, reworded or accepted

	Patience time.Duration // for all that git is asked of their history; 0: the limit of one question, for each
	Late     bool          // git was too slow before: it is asked no more than about the commits at which they were seen
}

// lossTold is what a look at documents tells.
type Answer struct {
	Found    []Entry
	Unsure   int              // how many are perhaps lost because git gave no answer, found or not
	Silent   string           // why it gave none
	Warnings []report.Finding // what could not be judged
}

// Losses gives what is missing from documents, by family and in their order. A document that is as the ledger knows it costs a look at its
// size, time and identity (D7). It writes nothing (D8). During a merge, a rebase or a bisect there are none (D9).
func (p Loss) Losses(ctx context.Context, ask Question) ([]Entry, error) {
	told, err := p.ToldLosses(ctx, ask)
	return told.Found, err
}

// ToldLosses is losses with what is not known.
func (p Loss) ToldLosses(ctx context.Context, ask Question) (Answer, error) {
	told, err := p.FatedLosses(ctx, ask)
	told.Found = ask.tells(told.Found)
	return told, err
}

// RememberedLosses is toldLosses for a hook that may write: what git says of missing entries is kept for those that may not ask it.
func (p Loss) RememberedLosses(ctx context.Context, ask Question) (Answer, error) {
	told, err := p.FatedLosses(ctx, ask)
	if err == nil && ask.Git {
		p.rememberLosses(ask.Families, told.Found, nil)
	}
	told.Found = ask.tells(told.Found)
	return told, err
}

// tells leaves out what was not asked for.
func (a Question) tells(found []Entry) []Entry {
	return slices.DeleteFunc(found, func(l Entry) bool { return l.Fate == FateElsewhere || l.Fate != FateLost && !a.All })
}

// FatedLosses is toldLosses with those that belong to other branches.
func (p Loss) FatedLosses(ctx context.Context, ask Question) (told Answer, err error) {
	if p.Git.Busy() {
		return told, ctx.Err()
	}
	look, err := p.LossLook(ctx)
	if err != nil {
		return told, err
	}
	families := ask.Families
	if families == nil {
		if families, err = look.Books(ctx); err != nil {
			return told, err
		}
	}
	var found []Entry
	for _, family := range families {
		if err := ctx.Err(); err != nil {
			return told, err
		}
		list, err := look.Family(ctx, family, ask.All)
		if err != nil {
			return told, err
		}
		found = append(found, list...)
	}
	if told.Silent, err = p.fates(ctx, ask, found); err != nil {
		return told, err
	}
	if told.Found, err = look.WithoutMoved(ctx, found); err != nil {
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
type Look struct {
	P     *workspace.Workspace
	Known map[string]lossKnown
	looks folderLooks

	unjudged []report.Finding // families of which it is not known what is missing
}

// Family gives what is missing from one family, with no fates yet except for what was reworded.
func (k *Look) Family(ctx context.Context, family string, all bool) ([]Entry, error) {
	docs := k.P.FamilyDocs(family)
	changed, quiet, err := k.changed(ctx, docs)
	if err != nil || quiet && !all {
		return nil, err
	}
	book, err := k.P.Kept.Book(ctx, family)
	if err != nil || book == nil {
		return nil, k.fault(ctx, BookUnusable, family, err)
	}
	for _, name := range workspace.SortedKeys(book.Docs) {
		if book.Docs[name].Unsure && !slices.Contains(changed, name) {
			changed = append(changed, name)
		}
		if !slices.Contains(docs, name) {
			docs, changed = append(docs, name), append(changed, name)
		}
	}
	now, err := k.entries(ctx, changed)
	if err != nil {
		return nil, k.fault(ctx, EntriesUnjudged, family, err)
	}
	gone := book.Missing(now)
	if len(gone) > 0 && len(changed) < len(docs) {
		// A book may lack copies of an entry, so that before anybody is told the documents that are as they were are looked at too.
		if now, err = k.entries(ctx, docs); err != nil {
			return nil, k.fault(ctx, EntriesUnjudged, family, err)
		}
		gone = book.Missing(now)
	}
	return reckoned(book, family, gone, now, all), nil
}

// reckoned gives the losses of one family: what is absent and has no other words now, and, for all, what has.
func reckoned(book *ledger.Book, family string, gone []ledger.Absence, now map[string][]ledger.Entry, all bool) []Entry {
	var out []Entry
	into := map[string]*ledger.Entry{}
	for _, a := range gone {
		l := lossOf(book, family, a.Known)
		if a.Into != nil {
			l.Fate, l.Became, into[a.Known.Key] = FateReworded, a.Into.Label, a.Into
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
			l.Fate, l.Became = FateReworded, last.Label
		}
		if l.Fate == "" || all {
			out = append(out, l)
		}
	}
	return out
}

// lossOf begins with what a book says of a missing entry.
func lossOf(book *ledger.Book, family string, known *ledger.Known) Entry {
	nobody := known.First.By == "" && known.First.Command == ""
	return Entry{Family: family, Known: known, Doc: known.Doc, Before: nobody && !known.First.At.After(book.Since)}
}

// source says where a missing entry came from, as blame does of one that is there.
func (l *Entry) source() string {
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
func (k *Look) entries(ctx context.Context, names []string) (map[string][]ledger.Entry, error) {
	out := make(map[string][]ledger.Entry, len(names))
	for _, name := range names {
		doc, err := k.P.Store.Read(ctx, name)
		if err != nil {
			return nil, err
		}
		if bad, unsafe := markdown.Unsafe(doc.Data); unsafe && bad.Code == workspace.ConflictMarkers {
			return nil, &report.Error{Op: "lost", Kind: report.Corrupt, Code: bad.Code, Path: name, Line: bad.Line, Message: name + ": " + bad.Text}
		}
		out[name] = k.P.EntriesOf(name, doc.Data)
	}
	return out, nil
}
