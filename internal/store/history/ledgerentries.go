package history

import (
	"bytes"
	"slices"

	"baton/internal/ledger"
	"baton/internal/store"
	"baton/internal/store/filestore"
)

// entryReader reads the entries of what a commit replaces and writes while others of its steps wait
// for the disk: in a long document that takes as long as all the rest of the ledger.
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

// readEntries begins to read; nil where there is nothing to read.
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
		defer func() { _ = recover() }() // anyone who needs it reads it again
		for i := range a.texts {
			t := &a.texts[i]
			t.entries = w.o.Watch.Entries(t.name, t.data)
			t.read = true
		}
	}()
	return a
}

// wait is over when everything is read: nothing of it outlasts the commit.
func (a *entryReader) wait() {
	if a != nil {
		<-a.done
	}
}

// addition returns what an append adds in whole lines. Where the document ended within one, which
// somebody cut off, the line is part of it: an append may go on where that line broke off.
func addition(e *filestore.Edit) []byte {
	torn := e.End[bytes.LastIndexByte(e.End, '\n')+1:]
	if len(torn) == 0 {
		return e.Data
	}
	return slices.Concat(torn, e.Data)
}

// entriesIn returns what a document of the commit at hand holds, before or after it.
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

// sameBytes reports whether two slices are one.
func sameBytes(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
