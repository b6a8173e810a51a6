package history

import (
	"bytes"
	"slices"

	"baton/internal/ledger"
	"baton/internal/store"
	"baton/internal/store/filestore"
)

// entryReader reads the entries of the replaced and the new bytes while the commit waits for the
// disk. In a long document that takes as long as all the rest of the ledger.
type entryReader struct {
	done  chan struct{}
	texts []readText
}

type readText struct {
	name    string
	data    []byte
	entries []ledger.Entry
	read    bool
}

// readEntries starts to read. It returns nil if there is nothing to read.
func (w *recorder) readEntries(edits []*filestore.Edit) *entryReader {
	if !w.watches() || w.silent {
		return nil
	}
	a := &entryReader{done: make(chan struct{})}
	for _, e := range edits {
		if _, ok := w.o.Watch.Family(e.Name); !ok {
			continue
		}
		if e.Kind != store.Append && e.Old.Exists {
			a.texts = append(a.texts, readText{name: e.Name, data: e.Was})
		}
		if e.New.Exists {
			a.texts = append(a.texts, readText{name: e.Name, data: e.Data})
		}
	}
	if len(a.texts) == 0 {
		return nil
	}
	go func() {
		defer close(a.done)
		defer func() { _ = recover() }() // entriesIn reads again what is missing
		for i := range a.texts {
			t := &a.texts[i]
			t.entries = w.o.Watch.Entries(t.name, t.data)
			t.read = true
		}
	}()
	return a
}

// wait returns when everything is read, so that the goroutine does not outlast the commit.
func (a *entryReader) wait() {
	if a != nil {
		<-a.done
	}
}

// addition returns the lines that an append adds. If somebody cut the document off within its last
// line, that line is included, because the append may complete it.
func addition(e *filestore.Edit) []byte {
	torn := e.End[bytes.LastIndexByte(e.End, '\n')+1:]
	if len(torn) == 0 {
		return e.Data
	}
	return slices.Concat(torn, e.Data)
}

// entriesIn returns the entries of a document before or after the commit at hand.
func (w *recorder) entriesIn(name string, data []byte) []ledger.Entry {
	if w.entries != nil {
		w.entries.wait()
		for _, t := range w.entries.texts {
			if t.read && t.name == name && sameBytes(t.data, data) {
				return t.entries
			}
		}
	}
	return w.o.Watch.Entries(name, data)
}

// sameBytes reports whether two slices share their memory.
func sameBytes(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
