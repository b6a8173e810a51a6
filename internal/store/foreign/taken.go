package foreign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"baton/internal/report"
)

// TakenError says that somebody else holds a foreign lock at the moment. The writer then releases
// its own lock and starts the whole Update again.
type TakenError struct {
	lock    string
	pid     int       // 0 if the file names none
	command string    // of that process; "" if the system does not say
	since   time.Time // when the file was created
	unlock  string    // Lock.Unlock
	wait    time.Duration
	cause   error
}

// taken returns the TakenError for a lock; o is nil if the owner is not known.
func (l Lock) taken(o *owner, cause error) *TakenError {
	e := &TakenError{lock: l.Name, unlock: l.Unlock, wait: l.Wait, cause: cause}
	if o != nil {
		e.pid, e.since = max(o.pid, 0), o.info.ModTime
	}
	return e
}

// takenBy is taken with everything that the system knows about the owner.
func (s *System) takenBy(l Lock, o *owner) *TakenError {
	e := l.taken(o, o.err)
	if l.Steal == Aside && e.pid > 0 {
		e.command = s.Process(e.pid).Command
	}
	return e
}

// Wait returns how long to wait for the lock, or 0 if it has no limit of its own.
func (e *TakenError) Wait() time.Duration { return e.wait }

// Error names the lock file.
func (e *TakenError) Error() string { return e.lock + " is taken" }

// Timeout returns the error for a foreign lock that did not become free in time.
func (e *TakenError) Timeout(cause error) error {
	out := &report.Error{
		Kind: report.Locked, Code: report.CodeLockTimeout, Path: e.lock, Err: errors.Join(cause, e.cause),
		Message: fmt.Sprintf("the lock file %s of another program did not become free in time", e.lock),
		Hint:    "try again; remove " + e.lock + " if no other program is writing this project",
		Details: map[string]any{"lock": e.lock},
	}
	if !e.since.IsZero() {
		out.Details["since"] = e.since
	}
	if e.pid != 0 {
		out.Message = fmt.Sprintf("%s holds the lock file %s and did not finish in time", e.holder(), e.lock)
		out.Hint = fmt.Sprintf("try again, or look at process %d; if it is not writing this project, remove %s",
			e.pid, e.lock)
		out.Details["pid"] = e.pid
	}
	if e.command != "" {
		out.Details["command"] = e.command
	}
	if e.unlock != "" {
		out.Hint = "try again; `" + e.unlock + "` removes the lock once no process can hold it"
	}
	return out
}

func (e *TakenError) holder() string { return processText(e.pid, e.command) }

// GivenUp returns the error for a context that ended during the wait for a foreign lock.
func (e *TakenError) GivenUp(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return e.Timeout(ctx.Err())
	}
	return ctx.Err()
}
