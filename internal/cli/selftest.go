package cli

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"baton/internal/cli/app"
	"baton/internal/report"
)

// SelftestOptions say how hard `selftest` tries. The fields are those of the options of batond.
type SelftestOptions struct {
	Program string // path of the baton that is tested
	Writers int
	Changes int // 0 is no limit
	Time    time.Duration
	Seed    uint64
}

// Writers of a self-test.
const (
	usualWriters = 8
	usualChanges = 100 // of each writer
	mostWriters  = 256 // keeps a slip of the finger from starting thousands of processes
)

// selftestCommand hands over to batond, and says which program is to be tested.
func selftestCommand(d *app.App) *cobra.Command {
	return selftestServerCommand(d, func(cmd *cobra.Command, _ SelftestOptions) error {
		program, err := os.Executable()
		if err != nil {
			return fmt.Errorf("find own program: %w", err)
		}
		args := []string{"--program=" + program, "--called-by=" + app.VersionOf("", false).Version}
		cmd.Flags().Visit(func(flag *pflag.Flag) { args = append(args, "--"+flag.Name+"="+flag.Value.String()) })
		return handOver(d, cmd.Context(), "selftest", args)
	})
}

// selftestServerCommand returns the command of both programs: baton checks its flags and hands them
// on.
func selftestServerCommand(d *app.App, serve func(*cobra.Command, SelftestOptions) error) *cobra.Command {
	var o SelftestOptions
	var caller string
	cmd := d.Command(app.Spec{
		Use: "selftest", Short: "Crash-test baton on this disk",
		Long: "Start processes that change one task and its archive at the same time, kill some of them at " +
			"random, and count the result: every acknowledged change must be there exactly once. Then do " +
			"the same in a project whose documents an editor damages at the same time: every acknowledged " +
			"entry must be in a document or be listed by `baton lost`, and come back exactly once. " +
			"Finally, let as many processes work through a queue of tasks, and check that no task was " +
			"handed out twice.\n\n" +
			"All of this happens in a temporary folder, which is removed unless something was wrong. With " +
			"-C DIR, baton creates that folder in DIR, so that you test the disk of DIR. The writers stop " +
			"after --time or when each has made its changes, whichever comes first; with --changes 0, " +
			"only the time counts. The part with the editor gets three tenths of the time and a quarter " +
			"of the changes. baton starts the program batond for this, from its own folder or from PATH.",
		Example: "baton selftest --time 5s\nbaton selftest --changes 10 --writers 4 --seed 7 --json",
		Exits:   []report.Kind{report.Violation, report.Unavailable, report.Refused},
		Run: func(cmd *cobra.Command, _ []string) error {
			if err := app.Positive(cmd, "time"); err != nil {
				return err
			}
			if o.Writers < 1 || o.Writers > mostWriters {
				return app.Usage(
					cmd.CommandPath(),
					fmt.Sprintf("--writers must be between 1 and %d, but %d was given", mostWriters, o.Writers),
				)
			}
			if err := app.NotNegative(cmd, "changes"); err != nil {
				return err
			}
			warnOfVersion(d, caller)
			return serve(cmd, o)
		},
	})
	flags := cmd.Flags()
	flags.DurationVar(&o.Time, "time", 0, "stop the writers after `DUR`")
	flags.IntVar(&o.Writers, "writers", usualWriters, "run `N` processes at a time")
	flags.IntVar(
		&o.Changes, "changes", usualChanges, "make `N` changes with each writer; 0 means no limit and needs --time",
	)
	flags.Uint64Var(&o.Seed, "seed", 0, "repeat the random choices of the run with seed `N`; 0 means new ones")
	flags.StringVar(&o.Program, "program", "", "test the baton at `PATH`")
	flags.StringVar(&caller, "called-by", "", "the version of the baton that starts it: `V`")
	_ = flags.MarkHidden("program")
	_ = flags.MarkHidden("called-by")
	return cmd
}
