package selftest

import (
	"os"
	"path/filepath"
	"slices"
	"time"
)

// rounds is odd, so that the median is a measured value.
const rounds = 31

// measure describes the disk below dir. The time comes from the monotonic clock; it is only shown,
// and nothing depends on it.
func measure(dir string) (Disk, error) {
	d := Disk{Dir: dir, FileSystem: fileSystem(dir)}
	name := filepath.Join(dir, "fsync")
	f, err := os.Create(name)
	if err != nil {
		return d, cannotMake(dir, err)
	}
	defer os.Remove(name)
	defer f.Close()
	took := make([]time.Duration, 0, rounds)
	line := []byte("one line of a small write that must reach the disk\n")
	for range rounds {
		began := time.Now()
		if _, err := f.Write(line); err != nil {
			return d, cannotMake(dir, err)
		}
		if err := f.Sync(); err != nil {
			return d, cannotMake(dir, err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	d.SyncMicros = took[rounds/2].Microseconds()
	return d, nil
}
