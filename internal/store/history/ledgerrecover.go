package history

import (
	"context"
	"maps"
	"slices"

	"baton/internal/report"
	"baton/internal/store/disk"
)

// Recovered looks at what a dead lock holder was about to write. The book is written before the
// documents. So after a crash it may say that baton removed entries or moved them to an archive,
// although they are still in their old place.
func (w *recorder) Recovered(wrote map[string]string) {
	if !w.watches() {
		return
	}
	of := map[string][]string{}
	for name := range wrote {
		if family, ok := w.o.Watch.Family(name); ok {
			of[family] = append(of[family], name)
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
		w.noteFault(report.CodeLedgerSkipped, w.at.Shown(disk.Join(w.at.Runtime(), ledgerFolder)),
			"an interrupted change could not be recorded for `baton lost`", err)
	}
}

// observeFamily looks at the given documents and at all others that the family's book knows.
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
