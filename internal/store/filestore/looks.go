package filestore

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"baton/internal/store/disk"
)

// Looks returns the files in a folder of documents by base name, with the size, time and identity
// that tell whether somebody changed one. For a link, it describes the target. It reads no
// document, and an absent folder is empty. Errors: those of List.
func (s *Store) Looks(ctx context.Context, dir string) (map[string]disk.FileInfo, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.readable(); err != nil {
		return nil, err
	}
	p, err := s.folder(dir)
	if err != nil {
		return nil, refused(err, dir, "listed")
	}
	infos, err := s.fs.ReadDir(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, refused(err, dir, "listed")
	}
	out := make(map[string]disk.FileInfo, len(infos))
	for _, i := range infos {
		if i.Link() {
			i = s.target(p.path, i)
		}
		if !disk.IsTemporary(i.Name) && !i.Mode.IsDir() {
			out[i.Name] = i
		}
	}
	return out, nil
}

// Look is Looks for one document. ok is false if there is none.
func (s *Store) Look(ctx context.Context, name string) (info disk.FileInfo, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return info, false, err
	}
	if err := s.readable(); err != nil {
		return info, false, err
	}
	p, err := s.direct(name)
	if err == nil {
		info, err = s.fs.Lstat(p.path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return disk.FileInfo{}, false, nil
	}
	if err != nil {
		return info, false, refused(err, name, "looked up")
	}
	if info.Link() {
		info = s.target(filepath.Dir(p.path), info)
	}
	return info, !info.Mode.IsDir(), nil
}
