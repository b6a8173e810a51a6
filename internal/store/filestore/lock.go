package filestore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// holder is the content of lock.json while the lock is held. It is for messages, and tells the next
// writer what a dead one left behind. It never decides whether the lock is free; the kernel does
// (engineering 7.4).
type holder struct {
	PID     int       `json:"pid"`
	Host    string    `json:"host,omitempty"`
	Command string    `json:"command,omitempty"`
	Started time.Time `json:"started"`
	Staged  []staged  `json:"staged,omitempty"`
	Made    []string  `json:"made,omitempty"` // folders below the root that are about to be created, outermost first

	size int // size of the record in bytes, which the next one must cover
}

// staged names a temporary file and what it is for.
type staged struct {
	Name string `json:"name"` // document
	Temp string `json:"temp"` // base name next to the document
	Old  string `json:"old"`  // SHA-256 of the content to be replaced; "" if there is none
	New  string `json:"new"`  // SHA-256 of the new content
}

// wrote returns the documents that a holder was about to replace.
func (h *holder) wrote() []string {
	var out []string
	for _, st := range h.Staged {
		if store.CheckName(st.Name) == nil && !slices.Contains(out, st.Name) {
			out = append(out, st.Name)
		}
	}
	return out
}

const (
	firstPoll = time.Millisecond      // between two tries for the lock
	lastPoll  = 16 * time.Millisecond // so that a waiter is late by at most this
)

func (s *Store) lockPath() string   { return disk.Join(s.runtime, "lock") }
func (s *Store) holderPath() string { return disk.Join(s.runtime, "lock.json") }

// initialized reports whether an earlier write set up the runtime folder.
func (s *Store) initialized() bool { return disk.Exists(s.fs, s.lockPath()) }

// lock takes the kernel lock within the patience of its Update. died is the record of the last
// holder if it never released the lock; otherwise nil. The caller passes clean to release if it
// left nothing behind.
func (s *Store) lock(ctx context.Context, p *patience) (release func(clean bool), died *holder, err error) {
	if !s.initialized() {
		if err := s.establish(); err != nil {
			return nil, nil, err
		}
	}
	free, err := s.acquire(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	release = func(clean bool) {
		s.protect()
		if clean {
			s.blank()
		}
		_ = free()
	}
	return release, s.readHolder(), nil
}

// protect lets only the owner into the runtime folder: it has copies of what documents held. A
// folder of somebody else stays as it is.
func (s *Store) protect() {
	info, err := s.fs.FS.Lstat(s.runtime) // by its path, since opening the folders above costs more than the look
	if err == nil && info.Mode.IsDir() && info.Mode.Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		info.Mode &^= 0o077
		_ = s.fs.CopyMeta(s.runtime, info)
	}
}

func (s *Store) acquire(ctx context.Context, p *patience) (func() error, error) {
	for pause := firstPoll; ; pause = min(2*pause, lastPoll) {
		free, got, err := s.fs.TryLock(s.lockPath())
		if err != nil {
			return nil, s.unusable(s.lockPath(), err)
		}
		if got {
			return free, nil
		}
		if s.o.Wait < 0 {
			return nil, s.timeout(nil)
		}
		over, err := s.pause(ctx, p.end.C, pause)
		if over || errors.Is(err, context.DeadlineExceeded) {
			return nil, s.timeout(err)
		}
		if err != nil {
			return nil, err
		}
	}
}

// prepare creates the runtime folder on the first write, with a .gitignore that keeps all of it out
// of git (D2). It returns the folders that it created.
func (s *Store) prepare() ([]string, error) {
	made, err := disk.MakePrivate(s.fs, s.runtime)
	if err != nil {
		return made, s.unwritable(err)
	}
	const everything = "*\n"
	name := disk.Join(s.runtime, ".gitignore")
	f, err := s.fs.Create(name, 0o666)
	if errors.Is(err, fs.ErrExist) {
		// It is empty if the first write was killed, and git would then add the whole folder.
		if info, err := s.fs.Lstat(name); err == nil && info.Mode.IsRegular() && info.Size == 0 {
			if err := s.fs.WriteOver(name, []byte(everything), 0o666); err != nil {
				return made, s.unwritable(err)
			}
		}
		return made, nil
	}
	if err != nil {
		return made, s.unwritable(err)
	}
	_, err = f.Write([]byte(everything))
	if err = errors.Join(err, f.Close()); err != nil {
		return made, s.unwritable(err)
	}
	return made, nil
}

// establish prepares for the first lock ever taken here. It makes the runtime folder durable once
// and for all, because a journal would be useless in a folder that a power cut takes away.
func (s *Store) establish() error {
	made, err := s.prepare()
	if err != nil {
		return err
	}
	if len(made) == 0 {
		made = []string{s.runtime}
	}
	for _, dir := range made {
		if err := s.fs.SyncDir(filepath.Dir(dir)); err != nil {
			return s.unwritable(err)
		}
	}
	return nil
}

// sign writes lock.json without syncing it, because after a power cut nobody needs it. The file is
// overwritten or blanked, but never emptied: on some file systems, writing to an emptied file
// starts the disk, and emptying it again waits for that.
func (s *Store) sign(list []staged, made []string) error {
	raw, err := json.Marshal(holder{
		PID: s.o.Env.PID, Host: s.o.Env.Host, Command: s.o.Command, Started: s.o.Env.Now().UTC(),
		Staged: list, Made: made,
	})
	if err != nil {
		return err
	}
	raw = append(raw, '\n')
	s.mu.Lock()
	for len(raw) < s.signed {
		raw = append(raw, ' ')
	}
	s.signed = len(raw)
	s.mu.Unlock()
	return s.fs.WriteOver(s.holderPath(), raw, 0o666)
}

// blank records that nobody holds the lock and nothing was left behind. If that fails, the next
// writer looks for leftovers and finds none.
func (s *Store) blank() {
	s.mu.Lock()
	n := s.signed
	s.signed = 0
	s.mu.Unlock()
	_ = s.fs.WriteOver(s.holderPath(), bytes.Repeat([]byte{' '}, n), 0o666)
}

// readHolder returns the content of lock.json, or nil if it is blank. Under the lock, it is what a
// dead holder left.
func (s *Store) readHolder() *holder {
	// A record begins at the first byte, and a file that was large once stays large. So the first
	// bytes say whether it is blank.
	c, err := s.grab(s.holderPath(), disk.Head(64), 0)
	if err != nil || len(bytes.TrimSpace(c.Data)) == 0 {
		return nil
	}
	if c, err = s.grab(s.holderPath(), disk.Head(1<<20), 0); err != nil {
		return nil
	}
	h := &holder{size: len(c.Data)}
	_ = json.NewDecoder(bytes.NewReader(c.Data)).Decode(h) // even a torn record says that somebody died
	return h
}

// timeout returns the error for a lock that was not obtained, with what its holder wrote about
// itself.
func (s *Store) timeout(cause error) error {
	e := &report.Error{
		Kind: report.Locked, Code: report.CodeLockTimeout, Err: cause,
		Message: "another process is writing to this project and did not finish in time",
		Hint:    "try again; the lock is released when its process ends",
	}
	if h := s.readHolder(); h != nil && h.PID != 0 {
		command := h.Command
		if command == "" {
			command = "an unnamed command"
		}
		e.Message = fmt.Sprintf("the project is locked by process %d (%s), which did not finish in time", h.PID,
			command)
		e.Details = map[string]any{"pid": h.PID, "command": h.Command, "host": h.Host, "since": h.Started}
		e.Hint = fmt.Sprintf("try again, or look at process %d; the lock is released when it ends", h.PID)
	}
	return e
}

// unusable is unwritable for one file in the runtime folder. It names the file if that is not a
// regular file.
func (s *Store) unusable(path string, err error) error {
	if disk.IsSpecial(err) {
		return refused(err, s.shown(path), "written")
	}
	return s.unwritable(err)
}

// unwritable returns the error for a runtime folder that cannot be created or written (D2, exit 9).
func (s *Store) unwritable(cause error) error {
	if disk.NoSpace(cause) {
		return refused(cause, s.shown(s.runtime), "written")
	}
	owner := "its owner is unknown"
	for dir := s.runtime; ; dir = filepath.Dir(dir) {
		if info, err := s.fs.Lstat(dir); err == nil {
			owner = fmt.Sprintf("%s belongs to %s", dir, disk.OwnerName(info))
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	_, why, _ := disk.Reason(cause)
	return &report.Error{
		Kind: report.Refused, Code: report.CodeRuntimeUnwritable, Path: s.shown(s.runtime), Err: cause,
		Message: fmt.Sprintf("the runtime folder %s cannot be written: %s", s.runtime, why),
		Hint:    fmt.Sprintf("make %s writable for you; %s", s.runtime, owner),
	}
}

// shown returns a path as people see it: relative to the root with slashes, or unchanged if it is
// outside.
func (s *Store) shown(path string) string {
	if rel, err := filepath.Rel(s.root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}
