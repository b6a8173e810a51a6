package folder

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/usecase/folder"
)

func dirContractCommand(d *app.App) *cobra.Command {
	var r folder.ContractRequest
	cmd := d.Command(app.Spec{
		Use: "contract [NAME]", Short: "List the names that belong in the folder, or explain one",
		Long: `Without NAME, list the contract: every allowed name and pattern, who writes it, and which commands
move it. The project's own contract.yaml is included. With NAME, print the rules for that name, or
why it is not allowed and which name was probably meant; put a slash at the end of a folder's
name. The exit code is 6 if the name is not allowed, or is that of a left-over file. --schema prints
the JSON Schema of a sidecar or an input, for use elsewhere.`,
		Example: "baton dir contract\nbaton dir contract review-api.md\nbaton dir contract --schema review.json\n" +
			"baton dir contract --json",
		MaxArgs: 1,
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			ask := r
			ask.Name = app.Operand(args)
			use := func(ctx context.Context, p *project.Project) (folder.ContractResult, error) {
				return p.Folder.DirContract(ctx, ask)
			}
			switch schema := cmd.Flags().Changed("schema"); {
			case len(args) > 0 && schema:
				return app.Usage(cmd.CommandPath(), "NAME and --schema cannot be used together")
			case len(args) > 0 && ask.Name == "":
				return app.Usage(cmd.CommandPath(), "NAME is empty")
			case schema && ask.Schema == "":
				return app.Usage(cmd.CommandPath(), "--schema is empty")
			}
			got, err := app.Ask(d, cmd, d.Options(cmd), use)
			if err == nil && ask.Schema != "" {
				err = d.PrintJSON(got)
			} else if err == nil {
				err = app.Present(d, got, pageContract)
			}
			if err == nil {
				d.PrintRemarks(got.Warnings) // JSON has no place for them here
				err = broken(got.Warnings)
			}
			if err == nil && got.Name != nil && !got.Name.Bucket.Allowed() {
				err = notAllowed(got.Name.Name)
			}
			return err
		},
	})
	cmd.Flags().StringVar(&r.Schema, "schema", "", "print the JSON Schema of `NAME`")
	cmd.ValidArgsFunction = app.FirstOperand(d.Completer(completeContract))
	return cmd
}

func notAllowed(name string) error {
	return &report.Error{
		Kind: report.Violation, Code: report.CodeFindings, Message: name + " is not allowed",
		Hint:    "choose another name, or declare this one in .baton/contract.yaml",
		Details: map[string]any{"errors": 1, "warnings": 0},
	}
}

func pageContract(p *app.Page, r folder.ContractResult) {
	switch {
	case r.Name != nil:
		explained(p, r)
	case r.Contract != nil:
		contract(p, r)
	}
}

// wide is a terminal on which the table of the contract has room for what a file is for.
const wide = 118

// piped is the width of the table in a pipe (F-76 f); --json has everything.
const piped = 100

func contract(p *app.Page, r folder.ContractResult) {
	c := r.Contract
	rows := make([][]app.Cell, 0, len(c.Canonical))
	if p.Width == 0 {
		p.Width = piped
	}
	full := p.Width >= wide
	for _, row := range byKind(*c) {
		name := filename(row.Name)
		if row.Type == "dir" {
			name += "/"
		}
		line := []app.Cell{
			{Tone: app.Strong, Text: name},
			{Text: movedBy(row.Eviction, row.Exempt)},
			{Tone: app.Faint, Text: strings.Join(row.Writers, ", ")},
		}
		if full {
			line = append(line, app.Cell{Text: row.Purpose})
		}
		rows = append(rows, line)
	}
	columns := []app.Column{{Name: "NAME"}, {Name: "MOVED BY"}, {Name: "WRITTEN BY", Shrinks: !full}}
	if full {
		columns = append(columns, app.Column{Name: "PURPOSE", Shrinks: true})
	}
	p.Table(columns, rows)
	evicted := func(r statedir.Row) bool { return len(r.Eviction) > 0 }
	if slices.ContainsFunc(c.Canonical, func(r statedir.Row) bool { return movedBy(r.Eviction, r.Exempt) == whenOld }) {
		p.Hint("When old: if older than the start of the session.")
	}
	if slices.ContainsFunc(c.Canonical, evicted) {
		p.Hint("While a workflow is running, evict keeps what that workflow wrote.")
	}
	rows = rows[:0]
	for _, f := range c.Patterns {
		limit := ""
		if f.StaleDays > 0 {
			limit = fmt.Sprintf("%d d", f.StaleDays)
		}
		rows = append(
			rows, []app.Cell{{Tone: app.Strong, Text: f.Pattern}, {Text: limit}, {Tone: app.Faint, Text: f.Use}},
		)
	}
	if len(rows) > 0 {
		p.Heading("Patterns that are also allowed; cleanup moves files that are older than their limit")
		p.Table([]app.Column{{Name: "PATTERN"}, {Name: "LIMIT", Right: true}, {Name: "USE", Shrinks: true}}, rows)
	}
	p.Heading("Left over by programs; every cleanup moves these")
	for _, f := range c.Ephemeral {
		p.Line(app.Strong, "%s", f.Pattern)
	}
	p.Heading("Workflow types")
	prose(p, cmp.Or(strings.Join(c.WorkflowTypes, ", "), "any"))
	p.End()
	p.Hint("For one name: baton dir contract NAME. For programs: baton dir contract --json")
}

// byKind returns the names of the contract in the order of its kinds, those of one kind in the
// order of the contract.
func byKind(c declaration.Description) []statedir.Row {
	place := func(r statedir.Row) int {
		return slices.IndexFunc(c.Kinds, func(kind [2]string) bool { return kind[0] == r.Kind })
	}
	return sorting.Collected(
		slices.Values(c.Canonical), func(a, b statedir.Row) int { return cmp.Compare(place(a), place(b)) },
	)
}

// whenOld is how outputs of one workflow are moved.
const whenOld = "reset; begin, evict: when old"

// movedBy names the sweeps that move a declared name, and on which condition.
func movedBy(rules []statedir.EvictRule, exempt bool) string {
	switch {
	case exempt:
		return "nothing"
	case len(rules) == 0:
		return "reset"
	case rules[0] == statedir.EvictScoped:
		return whenOld
	}
	return "reset, begin, evict"
}

// explained prints what the contract says of one name.
func explained(p *app.Page, r folder.ContractResult) {
	e := r.Name
	t := app.Good
	if e.Bucket == "ephemeral" || e.Bucket == "ad_hoc" {
		t = app.Bad
	}
	p.Add(app.Strong, filename(e.Name)).Add(app.Plain, "  ").Add(t, string(e.Bucket)).End()
	if e.Why != "" {
		prose(p, e.Why)
	}
	var facts [][2]string
	if row := e.Detail.Row; row != nil {
		facts = append(
			facts, [2]string{"purpose", row.Purpose}, [2]string{"written by", strings.Join(row.Writers, ", ")},
			[2]string{"status", strings.Join(row.Statuses, ", ")},
		)
		if row.Sidecar != "" {
			facts = append(
				facts,
				[2]string{
					"sidecar",
					row.Sidecar + ", which has the status: baton dir contract --schema " + row.Sidecar,
				},
			)
		}
	} else if form := e.Detail.Pattern; form != nil {
		facts = append(facts, [2]string{"pattern", form.Pattern}, [2]string{"purpose", form.Use})
	}
	if e.Schema != "" {
		facts = append(facts, [2]string{"schema", "baton dir contract --schema " + e.Schema})
	}
	for _, sweep := range [...]string{"cleanup", "reset", "evict", "begin"} {
		facts = append(facts, [2]string{sweep, e.Sweeps[sweep]})
	}
	for _, f := range facts {
		if f[1] != "" {
			p.Item("  ", app.Faint, f[0]+strings.Repeat(" ", len("written by")-len(f[0])+1), f[1])
		}
	}
	if e.Suggestion != nil && *e.Suggestion != e.Name {
		p.Line(app.Accent, "Did you mean %s?", filename(*e.Suggestion))
	}
}

func dirSlugCommand(d *app.App) *cobra.Command {
	var r folder.DirRequest
	cmd := d.Command(app.Spec{
		Use: "slug TITLE…", Short: "Print the file names for lanes of a parallel review",
		Long: `Turn each title into the slug of its lane, and print the name of its review file. The command is
refused if two different titles have the same slug, or if a slug belongs to another lane in the
record; the hint suggests a free one. Nothing is written.`,
		Example: "baton dir slug \"API v1\" Frontend\nbaton dir slug \"API v1\" --json",
		MinArgs: 1, MaxArgs: 1 << 16,
		Exits: []report.Kind{report.NotFound, report.Conflict, report.Violation, report.Corrupt, report.Refused},
		Run: func(cmd *cobra.Command, args []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (folder.SlugResult, error) {
				return p.Folder.DirSlugs(ctx, args, r)
			}, func(p *app.Page, got folder.SlugResult) {
				rows := make([][]app.Cell, 0, len(got.Lanes))
				for _, lane := range got.Lanes {
					rows = append(rows, []app.Cell{
						{Tone: app.Strong, Text: lane.Slug},
						{Text: lane.File},
						{Tone: app.Faint, Text: lane.Title},
					})
				}
				p.Table([]app.Column{{Name: "SLUG"}, {Name: "FILE"}, {Name: "TITLE", Shrinks: true}}, rows)
			})
		},
	})
	return inFolder(cmd, &r)
}
