package filestore

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"time"

	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/moves"
)

// journal is what a transaction over several files (or with an append) will do, complete in
// itself: the new bytes are in it, because the name of a temporary file is durable only once its
// folder is synced, and that comes later.
//
// On disk it is two lines of JSON, the record and the SHA-256 of the record. A file without a
// right second line is incomplete: its transaction never began.
type journal struct {
	Version int           `json:"version"` // journalVersion, or relocatingVersion
	Command string        `json:"command,omitempty"`
	PID     int           `json:"pid,omitempty"`
	Started time.Time     `json:"started"`
	Files   []journalFile `json:"files"`
	Moves   []journalMove `json:"moves,omitempty"`

	// What follows is only in a journal of relocatingVersion.
	Token       string             `json:"token,omitempty"` // twelve hex digits; temporary names follow from it
	Relocations []moves.Relocation `json:"relocations,omitempty"`
	OutcomeDocs []string           `json:"settle,omitempty"` // documents that tell what became of the relocations
	Discards    []journalDiscard   `json:"discards,omitempty"`
}

type journalFile struct {
	Name string       `json:"name"`           // document, below the root
	Kind store.Kind   `json:"kind"`           // replace or append
	Temp string       `json:"temp,omitempty"` // base name of the temporary file beside it
	Old  Sum          `json:"old"`
	New  Sum          `json:"new"`
	Data []byte       `json:"data"` // new content, or the appended bytes
	Like *journalMeta `json:"like,omitempty"`
}

// journalMeta is what a new file takes from the one that it is a copy of.
type journalMeta struct {
	Mode    fs.FileMode `json:"mode"` // permission bits
	ModTime time.Time   `json:"mtime"`
	UID     int         `json:"uid"`
	GID     int         `json:"gid"`
}

func metaFor(i *disk.FileInfo) *journalMeta {
	if i == nil {
		return nil
	}
	return &journalMeta{i.Mode.Perm(), i.ModTime.UTC(), i.UID, i.GID}
}

func (m *journalMeta) info() *disk.FileInfo {
	if m == nil {
		return nil
	}
	return &disk.FileInfo{Mode: m.Mode.Perm(), ModTime: m.ModTime, UID: m.UID, GID: m.GID}
}

// journalState identifies the content of a file: by the hash of all of it, or, for an appended
// file, by its length and the hash of its last 4 KB (D7).
type Sum struct {
	Exists bool   `json:"exists"`
	Size   int64  `json:"size"`
	Tail   int64  `json:"tail,omitempty"` // bytes that Hash is over, counted from the end
	Hash   string `json:"hash,omitempty"` // SHA-256 in hex
}

type journalMove struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Lost   []byte `json:"lost"`
	Gained []byte `json:"gained"`
}

type journalSum struct {
	SHA256 string `json:"sha256"`
}

// A journal that moves entries or takes documents away has a version of its own: a program that
// does not know these would carry out the rest and believe that it is done.
const (
	journalVersion    = 1
	relocatingVersion = 2
)

func (s *Store) journalPath() string { return disk.Join(s.runtime, "journal") }

func (j *journal) encode() ([]byte, error) {
	var out bytes.Buffer
	out.Grow(j.roughly()) // a sweep's journal has megabytes, which growing would copy again and again
	lines := json.NewEncoder(&out)
	if err := lines.Encode(j); err != nil {
		return nil, err
	}
	record := out.Bytes()
	if err := lines.Encode(journalSum{SHA256: store.HashOf(record[:len(record)-1])}); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// roughly is about how many bytes the journal has on disk.
func (j *journal) roughly() int {
	const each = 300 // names, sizes, times and hashes
	n := each * (1 + len(j.Files) + len(j.Moves) + len(j.Relocations) + len(j.Discards))
	for i := range j.Files {
		n += len(j.Files[i].Data) / 3 * 4
	}
	for i := range j.Moves {
		n += (len(j.Moves[i].Lost) + len(j.Moves[i].Gained)) / 3 * 4
	}
	return n
}

// decodeJournal gives nil for an incomplete journal. A complete one of an unknown version is an
// error: an older program must not drop what a newer one promised.
func decodeJournal(raw []byte) (*journal, error) {
	record, rest, ok := bytes.Cut(raw, []byte{'\n'})
	if !ok {
		return nil, nil
	}
	var sum journalSum
	if !bytes.HasSuffix(rest, []byte{'\n'}) || json.Unmarshal(rest, &sum) != nil || sum.SHA256 != store.HashOf(record) {
		return nil, nil
	}
	j := new(journal)
	if err := json.Unmarshal(record, j); err != nil {
		return nil, err
	}
	if j.Version != journalVersion && j.Version != relocatingVersion {
		return nil, errJournalVersion
	}
	return j, nil
}

var errJournalVersion = errors.New("the journal was written by a newer version")

// readJournal gives the complete journal, or nil; there tells whether a file is there at all.
func (s *Store) readJournal() (j *journal, there bool, err error) {
	c, err := s.grab(s.journalPath(), disk.Whole, maxJournal)
	if err != nil || !c.Exists {
		return nil, false, err
	}
	j, err = decodeJournal(c.Data)
	if err == nil && j != nil {
		err = s.check(j)
	}
	if err != nil {
		return nil, true, err
	}
	return j, true, nil
}

// writeJournal is the commit point: when it returns, the transaction will be finished by the
// process that comes next (D10).
func (s *Store) writeJournal(j *journal) error {
	raw, err := j.encode()
	if err != nil {
		return err
	}
	if len(raw) > maxJournal {
		return journalTooLarge(len(raw))
	}
	f, err := s.fs.Create(s.journalPath(), 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return s.fs.SyncDir(s.runtime)
}

// hardenJournal makes a journal durable that somebody else left, before it is carried out: a
// process that died between writing and syncing it left one that a power cut takes back, and then
// nobody would finish what was begun here.
func (s *Store) hardenJournal() error {
	f, err := s.fs.Append(s.journalPath())
	if err == nil {
		err = disk.Closing(f, f.Sync())
	}
	if err != nil && !errors.Is(err, fs.ErrPermission) { // one that may only be read can be removed all the same
		return err
	}
	return s.fs.SyncDir(s.runtime)
}

// dropJournal ends a transaction. If the file cannot be removed it is emptied, which ends it as
// well.
func (s *Store) dropJournal() error {
	err := s.fs.Remove(s.journalPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		f, errEmpty := s.fs.Append(s.journalPath())
		if errEmpty != nil || disk.Closing(f, cut(f, 0)) != nil {
			return err
		}
	}
	return s.fs.SyncDir(s.runtime)
}
