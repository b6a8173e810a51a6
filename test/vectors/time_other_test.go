//go:build !unix

package vectors

import (
	"os"
	"time"
)

// setTime gives a file its time; there is no way to give a link one.
func setTime(file string, at time.Time) error {
	if info, err := os.Lstat(file); err != nil || info.Mode()&os.ModeSymlink != 0 {
		return err
	}
	return os.Chtimes(file, at, at)
}
