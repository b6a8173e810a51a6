package filestore

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/foreign"
)

// writer is the state of one Update.
type writer struct {
	*Store
	notes    []report.Finding
	folders  map[string]bool // folders that this commit must sync because their entries changed
	made     []string        // folders that this commit created, outermost first
	kept     map[string]bool // what keep has already saved
	locks    *foreign.Held   // the foreign locks that are held now
	leftTemp bool            // a temporary file could not be removed; lock.json keeps its name for the next writer
	listed   []staged        // files named in lock.json
	making   []string        // folders that this commit creates, for lock.json
	owed     []string        // folders that a dead holder created and that nobody has checked yet

	observer Observer // sees each commit

	outcomes    []store.Outcome   // of the relocations of the last attempt
	outcomeDocs map[string]string // paths of the documents that record them, by name
	abandoned   bool              // it recovers its own journal, which it gave up before anything moved
	late        bool              // it completes the moves of another writer
}

// errChanged says that a document is no longer what the transaction read, so that it must run
// again.
var errChanged = errors.New("changed under us")

// errFresh says that the transaction moves entries by what it saw before it took a foreign lock,
// and that this has changed. It runs again under the lock.
var errFresh = errors.New("looked before the lock")

// errRoom says that the disk was full and the kept versions were removed again. The transaction
// runs again without them.
var errRoom = errors.New("no room for snapshots")

// Update runs fn under the lock and commits what it asks for; see store.Store. While somebody else
// holds the foreign lock of a document that fn changes, fn runs again every few milliseconds (D35).
// Errors besides those of fn: Locked lock_timeout, Conflict changed_under_us or exists, Violation
// path_outside, Refused runtime_unwritable, and the codes of reading and writing.
func (s *Store) Update(ctx context.Context, fn func(*store.Tx) error) (store.Commit, error) {
	if err := ctx.Err(); err != nil {
		return store.Commit{}, err
	}
	s.resolve()
	if s.refusal != nil {
		return store.Commit{}, s.refusal
	}
	s.lookAgain()
	defer s.hold()()
	attempts := store.Attempts
	// A power cut can remove the name of the lock file but leave a journal, which must be
	// recovered.
	if !s.initialized() && !disk.Exists(s.fs, s.journalPath()) {
		attempts--
		// A first write that fails or changes nothing should not leave a runtime folder behind.
		// Without that folder nobody else can be writing, unless they are just creating it. So fn
		// first runs without the lock, and the real run comes under the lock.
		idle, err := s.rehearse(ctx, fn)
		if idle || err != nil {
			return store.Commit{}, err
		}
	}
	w := s.newWriter()
	p := s.patience()
	defer p.end.Stop()
	for {
		written, err := w.round(ctx, fn, attempts, p)
		taken, ok := errors.AsType[*foreign.TakenError](err)
		if !ok {
			return store.Commit{Written: written, Outcomes: w.outcomes, Notes: w.notes}, err
		}
		if err := s.rest(ctx, p, taken); err != nil {
			return store.Commit{Notes: w.notes}, err
		}
	}
}

// round runs an Update under the kernel lock and releases it. A TakenError says that a foreign lock
// prevented everything, so another round must follow.
func (w *writer) round(
	ctx context.Context, fn func(*store.Tx) error, attempts int, p *patience,
) (written []string, err error) {
	err = w.holding(ctx, p, func() error {
		for again := 0; attempts > 0; {
			written, err = w.attempt(ctx, fn)
			switch {
			case errors.Is(err, errRoom): // happens at most twice
			case errors.Is(err, errFresh) && again < store.Attempts:
				again++ // no attempt is used up, because nobody changed anything
			case errors.Is(err, errFresh), errors.Is(err, errChanged), errors.Is(err, disk.ErrElsewhere):
				attempts--
			default:
				return err
			}
			w.startOver()
		}
		written = nil
		return tooRestless()
	})
	return written, err
}

// holding runs act under the kernel lock, after cleaning up what a dead holder left.
func (w *writer) holding(ctx context.Context, p *patience, act func() error) error {
	unlock, died, err := w.lock(ctx, p)
	if err != nil {
		return err
	}
	if died != nil {
		w.mu.Lock()
		w.signed = max(w.signed, died.size)
		w.mu.Unlock()
	}
	w.leftTemp = false
	defer func() { unlock(!w.leftTemp) }()
	w.startOver() // what we saw before other writers released the lock may be out of date
	defer w.locks.Release()
	if err := w.clean(died); err != nil {
		if _, ok := errors.AsType[*foreign.TakenError](err); ok {
			w.leftTemp = true // the next round must read what the dead holder left
		}
		return err
	}
	w.locks.Release() // fn may take its time, but foreign locks are held only for milliseconds
	if !w.leftTemp {
		w.listed = nil
	}
	if err := w.sign(w.listed, nil); err != nil {
		return w.unusable(w.holderPath(), err)
	}
	return act()
}

func tooRestless() error {
	return &report.Error{
		Kind: report.Conflict, Code: report.CodeChangedUnderUs,
		Message: fmt.Sprintf("the files were changed by somebody else during each of %d attempts; nothing was written",
			store.Attempts),
		Hint: "find out what keeps changing them, then run the command again",
	}
}

// rehearse runs fn without the lock; idle reports whether it asked for nothing.
func (s *Store) rehearse(ctx context.Context, fn func(*store.Tx) error) (idle bool, err error) {
	tx := store.NewTx(ctx, s)
	if err := fn(tx); err != nil {
		return false, err
	}
	if err := tx.Err(); err != nil {
		return false, err
	}
	edits, err := s.plan(tx.Changes())
	if errors.Is(err, errChanged) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	x, err := s.planExtras(tx)
	return err == nil && x.idle(s, edits), err
}

func (w *writer) attempt(ctx context.Context, fn func(*store.Tx) error) ([]string, error) {
	w.outcomes = nil
	tx := store.NewTx(ctx, lockedReader{w})
	if err := fn(tx); err != nil {
		return nil, err
	}
	if err := tx.Err(); err != nil {
		return nil, err
	}
	edits, err := w.plan(tx.Changes())
	if errors.Is(err, errChanged) {
		// A peer that is so quick may honour the foreign lock, so the next attempt holds the lock
		// from its beginning.
		if _, err := w.guard(wanted(tx)...); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	x, err := w.planExtras(tx)
	if err != nil || x.idle(w.Store, edits) {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := w.guardCommit(tx, edits, x); err != nil {
		return nil, err
	}
	return w.commit(edits, tx.Moves(), x)
}

// guardCommit takes the foreign locks of a commit. It takes them last, so that they are held only
// for the commit, and compares at once what was planned before. The locks stay for further
// attempts, so after the first one no program that honours them can interfere.
func (w *writer) guardCommit(tx *store.Tx, edits []*edit, x *extras) error {
	fresh, err := w.guard(append(touched(edits, tx.Moves()), x.names()...)...)
	if err == nil && fresh {
		if len(x.relocations) > 0 && !w.stillSame(tx) {
			return errFresh
		}
		err = w.stillOld(edits)
	}
	if err == nil { // also if nothing moves: a killed begin leaves such files in a folder that is clean (F-86a)
		scans, _ := tx.Scans()
		w.locks.RemoveTemporaries(scans)
	}
	return err
}

// stillSame reports whether everything that a transaction used is unchanged, now that no program
// which honours the foreign locks can change it. It compares the scanned folders, apart from the
// locks themselves, and the documents that were read. If a writer was at work, its temporary files
// are a difference (SD-51). Planning again would be correct, too, but in a large sweep that costs
// as much as all its looks at entries.
func (w *writer) stillSame(tx *store.Tx) bool {
	scans, all := tx.Scans()
	if !all {
		return false
	}
	led := map[string]place{}
	for dir := range scans {
		p, err := w.folder(path.Clean(dir))
		if err != nil || w.fs.Check(p.path) != nil {
			return false
		}
		led[dir] = p
	}
	w.forgetFolders()
	for dir, before := range scans {
		now, err := w.scan(dir)
		if err != nil {
			return false
		}
		if p, err := w.folder(path.Clean(dir)); err != nil || p != led[dir] || !before.Same(now, w.locks.In(p.path)) {
			return false
		}
	}
	for _, seen := range tx.Reads() {
		part := disk.Whole
		if !seen.Whole {
			part = disk.Tail(int(seen.Tail))
		}
		now, _, err := w.fetch(seen.Name, part, 0)
		if err != nil || !seen.Matches(now.Exists, now.Info.Size, now.Data) {
			return false
		}
	}
	return true
}

func (w *writer) commit(edits []*edit, moves []store.Move, x *extras) ([]string, error) {
	w.folders, w.made, w.making = map[string]bool{}, nil, nil
	for _, p := range x.folders {
		w.announce(p.path)
	}
	if !w.leftTemp {
		w.listed = nil
	}
	wait := w.observer.Begin(observed(edits))
	defer wait()
	var err error
	if len(edits) == 1 && edits[0].Kind != store.Append && x.none() {
		err = w.commitOne(edits[0], x)
	} else {
		err = w.commitMany(edits, moves, x)
	}
	if err != nil {
		if w.observer.TakeBack(err) {
			err = errRoom
		}
		w.unmake()
		return nil, err
	}
	w.observer.Done()
	names := make([]string, len(edits))
	for i, e := range edits {
		names[i] = e.Name
	}
	slices.Sort(names)
	if w.o.Committed != nil {
		w.o.Committed(names, x.none())
	}
	return names, nil
}

// wanted returns the names of the documents that a transaction changes or moves text between, and
// one name in each folder that entries leave or enter.
func wanted(tx *store.Tx) []string {
	var names []string
	for _, c := range tx.Changes() {
		names = append(names, c.Name)
	}
	for _, m := range tx.Moves() {
		names = append(names, m.From, m.To)
	}
	seen := map[string]bool{}
	for _, r := range tx.Relocations() {
		names = folderNames(names, seen, r.From, r.To)
	}
	return names
}

// unmake removes the folders that a commit created before it failed. A folder that is not empty
// stays.
func (w *writer) unmake() {
	for _, dir := range slices.Backward(w.made) {
		_ = w.fs.Remove(dir)
	}
}

// note adds a finding about a document or a kept file.
func (w *writer) note(code report.Code, path, text string) {
	w.notes = append(w.notes, code.Finding(path, 0, text))
}

// lockedReader reads under the lock, where no journal can be pending. It leaves out foreign locks
// that its own writer holds, because whether one is held is chance and should not change what a
// function sees.
type lockedReader struct{ s *writer }

func (r lockedReader) Read(_ context.Context, name string) (store.Document, error) {
	c, p, err := r.s.fetch(name, disk.Whole, store.MaxSize)
	if err != nil {
		return store.Document{Name: name}, err
	}
	doc := store.Document{Name: name, Exists: c.Exists, Outside: r.s.readOnly(name, p)}
	if c.Exists {
		doc.Data, doc.Size, doc.ModTime = c.Data, c.Info.Size, c.Info.ModTime
		doc.Stamp = c.Info.Stamp()
		doc.Size = int64(len(c.Data)) // the bytes that were read are the revision, even if the file shrank meanwhile
	}
	return doc, nil
}

func (r lockedReader) Head(_ context.Context, name string, limit int) (store.Part, error) {
	return r.part(name, disk.Head(limit))
}

func (r lockedReader) Tail(_ context.Context, name string, limit int) (store.Part, error) {
	return r.part(name, disk.Tail(limit))
}

func (r lockedReader) part(name string, part disk.Span) (store.Part, error) {
	c, _, err := r.s.fetch(name, part, 0)
	if err != nil || !c.Exists {
		return store.Part{}, err
	}
	return store.Part{
		Data: c.Data, Size: c.Info.Size, Exists: true, Offset: c.Offset, Stamp: c.Info.Stamp(),
	}, nil
}

func (r lockedReader) List(_ context.Context, dir string) ([]store.Entry, error) {
	entries, err := r.s.list(dir)
	sortEntries(entries)
	if own := r.ownLock(dir); own != nil {
		entries = slices.DeleteFunc(entries, func(e store.Entry) bool { return own(e.Name) })
	}
	return entries, err
}

func (r lockedReader) Scan(_ context.Context, dir string) (store.Folder, error) {
	f, err := r.s.scan(dir)
	if own := r.ownLock(dir); own != nil {
		f.Items = slices.DeleteFunc(f.Items, func(i store.Item) bool { return own(i.Name) })
	}
	return f, err
}

// ownLock is Held.In by the folder's name, or nil if there is nothing to leave out.
func (r lockedReader) ownLock(dir string) func(name string) bool {
	if r.s.locks.None() {
		return nil
	}
	if dir == "" {
		dir = "."
	}
	p, err := r.s.folder(path.Clean(dir))
	if err != nil {
		return nil
	}
	return r.s.locks.In(p.path)
}
