package foreign

import (
	"errors"
	"fmt"
	"time"

	"baton/internal/report"
	"baton/internal/store/disk"
)

// State is the state of a lock file at one moment.
type State struct {
	Held    bool          // there is something in its place
	PID     int           // process that it names; 0 if it names none
	Command string        // of that process; "" if the system does not say
	Alive   bool          // that process is alive
	Stale   bool          // nobody can hold it any more, so the next writer takes it over
	Why     string        // one sentence, without a full stop and without the file's name
	Since   time.Time     // when it was created; zero if there is no lock
	Age     time.Duration // negative if its time is in the future
}

// Look reports who holds a lock of the kind Aside at a real path, and whether the next writer would
// wait for it (devt.md 5.11). It only reads. A folder or a link in the lock's place is a state as
// well. Errors: Refused if the folder above cannot be read.
func (s *System) Look(l Lock, path string) (State, error) {
	o, err := s.ownerOf(l, path)
	if e := report.As(err); e != nil && (e.Code == report.CodeIsDirectory || e.Code == report.CodeNotRegular) {
		_, why, _ := disk.Reason(e.Err)
		return State{Held: true, Why: why + "; a lock must be a regular file, so every writer refuses to continue"}, nil
	}
	if err != nil {
		return State{}, err
	}
	if o == nil {
		return State{Why: "there is no lock file"}, nil
	}
	j := s.judge(l, o)
	return State{
		Held: true, PID: max(o.pid, 0), Command: j.command, Alive: j.alive, Stale: j.stale, Why: j.why,
		Since: o.info.ModTime, Age: s.age(o.info),
	}, nil
}

// Keeps returns the error for a lock that is not stale, in the state that Look returned. It writes
// nothing.
func (s *System) Keeps(l Lock, path string, state State) error {
	if _, err := s.ownerOf(l, path); err != nil { // something that is not a lock has an error of its own
		return err
	}
	return stillHeld(l, state)
}

// Break removes a lock of the kind Aside that nobody can hold any more. It returns state, or the
// current state if somebody took the lock in between. Errors: Conflict lock_held if the lock is not
// stale; Refused if something other than a file is in its place, or if it cannot be removed.
func (s *System) Break(l Lock, path string, state State) (_ State, removed bool, err error) {
	removed, err = s.Hold(func(report.Code, string, string) {}).oust(l, path)
	if taken, ok := errors.AsType[*TakenError](err); ok {
		if now, look := s.Look(l, path); look == nil && now.Held {
			state = now
		}
		err = stillHeld(l, state)
		report.As(err).Err = taken.cause
	}
	return state, removed, err
}

// stillHeld returns the error for a lock that is not stale according to the rules.
func stillHeld(l Lock, state State) error {
	e := &report.Error{
		Kind: report.Conflict, Code: report.CodeLockHeld, Path: l.Name,
		Message: fmt.Sprintf("the lock file %s is not stale: %s", l.Name, state.Why),
		Hint: "wait until its holder has finished; " +
			"remove the file by hand only if you know that nobody is writing to this folder",
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
