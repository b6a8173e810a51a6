package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/usecase/folder"
)

func (d *door) dirContractCommand() *cobra.Command {
	var r folder.ContractRequest
	cmd := d.command(spec{
		use: "contract [NAME]", short: "Say which names are allowed, or why one is not",
		long: "Without NAME, list the contract: every name and form that is allowed, who writes it and which sweeps move it; the\n" +
			"project's own contract.yaml is taken in. With NAME, say what holds for that name, or why it is not allowed and which\n" +
			"was probably meant; a folder is written with a final slash. --schema prints the JSON Schema of a sidecar or an input,\n" +
			"to be used elsewhere.",
		example: "baton dir contract\nbaton dir contract review-api.md\nbaton dir contract --schema review.json\nbaton dir contract --json",
		most:    1,
		exits:   reading[:],
		run: func(cmd *cobra.Command, args []string) error {
			ask := r
			if len(args) > 0 {
				ask.Name = args[0]
			}
			use := func(ctx context.Context, p *project.Project) (folder.ContractResult, error) {
				return p.Folder.DirContract(ctx, ask)
			}
			switch schema := cmd.Flags().Changed("schema"); {
			case len(args) > 0 && schema:
				return usage(cmd.CommandPath(), "NAME and --schema cannot go together")
			case len(args) > 0 && ask.Name == "":
				return usage(cmd.CommandPath(), "NAME is empty")
			case schema && ask.Schema == "":
				return usage(cmd.CommandPath(), "--schema is empty")
			}
			got, err := d.asked(cmd, use)
			if err == nil && ask.Schema != "" {
				err = d.printJSON(got)
			} else if err == nil {
				err = present(d, got, pageContract)
			}
			if err == nil {
				d.remarks(got.Warnings) // JSON has no place for them here
			}
			return err
		},
	})
	cmd.Flags().StringVar(&r.Schema, "schema", "", "print the JSON Schema of `NAME`")
	cmd.ValidArgsFunction = first(d.completeContract)
	return cmd
}

// asked runs a use case whose answer is JSON, whether --json is given or not.
func (d *door) asked(cmd *cobra.Command, use func(context.Context, *project.Project) (folder.ContractResult, error)) (folder.ContractResult, error) {
	return ask(d, cmd, d.options(cmd), use)
}

func pageContract(p *page, r folder.ContractResult) {
	switch {
	case r.Name != nil:
		p.explained(r)
	case r.Contract != nil:
		p.contract(r)
	}
}

// wide is a terminal on which the table of the contract has room for what a file is for.
const wide = 118

func (p *page) contract(r folder.ContractResult) {
	c := r.Contract
	rows := make([][]cell, 0, len(c.Canonical))
	full := p.width == 0 || p.width >= wide
	for _, row := range byKind(*c) {
		name := filename(row.Name)
		if row.Type == "dir" {
			name += "/"
		}
		line := []cell{{strong, name}, {plain, movedBy(row.Eviction, row.Exempt)}, {faint, strings.Join(row.Writers, ", ")}}
		if full {
			line = append(line, cell{plain, row.Purpose})
		}
		rows = append(rows, line)
	}
	columns := []column{{name: "NAME"}, {name: "MOVED BY"}, {name: "WRITTEN BY", gives: !full}}
	if full {
		columns = append(columns, column{name: "PURPOSE", gives: true})
	}
	p.table(columns, rows)
	p.hint("When old: when it is older than the start of the session.")
	p.hint("While a workflow is running, evict leaves what that workflow wrote.")
	p.heading("Forms of names that are allowed too; older than their limit, cleanup moves them")
	rows = rows[:0]
	for _, f := range c.Patterns {
		limit := ""
		if f.StaleDays > 0 {
			limit = fmt.Sprintf("%d d", f.StaleDays)
		}
		rows = append(rows, []cell{{strong, f.Pattern}, {plain, limit}, {faint, f.Use}})
	}
	p.table([]column{{name: "PATTERN"}, {name: "LIMIT", right: true}, {name: "USE", gives: true}}, rows)
	p.heading("Left-overs of programs, which every cleanup moves")
	for _, f := range c.Ephemeral {
		p.line(strong, "%s", f.Pattern)
	}
	p.heading("Types of workflows")
	p.prose(strings.Join(c.WorkflowTypes, ", "))
	p.end()
	p.hint("One name: baton dir contract NAME. Everything, for programs: baton dir contract --json")
}

// byKind gives the names of the contract in the order of its kinds, those of one kind in the order of the contract.
func byKind(c statedir.Description) []statedir.Row {
	place := func(r statedir.Row) int {
		return slices.IndexFunc(c.Kinds, func(kind [2]string) bool { return kind[0] == r.Kind })
	}
	return slices.SortedStableFunc(slices.Values(c.Canonical), func(a, b statedir.Row) int { return cmp.Compare(place(a), place(b)) })
}

// movedBy names the sweeps that move a declared name, and on which condition.
func movedBy(rules []statedir.EvictRule, exempt bool) string {
	switch {
	case exempt:
		return "nothing"
	case len(rules) == 0:
		return "reset"
	case rules[0] == statedir.EvictScoped:
		return "reset; begin, evict: when old"
	}
	return "reset, begin, evict"
}

// explained is what holds for one name.
func (p *page) explained(r folder.ContractResult) {
	e := r.Name
	t := good
	if e.Bucket == "ephemeral" || e.Bucket == "ad_hoc" {
		t = bad
	}
	p.add(strong, filename(e.Name)).add(plain, "  ").add(t, string(e.Bucket)).end()
	if e.Why != "" {
		p.prose(e.Why)
	}
	var facts [][2]string
	if row := e.Detail.Row; row != nil {
		facts = append(facts, [2]string{"purpose", row.Purpose}, [2]string{"written by", strings.Join(row.Writers, ", ")},
			[2]string{"status", strings.Join(row.Statuses, ", ")})
		if row.Sidecar != "" {
			facts = append(facts, [2]string{"sidecar", row.Sidecar + ", which carries the status: baton dir contract --schema " + row.Sidecar})
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
			p.item("  ", faint, f[0]+strings.Repeat(" ", len("written by")-len(f[0])+1), f[1])
		}
	}
	if e.Suggestion != nil && *e.Suggestion != e.Name {
		p.line(accent, "Did you mean %s?", filename(*e.Suggestion))
	}
}

func (d *door) dirSlugCommand() *cobra.Command {
	var r folder.DirRequest
	cmd := d.command(spec{
		use: "slug TITLE…", short: "Give the names of lanes of a parallel review",
		long: "Give each title the slug that names its lane, and the file of its review. Two different titles with one slug, or a slug\n" +
			"that belongs to another lane of the record, are refused, with a free one in the hint. Nothing is written.",
		example: "baton dir slug \"API v1\" Frontend\nbaton dir slug \"API v1\" --json",
		least:   1, most: 1 << 16,
		exits: []report.Kind{report.NotFound, report.Conflict, report.Violation, report.Corrupt, report.Refused},
		run: func(cmd *cobra.Command, args []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (folder.SlugResult, error) {
				return p.Folder.DirSlugs(ctx, args, r)
			}, func(p *page, got folder.SlugResult) {
				rows := make([][]cell, 0, len(got.Lanes))
				for _, lane := range got.Lanes {
					rows = append(rows, []cell{{strong, lane.Slug}, {plain, lane.File}, {faint, lane.Title}})
				}
				p.table([]column{{name: "SLUG"}, {name: "FILE"}, {name: "TITLE", gives: true}}, rows)
			})
		},
	})
	return inFolder(cmd, &r)
}
