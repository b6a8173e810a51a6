package filestore

import (
	"context"
	"time"
)

// LockCache takes a kernel lock for a cache, on a file below the runtime folder, and waits no
// longer than patience. ok is false if it did not get the lock; free releases it. It is for caches
// that several processes read, change and write; documents have Update. The lock file stays.
func (s *Store) LockCache(ctx context.Context, name string, patience time.Duration) (free func(), ok bool) {
	defer s.hold()()
	path, err := s.cachePlace(name)
	if err != nil {
		return nil, false
	}
	left := patience
	for pause := firstPoll; ; pause = min(2*pause, lastPoll) {
		release, got, err := s.fs.TryLock(path)
		if err != nil {
			return nil, false
		}
		if got {
			return func() { _ = release() }, true
		}
		if left -= pause; left <= 0 {
			return nil, false
		}
		if _, err := s.pause(ctx, nil, pause); err != nil {
			return nil, false
		}
	}
}
