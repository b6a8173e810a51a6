package foreign

import (
	"errors"
	"fmt"
	"time"

	"baton/internal/report"
	"baton/internal/store/disk"
)

// State is what a lock file looks like at one moment.
type State struct {
	Held    bool          // something takes its place
	PID     int           // process that it names, 0 when it names none
	Command string        // of that process, "" where the system does not tell
	Alive   bool          // that process lives
	Stale   bool          // nobody can hold it any more, so that the next writer takes it over
	Why     string        // one sentence, without a full stop and without the name of the file
	Since   time.Time     // when it was made, zero when there is none
	Age     time.Duration // below 0 when its time lies ahead
}

// Look says who holds a lock of the kind Aside at a real path, and whether the next writer would
// wait for it (devt.md 5.11). It reads only. A folder or a link in the lock's place is a state too.
// Errors: Refused when the folder above cannot be looked into.
func (s *System) Look(l Lock, path string) (State, error) {
	o, err := s.ownerOf(l, path)
	if e := report.As(err); e != nil && (e.Code == report.CodeIsDirectory || e.Code == report.CodeNotRegular) {
		_, why, _ := disk.Reason(e.Err)
		return State{Held: true, Why: why + "; a lock is a file, and every writer refuses to go on"}, nil
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

// Keeps is the error for a lock that is not stale, in the state that Look returned, without
// writing anything.
func (s *System) Keeps(l Lock, path string, state State) error {
	if _, err := s.ownerOf(l, path); err != nil { // something that is no lock has an error of its own
		return err
	}
	return stillHeld(l, state)
}

// Break takes away a lock of the kind Aside that nobody can hold any more. It returns what the lock
// looked like, which is state unless somebody took it in between. Errors: Conflict lock_held for
// one that is not stale; Refused when something else than a file stands there, and when it cannot
// be removed.
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

// stillHeld is the error for a lock that the rules do not call stale.
func stillHeld(l Lock, state State) error {
	e := &report.Error{
		Kind: report.Conflict, Code: report.CodeLockHeld, Path: l.Name,
		Message: fmt.Sprintf("the lock file %s is not stale: %s", l.Name, state.Why),
		Hint: "wait until its holder has finished; " +
			"remove the file by hand only when you know that nobody writes this folder",
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
