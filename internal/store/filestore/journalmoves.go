package filestore

import (
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"baton/internal/store/disk"
	"baton/internal/store/moves"
)

// journalDiscard is a folder that is removed if it is empty, and a document that is removed with it
// if it still has these bytes.
type journalDiscard struct {
	Folder   string `json:"folder,omitempty"`
	Document string `json:"document,omitempty"`
	Size     int64  `json:"size,omitempty"` // of a document that was read as a whole
	Hash     string `json:"hash,omitempty"` // likewise
}

// names returns the names in the discard.
func (d *journalDiscard) names() []string {
	var names []string
	for _, name := range [...]string{d.Folder, d.Document} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// relocating reports whether the journal needs a program that knows relocations.
func (j *journal) relocating() bool {
	return len(j.Relocations) > 0 || len(j.OutcomeDocs) > 0 || len(j.Discards) > 0
}

// want adds to the journal what a transaction asks for besides documents.
func (j *journal) want(x *extras, token string) {
	if x.none() {
		return
	}
	j.Version, j.Token, j.OutcomeDocs, j.Discards = relocatingVersion, token, x.outcomeDocs, x.discards
	j.Relocations = make([]moves.Relocation, len(x.relocations))
	for i, r := range x.relocations {
		j.Relocations[i] = moves.RelocationOf(r, x.stays[i])
	}
}

// tempsEach is how many temporary names a relocation may need if the system refuses to rename.
const tempsEach = 2

// moveTemp returns a temporary name of relocation i for an entry at any depth. Long names are cut,
// so a checksum of the whole name tells them apart.
func (j *journal) moveTemp(i int, base string, kind int) string {
	n := tempsEach*i + kind
	if len(base) > mostOfName {
		n ^= int(crc32.ChecksumIEEE([]byte(base))) &^ 1
	}
	return j.temp(base, n)
}

func (j *journal) discardTemp(base string, i int) string {
	return j.temp(base, tempsEach*len(j.Relocations)+i)
}

// temp returns a temporary name next to base. It is the same each time the journal is carried out,
// so that leftovers of a crash are found.
func (j *journal) temp(base string, n int) string {
	token := make([]byte, 6)
	_, _ = hex.Decode(token, []byte(j.Token)) // checked when the journal was read
	for i := 5; i > 1; i, n = i-1, n>>8 {
		token[i] ^= byte(n)
	}
	return "." + base[:min(len(base), mostOfName)] + "." + hex.EncodeToString(token) + ".tmp"
}

const mostOfName = 200 // bytes of a base name that its temporary name keeps

// ours reports whether temp may have returned a name. All its names contain the beginning of the
// token.
func (j *journal) ours(base string) bool {
	const digits, ending = 12, len(".tmp")
	if len(base) < digits+ending || len(j.Token) < 4 || !disk.IsTemporary(base) {
		return false
	}
	return base[len(base)-ending-digits:][:4] == j.Token[:4]
}

// guarded returns names by which foreign locks are found: the documents, and one name in each
// folder that entries leave or enter.
func (j *journal) guarded() []string {
	names := slices.Concat(j.documents(), j.folders(), j.OutcomeDocs)
	for i := range j.Discards {
		names = append(names, j.Discards[i].names()...)
	}
	return names
}

// folders returns one name in each folder of the relocations.
func (j *journal) folders() []string {
	var names []string
	seen := map[string]bool{}
	for i := range j.Relocations {
		names = folderNames(names, seen, j.Relocations[i].From, j.Relocations[i].To)
	}
	return names
}

// folderNames appends a name in each folder that is not yet in seen. Foreign locks are found by the
// names of documents, and any name in the folder will do.
func folderNames(names []string, seen map[string]bool, dirs ...string) []string {
	for _, dir := range dirs {
		if !seen[dir] {
			seen[dir] = true
			names = append(names, dir+"/x")
		}
	}
	return names
}

// checkRelocating is check for relocations, outcome documents and discards.
func (s *Store) checkRelocating(j *journal) error {
	if !j.relocating() {
		return nil
	}
	if j.Version != relocatingVersion {
		return errors.New("it moves entries, which its version does not allow")
	}
	if raw, err := hex.DecodeString(j.Token); err != nil || len(raw) != 6 {
		return fmt.Errorf("%q is not a token", j.Token)
	}
	for i := range j.Relocations {
		if err := j.Relocations[i].Asked().Check(); err != nil {
			return err
		}
	}
	for _, name := range j.OutcomeDocs {
		if err := s.checkName(name); err != nil {
			return err
		}
	}
	for i := range j.Discards {
		for _, name := range j.Discards[i].names() {
			if err := s.checkName(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// foreignName reports whether this system would take a name for a path. On other systems, a
// backslash and a colon are ordinary characters.
func foreignName(name string) bool {
	return disk.Separator != "/" && strings.ContainsAny(name, `\:`)
}

// immovable reports whether an entry must stay where it is, and none may move to its path. That
// includes what is off limits for documents, and every folder on the way to the runtime folder.
func (s *Store) immovable(path string) bool {
	return s.offLimits(path) || disk.Within(s.runtime, path)
}

// ward finds out which entries of one folder are immovable. What depends only on the folder is
// computed once, because a sweep may move ten thousand entries out of it.
type ward struct {
	s     *Store
	dir   string
	all   bool // nothing in it may move
	inner bool // it is the root or holds the runtime folder, so names matter too
}

func (s *Store) wardOf(dir string) *ward {
	return &ward{s: s, dir: dir, all: s.offLimits(dir), inner: dir == s.root || disk.Within(s.runtime, dir)}
}

// keeps reports whether the entry of that name is immovable.
func (d *ward) keeps(name string) bool {
	return d.all || isGit(name) || d.inner && d.s.immovable(disk.Join(d.dir, name))
}

// checkRelocatingPlaces is checkRelocating for the paths to which everything leads. No commit
// writes a journal that moves an entry which must stay, or which is on a path that the rest of the
// journal uses.
func (s *Store) checkRelocatingPlaces(j *journal) error {
	x := &extras{documents: j.documents(), outcomeDocs: j.OutcomeDocs, discards: j.Discards}
	for i := range j.Relocations {
		r := &j.Relocations[i]
		_, errFrom := s.folder(r.From)
		_, errTo := s.folder(r.To)
		if r.Stays == 0 && errFrom == nil && errTo == nil { // otherwise the move itself reports the error
			x.relocations = append(x.relocations, r.Asked())
		}
	}
	if err := s.checkExtras(x); err != nil {
		return err
	}
	for i := range x.stays {
		r := &x.relocations[i]
		return s.unreadable(fmt.Errorf("it moves %q, which must stay or is on a path that its other steps use",
			r.From+"/"+r.Name))
	}
	return nil
}
