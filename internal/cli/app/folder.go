package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"baton/internal/report"
)

// FolderFile is one file of a folder. Its name begins with the part of the folder that it is in.
type FolderFile struct {
	Part, Name string
	Data       []byte
}

// Folder returns the Markdown files in some parts of the folder that a flag or an operand names. ok
// is false if it is no folder. Nothing outside of the folder is read: links are refused.
func (d *App) Folder(flag, name string, parts ...string) (files []FolderFile, ok bool, err error) {
	where := d.path(name)
	if info, err := os.Stat(where); name == "-" || err != nil || !info.IsDir() {
		return nil, false, nil // File says what is wrong with it
	}
	refused := func(which string, err error) error {
		return &report.Error{
			Kind: report.Refused, Code: report.CodeFileRefused, Err: err,
			Message: fmt.Sprintf("%s %s cannot be read: %s: %v", input(flag), name, which, cause(err)),
			Hint:    "move it out of the folder, or check its permissions",
		}
	}
	root, err := os.OpenRoot(where)
	if err != nil {
		return nil, true, refused(".", err)
	}
	defer root.Close()
	left := int64(report.MostBytes)
	for _, part := range parts {
		entries, err := fs.ReadDir(root.FS(), part)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, true, refused(part, err)
		}
		for _, e := range entries {
			which := path.Join(part, e.Name())
			if e.IsDir() || !strings.EqualFold(path.Ext(which), ".md") {
				continue
			}
			if !e.Type().IsRegular() {
				return nil, true, refused(which, errors.New("it is not a plain file"))
			}
			f, err := root.Open(which)
			if err != nil {
				return nil, true, refused(which, err)
			}
			data, err := limited(f)
			f.Close()
			if left -= int64(len(data)); left < 0 || errors.Is(err, errTooLarge) {
				return nil, true, tooLarge(flag, name)
			}
			if err != nil {
				return nil, true, refused(which, err)
			}
			files = append(files, FolderFile{Part: part, Name: which, Data: data})
		}
	}
	return files, true, nil
}

// cause returns an error without the operation and the path.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// path returns where the file is that a flag names. A relative path starts in the folder of -C.
func (d *App) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	at := filepath.Join(d.Dir, name)
	if !filepath.IsAbs(at) {
		at = filepath.Join(d.Env.Dir, at)
	}
	return at
}
