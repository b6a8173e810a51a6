package store

import "slices"

// Scan is Reader.Scan. It shows the folder as it is: what the transaction itself wants is not in
// it.
func (t *Tx) Scan(dir string) (Folder, error) {
	f, err := t.from.Scan(t.ctx, dir)
	if err != nil {
		t.unsure = true
		return f, err
	}
	if _, before := t.scans[dir]; !before {
		kept := f
		kept.Items = slices.Clone(f.Items) // the caller may sort its own
		t.scans[dir] = kept
	}
	return f, nil
}

// Scans gives the first look at every folder that was scanned. whole is false when the
// transaction went by something else besides these and Reads: a listing, or a fault of a read.
func (t *Tx) Scans() (found map[string]Folder, whole bool) { return t.scans, !t.unsure }

// Relocate asks for a relocation. Relocations are carried out in the order in which they were
// asked for, after all documents of the transaction are in place. Names that lead elsewhere are
// reported by Err, and by the commit.
func (t *Tx) Relocate(r Relocation) {
	if err := r.Check(); err != nil {
		t.fail(err)
		return
	}
	t.relocations = append(t.relocations, r)
}

// Relocations gives what was asked for.
func (t *Tx) Relocations() []Relocation { return t.relocations }

// RecordOutcomes names a document of this transaction that says what became of the relocations:
// when they are done, also after a crash, the store gives its bytes and the outcomes to the
// function that it was opened with, and writes what comes back. That function may run several
// times with other outcomes; the last time counts. So recording into bytes that have outcomes
// already must give the same as recording into the first ones. Each of several documents is given
// all outcomes.
func (t *Tx) RecordOutcomes(name string) {
	if err := CheckName(name); err != nil {
		t.fail(err)
		return
	}
	if !slices.Contains(t.outcomeRecords, name) {
		t.outcomeRecords = append(t.outcomeRecords, name)
	}
}

// OutcomeRecords returns the names that RecordOutcomes was given, in their order.
func (t *Tx) OutcomeRecords() []string { return t.outcomeRecords }

// Discard is a folder that may go, a document that may go, or both.
type Discard struct {
	Folder   string // goes if it is empty; "" for none
	Document string // goes if it is as the transaction knows it, and if the folder of this Discard is gone; "" for none
}

// Discard asks for a folder to be taken away if it is empty after everything else, and for a
// document, if it is still what this transaction read as a whole, wrote or recorded outcomes in.
// What is not so stays, without an error. The document stays also when the folder stays: a
// manifest goes together with its snapshot or not at all. Either may be "" for none; what other
// calls ask for plays no part.
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

// Discards gives what was asked for.
func (t *Tx) Discards() []Discard { return t.discards }
