package store

import (
	"context"
	"path"
	"slices"
	"strings"

	"baton/internal/sorting"
)

// The reads of a Tx have the signatures of Reader without the context, which is that of the Update.
// For code that reads inside and outside transactions alike, use Tx.Reader.

// Read is Reader.Read through the transaction's own writes.
func (t *Tx) Read(name string) (Document, error) {
	w := t.wants[name]
	if w != nil && w.kind != Append {
		return Document{Name: name, Data: slices.Clone(w.data), Exists: true, Size: int64(len(w.data))}, nil
	}
	doc, err := t.from.Read(t.ctx, name)
	if err != nil {
		t.unsure = true
		return doc, err
	}
	t.saw(&Seen{Name: name, Exists: doc.Exists, Size: doc.Size, Whole: true, data: slices.Clone(doc.Data)})
	if w != nil {
		doc.Data = append(slices.Clip(doc.Data), w.data...)
		doc.Exists, doc.Size = true, int64(len(doc.Data))
	}
	return doc, nil
}

// Head is Reader.Head through the transaction's own writes.
func (t *Tx) Head(name string, limit int) (Part, error) {
	w := t.wants[name]
	if w != nil && w.kind != Append {
		return Part{Data: slices.Clone(w.data[:min(limit, len(w.data))]), Size: int64(len(w.data)), Exists: true}, nil
	}
	part, err := t.from.Head(t.ctx, name, limit)
	if err != nil {
		t.unsure = true
		return part, err
	}
	t.saw(&Seen{Name: name, Exists: part.Exists, Size: part.Size})
	if w != nil {
		more := min(limit-len(part.Data), len(w.data))
		part.Data = append(slices.Clip(part.Data), w.data[:more]...)
		part.Exists, part.Size = true, part.Size+int64(len(w.data))
	}
	return part, nil
}

// Tail is Reader.Tail through the transaction's own writes.
func (t *Tx) Tail(name string, limit int) (Part, error) {
	w := t.wants[name]
	if w != nil && w.kind != Append {
		from := max(0, len(w.data)-limit)
		return Part{Data: slices.Clone(w.data[from:]), Size: int64(len(w.data)), Exists: true, Offset: int64(from)}, nil
	}
	part, err := t.from.Tail(t.ctx, name, limit)
	if err != nil {
		t.unsure = true
		return part, err
	}
	known := part.Data[max(0, len(part.Data)-TailLength):]
	t.saw(&Seen{Name: name, Exists: part.Exists, Size: part.Size, Tail: int64(len(known)), data: slices.Clone(known)})
	if w != nil {
		all := append(slices.Clip(part.Data), w.data...)
		part.Exists, part.Size = true, part.Size+int64(len(w.data))
		part.Data = all[max(0, len(all)-limit):]
		part.Offset = part.Size - int64(len(part.Data))
	}
	return part, nil
}

// List is Reader.List, plus the documents that the transaction creates in that folder.
func (t *Tx) List(dir string) ([]Entry, error) {
	t.unsure = true
	entries, err := t.from.List(t.ctx, dir)
	if err != nil {
		return entries, err
	}
	own := map[string]Entry{}
	for name, w := range t.wants {
		if e, ok := entryBelow(dir, name); ok {
			if !e.Dir {
				e.Size = int64(len(w.data))
			}
			own[e.Name] = e
		}
	}
	for i := range entries {
		if e, ok := own[entries[i].Name]; ok && !e.Dir {
			if t.wants[path.Join(dir, e.Name)].kind == Append {
				e.Size += entries[i].Size
			}
			entries[i].Size = e.Size
		}
		delete(own, entries[i].Name)
	}
	for _, e := range own {
		entries = append(entries, e)
	}
	sorting.By(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries, nil
}

// entryBelow returns the entry that a listing of dir shows if the document name exists.
func entryBelow(dir, name string) (Entry, bool) {
	rest := name
	if dir = path.Clean(dir); dir != "." {
		var ok bool
		if rest, ok = strings.CutPrefix(name, dir+"/"); !ok {
			return Entry{}, false
		}
	}
	first, _, deeper := strings.Cut(rest, "/")
	return Entry{Name: first, Dir: deeper}, true
}

// saw keeps the first read of a document, but prefers one of the whole document to one of a part,
// because only the whole reveals every change.
func (t *Tx) saw(s *Seen) {
	old := t.seen[s.Name]
	if old == nil || (!old.Whole && (s.Whole || old.Tail < s.Tail) && old.Size == s.Size) {
		t.seen[s.Name] = s
	}
}

// reader adapts a Tx to Reader.
type reader struct{ tx *Tx }

// Reader returns the transaction as a Reader, for code that reads inside and outside transactions
// alike. Its methods ignore their context and use that of the Update.
func (t *Tx) Reader() Reader { return reader{t} }

func (r reader) Read(_ context.Context, name string) (Document, error) { return r.tx.Read(name) }

func (r reader) Head(_ context.Context, name string, limit int) (Part, error) {
	return r.tx.Head(name, limit)
}

func (r reader) Tail(_ context.Context, name string, limit int) (Part, error) {
	return r.tx.Tail(name, limit)
}

func (r reader) List(_ context.Context, dir string) ([]Entry, error) { return r.tx.List(dir) }

func (r reader) Scan(_ context.Context, dir string) (Folder, error) { return r.tx.Scan(dir) }
