package filestore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"baton/internal/report"
	"baton/internal/store/disk"
)

// LockState is what a foreign lock file looks like at one moment.
type LockState struct {
	Held    bool          // something stands in its place
	PID     int           // process that it names, 0 when it names none
	Command string        // of that process, "" where the system does not tell
	Alive   bool          // that process lives
	Stale   bool          // nobody can hold it any more, so that the next writer takes it over
	Why     string        // one sentence, without a full stop and without the name of the file
	Since   time.Time     // when it was made, zero when there is none
	Age     time.Duration // below 0 when its time lies ahead
}

// LookAtLock says who holds a lock of the kind StealAside, and whether the next writer would wait for it (devt.md 5.11).
// It reads only. A folder or a link in the lock's place is a state too. Errors: Refused when the folder above cannot be
// looked into.
func (s *Store) LookAtLock(ctx context.Context, l ForeignLock) (LockState, error) {
	if err := ctx.Err(); err != nil {
		return LockState{}, err
	}
	s.settle()
	s.forgetFolders()
	p, err := s.direct(l.Name)
	if err != nil {
		return LockState{}, refused(err, l.Name, "read")
	}
	return s.lockState(l, p.path)
}

func (s *Store) lockState(l ForeignLock, path string) (LockState, error) {
	o, err := s.ownerOf(l, path)
	if e := report.As(err); e != nil && (e.Code == "is_directory" || e.Code == "not_regular") {
		_, why, _ := disk.Reason(e.Err)
		return LockState{Held: true, Why: why + "; a lock is a file, and every writer refuses to go on"}, nil
	}
	if err != nil {
		return LockState{}, err
	}
	if o == nil {
		return LockState{Why: "there is no lock file"}, nil
	}
	j := s.judge(l, o)
	return LockState{
		Held: true, PID: max(o.pid, 0), Command: j.command, Alive: j.alive, Stale: j.stale, Why: j.why,
		Since: o.info.ModTime, Age: s.age(o.info),
	}, nil
}

// BreakLock takes away a lock of the kind StealAside that nobody can hold any more, and gives what it looked like before.
// Where there is none nothing is done. Errors: Conflict lock_held for one that is not stale; Refused when something
// else than a file stands there, and when it cannot be removed; Locked lock_timeout when baton's own lock is not got.
func (s *Store) BreakLock(ctx context.Context, l ForeignLock) (state LockState, removed bool, err error) {
	state, err = s.LookAtLock(ctx, l)
	if err != nil || !state.Held {
		return state, false, err
	}
	if s.astray != nil {
		return state, false, s.astray
	}
	w, p := &writer{Store: s}, s.patience()
	defer p.end.Stop()
	path, err := w.foreignPath(l.Name)
	if err != nil {
		return state, false, err
	}
	if !state.Stale { // told without writing anything
		_, err = s.ownerOf(l, path) // something that is no lock has an error of its own
		if err == nil {
			err = stillHeld(l, state)
		}
		return state, false, err
	}
	free, _, err := w.lock(ctx, p)
	if err != nil {
		return state, false, err
	}
	defer free(false) // what a dead baton left stays noted for the next writer
	removed, err = w.oust(l, path)
	if taken, ok := errors.AsType[*takenError](err); ok { // somebody made it his in between
		if now, look := s.lockState(l, path); look == nil && now.Held {
			state = now
		}
		err = stillHeld(l, state)
		report.As(err).Err = taken.cause
	}
	return state, removed, err
}

// stillHeld is the error for a lock that the rules do not call stale.
func stillHeld(l ForeignLock, state LockState) error {
	e := &report.Error{
		Kind: report.Conflict, Code: "lock_held", Path: l.Name,
		Message: fmt.Sprintf("the lock file %s is not stale: %s", l.Name, state.Why),
		Hint:    "wait until its holder has finished; remove the file by hand only when you know that nobody writes this folder",
		Details: map[string]any{"lock": l.Name, "since": state.Since},
	}
	if state.PID != 0 {
		e.Details["pid"] = state.PID
	}
	if state.Command != "" {
		e.Details["command"] = state.Command
	}
	return e
}
