package cli

import (
	"context"
	"os"
	"os/signal"
	"os/user"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"golang.org/x/term"

	"baton/internal/cli/app"
	"baton/internal/report"
)

// Run is the whole of cmd/baton: Main in the real world, with the signals that end a command. What
// needs neither the environment nor signals is answered before they are set up, which would take
// longer than the answer (D31).
func Run(args []string, doors Doors) int {
	dieLoudly()
	collectLate()
	if isHook(args, doors) {
		return doors.Hook(context.Background(), Environment(args), args[1:])
	}
	first := &app.App{Hook: doors.Hook, Env: report.Env{Args: args, Stdout: os.Stdout, Stderr: os.Stderr}}
	if done, err := quick(first); done {
		return first.ExitCode(err)
	}
	return attended(&app.App{Env: Environment(args), Hook: doors.Hook})
}

// collectLate puts off the first collection of garbage until the heap has lateHeap bytes, and then
// lets Go decide. A command runs for milliseconds and frees everything at its end. Collections
// would take a tenth of the time of a list of ten thousand tasks.
func collectLate() {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(-1) // as GOGC and GOMEMLIMIT say
	debug.SetMemoryLimit(min(limit, lateHeap))
	first := new(*byte) // found unused by the first collection
	runtime.AddCleanup(first, func(struct{}) {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	}, struct{}{})
}

const lateHeap = 128 << 20

// dieLoudly makes a runtime that dies, for want of memory for example, end by a signal. Otherwise
// its exit code would be 2, which says wrong usage, and with which a hook refuses what its agent is
// about to do (F-86c).
func dieLoudly() { debug.SetTraceback("crash") }

// attended is Main with SIGINT and SIGTERM cancelling the command.
func attended(d *app.App) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	return run(ctx, d)
}

// Environment returns the real world as values, for the two programs. args is the command line
// without the program's name.
func Environment(args []string) report.Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = "." // the working directory was removed; looking for a project says so in its own words
	}
	env := report.Env{
		Args: args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Environ: os.Environ(), Dir: dir, Now: time.Now,
		User: login(), PID: os.Getpid(),
		Terminal: term.IsTerminal(int(os.Stdout.Fd())),
		Prompt:   term.IsTerminal(int(os.Stdin.Fd())),
	}
	if home, err := os.UserHomeDir(); err == nil {
		env.Home = home
	}
	if host, err := os.Hostname(); err == nil {
		env.Host = host
	}
	if env.Terminal {
		if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
			env.Width = columns
		}
	}
	return env
}

// login returns the name of who runs the program. The variables are asked first: the user database
// costs a file.
func login() string {
	for _, name := range [...]string{"USER", "LOGNAME", "USERNAME"} {
		if value := os.Getenv(name); value != "" {
			return value
		}
	}
	if current, err := user.Current(); err == nil {
		return current.Username
	}
	return "unknown"
}
