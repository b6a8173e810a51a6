package store

import "slices"

// Scan is Reader.Scan. It returns the folder as it is now, without the transaction's own changes.
func (t *Tx) Scan(dir string) (Folder, error) {
	f, err := t.from.Scan(t.ctx, dir)
	if err != nil {
		t.unsure = true
		return f, err
	}
	if _, before := t.scans[dir]; !before {
		kept := f
		kept.Items = slices.Clone(f.Items) // the caller may sort its own slice
		t.scans[dir] = kept
	}
	return f, nil
}

// Scans returns the first scan of every folder. whole is false if the transaction used anything
// besides these and Reads: a listing, or a read that failed.
func (t *Tx) Scans() (found map[string]Folder, whole bool) { return t.scans, !t.unsure }

// Relocate asks for a relocation. Relocations are carried out in the order of their calls, after
// all documents of the transaction are in place. Err and the commit report names that lead
// elsewhere.
func (t *Tx) Relocate(r Relocation) {
	if err := r.Check(); err != nil {
		t.fail(err)
		return
	}
	t.relocations = append(t.relocations, r)
}

// Relocations returns the relocations that were asked for.
func (t *Tx) Relocations() []Relocation { return t.relocations }

// RecordOutcomes names a document of this transaction that records the outcomes of the relocations.
// When they are done, also after a crash, the store passes the document's bytes and all outcomes to
// the function that it was opened with, and writes the bytes that this function returns. The
// function may run several times with different outcomes, and the last run counts. So recording
// into bytes that have outcomes already must give the same result as recording into the original
// bytes.
func (t *Tx) RecordOutcomes(name string) {
	if err := CheckName(name); err != nil {
		t.fail(err)
		return
	}
	if !slices.Contains(t.outcomeRecords, name) {
		t.outcomeRecords = append(t.outcomeRecords, name)
	}
}

// OutcomeRecords returns the names that RecordOutcomes was given, in order.
func (t *Tx) OutcomeRecords() []string { return t.outcomeRecords }

// Discard is a folder, a document, or both, to be removed at the end of a commit.
type Discard struct {
	Folder   string // removed if it is empty; "" for none
	Document string // removed if it is as the transaction left it and Folder is gone; "" for none
}

// Discard asks for a folder and a document to be removed after everything else. The folder is
// removed if it is empty. The document is removed if it still is what this transaction read as a
// whole, wrote, or recorded outcomes in, and only if the folder is gone: a manifest is removed
// together with its snapshot or not at all. Otherwise they stay, without an error. Either may be ""
// for none. Each call is independent of the others.
func (t *Tx) Discard(folder, document string) {
	for _, name := range [...]string{folder, document} {
		if name == "" {
			continue
		}
		if err := CheckName(name); err != nil {
			t.fail(err)
			return
		}
	}
	if folder != "" || document != "" {
		t.discards = append(t.discards, Discard{folder, document})
	}
}

// Discards returns the discards that were asked for.
func (t *Tx) Discards() []Discard { return t.discards }
