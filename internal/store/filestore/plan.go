package filestore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// edit is one file of a commit.
type edit struct {
	Edit

	path string // real path of its file
	link string // second name of the old file, on systems that cannot exchange files

	second  string // base name for link
	swapped bool   // the new file is in place
	grown   bool   // bytes were appended, perhaps not all of them
}

// isOld and isNew compare bytes if they are at hand, because hashing a file at every look would
// cost more than reading it.
func (e *edit) isOld(data []byte) bool {
	if e.Was != nil {
		return bytes.Equal(data, e.Was)
	}
	return e.Old.Is(data)
}

// isOldPart is isOld for a whole file or, if the file is appended to, for its last 4 KB.
func (e *edit) isOldPart(data []byte) bool {
	if e.Kind == store.Append {
		return store.HashOf(data) == e.Old.Hash
	}
	return e.isOld(data)
}

func (e *edit) isNew(data []byte) bool { return bytes.Equal(data, e.Data) }

func (e *edit) dir() string { return filepath.Dir(e.path) }

// plan compares what a transaction asks for with the files, and leaves out changes that are already
// in place. If a document is no longer what the transaction read, the error is errChanged.
func (s *Store) plan(changes []store.Change) ([]*edit, error) {
	var edits []*edit
	at := map[string]string{}
	for _, c := range changes {
		e, err := s.planOne(c)
		if err != nil {
			return nil, err
		}
		if e == nil {
			continue
		}
		if other, ok := at[e.path]; ok {
			return nil, &report.Error{
				Kind: report.Violation, Code: report.CodeSameFile, Path: c.Name,
				Message: fmt.Sprintf("%s and %s are the same file", other, c.Name),
				Hint:    "remove the link between them",
			}
		}
		at[e.path] = c.Name
		edits = append(edits, e)
	}
	return edits, s.limitModes(changes, edits)
}

// limitModes gives new files at most the permissions of the files that change with them, and of the
// documents that their change names: what moves out of a private document stays private.
func (s *Store) limitModes(changes []store.Change, edits []*edit) error {
	most := fs.FileMode(0o666)
	if s.o.Private {
		most = 0o600
	}
	for _, e := range edits {
		if e.Old.Exists {
			most &= e.Like.Mode.Perm()
		}
	}
	for _, e := range edits {
		if e.Old.Exists {
			continue
		}
		e.Mode = most | 0o600
		for _, c := range changes {
			if c.Name != e.Name {
				continue
			}
			if c.Most != 0 {
				e.Mode &= c.Most | 0o600
			}
			for _, name := range c.AtMost {
				like, err := s.metaOf(name)
				if err != nil {
					return err
				}
				if like != nil {
					e.Mode &= like.Mode.Perm() | 0o600
				}
			}
		}
	}
	return nil
}

func (s *Store) planOne(c store.Change) (*edit, error) {
	p, err := s.locate(c.Name)
	if err != nil {
		return nil, refused(err, c.Name, "written")
	}
	if err := s.writable(c.Name, p); err != nil {
		return nil, err
	}
	// Do not promise what recovery would refuse to carry out.
	if s.offLimits(p.path) || s.offLimits(disk.Join(s.root, filepath.FromSlash(c.Name))) {
		return nil, offLimitsFault(c.Name)
	}
	if len(c.Data) > store.MaxSize {
		return nil, tooLarge(c.Name, int64(len(c.Data)))
	}
	if c.Kind == store.Append {
		return s.planAppend(c, p)
	}
	now, err := s.grab(p.path, disk.Whole, 0)
	if err != nil {
		return nil, refused(err, c.Name, "written")
	}
	size := int64(len(now.Data))
	if c.Seen != nil && !c.Seen.Matches(now.Exists, size, now.Data) {
		return nil, errChanged
	}
	if c.Kind == store.Create && now.Exists {
		return nil, store.Exists(c.Name)
	}
	if now.Exists && bytes.Equal(now.Data, c.Data) {
		return nil, nil
	}
	e := &edit{path: p.path, Edit: Edit{Name: c.Name, Kind: store.Replace, Data: c.Data, Like: now.Info}}
	e.New = Sum{Exists: true, Size: int64(len(c.Data)), Hash: store.HashOf(c.Data)}
	if now.Exists {
		e.Was, e.Old = now.Data, Sum{Exists: true, Size: size, Hash: store.HashOf(now.Data)}
	} else if c.Like != "" {
		e.Meta, err = s.metaOf(c.Like)
	}
	return e, err
}

// metaOf describes the document that a new one should be like; nil if there is none.
func (s *Store) metaOf(name string) (*disk.FileInfo, error) {
	p, err := s.locate(name)
	if err != nil {
		return nil, refused(err, name, "read")
	}
	info, err := s.fs.Lstat(p.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode.IsRegular() {
		return nil, nil
	}
	if err != nil {
		return nil, refused(err, name, "read")
	}
	return &info, nil
}

// planAppend reads only the last 4 KB of the file, however long it is (D7). If the transaction read
// the whole file, it compares the whole file.
func (s *Store) planAppend(c store.Change, p place) (*edit, error) {
	part := disk.Tail(store.TailLength)
	if c.Seen != nil && c.Seen.Whole {
		part = disk.Whole
	}
	now, err := s.grab(p.path, part, 0)
	if err != nil {
		return nil, refused(err, c.Name, "written")
	}
	if c.Seen != nil && !c.Seen.Matches(now.Exists, now.Info.Size, now.Data) {
		return nil, errChanged
	}
	e := &edit{path: p.path, Edit: Edit{Name: c.Name, Kind: store.Append, Data: c.Data, Like: now.Info}}
	last := now.Data[max(0, len(now.Data)-store.TailLength):]
	e.End = last
	e.Old = Sum{Exists: now.Exists, Size: now.Info.Size, Tail: int64(len(last)), Hash: store.HashOf(last)}
	e.New = Sum{Exists: true, Size: now.Info.Size + int64(len(c.Data))}
	return e, nil
}
