package history

import (
	"context"
	"maps"
	"slices"

	"baton/internal/ledger"
	"baton/internal/store/disk"
)

// Accept records that entries may be gone; keys lists them by family. Before that, it records what
// somebody else did to the documents in the books. It skips keys that are not missing then. Errors:
// Locked, Refused.
func (h *History) Accept(ctx context.Context, keys map[string][]string) error {
	if !h.watches() {
		return ctx.Err()
	}
	var names []string
	for _, family := range slices.Sorted(maps.Keys(keys)) {
		book, err := h.readBook(family)
		if err != nil {
			return err
		}
		if book != nil {
			names = slices.AppendSeq(names, maps.Keys(book.Docs))
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return ctx.Err()
	}
	if _, err := h.Observe(ctx, names); err != nil {
		return err
	}
	return h.alone(ctx, func(w *recorder) error {
		for _, family := range slices.Sorted(maps.Keys(keys)) {
			if err := w.accept(family, keys[family]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *recorder) accept(family string, keys []string) error {
	book, err := w.readBook(family)
	if book == nil || err != nil {
		return err
	}
	r := ledger.Record{Family: family, Mark: w.ownMark()}
	for _, key := range keys {
		if k := book.Get(key); k != nil && k.State == ledger.Missing {
			r.Left = append(r.Left, ledger.Departure{Key: key, How: ledger.Accepted})
		}
	}
	if r.Idle() {
		return nil
	}
	if err := w.enter(book, r, 0o666); err != nil {
		return err
	}
	var docs []DocChange
	for _, name := range slices.Sorted(maps.Keys(book.Docs)) {
		if found, ok := w.lookAt(family, name, book.Docs[name], true); ok && !found.changed {
			docs = append(docs, outsideOf([]finding{found}, book.Docs, nil, book.Lacking())...)
		}
	}
	if !w.logs() {
		return nil
	}
	c := Change{Docs: docs, Accepted: len(r.Left)}
	w.attribute(&c)
	_, err = w.writeLog(&c, false)
	return disk.Refused(err, w.at.Shown(disk.Join(w.at.Runtime(), logFolder)), "written")
}
