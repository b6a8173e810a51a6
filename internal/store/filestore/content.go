package filestore

import (
	"errors"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// grab reads part of the file at a real path; see disk.Read.
func (s *Store) grab(path string, part disk.Span, limit int64) (disk.Content, error) {
	return disk.Read(s.fs, path, part, limit)
}

// fetch reads part of a document, wherever its name leads. A document that is not a link costs one
// open.
func (s *Store) fetch(name string, part disk.Span, limit int64) (disk.Content, place, error) {
	p, err := s.direct(name)
	if err != nil {
		return disk.Content{}, place{}, refused(err, name, "read")
	}
	var c disk.Content
	if err = s.visible(name, p); err == nil {
		c, err = s.grab(p.path, part, limit)
	}
	if errors.Is(err, disk.ErrLink) {
		if p, err = s.locate(name); err == nil {
			err = s.visible(name, p)
		}
		if err == nil {
			c, err = s.grab(p.path, part, limit)
		}
	}
	if e, ok := errors.AsType[*disk.SizeError](err); ok {
		return disk.Content{}, p, tooLarge(name, e.Size)
	}
	return c, p, refused(err, name, "read")
}

// direct returns the place of a document, assuming that the document itself is not a link.
func (s *Store) direct(name string) (place, error) {
	if err := store.CheckName(name); err != nil {
		return place{}, err
	}
	dir, base := split(name)
	p, err := s.folder(dir)
	if err != nil {
		return place{}, err
	}
	return place{path: disk.Join(p.path, base), outside: p.outside}, nil
}

// split returns the folder of a name, "." for the root, and the last element.
func split(name string) (dir, base string) {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			return name[:i], name[i+1:]
		}
	}
	return ".", name
}
