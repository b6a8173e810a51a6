package safety

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/history"
	"baton/internal/usecase/loss"
)

func blameCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "blame NAME[#SECTION]", Short: "Show which change added each entry",
		Long: "Show for every decision, session, criterion, blocker and output in a file which " +
			"change added it: its number in `baton log`, when, who made it, with which command, and the " +
			"commit that git had checked out. NAME is a task's id or a file: its path from the project's " +
			"root, or the end of that path. With #SECTION, you see only what is below a heading with that " +
			"name, in upper or lower case.\n\n" +
			"BY is the name in --as or BATON_AS; without one, the agent's session, or user@host if no agent " +
			"was involved. AGENT is the agent's program, and SESSION the id of its session if BY is a name. " +
			"Both are empty if baton does not know them, and so is CHANGE if the log does not have the " +
			"change.\n\n" +
			"What somebody wrote without baton is `by hand`, with the time at which baton noticed it. What " +
			"was in the file when baton started to record is `before` that time.",
		Example: "baton blame STATE.md\nbaton blame 12\nbaton blame \"12#progress log\"\n" +
			"baton blame \"STATE.md#decisions\" --json",
		MinArgs: 1, MaxArgs: 1,
		Exits: app.ReadingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			r := blameRequest(args[0])
			return app.Answer(
				d, cmd,
				func(ctx context.Context, p *project.Project) (history.Blame, error) { return p.History.Blame(ctx, r) },
				pageBlame,
			)
		},
	})
}

// blameRequest reads NAME#SECTION. A # in front is the sign of a task's id.
func blameRequest(arg string) history.BlameRequest {
	name, section, found := strings.Cut(arg[min(1, len(arg)):], "#")
	if !found {
		return history.BlameRequest{Document: arg}
	}
	return history.BlameRequest{Document: arg[:1] + name, Section: strings.TrimSpace(section)}
}

func pageBlame(p *app.Page, r history.Blame) {
	p.Remarks = r.Warnings
	if len(r.Entries) == 0 {
		p.Line(app.Plain, "%s has no entries here.", r.Document)
	} else {
		p.Heading("%s", r.Document)
		rows := make([][]app.Cell, 0, len(r.Entries))
		for _, e := range r.Entries {
			rows = append(rows, blameRow(p, e, r.Since))
		}
		p.Table([]app.Column{
			{Name: "LINE", Right: true},
			{Name: "CHANGE", Right: true},
			{Name: "WHEN"},
			{Name: "BY"},
			{Name: "AGENT"},
			{Name: "SESSION"},
			{Name: "WITH"},
			{Name: "HEAD"},
			{Name: "WHAT"},
			{Name: "TEXT", Shrinks: true},
		}, rows)
	}
	if r.Missing > 0 {
		p.Hint(
			"%s %s missing from it: %s", app.EntryCount(r.Missing), safetext.Noun(r.Missing, "is", "are"),
			p.Here("baton lost"),
		)
	}
}

// blameRow says when an entry came, who wrote it, and how.
func blameRow(p *app.Page, e history.BlameEntry, since string) []app.Cell {
	when, by, with := app.Cell{Tone: app.Faint, Text: p.Clock(e.At)}, app.Cell{Text: e.By}, app.Cell{Text: e.Command}
	switch {
	case e.Source == loss.BlameBefore && since == "":
		when, by = app.Cell{Tone: app.Faint, Text: "before baton's records"}, app.Cell{}
	case e.Source == loss.BlameBefore:
		when, by = app.Cell{Tone: app.Faint, Text: "before " + p.Clock(since)}, app.Cell{}
	case e.Source == loss.BlameOutside && e.At == "":
		when, by = app.Cell{Tone: app.Faint, Text: "not recorded yet"}, app.Cell{Tone: app.Warn, Text: "by hand"}
	case e.Source == loss.BlameOutside:
		when, by = app.Cell{
			Tone: app.Faint,
			Text: "noticed " + p.Clock(e.At),
		}, app.Cell{
			Tone: app.Warn,
			Text: "by hand",
		}
	}
	change, session := app.Cell{}, app.Cell{Tone: app.Faint, Text: e.Session}
	if e.Change > 0 {
		change = app.Cell{Tone: app.Strong, Text: strconv.FormatInt(e.Change, 10)}
	}
	if e.Session == e.By {
		session = app.Cell{}
	}
	return []app.Cell{
		{Tone: app.Faint, Text: strconv.Itoa(e.Line)},
		change,
		when,
		by,
		{Text: e.Agent},
		session,
		with,
		{Tone: app.Faint, Text: safetext.ShortHash(e.Head)},
		{Tone: app.Faint, Text: e.Kind},
		{Text: e.Label},
	}
}
