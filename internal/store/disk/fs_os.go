package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"baton/internal/report"
)

// plain refuses a link and everything else that is neither file nor folder; a folder has an error
// of its own.
func plain(path string, info FileInfo) error {
	err := CheckRegular(info)
	if info.Link() {
		err = ErrLink
	}
	if err == nil || errors.Is(err, ErrFolder) {
		return nil
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}

// ReadFile reads a file of settings on the disk, wherever links lead: never more than limit bytes,
// and never anything that is not a regular file. Errors answer fs.ErrNotExist; Refused not_regular,
// Corrupt too_large. name is what messages call it.
func ReadFile(path, name string, limit int64) ([]byte, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	f, err := OS{}.Open(real)
	if err != nil {
		return nil, err
	}
	c, err := ReadFrom(f, Whole, limit)
	if err = errors.Join(err, f.Close()); err == nil {
		return c.Data, nil
	}
	if e, ok := errors.AsType[*SizeError](err); ok {
		return nil, &report.Error{
			Kind: report.Corrupt, Code: report.CodeTooLarge, Path: name, Err: err,
			Message: fmt.Sprintf("%s has %d KB, more than the %d KB that it may have", name, e.Size>>10, limit>>10),
			Hint:    "shorten the file",
		}
	}
	if IsSpecial(err) {
		return nil, Refused(err, name, "read")
	}
	return nil, err
}
