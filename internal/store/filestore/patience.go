package filestore

import (
	"context"
	"encoding/binary"
	"time"

	"baton/internal/store/foreign"
)

// patience is how long one Update waits in all, for the kernel lock and for foreign locks
// together (D35).
type patience struct {
	end  *time.Timer   // the real clock
	left time.Duration // what pauses for foreign locks may still take
}

func (s *Store) patience() *patience {
	wait := max(s.o.Wait, 0)
	return &patience{end: time.NewTimer(wait), left: wait}
}

// Pauses between two tries for a foreign lock, drawn evenly so that two writers do not stay in
// step.
const (
	shortPause = time.Millisecond
	longPause  = 25 * time.Millisecond
)

// rest lets a moment pass while none of our locks is held, so that the owner of a foreign lock,
// and other batons, can go on (D35). After it the whole Update begins again.
func (s *Store) rest(ctx context.Context, p *patience, taken *foreign.TakenError) error {
	if ctx.Err() != nil {
		return taken.GivenUp(ctx)
	}
	pause := min(s.jitter(), p.left)
	p.left -= pause
	if pause <= 0 {
		return taken.Timeout(nil)
	}
	select {
	case <-ctx.Done():
		return taken.GivenUp(ctx)
	case <-p.end.C:
		return taken.Timeout(nil)
	case <-s.o.After(pause):
		return nil
	}
}

// jitter draws a pause; without randomness it is the longest.
func (s *Store) jitter() time.Duration {
	b, err := s.random()
	if err != nil {
		return longPause
	}
	return shortPause + time.Duration(binary.LittleEndian.Uint64(b[:])%uint64(longPause-shortPause+1))
}
