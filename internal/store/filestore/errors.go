package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"baton/internal/report"
	"baton/internal/store"
)

// refused turns what the system said into the sentence that a person sees: Refused with one of the codes no_space,
// permission, is_directory, not_directory, link_loop, io. doing is "read", "written", "listed".
func refused(err error, name, doing string) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*report.Error](err); ok || errors.Is(err, errChanged) {
		return err
	}
	if _, ok := errors.AsType[*takenError](err); ok {
		return err
	}
	code, why, hint := reason(err)
	return &report.Error{
		Kind: report.Refused, Code: code, Path: name, Err: err, Hint: hint,
		Message: fmt.Sprintf("%s cannot be %s: %s", name, doing, why),
	}
}

// special tells that something else than a regular file stands where one of baton's own files should be.
func special(err error) bool { return errors.Is(err, errSpecial) || errors.Is(err, ErrLink) }

func reason(err error) (code, why, hint string) {
	switch {
	case errors.Is(err, errFolder), errors.Is(err, syscall.EISDIR):
		return "is_directory", "it is a folder", "move the folder away or choose another name"
	case errors.Is(err, errNotFolder), errors.Is(err, syscall.ENOTDIR):
		return "not_directory", "a file stands where a folder should be", "move that file away"
	case errors.Is(err, errSpecial):
		return "not_regular", "it is not a regular file", "remove it, or put a regular file in its place"
	case errors.Is(err, ErrLink):
		return "not_regular", "it is a symbolic link", "remove the link; baton makes the file itself"
	case errors.Is(err, errLoop), errors.Is(err, syscall.ELOOP):
		return "link_loop", "its links lead in a circle", "repair the symbolic link"
	case noSpace(err):
		return "no_space", "no space is left on the disk", "make room and try again; nothing was changed"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "permission", cause(err), "check the owner and the mode of the file and its folder"
	default:
		return "io", cause(err), "check the disk and the folder, then try again"
	}
}

// cause is the system's own words without the path, which the sentence names already.
func cause(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	return err.Error()
}

var (
	errFolder  = errors.New("is a folder")
	errSpecial = errors.New("is not a regular file")
	errLoop    = errors.New("too many links")

	errNotFolder = errors.New("is not a folder")
)

func tooLarge(name string, size int64) error {
	return &report.Error{
		Kind: report.Corrupt, Code: "too_large", Path: name,
		Message: fmt.Sprintf("%s has %d MB, more than the %d MB that a document may have", name, size>>20, store.MaxSize>>20),
		Hint:    "move the file away or shorten it by hand",
	}
}

func outside(name, target string) error {
	return &report.Error{
		Kind: report.Violation, Code: "path_outside", Path: name,
		Message: fmt.Sprintf("%s is a link that leads outside the project, to %s", name, target),
		Hint:    "name that place in paths.allow of .baton/config.yaml, or replace the link",
	}
}

func offLimitsFault(name string) error {
	return &report.Error{
		Kind: report.Violation, Code: "path_outside", Path: name,
		Message: fmt.Sprintf("%s lies in git's folder or among baton's own files, where no document belongs", name),
		Hint:    "choose another name, or replace the link that leads there",
	}
}
