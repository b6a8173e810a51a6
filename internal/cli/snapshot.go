package cli

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/usecase/history"
)

func (d *door) snapshotCommands() *cobra.Command {
	return d.group("snapshot", "Kept versions of the files that baton writes",
		"Whenever baton writes a file, it keeps the bytes that it replaces and those that it writes, in .baton/local/snapshots. So\n"+
			"what somebody wipes afterwards is still at hand. snapshots.max_mb and snapshots.days in the configuration say how much\n"+
			"is kept and for how long; the newest version of each file always stays.",
		d.snapshotListCommand(), d.snapshotShowCommand(), d.snapshotDiffCommand(), d.snapshotRestoreCommand())
}

func (d *door) snapshotListCommand() *cobra.Command {
	r := history.VersionsRequest{}
	cmd := d.command(spec{
		use: "list [NAME]", short: "List kept versions, newest first",
		long: "List the kept versions of all files, or of the one with this NAME: its path from here or from the project's root, the\n" +
			"end of it, or a task's id. A version that is marked `outside` was not written by baton, but found in the place of what baton had written last.",
		example: "baton snapshot list\nbaton snapshot list STATE.md --limit 0",
		most:    1,
		exits:   []report.Kind{report.NotFound, report.Violation, report.Refused},
		run: func(cmd *cobra.Command, args []string) error {
			if err := notNegative(cmd, "limit"); err != nil {
				return err
			}
			ask := r
			if len(args) > 0 {
				ask.Document = args[0]
			}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (history.VersionList, error) {
				return p.History.Versions(ctx, ask)
			}, func(p *page, l history.VersionList) { pageVersions(p, l, ask) })
		},
	})
	cmd.Flags().IntVar(&r.Limit, "limit", 20, "only the newest `NUMBER` (default 20); 0 is all")
	return cmd
}

// shortRevision is as much of a revision as pages show.
func shortRevision(revision string) string { return revision[:min(len(revision), 7)] }

func pageVersions(p *page, l history.VersionList, asked history.VersionsRequest) {
	p.remarks = l.Warnings
	if len(l.Versions) == 0 {
		what := "any file"
		if asked.Document != "" {
			what = asked.Document
		}
		p.line(plain, "No version of %s is kept yet: baton keeps one whenever it writes a file.", what)
		return
	}
	rows := make([][]cell, 0, len(l.Versions))
	for _, v := range l.Versions {
		how := cell{plain, v.Command}
		if v.Kind == "found" {
			how = cell{faint, "found"}
		}
		if v.Outside {
			how = cell{warn, "outside"}
		}
		rows = append(rows, []cell{{strong, shortRevision(v.Revision)}, {faint, p.clock(v.At)}, {plain, sizeOf("file", v.Size)}, how, {plain, v.Document}})
	}
	p.table([]column{{name: "REV"}, {name: "WHEN"}, {name: "SIZE", right: true}, {name: "BY"}, {name: "FILE", gives: true}}, rows)
	if more := l.Total - len(l.Versions); more > 0 {
		p.hint("%d older: --limit 0", more)
	}
	p.hint("Look at one: %s", p.here("baton snapshot show "+shortRevision(l.Versions[0].Revision)))
}

func (d *door) snapshotShowCommand() *cobra.Command {
	raw := false
	cmd := d.command(spec{
		use: "show REV", short: "Print a file as it was",
		long: "Print a file as it was in a version. REV is a revision that `baton snapshot list` shows, or a beginning of it of at least four\n" +
			"digits that no other has. What a terminal might act on is made visible; --raw prints the exact bytes.",
		example: "baton snapshot show 3f9c2a1\nbaton snapshot show 3f9c --raw",
		least:   1, most: 1,
		exits: []report.Kind{report.NotFound, report.Conflict, report.Violation, report.Corrupt, report.Refused},
		run: func(cmd *cobra.Command, args []string) error {
			show := func(ctx context.Context, p *project.Project) (history.VersionText, error) {
				return p.History.ShowVersion(ctx, args[0])
			}
			if raw && !d.json {
				v, err := ask(d, cmd, d.options(cmd), show)
				if err != nil {
					return err
				}
				if v.Bytes != nil {
					return d.print(v.Bytes)
				}
				return d.print([]byte(v.Text))
			}
			return answer(d, cmd, show, func(p *page, v history.VersionText) {
				if v.Text != "" {
					p.block("", v.Text, 0)
				}
			})
		},
	})
	cmd.Flags().BoolVar(&raw, "raw", false, "print the bytes as they are")
	return cmd
}

func (d *door) snapshotDiffCommand() *cobra.Command {
	return d.command(spec{
		use: "diff REV [REV]", short: "Show what changed since a version, or between two",
		long: "Show how a file changed from a version to what it is now, or from the first version to the second, as a unified\n" +
			"difference.",
		example: "baton snapshot diff 3f9c2a1\nbaton snapshot diff 3f9c2a1 77ab01e",
		least:   1, most: 2,
		exits: []report.Kind{report.NotFound, report.Conflict, report.Violation, report.Corrupt, report.Refused},
		run: func(cmd *cobra.Command, args []string) error {
			r := history.VersionDiffRequest{From: args[0]}
			if len(args) > 1 {
				r.To = args[1]
			}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (history.VersionDiff, error) {
				return p.History.DiffVersions(ctx, r)
			}, func(p *page, v history.VersionDiff) {
				if v.Same {
					p.line(plain, "No difference in %s.", v.From.Document)
					return
				}
				p.block("", v.Diff, 0)
			})
		},
	})
}

func (d *door) snapshotRestoreCommand() *cobra.Command {
	apply := false
	cmd := d.command(spec{
		use: "restore REV", short: "Make a file what it was",
		long: "Say what would change if a file became again what it was in a version; with --apply, do it. Only this file is written, and\n" +
			"what it held is kept as a version too, so that a restore can be taken back by another one.",
		example: "baton snapshot restore 3f9c2a1\nbaton snapshot restore 3f9c2a1 --apply",
		least:   1, most: 1,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			r := history.VersionRestoreRequest{Revision: args[0], Apply: apply}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (history.VersionRestored, error) {
				return p.History.RestoreVersion(ctx, r)
			}, pageVersionRestored)
		},
	})
	cmd.Flags().BoolVar(&apply, "apply", false, "write the file")
	return cmd
}

func pageVersionRestored(p *page, r history.VersionRestored) {
	p.remarks = r.Warnings
	short := shortRevision(r.Revision)
	switch {
	case r.Same:
		p.line(plain, "%s is what it was in %s already.", r.Document, short)
	case r.Applied:
		p.line(good, "%s is again what it was in %s, of %s", r.Document, short, p.clock(r.At))
		if r.Replaced != "" {
			p.hint("Take it back: %s", p.here("baton snapshot restore "+shortRevision(r.Replaced)+" --apply"))
		}
	default:
		p.block("", r.Diff, 0)
		p.doIt("Nothing was written.", p.here("baton snapshot restore "+short+" --apply"))
	}
}

// here puts to a command of a hint where the command line said to start: revisions are those of one project.
func (p *page) here(line string) string {
	if p.dir == "" {
		return line
	}
	word, ok := shellWord(p.dir)
	if !ok {
		word = "DIR" // to be filled in
	}
	return line + " -C " + word
}
