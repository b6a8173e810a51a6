package filestore

import (
	"fmt"
	"path/filepath"
	"slices"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/moves"
)

// extras is what a transaction asks for besides documents.
type extras struct {
	relocations []store.Relocation
	stays       map[int]moves.Stay // relocations that must not be made, and why
	folders     []place            // target folders of relocations, each once
	documents   []string           // that change, or between which text moves
	outcomeDocs []string
	discards    []journalDiscard
	undoes      int64 // see store.Tx.Undoes
}

// none reports whether the transaction is about documents only.
func (x *extras) none() bool {
	return len(x.relocations) == 0 && len(x.discards) == 0 && len(x.outcomeDocs) == 0
}

// idle reports whether a transaction has nothing to edit, move or remove.
func (x *extras) idle(s *Store, edits []*edit) bool {
	if len(edits) > 0 || len(x.relocations) > 0 {
		return false
	}
	for i := range x.discards {
		if s.discardable(&x.discards[i]) {
			return false
		}
	}
	return true
}

// names returns names by which the foreign locks are found.
func (x *extras) names() []string {
	var names []string
	seen := map[string]bool{}
	for _, r := range x.relocations {
		names = folderNames(names, seen, r.From, r.To)
	}
	names = append(names, x.outcomeDocs...)
	for i := range x.discards {
		names = append(names, x.discards[i].names()...)
	}
	return names
}

// planExtras plans what a transaction asks for besides documents. Violation path_outside.
func (s *Store) planExtras(tx *store.Tx) (*extras, error) {
	x := &extras{relocations: tx.Relocations(), outcomeDocs: tx.OutcomeRecords(), undoes: tx.Undone()}
	for _, c := range tx.Changes() {
		x.documents = append(x.documents, c.Name)
	}
	for _, m := range tx.Moves() {
		x.documents = append(x.documents, m.From, m.To)
	}
	for _, d := range tx.Discards() {
		x.discards = append(x.discards, journalDiscard{Folder: d.Folder, Document: d.Document})
	}
	if err := s.checkExtras(x); err != nil {
		return nil, err
	}
	reads := tx.Reads()
	for i := range x.discards {
		s.identify(&x.discards[i], reads)
	}
	return x, nil
}

// checkExtras checks where everything leads that a change asks for besides documents, both in a
// commit and in a recovery. It records in x.stays which relocations must not be made. Violation
// path_outside.
func (s *Store) checkExtras(x *extras) error {
	if err := s.planRelocations(x); err != nil {
		return err
	}
	for _, name := range x.outcomeDocs {
		p, err := s.locate(name)
		if err != nil {
			return refused(err, name, "written")
		}
		if err := s.writable(name, p); err != nil {
			return err
		}
		if s.offLimits(p.path) || s.offLimits(s.written(name)) {
			return offLimitsFault(name)
		}
	}
	for i := range x.discards {
		for _, name := range x.discards[i].names() {
			p, err := s.direct(name)
			if err != nil {
				return refused(err, name, "removed")
			}
			if err := s.writable(name, p); err != nil {
				return err
			}
			if s.immovable(p.path) || s.immovable(s.written(name)) {
				return immovableFault(name)
			}
		}
	}
	return nil
}

// route is where the relocations between two folders lead, and which names may not move there.
type route struct {
	from, to string
	src, dst place
	wards    [4]*ward           // of From as resolved and as written, then of To likewise
	busy     [4]map[string]bool // names in these folders on a path that the transaction uses, in the same order
}

func (s *Store) planRelocations(x *extras) error {
	if len(x.relocations) == 0 {
		return nil
	}
	w := s.passedBy(x)
	var known []*route
	var way *route
	for i := range x.relocations {
		r := &x.relocations[i]
		if way == nil || !way.joins(r) {
			at := slices.IndexFunc(known, func(w *route) bool { return w.joins(r) })
			if at < 0 {
				fresh, err := s.routeOf(r.From, r.To, w)
				if err != nil {
					return err
				}
				at, known = len(known), append(known, fresh)
				if !hasPlace(x.folders, fresh.dst) {
					x.folders = append(x.folders, fresh.dst)
				}
			}
			way = known[at]
		}
		if why := way.refuses(r); why != 0 {
			if x.stays == nil {
				x.stays = map[int]moves.Stay{}
			}
			x.stays[i] = why
		}
	}
	return nil
}

func (w *route) joins(r *store.Relocation) bool { return w.from == r.From && w.to == r.To }

func (s *Store) routeOf(from, to string, through passed) (*route, error) {
	w := &route{from: from, to: to}
	for i, dir := range [...]string{from, to} {
		p, err := s.folder(dir)
		if err != nil {
			return nil, refused(err, dir, "written")
		}
		if err := s.writable(dir, p); err != nil {
			return nil, err
		}
		*[...]*place{&w.src, &w.dst}[i] = p
		w.wards[2*i], w.wards[2*i+1] = s.wardOf(p.path), s.wardOf(s.written(dir))
		if w.wards[2*i].all || w.wards[2*i+1].all {
			return nil, immovableFault(dir)
		}
		w.busy[2*i], w.busy[2*i+1] = through[p.path], through[s.written(dir)]
	}
	return w, nil
}

// refuses returns why an entry must stay or its new name is refused; 0 lets it move.
func (w *route) refuses(r *store.Relocation) moves.Stay {
	src, dst := r.Name, r.Target()
	switch {
	case foreignName(src), foreignName(dst), w.wards[0].keeps(src), w.wards[1].keeps(src),
		w.wards[2].keeps(dst), w.wards[3].keeps(dst):
		return moves.Immovable
	case w.busy[0][src], w.busy[1][src], w.busy[2][dst], w.busy[3][dst]:
		return moves.OnTheWay
	}
	return 0
}

func hasPlace(places []place, p place) bool {
	return slices.ContainsFunc(places, func(other place) bool { return other.path == p.path })
}

func immovableFault(name string) error {
	return &report.Error{
		Kind: report.Violation, Code: report.CodePathOutside, Path: name,
		Message: fmt.Sprintf("%q must not be moved: git's folder, baton's own files and the folders above them "+
			"stay where they are", name),
		Hint: "choose another entry, or replace the link that leads there",
	}
}

// identify records the size and hash of a document that may be removed, if it is still what the
// transaction read.
func (s *Store) identify(d *journalDiscard, reads []store.Seen) {
	for i := range reads {
		if reads[i].Name != d.Document || !reads[i].Whole || !reads[i].Exists {
			continue
		}
		p, err := s.direct(d.Document)
		if err != nil {
			return
		}
		now, err := s.grab(p.path, disk.Whole, 0)
		if err == nil && now.Exists && reads[i].Matches(true, int64(len(now.Data)), now.Data) {
			d.Size, d.Hash = int64(len(now.Data)), store.HashOf(now.Data)
		}
	}
}

// discardable reports whether a discard would remove anything now.
func (s *Store) discardable(d *journalDiscard) bool {
	if d.Folder != "" {
		p, err := s.direct(d.Folder)
		if err != nil {
			return false
		}
		info, err := s.fs.Lstat(p.path)
		if err == nil || !disk.Gone(err) {
			inside, errInside := s.fs.ReadDir(p.path)
			return err == nil && info.Mode.IsDir() && errInside == nil && len(inside) == 0
		}
	}
	if d.Hash == "" {
		return false
	}
	p, err := s.direct(d.Document)
	if err != nil {
		return false
	}
	now, err := s.grab(p.path, disk.Whole, 0)
	return err == nil && now.Exists && d.is(now.Data)
}

func (d *journalDiscard) is(data []byte) bool {
	return d.Hash != "" && int64(len(data)) == d.Size && store.HashOf(data) == d.Hash
}

// reach creates the folders that entries move into, and makes them and the folders above them
// durable. A failure must be known before anything is promised, and a power cut must not take back
// a folder together with what moved into it.
func (w *writer) reach(x *extras) error {
	for _, p := range x.folders {
		made, err := disk.MakeAll(w.fs, p.path)
		w.made = append(w.made, made...)
		if err == nil {
			err = disk.CheckFolder(w.fs, p.path)
		}
		if err != nil {
			return refused(err, w.shown(p.path), "written")
		}
	}
	if len(x.folders) == 0 {
		return nil
	}
	parents := map[string]bool{}
	for _, dir := range w.made {
		parents[filepath.Dir(dir)] = true
	}
	for _, dir := range sorted(parents) {
		if err := w.fs.SyncDir(dir); err != nil {
			return refused(err, w.shown(dir), "written")
		}
		delete(w.folders, dir)
	}
	return nil
}
