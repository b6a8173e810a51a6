package filestore

import (
	"fmt"
	"path/filepath"
	"slices"

	"baton/internal/store"
	"baton/internal/store/moves"
)

// What is moved must not change where the rest of the same transaction leads: else one relocation
// could put a link where the next one goes through. So nothing moves away from, or comes to, a
// name that lies on the way to a folder or to a document of the transaction.

// ways are the names on the way to everything that a transaction goes by, by folder and base
// name: as they are written, with slashes, and as they are on the disk, each in its real folder,
// links included.
type passed map[string]map[string]bool

func (w passed) add(dir, base string) {
	if w[dir] == nil {
		w[dir] = map[string]bool{}
	}
	w[dir][base] = true
}

// written adds a name and every folder above it.
func (w passed) written(name string) {
	for name != "." {
		dir, base := split(name)
		w.add(dir, base)
		name = dir
	}
}

// routes are the names that a transaction goes by.
type routes struct{ names []string }

// relocation adds the folders of a relocation; most have those of the one before.
func (r *routes) relocation(from, to string) {
	if n := len(r.names); n < 2 || r.names[n-2] != from || r.names[n-1] != to {
		r.names = append(r.names, from, to)
	}
}

// documents adds documents that are written before anything moves. Such a document may itself be
// moved by its transaction, so only its folder is on the way.
func (r *routes) documents(names []string) {
	for _, name := range names {
		if dir, _ := split(name); dir != "." {
			r.names = append(r.names, dir)
		}
	}
}

// namesOf returns the names, those on the disk only if that is wanted.
func (s *Store) namesOf(r routes, onDisk bool) passed {
	w := passed{}
	slices.Sort(r.names)
	for _, name := range slices.Compact(r.names) {
		w.written(name)
		if onDisk {
			// What leads nowhere is reported where it is used.
			_, _ = s.followSeeing(s.root, filepath.FromSlash(name), w.add)
		}
	}
	return w
}

func (s *Store) passedBy(tx *store.Tx, x *extras) passed {
	if len(x.relocations) == 0 {
		return nil
	}
	var r routes
	for i := range x.relocations {
		r.relocation(x.relocations[i].From, x.relocations[i].To)
	}
	r.names = append(r.names, x.outcomeDocs...)
	for _, d := range tx.Discards() {
		planned := journalDiscard{Folder: d.Folder, Document: d.Document}
		r.names = append(r.names, planned.names()...)
	}
	for _, c := range tx.Changes() {
		r.documents([]string{c.Name})
	}
	for _, m := range tx.Moves() {
		r.documents([]string{m.From, m.To})
	}
	return s.namesOf(r, true)
}

func (s *Store) passedByJournal(j *journal, onDisk bool) passed {
	var r routes
	for i := range j.Relocations {
		r.relocation(j.Relocations[i].From, j.Relocations[i].To)
	}
	r.names = append(r.names, j.OutcomeDocs...)
	for i := range j.Discards {
		r.names = append(r.names, j.Discards[i].names()...)
	}
	r.documents(j.documents())
	return s.namesOf(r, onDisk)
}

// checkWays refuses a journal whose relocations change where the rest of it leads: no commit has
// written such a one. With onDisk links count as well, without it nothing but the names.
func (s *Store) checkPassed(j *journal, onDisk bool) error {
	w := s.passedByJournal(j, onDisk)
	for i := range j.Relocations {
		r := &j.Relocations[i]
		if r.Stays != 0 {
			continue
		}
		for _, end := range [...]struct{ dir, name string }{{r.From, string(r.Name)}, {r.To, r.Target()}} {
			on := w[end.dir][end.name]
			if onDisk && !on {
				p, err := s.folder(end.dir)
				on = err == nil && w[p.path][end.name]
			}
			if on {
				return fmt.Errorf("it moves %q, through which the rest of it leads", end.dir+"/"+end.name)
			}
		}
	}
	return nil
}

// landmark is a name whose place is looked at again before it is used after the first relocation.
type landmark struct {
	name string
	kind landmarkKind
}

type landmarkKind uint8

const (
	aFolder   landmarkKind = iota // resolved to its end
	aDocument                     // likewise
	aName                         // resolved but for its last element
)

// survey notes where everything leads that is gone by after the first relocation, so that what
// leads elsewhere then is left alone: anybody may put a link in the way while entries move.
func (s *Store) survey(j *journal) {
	j.places = map[landmark]string{}
	note := func(mark landmark, find func(string) (place, error)) {
		if _, ok := j.places[mark]; ok {
			return
		}
		if p, err := find(mark.name); err == nil {
			j.places[mark] = p.path
		}
	}
	for i := range j.Relocations {
		note(landmark{j.Relocations[i].From, aFolder}, s.folder)
		note(landmark{j.Relocations[i].To, aFolder}, s.folder)
	}
	for _, name := range j.OutcomeDocs {
		note(landmark{name, aDocument}, s.locate)
	}
	for i := range j.Discards {
		for _, name := range j.Discards[i].names() {
			note(landmark{name, aName}, s.direct)
		}
	}
}

// surveyed gives the place of a name, if it is what it was before the first relocation, inside,
// and none of git's or baton's.
func (s *Store) surveyed(j *journal, name string, kind landmarkKind) (place, error) {
	find := s.folder
	switch kind {
	case aDocument:
		find = s.locate
	case aName:
		find = s.direct
	}
	p, err := find(name)
	if err == nil {
		err = s.writable(name, p)
	}
	if err != nil {
		return p, err
	}
	if was, ok := j.places[landmark{name, kind}]; ok && was != p.path || s.offLimits(p.path) {
		return p, moves.ErrElsewhere
	}
	return p, nil
}
