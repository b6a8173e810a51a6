package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
)

func (d *door) initCommand() *cobra.Command {
	return d.command(spec{
		use: "init", short: "Make the files and folders of a new project",
		long: "Make the folders that task files live in, and the digest STATE.md. Where a layout exists already, nothing is added\n" +
			"unless --layout names another one: baton, specflux (tasks), gsd or specflow (digests), devt (the working folder of\n" +
			"agents). Doing it twice changes nothing.",
		example: "baton init\nbaton init --layout specflux\nbaton init --layout gsd\nbaton init --layout devt",
		exits:   []report.Kind{report.Conflict, report.Violation, report.Corrupt, report.Locked, report.Refused},
		run: func(cmd *cobra.Command, _ []string) error {
			o := d.options(cmd)
			o.Layout = "" // here it names what to make, not where to look
			return answerWith(d, cmd, o, func(ctx context.Context, b backend) (project.InitResult, error) {
				return b.Init(ctx, project.InitRequest{Layout: d.layout})
			}, pageInit)
		},
	})
}

func pageInit(p *page, r project.InitResult) {
	if len(r.Created) == 0 {
		p.line(plain, "Nothing to do: %s has the layout %s.", r.Root, r.Layout)
	} else {
		p.line(good, "Layout %s in %s", r.Layout, r.Root)
		for _, path := range r.Created {
			p.line(plain, "  + %s", path)
		}
	}
	if others := without(r.Found, r.Layout); len(others) > 0 {
		p.line(plain, "Found besides: %s", strings.Join(others, ", "))
	}
	switch r.Layout {
	case "gsd", "specflow":
		p.hint("Next: baton state show")
	case "devt":
		p.hint("Next: baton dir begin TYPE TASK")
		p.hint("See what is there already: baton dir audit")
	default:
		p.hint(`Next: baton task new "TITLE" --accept "WHAT MUST HOLD"`)
	}
}

// without gives the names that are not the one.
func without(names []string, name string) []string {
	var others []string
	for _, other := range names {
		if other != name {
			others = append(others, other)
		}
	}
	return others
}
