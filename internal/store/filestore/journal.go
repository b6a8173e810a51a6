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

// journal is what a transaction over several files, or with an append, is about to do. It is
// complete in itself: it holds the new bytes, because the name of a temporary file is durable only
// after its folder is synced, and that happens later.
//
// On disk it is two lines of JSON: the record, and the SHA-256 of the record. Without a correct
// second line the file is incomplete, and its transaction never began.
type journal struct {
	Version int           `json:"version"` // journalVersion, or relocatingVersion
	Command string        `json:"command,omitempty"`
	PID     int           `json:"pid,omitempty"`
	Started time.Time     `json:"started"`
	Files   []journalFile `json:"files"`
	Moves   []journalMove `json:"moves,omitempty"`

	// The fields below are only in a journal of relocatingVersion.
	Token       string             `json:"token,omitempty"` // twelve hex digits, from which temporary names are derived
	Relocations []moves.Relocation `json:"relocations,omitempty"`
	OutcomeDocs []string           `json:"settle,omitempty"` // documents that record the outcomes of the relocations
	Discards    []journalDiscard   `json:"discards,omitempty"`
}

type journalFile struct {
	Name string       `json:"name"`           // document, below the root
	Kind store.Kind   `json:"kind"`           // replace or append
	Temp string       `json:"temp,omitempty"` // base name of the temporary file next to the document
	Old  Sum          `json:"old"`
	New  Sum          `json:"new"`
	Data []byte       `json:"data"`           // new content, or the appended bytes
	Mode fs.FileMode  `json:"mode,omitempty"` // of a new file: the permissions that it has at most
	Like *journalMeta `json:"like,omitempty"`
}

// mode returns the permissions of a new file.
func (f *journalFile) mode() fs.FileMode {
	if f == nil || f.Mode == 0 {
		return 0o666
	}
	return f.Mode.Perm() | 0o600
}

// modeOf returns the permissions of a new file that the journal names.
func (j *journal) modeOf(name string) fs.FileMode {
	for i := range j.Files {
		if j.Files[i].Name == name {
			return j.Files[i].mode()
		}
	}
	return 0o666
}

// journalMeta is what a new file copies from the document that it is like.
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

// Sum identifies the content of a file: by the hash of all of it or, for an appended file, by its
// length and the hash of its last 4 KB (D7).
type Sum struct {
	Exists bool   `json:"exists"`
	Size   int64  `json:"size"`
	Tail   int64  `json:"tail,omitempty"` // bytes at the end that Hash covers
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

// A journal that moves entries or removes documents has its own version. An older program would
// ignore those parts, carry out the rest, and take the journal for done.
const (
	journalVersion    = 1
	relocatingVersion = 2
)

func (s *Store) journalPath() string { return disk.Join(s.runtime, "journal") }

func (j *journal) encode() ([]byte, error) {
	var out bytes.Buffer
	out.Grow(j.roughly()) // a sweep's journal has megabytes, and growing the buffer would copy them again and again
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

// roughly estimates the size of the journal on disk, in bytes.
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

// decodeJournal returns nil for an incomplete journal. A complete one of an unknown version is an
// error, because an older program must not drop what a newer one promised.
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

// readJournal returns the complete journal, or nil; there reports whether a file exists at all.
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

// writeJournal is the commit point: once it returns, the next process will complete the transaction
// (D10).
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

// hardenJournal makes another process's journal durable before it is carried out. If that process
// died between writing and syncing it, a power cut could still take the journal back, and nobody
// would complete what was begun here.
func (s *Store) hardenJournal() error {
	f, err := s.fs.Append(s.journalPath())
	if err == nil {
		err = disk.Closing(f, f.Sync())
	}
	if err != nil && !errors.Is(err, fs.ErrPermission) { // a journal that is only readable can still be removed
		return err
	}
	return s.fs.SyncDir(s.runtime)
}

// dropJournal ends a transaction. If the journal cannot be removed, it is emptied, which ends the
// transaction as well.
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
