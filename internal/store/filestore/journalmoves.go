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

// journalDiscard is a folder that goes if it is empty, and a document that goes with it if it
// still has these bytes.
type journalDiscard struct {
	Folder   string `json:"folder,omitempty"`
	Document string `json:"document,omitempty"`
	Size     int64  `json:"size,omitempty"` // of a document that was read as a whole
	Hash     string `json:"hash,omitempty"` // likewise
}

// names gives the names that the discard is about.
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

// want puts what a transaction wants besides documents into the journal.
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

// tempsEach is how many temporary names a relocation may need where the system refuses to rename.
const tempsEach = 2

// moveTemp gives a temporary name of a relocation for an entry, at any depth. Of long names a part
// is cut off, so that a sum of the whole has to tell them apart.
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

// temp gives a temporary name beside base that is the same whenever the journal is carried out,
// so that what a crash left is found.
func (j *journal) temp(base string, n int) string {
	token := make([]byte, 6)
	_, _ = hex.Decode(token, []byte(j.Token)) // checked when the journal was read
	for i := 5; i > 1; i, n = i-1, n>>8 {
		token[i] ^= byte(n)
	}
	return "." + base[:min(len(base), mostOfName)] + "." + hex.EncodeToString(token) + ".tmp"
}

const mostOfName = 200 // bytes of a name that a temporary one has

// ours tells whether temp can have given a name: the beginning of the token is in all of them.
func (j *journal) ours(base string) bool {
	const digits, ending = 12, len(".tmp")
	if len(base) < digits+ending || len(j.Token) < 4 || !disk.IsTemporary(base) {
		return false
	}
	return base[len(base)-ending-digits:][:4] == j.Token[:4]
}

// guarded gives the names by which foreign locks are found: the documents, and one in each folder
// that entries leave or enter.
func (j *journal) guarded() []string {
	names := slices.Concat(j.documents(), j.folders(), j.OutcomeDocs)
	for i := range j.Discards {
		names = append(names, j.Discards[i].names()...)
	}
	return names
}

// folders gives a name in each folder of the relocations, once.
func (j *journal) folders() []string {
	var names []string
	seen := map[string]bool{}
	for i := range j.Relocations {
		names = folderNames(names, seen, j.Relocations[i].From, j.Relocations[i].To)
	}
	return names
}

// folderNames adds a name in each of the folders that is new. Locks are found by the names of
// documents, and any will do.
func folderNames(names []string, seen map[string]bool, dirs ...string) []string {
	for _, dir := range dirs {
		if !seen[dir] {
			seen[dir] = true
			names = append(names, dir+"/x")
		}
	}
	return names
}

// checkRelocating is check for relocations, and for what comes with them.
func (s *Store) checkRelocating(j *journal) error {
	if !j.relocating() {
		return nil
	}
	if j.Version != relocatingVersion {
		return errors.New("it moves entries, which its version does not know")
	}
	if raw, err := hex.DecodeString(j.Token); err != nil || len(raw) != 6 {
		return fmt.Errorf("%q is no token", j.Token)
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
// backslash and a colon are letters.
func foreignName(name string) bool {
	return disk.Separator != "/" && strings.ContainsAny(name, `\:`)
}

// immovable tells that an entry must stay where it is, or that none may come there: what is off
// limits for documents, and every folder on the way to the runtime folder.
func (s *Store) immovable(path string) bool {
	return s.offLimits(path) || disk.Within(s.runtime, path)
}

// ward tells which entries of one folder are immovable. What depends on the folder alone is found
// once: a sweep may move ten thousand entries out of it.
type ward struct {
	s     *Store
	dir   string
	all   bool // nothing in it may move
	inner bool // it is the root or holds the runtime folder, so that names count too
}

func (s *Store) wardOf(dir string) *ward {
	return &ward{s: s, dir: dir, all: s.offLimits(dir), inner: dir == s.root || disk.Within(s.runtime, dir)}
}

// keeps is immovable for the entry of that name.
func (d *ward) keeps(name string) bool {
	return d.all || isGit(name) || d.inner && d.s.immovable(disk.Join(d.dir, name))
}

// checkRelocatingPlaces is checkRelocating for where everything leads. No commit has written a
// journal that moves what must stay, or what the rest of the journal goes through.
func (s *Store) checkRelocatingPlaces(j *journal) error {
	x := &extras{documents: j.documents(), outcomeDocs: j.OutcomeDocs, discards: j.Discards}
	for i := range j.Relocations {
		r := &j.Relocations[i]
		_, errFrom := s.folder(r.From)
		_, errTo := s.folder(r.To)
		if r.Stays == 0 && errFrom == nil && errTo == nil { // else moving says why
			x.relocations = append(x.relocations, r.Asked())
		}
	}
	if err := s.checkExtras(x); err != nil {
		return err
	}
	for i := range x.stays {
		r := &x.relocations[i]
		return s.unreadable(fmt.Errorf("it moves %q, which must stay or through which the rest of it leads",
			r.From+"/"+r.Name))
	}
	return nil
}
