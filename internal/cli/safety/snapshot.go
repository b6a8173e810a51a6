package safety

import (
	"context"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/history"
)

func snapshotCommands(d *app.App) *cobra.Command {
	return d.Group(
		"snapshot",
		"Earlier versions of the files that baton writes",
		"Whenever baton writes a file, it keeps the bytes that it replaces and those that it "+
			"writes, in .baton/local/snapshots. So you can get back what somebody removes later. "+
			"The settings snapshots.max_mb and snapshots.days limit how much is kept and for how long; the "+
			"newest version of each file always stays.",
		snapshotListCommand(d),
		snapshotShowCommand(d),
		snapshotDiffCommand(d),
		snapshotRestoreCommand(d),
	)
}

func snapshotListCommand(d *app.App) *cobra.Command {
	r := history.VersionsRequest{}
	cmd := d.Command(app.Spec{
		Use: "list [NAME]", Short: "List earlier versions of a file",
		Long: "List the earlier versions of all files, or of one. NAME is its path from here or " +
			"from the project's root, the end of that path, or a task's id. A version marked `outside` was " +
			"not written by baton: baton found it where its own last version had been.",
		Example: "baton snapshot list\nbaton snapshot list STATE.md --limit 0",
		MaxArgs: 1,
		Exits:   []report.Kind{report.NotFound, report.Violation, report.Refused},
		Run: func(cmd *cobra.Command, args []string) error {
			if err := app.NotNegative(cmd, "limit"); err != nil {
				return err
			}
			ask := r
			ask.Document = app.Operand(args)
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (history.VersionList, error) {
				return p.History.Versions(ctx, ask)
			}, func(p *app.Page, l history.VersionList) { pageVersions(p, l, ask) })
		},
	})
	cmd.Flags().IntVar(&r.Limit, "limit", 20, "only the newest `NUMBER` (default 20); 0 lists all")
	return cmd
}

func pageVersions(p *app.Page, l history.VersionList, asked history.VersionsRequest) {
	p.Remarks = l.Warnings
	if len(l.Versions) == 0 {
		what := "any file"
		if asked.Document != "" {
			what = asked.Document
		}
		p.Line(app.Plain, "There is no earlier version of %s yet: baton keeps one whenever it writes a file.", what)
		return
	}
	rows := make([][]app.Cell, 0, len(l.Versions))
	for _, v := range l.Versions {
		size, how := "empty", app.Cell{Text: v.Command}
		if v.Size > 0 {
			size = app.Kilobytes(v.Size)
		}
		if v.Kind == "found" {
			how = app.Cell{Tone: app.Faint, Text: "found"}
		}
		if v.Outside {
			how = app.Cell{Tone: app.Warn, Text: "outside"}
		}
		rows = append(rows, []app.Cell{
			{Tone: app.Strong, Text: safetext.ShortHash(v.Revision)},
			{Tone: app.Faint, Text: p.Clock(v.At)},
			{Text: size},
			how,
			{Text: v.Document},
		})
	}
	p.Table(
		[]app.Column{
			{Name: "REV"},
			{Name: "WHEN"},
			{Name: "SIZE", Right: true},
			{Name: "BY"},
			{Name: "FILE", Shrinks: true, Path: true},
		},
		rows,
	)
	if more := l.Total - len(l.Versions); more > 0 {
		p.Hint("%d older versions: --limit 0", more)
	}
	p.Hint("To see one: %s", p.Here("baton snapshot show "+safetext.ShortHash(l.Versions[0].Revision)))
}

func snapshotShowCommand(d *app.App) *cobra.Command {
	raw := false
	cmd := d.Command(app.Spec{
		Use: "show REV", Short: "Print an earlier version",
		Long: "Print a file as it was. REV is a revision from `baton snapshot list`, or its first " +
			"four or more digits if no other revision begins like that. Characters that a terminal might " +
			"act on are made visible; --raw prints the exact bytes.",
		Example: "baton snapshot show 3f9c2a1\nbaton snapshot show 3f9c --raw",
		MinArgs: 1, MaxArgs: 1,
		Exits: []report.Kind{report.NotFound, report.Conflict, report.Violation, report.Corrupt, report.Refused},
		Run: func(cmd *cobra.Command, args []string) error {
			show := func(ctx context.Context, p *project.Project) (history.VersionText, error) {
				return p.History.ShowVersion(ctx, args[0])
			}
			if raw && !d.JSON {
				v, err := app.Ask(d, cmd, d.Options(cmd), show)
				if err != nil {
					return err
				}
				if v.Bytes != nil {
					return d.Print(v.Bytes)
				}
				return d.Print([]byte(v.Text))
			}
			return app.Answer(d, cmd, show, func(p *app.Page, v history.VersionText) {
				if v.Text != "" {
					p.Block("", v.Text, 0)
				}
			})
		},
	})
	cmd.Flags().BoolVar(&raw, "raw", false, "print the exact bytes")
	cmd.ValidArgsFunction = app.FirstOperand(d.Completer(completeRevision))
	return cmd
}

func snapshotDiffCommand(d *app.App) *cobra.Command {
	cmd := d.Command(app.Spec{
		Use: "diff REV [REV]", Short: "Compare two versions, or one with the file",
		Long: "Show as a unified diff how a file changed since a version, or from the first version " +
			"to the second.",
		Example: "baton snapshot diff 3f9c2a1\nbaton snapshot diff 3f9c2a1 77ab01e",
		MinArgs: 1, MaxArgs: 2,
		Exits: []report.Kind{report.NotFound, report.Conflict, report.Violation, report.Corrupt, report.Refused},
		Run: func(cmd *cobra.Command, args []string) error {
			r := history.VersionDiffRequest{From: args[0]}
			if len(args) > 1 {
				r.To = args[1]
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (history.VersionDiff, error) {
				return p.History.DiffVersions(ctx, r)
			}, func(p *app.Page, v history.VersionDiff) {
				if v.Same {
					p.Line(app.Plain, "No difference in %s.", v.From.Document)
					return
				}
				p.Diff("", v.Diff)
			})
		},
	})
	cmd.ValidArgsFunction = d.Completer(completeRevision)
	return cmd
}

func snapshotRestoreCommand(d *app.App) *cobra.Command {
	apply := false
	cmd := d.Command(app.Spec{
		Use: "restore REV", Short: "Bring an earlier version back",
		Long: `Show how a file would change if you brought back an earlier version; with --apply, write it. Only
this file is written. Its current content is kept as a version too, so that you can undo the
restore with another one.`,
		Example: "baton snapshot restore 3f9c2a1\nbaton snapshot restore 3f9c2a1 --apply",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			r := history.VersionRestoreRequest{Revision: args[0], Apply: apply}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (history.VersionRestored, error) {
				return p.History.RestoreVersion(ctx, r)
			}, pageVersionRestored)
		},
	})
	cmd.Flags().BoolVar(&apply, "apply", false, "write the file")
	cmd.ValidArgsFunction = app.FirstOperand(d.Completer(completeRevision))
	return cmd
}

func pageVersionRestored(p *app.Page, r history.VersionRestored) {
	p.Remarks = r.Warnings
	short := safetext.ShortHash(r.Revision)
	switch {
	case r.Same:
		p.Line(app.Plain, "%s is already as it was in %s.", r.Document, short)
	case r.Applied:
		p.Line(app.Good, "%s is again as it was in %s, at %s", r.Document, short, p.Clock(r.At))
		if r.Replaced != "" {
			p.Hint("To undo this: %s", p.Here("baton snapshot restore "+safetext.ShortHash(r.Replaced)+" --apply"))
		}
	default:
		p.Diff("", r.Diff)
		p.DoIt("Nothing was written.", p.Here("baton snapshot restore "+short+" --apply"))
	}
}

// mostRevisions is how many versions a completion offers.
const mostRevisions = 100

// completeRevision offers the newest versions; after a first one, those of the same file, because a
// difference needs two versions of one file.
func completeRevision(d *app.App, cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 1 {
		return app.NoCandidates(cmd, args, "")
	}
	return app.Candidates(d, cmd, func(ctx context.Context, p *project.Project) ([]string, error) {
		var r history.VersionsRequest
		if len(args) > 0 {
			v, err := p.History.ShowVersion(ctx, args[0])
			if err != nil {
				return nil, err
			}
			r.Document = v.Document
		} else {
			r.Limit = mostRevisions
		}
		kept, err := p.History.Versions(ctx, r)
		if err != nil {
			return nil, err
		}
		page, list := d.Page(), make([]string, 0, len(kept.Versions))
		for _, v := range kept.Versions[:min(len(kept.Versions), mostRevisions)] {
			list = append(list, safetext.ShortHash(v.Revision)+"\t"+page.Clock(v.At)+"  "+safetext.Visible(v.Document))
		}
		return list, nil
	})
}
