package history

import (
	"slices"
	"time"

	"baton/internal/ledger"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
	"baton/internal/store/records"
)

// headNow returns the commit that HEAD names, and asks only once (D9).
func (w *recorder) headNow() string {
	if w.head == nil {
		head := ""
		if w.o.Watch.Head != nil {
			head = w.o.Watch.Head()
		}
		w.head = &head
	}
	return *w.head
}

// outsideMark returns the mark of a change by somebody else that was found now.
func (w *recorder) outsideMark() ledger.Mark {
	return ledger.Mark{At: w.recordedAt(), Head: w.headNow()}
}

// recordedAt returns the time of a commit or a look. Books and log record the same time, because
// undo and blame compare them.
func (w *recorder) recordedAt() time.Time {
	if w.moment.IsZero() {
		w.moment = w.at.Env().Now().UTC()
	}
	return w.moment
}

// ownMark returns the mark of a change by baton.
func (w *recorder) ownMark() ledger.Mark {
	m := w.outsideMark()
	m.Command = w.at.Command()
	if w.o.Watch.By != nil {
		m.By = w.o.Watch.By()
	}
	return m
}

// ownRecord returns the record of the commit. A record without entries is written too, because the
// states of its documents later show whether somebody else changed one.
func (w *recorder) ownRecord(family string, edits []*filestore.Edit, book *ledger.Book, lines []byte) ledger.Record {
	r := ledger.Record{Family: family, Mark: w.ownMark()}
	var before, after []ledger.Sighting
	for _, e := range edits {
		if e.Kind != store.Append && e.Old.Exists {
			before = append(before, ledger.Sightings(e.Name, w.entriesIn(e.Name, e.Was))...)
		}
		switch {
		case e.Kind == store.Append && e.New.Exists:
			after = append(after, ledger.Sightings(e.Name, w.entriesIn(e.Name, addition(e)))...)
		case e.New.Exists:
			after = append(after, ledger.Sightings(e.Name, w.entriesIn(e.Name, e.Data))...)
		}
		st := stateAfter(e, family)
		if e.Kind == store.Append {
			last := ledger.LastState(lines, e.Name)
			if known, ok := knownDoc(book, e.Name); ok {
				last = &known
			}
			st.Unsure = !asLeft(e, last)
		}
		r.Docs = append(r.Docs, st)
	}
	var gone []string
	r.Seen, gone = ledger.Diff(before, after)
	for _, key := range gone {
		if book != nil && w.undoing != nil && book.Get(key).Before(w.undoing.At) {
			r.Missing = append(r.Missing, key)
			continue
		}
		r.Left = append(r.Left, ledger.Departure{Key: key, How: ledger.Removed})
	}
	return r
}

func knownDoc(book *ledger.Book, name string) (ledger.DocState, bool) {
	if book == nil {
		return ledger.DocState{}, false
	}
	st, ok := book.Docs[name]
	return st, ok
}

// mostCounted is the size of the largest book that a commit reads only to count missing entries
// (D7), in bytes. In a longer one, entries that came back count as missing until the next look.
const mostCounted = 64 << 10

// lacking returns how many entries are missing after a record.
func (w *recorder) lacking(r *ledger.Record, book *ledger.Book, f disk.File, end records.Ending) int {
	r.Lacking, _ = ledger.LastLacking(end.Lines)
	if book == nil && r.Lacking > 0 && len(r.Seen) > 0 && end.Size() <= mostCounted {
		book, _ = bookIn(f, r.Family)
	}
	if book != nil {
		book.Add(*r)
		r.Lacking = book.Lacking()
	}
	return r.Lacking
}

// stateBefore and stateAfter describe a document for its book. A document other than the family's
// own may also grow by appends.
func stateBefore(e *filestore.Edit, family string) ledger.DocState {
	if !e.Old.Exists {
		return ledger.DocState{Name: e.Name}
	}
	return ledger.StateWith(e.Name, e.Was, e.Old.Hash, e.Name != family)
}

func stateAfter(e *filestore.Edit, family string) ledger.DocState {
	switch {
	case !e.New.Exists:
		return ledger.DocState{Name: e.Name}
	case e.Kind != store.Append:
		return ledger.StateWith(e.Name, e.Data, e.New.Hash, e.Name != family)
	}
	last := e.Data
	if missing := store.TailLength - len(last); missing > 0 {
		last = append(slices.Clone(e.End[max(0, len(e.End)-missing):]), last...)
	}
	last = last[max(0, len(last)-store.TailLength):]
	return ledger.DocState{
		Name: e.Name, Exists: true, Size: e.New.Size, Tail: int64(len(last)), Hash: store.HashOf(last),
	}
}
