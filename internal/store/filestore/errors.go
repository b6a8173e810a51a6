package filestore

import (
	"errors"
	"fmt"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/foreign"
)

// refused is disk.Refused, but passes on errors that make the transaction run again.
func refused(err error, name, doing string) error {
	if errors.Is(err, errChanged) {
		return err
	}
	if _, ok := errors.AsType[*foreign.TakenError](err); ok {
		return err
	}
	return disk.Refused(err, name, doing)
}

func tooLarge(name string, size int64) error {
	return &report.Error{
		Kind: report.Corrupt, Code: report.CodeTooLarge, Path: name,
		Message: fmt.Sprintf("%s has %d MB; a document may have at most %d MB", name, size>>20,
			store.MaxSize>>20),
		Hint: "move the file away or shorten it by hand",
	}
}

// Outside returns the error for a document that a link leads out of the project, to target.
func Outside(name, target string) error {
	return &report.Error{
		Kind: report.Violation, Code: report.CodePathOutside, Path: name,
		Message: fmt.Sprintf("%s is a link that leads outside the project, to %s", name, target),
		Hint: "replace the link; to let baton write there, add that path to paths.allow in .baton/config.yaml and " +
			"approve it with `baton trust`",
	}
}

func offLimitsFault(name string) error {
	return &report.Error{
		Kind: report.Violation, Code: report.CodePathOutside, Path: name,
		Message: fmt.Sprintf("%s is in git's folder or among baton's own files, where no document may be", name),
		Hint:    "choose another name, or replace the link that leads there",
	}
}
