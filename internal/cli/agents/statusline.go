package agents

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"baton/internal/cli/app"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/statusbar"
)

// The most that is read of standard input, and how long a line waits for the end of it
// (gsd.md 1.10): an agent writes its object at once and closes the pipe.
const (
	mostAgentInput = 1 << 20
	agentPatience  = 3 * time.Second
)

// lineAsk is how the status line is asked for.
type lineAsk struct {
	format string
	agent  string
	plain  bool
}

// statusLineCommand is the status line in the command tree; most calls are answered before that is
// built.
func statusLineCommand(d *app.App) *cobra.Command {
	var ask lineAsk
	cmd := d.Command(app.Spec{
		Use: "statusline", Short: "Print one line for an agent's status bar",
		Long: `Print one line: the model, where the project stands, the folder, and how full the context window
is. The agent describes itself as JSON on standard input; if the input is empty, you still get a
line. If it is broken, you get one except in a GSD project or in none, where GSD's own line is empty
too. The project is the nearest one around the folder that the agent names, or around -C DIR.

The command never fails and changes none of your documents. If the line is wider than COLUMNS, baton
leaves out whole segments: first what it told the session, then git's status, the branch, the
directory and the model. NO_COLOR turns colours off.

The settings are statusline.* in .baton/config.yaml; in a GSD project, baton also reads those of
.planning/config.json, and asks git if they turn show_git on. With statusline.sensor, it writes how
full the context window is to .baton/local/sensor, for hooks. Where GSD's context monitor is
installed, it also writes the file that the monitor reads.`,
		Example: "baton statusline --plain\nbaton statusline --format compact",
		Run: func(*cobra.Command, []string) error {
			return printStatusLine(d, ask)
		},
	})
	cmd.Annotations[app.ExitsKey] = app.NeverFails
	flags := cmd.Flags()
	flags.StringVar(
		&ask.format, "format", "", "print the line as `FORM`: full, compact or json; any other word means full",
	)
	flags.StringVar(&ask.agent, "agent", "", "the agent that shows the line: `NAME`; without it, Claude Code")
	flags.BoolVar(&ask.plain, "plain", false, "print no colours, and draw bars in ASCII")
	_ = cmd.RegisterFlagCompletionFunc("format", app.OneOf("full", "compact", "json")) // fails for a second one only
	// An agent shows no line if the program fails, so a word that is wrong, or from another
	// version, is ignored.
	cmd.Args = cobra.ArbitraryArgs
	cmd.FParseErrWhitelist.UnknownFlags = true
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if errors.Is(err, pflag.ErrHelp) {
			return err
		}
		return printStatusLine(d, ask)
	})
	return cmd
}

// QuickStatusLine answers the status line without the command tree (D31); only its help needs that.
// Words that it does not know are ignored.
func QuickStatusLine(d *app.App, args []string) (done bool, err error) {
	if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		return false, nil
	}
	ask := lineFlags(d, args)
	if env := &d.Env; env.Getenv == nil {
		// As much of the world as a line needs: finding out the rest takes longer than the line.
		env.Stdin, env.Getenv, env.Environ, env.Now = os.Stdin, os.Getenv, os.Environ(), time.Now
		env.Dir, _ = os.Getwd()
		env.Home, _ = os.UserHomeDir()
		env.Prompt = term.IsTerminal(int(os.Stdin.Fd()))
		env.Terminal = term.IsTerminal(int(os.Stdout.Fd()))
	}
	return true, printStatusLine(d, ask)
}

// lineFlags reads the flags of a status line.
func lineFlags(d *app.App, args []string) (ask lineAsk) {
	for len(args) > 0 {
		name, value, joined := strings.Cut(args[0], "=")
		args = args[1:]
		switch name {
		case "--plain":
			ask.plain = true
		case "--no-color":
			d.NoColor = true
		case "--json":
			d.JSON = true
		case "--format", "--agent", "--color", "-C", "--dir", "--as", "--layout", "--tasks-dir":
			if !joined && len(args) > 0 {
				value, args = args[0], args[1:]
			}
		}
		switch name {
		case "--format":
			ask.format = value
		case "--agent":
			ask.agent = value
		case "--color":
			_ = d.Color.Set(value) // a word that is wrong must not take the line away
		case "-C", "--dir":
			d.Dir = value
		}
	}
	return ask
}

// printStatusLine prints the line, with a newline only at a terminal: agents want none.
func printStatusLine(d *app.App, ask lineAsk) error {
	r := statusbar.StatusLineRequest{
		Env: d.Env, Dir: d.Dir, Plain: ask.plain, NoColor: d.Uncolored(), Format: ask.format,
	}
	switch ask.format {
	case "json":
		d.JSON = true
		r.Format = ""
	case "", "full", "compact":
	default: // a word of another version must not take the line away
		r.Format = ""
	}
	r.View = d.JSON
	if !d.Env.Prompt {
		r.Input = agentInput(d.Env.Stdin, agentPatience)
	}
	out := statusbar.StatusLine(r)
	// Where the line cannot be written nobody is looking; the exit code is 0 all the same.
	if d.JSON {
		_ = d.PrintJSON(out.View)
		return nil
	}
	// The line that the agent showed before baton's comes first (agents.md 6.4). Only an agent's
	// call has it: a person who looks at the line sends no input.
	if len(r.Input) > 0 && ask.format == "" && !ask.plain {
		if before := setup.ChainedStatusLine(context.Background(), d.Env, ask.agent, r.Input); before != "" {
			out.Line = before + "\n" + out.Line
		}
	}
	if d.Env.Terminal {
		out.Line += "\n"
	}
	_ = d.Print([]byte(out.Line))
	return nil
}

// agentInput reads a stream to its end, or as far as it comes in time. Where possible, the system
// waits: a second thread that keeps the time would cost as much as the rest of the line.
func agentInput(in io.Reader, patience time.Duration) []byte {
	if in == nil {
		return nil
	}
	f, ok := in.(*os.File)
	if !ok || !waitsForFiles {
		return listen(in, patience)
	}
	end := time.Now().Add(patience)
	all := make([]byte, 0, 8<<10)
	for len(all) <= mostAgentInput && readable(f, time.Until(end)) {
		all = slices.Grow(all, 4<<10)
		n, err := f.Read(all[len(all):cap(all)])
		all = all[:len(all)+n]
		if err != nil {
			break
		}
	}
	return all
}

// listen reads a stream to its end, or as far as it comes in time.
func listen(in io.Reader, patience time.Duration) []byte {
	if in == nil {
		return nil
	}
	pieces := make(chan []byte)
	go func() { // ends with the process: a read from a pipe cannot be called off
		defer close(pieces)
		for {
			piece := make([]byte, 16<<10)
			n, err := in.Read(piece)
			if n > 0 {
				pieces <- piece[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	var all []byte
	for len(all) <= mostAgentInput {
		select {
		case piece, more := <-pieces:
			if !more {
				return all
			}
			all = append(all, piece...)
		case <-late.C:
			return all
		}
	}
	return all
}
