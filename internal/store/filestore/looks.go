package filestore

import (
	"context"
	"errors"
	"io/fs"

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
