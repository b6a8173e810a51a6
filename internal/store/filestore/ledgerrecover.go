package filestore

import (
	"context"
	"maps"
	"slices"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// recovered looks at what a dead holder was about to write. The book has it before it is made, so
// after a crash it may say of entries that baton took them out, or that they are in an archive,
// while they stand where they were.
func (w *recorder) recovered(died *holder) {
	if died == nil || !w.watches() {
		return
	}
	of, wrote := map[string][]string{}, map[string]string{}
	for _, st := range died.Staged {
		if store.CheckName(st.Name) != nil {
			continue
		}
		if family, ok := w.o.Watch.Family(st.Name); ok {
			of[family], wrote[st.Name] = append(of[family], st.Name), st.New
		}
	}
	if len(of) == 0 {
		return
	}
	var err error
	for _, family := range slices.Sorted(maps.Keys(of)) {
		if err == nil {
			err = w.observeFamily(family, of[family], wrote)
		}
	}
	if err != nil {
		w.noteFault("ledger_skipped", w.shown(disk.Join(w.runtime, ledgerFolder)),
			"what a change that was interrupted did to entries could not be recorded for `baton lost`", err)
	}
}

// observeFamily looks at all documents of a family that its book knows, too.
func (w *recorder) observeFamily(family string, names []string, wrote map[string]string) error {
	book, err := w.readBook(family)
	if err != nil {
		return err
	}
	if book != nil {
		names = slices.AppendSeq(names, maps.Keys(book.Docs))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	known, err := w.KnownOf(context.Background(), names)
	if err == nil {
		_, err = w.observe(family, names, known, wrote)
	}
	return err
}
