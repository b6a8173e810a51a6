package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"baton/internal/report"
)

// Refused turns an error of the system into a message for people: Refused with one of the codes
// no_space, permission, is_directory, not_directory, not_regular, link_loop and io. doing is
// "read", "written" or "listed".
func Refused(err error, name, doing string) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*report.Error](err); ok {
		return err
	}
	code, why, hint := Reason(err)
	return &report.Error{
		Kind: report.Refused, Code: code, Path: name, Err: err, Hint: hint,
		Message: fmt.Sprintf("%s cannot be %s: %s", name, doing, why),
	}
}

// IsSpecial reports whether the error says that something other than a regular file is in the place
// of one of baton's own files.
func IsSpecial(err error) bool { return errors.Is(err, ErrSpecial) || errors.Is(err, ErrLink) }

// IsScarce reports whether the error says nothing about the file: this process or the whole system
// has too many files open.
func IsScarce(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// Reason returns the code, the reason and the hint for an error of the system.
func Reason(err error) (code report.Code, why, hint string) {
	switch {
	case errors.Is(err, ErrFolder), errors.Is(err, syscall.EISDIR):
		return report.CodeIsDirectory, "it is a folder", "move the folder away or choose another name"
	case errors.Is(err, ErrNotFolder), errors.Is(err, syscall.ENOTDIR):
		return report.CodeNotDirectory, "a file is where a folder should be", "move that file away"
	case errors.Is(err, ErrSpecial):
		return report.CodeNotRegular, "it is not a regular file", "remove it, or put a regular file in its place"
	case errors.Is(err, ErrLink):
		return report.CodeNotRegular, "it is a symbolic link", "remove the link; baton will create the file"
	case errors.Is(err, ErrLoop), errors.Is(err, syscall.ELOOP):
		return report.CodeLinkLoop, "its symbolic links form a loop", "repair the symbolic link"
	case errors.Is(err, ErrElsewhere):
		return report.CodeIO, "its path leads elsewhere: a folder was replaced while baton was writing", "try again"
	case NoSpace(err):
		return report.CodeNoSpace, "no space is left on the disk", "make room and try again; nothing was changed"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return report.CodePermission, Cause(err), "check the owner and the mode of the file and its folder"
	case IsScarce(err):
		return report.CodeIO, Cause(err), "raise the limit (`ulimit -n`) or close other programs, then try again"
	default:
		return report.CodeIO, Cause(err), "check the disk and the folder, then try again"
	}
}

// Cause returns the system's own message without the path, which the sentence names already.
func Cause(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	return err.Error()
}

// Errors for a path that is something other than expected.
var (
	ErrFolder  = errors.New("is a folder")
	ErrSpecial = errors.New("is not a regular file")
	ErrLoop    = errors.New("too many links")

	ErrNotFolder = errors.New("is not a folder")
)
