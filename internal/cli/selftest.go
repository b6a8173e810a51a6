package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/report"
	"baton/internal/selftest"
)

// selftestCommand runs baton against the user's own disk. Standard output gets the table of a run
// that went well; one that did not goes to standard error, with the table in it, as every failure
// does.
func selftestCommand(d *app.App) *cobra.Command {
	var o selftest.Options
	cmd := d.Command(app.Spec{
		Use: "selftest", Short: "Let many writers and sudden deaths loose on a temporary project",
		Long: `Start writer processes that change one task and its archive at the same time, kill some of them at random, and
count what is there afterwards: every acknowledged change exactly once. Then do the same in a project whose documents
an editor damages meanwhile: every acknowledged entry must be in a document or be offered by baton lost, and come back
once. At last let as many processes drain a queue of tasks, and look whether one was handed out twice.

It happens in a temporary folder, which is removed unless something was wrong. With -C DIR (or --dir DIR) that folder is
made in DIR, so that the disk is the one that you want to know about. The writers stop at --time or when each has
made its changes, whichever is first; with --changes 0 only the time counts. The part with the editor has three tenths
of the time and a quarter of the changes.`,
		Example: "baton selftest --time 5s\nbaton selftest --changes 10 --writers 4 --seed 7 --json",
		Exits:   []report.Kind{report.Violation, report.Unavailable, report.Refused},
		Run: func(cmd *cobra.Command, _ []string) error {
			if err := app.Positive(cmd, "time"); err != nil {
				return err
			}
			return runSelftest(d, cmd, o)
		},
	})
	cmd.Flags().DurationVar(&o.Time, "time", 0, "stop the writers after `DUR`")
	cmd.Flags().IntVar(&o.Writers, "writers", selftest.DefaultWriters, "run `N` processes at a time")
	cmd.Flags().
		IntVar(&o.Changes, "changes", selftest.DefaultChanges, "make `N` changes with each writer; 0 is no limit and needs --time")
	cmd.Flags().Uint64Var(&o.Seed, "seed", 0, "choose changes and victims from the number `N`; 0 is a random one")
	return cmd
}

// mostWriters keeps a slip of the finger from starting thousands of processes.
const mostWriters = 256

func runSelftest(d *app.App, cmd *cobra.Command, o selftest.Options) error {
	if o.Writers < 1 || o.Writers > mostWriters {
		return app.Usage(
			cmd.CommandPath(),
			fmt.Sprintf("flag --writers: %d is not between 1 and %d", o.Writers, mostWriters),
		)
	}
	switch {
	case o.Changes < 0:
		return app.Usage(cmd.CommandPath(), fmt.Sprintf("flag --changes: %d is less than nothing", o.Changes))
	case o.Changes == 0:
		o.Changes = -1
	}
	if d.Env.PID != os.Getpid() {
		return &report.Error{
			Kind: report.Unavailable, Code: "no_program", Op: "selftest",
			Message: "the self-test runs its own executable again and again, and this is not baton's",
		}
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find own program: %w", err)
	}
	o.Env, o.Program, o.Dir = d.Env, program, d.Dir
	if o.Dir != "" && !filepath.IsAbs(o.Dir) {
		o.Dir = filepath.Join(d.Env.Dir, o.Dir)
	}
	if !d.JSON {
		o.Progress = func(line string) { _, _ = fmt.Fprintln(d.Env.Stderr, app.Printable(line)) }
	}
	result, err := selftest.Run(cmd.Context(), o)
	if err != nil {
		return err
	}
	return selftestAnswer(d, result)
}

func selftestAnswer(d *app.App, r selftest.Report) error {
	p := d.Page()
	selftestPage(p, r)
	switch {
	case !r.OK:
		if !d.JSON {
			_, _ = d.Env.Stderr.Write(p.Bytes()) // the error below is what must be heard
		}
		return &report.Error{
			Kind: report.Violation, Code: "selftest_failed", Op: "selftest", Path: r.Kept,
			Message: fmt.Sprintf("the self-test failed: %s", several(len(r.Failures))),
			Hint:    "the files are kept in " + r.Kept + "; run it again with --seed " + strconv.FormatUint(r.Seed, 10),
			Details: map[string]any{"report": r},
		}
	case d.JSON:
		return d.PrintJSON(r)
	default:
		return d.Print(p.Bytes())
	}
}

// mostShown is the number of failures that a page lists.
const mostShown = 20

func selftestPage(p *app.Page, r selftest.Report) {
	row := func(name, format string, args ...any) []app.Cell {
		return []app.Cell{{Tone: app.Strong, Text: name}, {Text: fmt.Sprintf(format, args...)}}
	}
	took := (time.Duration(r.DurationMS) * time.Millisecond).Round(100 * time.Millisecond)
	disk := fmt.Sprintf("%d µs for a small write with fsync", r.Disk.SyncMicros)
	if r.Disk.FileSystem != "" {
		disk = r.Disk.FileSystem + ", " + disk
	}
	rows := [][]app.Cell{
		row("writers", "%d at a time, %d processes, %v, seed %d", r.Writers, r.Processes, took, r.Seed),
		row(
			"changes",
			"%d acknowledged, %d refused, %d reads meanwhile, dialect %s",
			r.Acknowledged,
			r.Refused,
			r.Reads,
			r.Dialect,
		),
		row("kills", "%d, %d recoveries noticed", r.Kills, r.Recoveries),
		row("entries", "%s", tallied(r.Entries)),
		row("evidence", "%s", tallied(r.Evidence)),
		row(
			"net",
			"%d acknowledged, %d present, %d offered, %d lost, %d doubled",
			r.Net.Acknowledged,
			r.Net.Present,
			r.Net.Offered,
			r.Net.Lost,
			r.Net.Doubled,
		),
		row(
			"damage",
			"%d edits, %d kills, %d changes acknowledged, %d looks meanwhile",
			r.Net.Edits,
			r.Net.Kills,
			r.Net.Changes,
			r.Net.Looks,
		),
		row(
			"claims",
			"%d of %d tasks handed to %d processes, %d twice",
			r.Claims.HandedOut,
			r.Claims.Tasks,
			r.Claims.Processes,
			r.Claims.Doubles,
		),
		row("disk", "%s", disk),
		row("folder", "%s", r.Disk.Dir),
	}
	if r.OK {
		rows = append(
			rows,
			[]app.Cell{
				{Tone: app.Strong, Text: "result"},
				{Tone: app.Good, Text: "nothing lost, nothing doubled, nothing left behind"},
			},
		)
	} else {
		rows = append(rows, []app.Cell{{Tone: app.Strong, Text: "result"}, {Tone: app.Bad, Text: several(len(r.Failures))}})
	}
	p.Table([]app.Column{{Name: "what"}, {Name: "found"}}, rows)
	for n, failure := range r.Failures {
		if n == mostShown {
			p.Line(app.Faint, "  and %d more", len(r.Failures)-mostShown)
			break
		}
		p.Line(app.Bad, "  %s", failure)
	}
}

func tallied(t selftest.Tally) string {
	return fmt.Sprintf("%d acknowledged, %d found, %d lost, %d doubled", t.Acknowledged, t.Found, t.Lost, t.Doubled)
}

func several(failures int) string {
	if failures == 1 {
		return "1 thing is not as it must be"
	}
	return fmt.Sprintf("%d things are not as they must be", failures)
}
