package tasks

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"time"

	"baton/internal/workspace"
)

// Limits of a criterion's command (D19).
const (
	commandTime  = 10 * time.Minute // default time limit
	CommandGrace = 2 * time.Second  // between SIGTERM and SIGKILL
)

// Execution is one finished run of a criterion's command.
type Execution struct {
	Exit     int // -1 if a signal or the time limit ended it
	TimedOut bool
	Took     time.Duration
	Tail     string // last lines of its output, without control characters, at most tailLimit bytes
}

// Passed reports whether the run is evidence for the criterion.
func (e Execution) Passed() bool { return e.Exit == 0 && !e.TimedOut }

// Command is what to run, and where.
type Command struct {
	Line    string   // for the shell
	Dir     string   // absolute
	Environ []string // the caller's environment
	Timeout time.Duration
	Stream  io.Writer
	Now     func() time.Time // measures the duration, so that tests need no real clock
}

// Execute runs one command to its end with empty standard input, without holding a lock. The whole
// process group ends with the time limit or with ctx. The error is ctx's own if ctx ended, or that
// of a shell that could not be started.
func Execute(ctx context.Context, c Command) (Execution, error) {
	limit := c.Timeout
	if limit <= 0 {
		limit = commandTime
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	last := &workspace.Tail{}
	cmd := Shell(timed, c.Line)
	cmd.Dir, cmd.Env = c.Dir, c.Environ
	var sink io.Writer = last
	if c.Stream != nil {
		sink = io.MultiWriter(last, forgiving{c.Stream})
	}
	cmd.Stdout, cmd.Stderr = sink, sink // one writer for both, so that os/exec keeps their order
	cmd.WaitDelay = CommandGrace
	Group(cmd)

	started := c.Now()
	if err := cmd.Start(); err != nil {
		return Execution{}, err
	}
	err := cmd.Wait()
	if timed.Err() != nil {
		EndGroup(cmd) // ends processes that ignored SIGTERM
	}
	result := Execution{Exit: cmd.ProcessState.ExitCode(), Took: c.Now().Sub(started), Tail: last.Without(c.Environ)}
	if ctx.Err() != nil {
		return result, ctx.Err()
	}
	result.TimedOut = timed.Err() != nil
	if _, exited := errors.AsType[*exec.ExitError](err); err == nil || exited || errors.Is(err, exec.ErrWaitDelay) ||
		result.TimedOut {
		return result, nil
	}
	return result, err
}

// forgiving ignores a broken stream, because a closed terminal must not make the command fail.
type forgiving struct{ to io.Writer }

func (f forgiving) Write(p []byte) (int, error) {
	_, _ = f.to.Write(p)
	return len(p), nil
}
