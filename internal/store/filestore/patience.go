package filestore

import (
	"context"
	"encoding/binary"
	"time"

	"baton/internal/store/foreign"
)

// patience is how long one Update still waits, for the kernel lock and for foreign locks together
// (D35).
type patience struct {
	end  *time.Timer   // runs on the real clock
	left time.Duration // for pauses between tries for foreign locks
	cut  bool          // it was shortened for a foreign lock
}

func (s *Store) patience() *patience {
	wait := max(s.o.Wait, 0)
	return &patience{end: time.NewTimer(wait), left: wait}
}

// Limits of the pause between two tries for a foreign lock. It is drawn evenly, so that two writers
// do not stay in step.
const (
	shortPause = time.Millisecond
	longPause  = 25 * time.Millisecond
)

// rest pauses while we hold no lock, so that the owner of a foreign lock and other batons can
// continue (D35). Then the whole Update starts again.
func (s *Store) rest(ctx context.Context, p *patience, taken *foreign.TakenError) error {
	if ctx.Err() != nil {
		return taken.GivenUp(ctx)
	}
	if wait := taken.Wait(); wait > 0 && wait < p.left && !p.cut {
		p.left, p.cut = wait, true
		p.end.Reset(wait)
	}
	pause := min(s.jitter(), p.left)
	p.left -= pause
	if pause <= 0 {
		return taken.Timeout(nil)
	}
	switch over, err := s.pause(ctx, p.end.C, pause); {
	case err != nil:
		return taken.GivenUp(ctx)
	case over:
		return taken.Timeout(nil)
	}
	return nil
}

// pause lets time pass in a change that holds folders and waits for a lock: until then it lets go
// of them. over reports that the end came first; the error is that of ctx.
func (s *Store) pause(ctx context.Context, end <-chan time.Time, length time.Duration) (over bool, err error) {
	defer s.fs.LetGo()()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-end:
		return true, nil
	case <-s.o.After(length):
		return false, nil
	}
}

// jitter draws a pause. Without randomness it is the longest one.
func (s *Store) jitter() time.Duration {
	b, err := s.random()
	if err != nil {
		return longPause
	}
	return shortPause + time.Duration(binary.LittleEndian.Uint64(b[:])%uint64(longPause-shortPause+1))
}
