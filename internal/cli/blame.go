package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/history"
	"baton/internal/usecase/loss"
)

func (d *door) blameCommand() *cobra.Command {
	return d.command(spec{
		use: "blame NAME[#SECTION]", short: "Show with which change each entry came",
		long: "Show of every decision, session, criterion, blocker and output that stands in a file now with which change it came: its number\n" +
			"in `baton log`, when, who made it, with which command, and the commit that git had checked out. NAME is a task's id, or a file:\n" +
			"its path from the project's root, or the end of it. #SECTION shows only what stands below a heading with that name, whatever its\n" +
			"case.\n\n" +
			"BY is the name of --as or BATON_AS. Without one it is the agent's session, and where no agent was at work, user and host. AGENT\n" +
			"is the program of the agent and SESSION its id of the session, shown where BY is a name instead. Where nothing tells, they are\n" +
			"empty, and so is CHANGE where the log does not know it.\n\n" +
			"What somebody wrote without baton is `by hand`, with the time at which baton noticed it. What stood there when baton began to\n" +
			"keep book is `before` that time.",
		example: "baton blame STATE.md\nbaton blame 12\nbaton blame \"12#progress log\"\nbaton blame \"STATE.md#decisions\" --json",
		least:   1, most: 1,
		exits: reading[:],
		run: func(cmd *cobra.Command, args []string) error {
			r := blameRequest(args[0])
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (history.Blame, error) { return p.History.Blame(ctx, r) }, pageBlame)
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

func pageBlame(p *page, r history.Blame) {
	p.remarks = r.Warnings
	if len(r.Entries) == 0 {
		p.line(plain, "%s has no entries here.", r.Document)
	} else {
		p.heading("%s", r.Document)
		rows := make([][]cell, 0, len(r.Entries))
		for _, e := range r.Entries {
			rows = append(rows, p.blameRow(e, r.Since))
		}
		p.table([]column{
			{name: "LINE", right: true},
			{name: "CHANGE", right: true},
			{name: "WHEN"},
			{name: "BY"},
			{name: "AGENT"},
			{name: "SESSION"},
			{name: "WITH"},
			{name: "HEAD"},
			{name: "WHAT"},
			{name: "TEXT", gives: true},
		}, rows)
	}
	if r.Missing > 0 {
		p.hint("%s missing from it: %s", isAre(r.Missing), p.here("baton lost"))
	}
}

// blameRow says of one entry when it came, who wrote it, and how.
func (p *page) blameRow(e history.BlameEntry, since string) []cell {
	when, by, with := cell{faint, p.clock(e.At)}, cell{plain, e.By}, cell{plain, e.Command}
	switch {
	case e.Source == loss.BlameBefore && since == "":
		when, by = cell{faint, "before baton's book"}, cell{}
	case e.Source == loss.BlameBefore:
		when, by = cell{faint, "before " + p.clock(since)}, cell{}
	case e.Source == loss.BlameOutside && e.At == "":
		when, by = cell{faint, "not noted yet"}, cell{warn, "by hand"}
	case e.Source == loss.BlameOutside:
		when, by = cell{faint, "noticed " + p.clock(e.At)}, cell{warn, "by hand"}
	}
	change, session := cell{}, cell{faint, e.Session}
	if e.Change > 0 {
		change = cell{strong, strconv.FormatInt(e.Change, 10)}
	}
	if e.Session == e.By {
		session = cell{}
	}
	return []cell{{faint, strconv.Itoa(e.Line)}, change, when, by, {plain, e.Agent}, session, with, {faint, shortRevision(e.Head)}, {faint, e.Kind}, {plain, e.Label}}
}

// isAre begins a sentence about a number of entries.
func isAre(n int) string {
	if n == 1 {
		return "1 entry is"
	}
	return entryCount(n) + " are"
}
