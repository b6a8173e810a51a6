// Package crashtest runs the self-test for the command line of batond and prints what it found.
package crashtest

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"baton/internal/cli/app"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/selftest"
)

// Options are the flags of the command.
type Options struct {
	Program string // path of the baton that is tested
	Writers int
	Changes int // 0 is no limit
	Time    time.Duration
	Seed    uint64
}

// Run tests o.Program. The table of a run that went well goes to standard output. The table of one
// that failed goes to standard error, before the error.
func Run(ctx context.Context, d *app.App, o Options) error {
	if o.Program == "" {
		return &report.Error{
			Kind: report.Unavailable, Code: report.CodeNoProgram, Op: "selftest",
			Message: "batond does not know which baton to test", Hint: "baton selftest",
		}
	}
	run := selftest.Options{
		Env: d.Env, Program: o.Program, Dir: d.Dir, Writers: o.Writers, Changes: o.Changes, Time: o.Time, Seed: o.Seed,
	}
	if run.Changes == 0 {
		run.Changes = -1
	}
	if run.Dir != "" && !filepath.IsAbs(run.Dir) {
		run.Dir = filepath.Join(d.Env.Dir, run.Dir)
	}
	if !d.JSON {
		run.Progress = func(line string) { _, _ = fmt.Fprintln(d.Env.Stderr, safetext.Visible(line)) }
	}
	result, err := selftest.Run(ctx, run)
	if err != nil {
		return err
	}
	return answer(d, result)
}

func answer(d *app.App, r selftest.Report) error {
	p := d.Page()
	page(p, r)
	switch {
	case !r.OK:
		if !d.JSON {
			_, _ = d.Env.Stderr.Write(p.Bytes()) // the error below is what must be heard
		}
		return &report.Error{
			Kind: report.Violation, Code: report.CodeSelftestFailed, Op: "selftest", Path: r.Kept,
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

func page(p *app.Page, r selftest.Report) {
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
			"changes", "%d acknowledged, %d refused, %d reads meanwhile, dialect %s", r.Acknowledged, r.Refused,
			r.Reads, r.Dialect,
		),
		row("kills", "%d, %d recoveries noticed", r.Kills, r.Recoveries),
		row("entries", "%s", tallied(r.Entries)),
		row("evidence", "%s", tallied(r.Evidence)),
		row(
			"net", "%d acknowledged, %d present, %d offered, %d lost, %d doubled", r.Net.Acknowledged, r.Net.Present,
			r.Net.Offered, r.Net.Lost, r.Net.Doubled,
		),
		row(
			"damage", "%d edits, %d kills, %d changes acknowledged, %d looks meanwhile", r.Net.Edits, r.Net.Kills,
			r.Net.Changes, r.Net.Looks,
		),
		row(
			"claims", "%d of %d tasks handed to %d processes, %d twice", r.Claims.HandedOut, r.Claims.Tasks,
			r.Claims.Processes, r.Claims.Doubles,
		),
		row("disk", "%s", disk),
		row("folder", "%s", r.Disk.Dir),
	}
	if r.OK {
		rows = append(rows, []app.Cell{
			{Tone: app.Strong, Text: "result"},
			{Tone: app.Good, Text: "nothing lost, nothing doubled, nothing left behind"},
		})
	} else {
		rows = append(
			rows, []app.Cell{{Tone: app.Strong, Text: "result"}, {Tone: app.Bad, Text: several(len(r.Failures))}},
		)
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
