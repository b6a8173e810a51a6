package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"baton/internal/report"
)

// plain returns an error for a link and for anything that is neither file nor folder. Folders are
// left to the caller, which has an error for them.
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

// ReadFile reads a settings file and follows links to it. It reads at most limit bytes, and only a
// regular file. Errors match fs.ErrNotExist, or are Refused not_regular or Corrupt too_large.
// Messages call the file name.
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
			Message: fmt.Sprintf("%s has %d KB; at most %d KB are allowed", name, e.Size>>10, limit>>10),
			Hint:    "shorten the file",
		}
	}
	if IsSpecial(err) {
		return nil, Refused(err, name, "read")
	}
	return nil, err
}
