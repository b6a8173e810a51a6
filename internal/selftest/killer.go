package selftest

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"time"
)

// killer kills running processes. Half of the time it picks any running process, most of which wait
// for the lock. Otherwise it picks the one that holds the lock, because there a kill can do most
// harm.
type killer struct {
	s    *site
	rng  *rand.Rand
	lock string // file with the name of the lock's holder
}

// Between two kills so many processes start, so that the work goes on at any speed of the machine.
const (
	fewestStarts = 3
	mostStarts   = 10
)

// prowl kills until ctx ends.
func (k *killer) prowl(ctx context.Context) {
	for {
		for range fewestStarts + k.rng.IntN(mostStarts-fewestStarts+1) {
			select {
			case <-ctx.Done():
				return
			case <-k.s.hook:
			}
		}
		if k.rng.IntN(2) == 0 {
			k.wait(ctx, 12*time.Millisecond)
			k.shoot(k.anyone())
			continue
		}
		if pid := k.holder(ctx); pid != 0 {
			k.wait(ctx, 4*time.Millisecond)
			k.shoot(pid)
		}
	}
}

// wait waits a random time below limit.
func (k *killer) wait(ctx context.Context, limit time.Duration) {
	timer := time.NewTimer(time.Duration(k.rng.Int64N(int64(limit))))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// anyone returns the id of a running process, or 0.
func (k *killer) anyone() int {
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	if len(k.s.running) == 0 {
		return 0
	}
	pids := make([]int, 0, len(k.s.running))
	for pid := range k.s.running {
		pids = append(pids, pid)
	}
	slices.Sort(pids)
	return pids[k.rng.IntN(len(pids))]
}

// holder returns the id of the process that holds the lock, or 0 if none of ours does for a while.
func (k *killer) holder(ctx context.Context) int {
	for range 40 {
		data, err := os.ReadFile(k.lock)
		var note struct {
			PID int `json:"pid"`
		}
		if err == nil && json.Unmarshal(data, &note) == nil && k.runs(note.PID) {
			return note.PID
		}
		k.wait(ctx, 500*time.Microsecond)
	}
	return 0
}

func (k *killer) runs(pid int) bool {
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	return k.s.running[pid] != nil
}

// shoot kills a process that is still ours. It sets the mark first, because the reader of the
// answer must know that the process may have been killed. Killing one that has just ended does
// nothing.
func (k *killer) shoot(pid int) {
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	if p := k.s.running[pid]; p != nil {
		p.shot = true
		_ = p.handle.Kill()
	}
}
