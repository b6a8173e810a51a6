package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/folder"
)

func (d *door) dirReadCommand() *cobra.Command {
	var r folder.DirRequest
	cmd := d.command(spec{
		use: "read", short: "Print the record of the workflow",
		long: "Print workflow.yaml: which workflow is running, in which phase, since when. --json prints the record itself as one\n" +
			"object, whose keys are the record's own. Without a record the answer is that nothing is active.",
		example: "baton dir read\nbaton dir read --json",
		exits:   reading[:],
		run: func(cmd *cobra.Command, _ []string) error {
			got, err := ask(d, cmd, d.options(cmd), func(ctx context.Context, p *project.Project) (folder.RecordResult, error) {
				return p.Folder.DirRead(ctx, r)
			})
			if err != nil {
				return err
			}
			if err := present(d, got, func(p *page, got folder.RecordResult) { pageRecord(p, got, r) }); err != nil {
				return err
			}
			d.remarks(got.Warnings) // the record has no place for them
			return nil
		},
	})
	return inFolder(cmd, &r)
}

func pageRecord(p *page, r folder.RecordResult, where folder.DirRequest) {
	if !r.Exists {
		p.item("", plain, "No workflow is recorded:", "there is no "+r.Path+".")
		p.hint("Begin one: %s", p.again(where, "begin TYPE TASK"))
		return
	}
	fields := fieldsIn(r.Record)
	task := textOf(r.Record, "task")
	switch said := headline(textOf(r.Record, "workflow_type"), task); {
	case slices.ContainsFunc(fields, func(f field) bool { return f.key == "active" && string(f.value) == "true" }):
		p.item("", good, "Running", said)
	case said == "":
		p.line(plain, "No workflow is running.")
	default:
		p.item("", strong, "Ended", said)
	}
	p.brief(r.Record)
	var rest []field
	for _, f := range fields {
		switch f.key {
		case "active", "workflow_type", "workflow_id", "created_at", "phase":
			continue // in the heading
		case "task":
			if firstLine(task) == strings.TrimSpace(task) {
				continue
			}
		}
		switch string(f.value) {
		case "null", `""`, "[]", "{}":
			continue
		}
		rest = append(rest, f)
	}
	if len(rest) > 0 {
		p.end()
		p.record(rest)
	}
}

// record lists fields with their values under each other. Of a text in several lines the line ends are visible, and moments
// are those of the clock on the wall.
func (p *page) record(fields []field) {
	widest := 0
	for _, f := range fields {
		widest = max(widest, displaywidth.String(harmless(f.key)))
	}
	for _, f := range fields {
		key := harmless(f.key) + ":"
		gap := strings.Repeat(" ", widest-displaywidth.String(key)+1)
		p.item("", faint, key+gap, p.clock(filename(valueWords(f.value))))
	}
}

func (d *door) dirUpdateCommand() *cobra.Command {
	var r folder.RecordRequest
	cmd := d.command(spec{
		use: "update KEY=VALUE…", short: "Change the record of the workflow",
		long: "Change fields of workflow.yaml and apply its stamps: the first activation and another type get an id and a start, the\n" +
			"history of ids is kept, and a mark says whether `baton dir validate` finds errors. Only the lines of the fields that\n" +
			"change are touched. Phases, tiers and types must be known, unless --force stores them. VALUE is taken as it stands;\n" +
			"null takes the value away where a field may have none.",
		example: "baton dir update phase=implement\nbaton dir update status=DONE verdict=PASS active=false\nbaton dir update phase=our_own_step --force",
		least:   1, most: 256,
		exits: writing[:],
		run: func(cmd *cobra.Command, args []string) error {
			for _, pair := range args {
				if key, _, ok := strings.Cut(pair, "="); !ok || key == "" {
					return usage(cmd.CommandPath(), fmt.Sprintf("%q is not KEY=VALUE", pair))
				}
			}
			ask := r
			ask.Pairs = args
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (folder.RecordChange, error) {
				return p.Folder.DirUpdate(ctx, ask)
			}, pageRecordChange)
		},
	})
	cmd.Flags().BoolVar(&r.Force, "force", false, "store a phase, tier or type that is not known")
	cmd.ValidArgsFunction = d.completeRecordField
	return inFolder(cmd, &r.DirRequest)
}

func pageRecordChange(p *page, r folder.RecordChange) {
	p.remarks = r.Warnings
	if len(r.Changed) == 0 {
		p.line(plain, "Nothing to do: %s says so already.", r.Path)
		return
	}
	p.line(good, "Changed %s of %s", plural(len(r.Changed), "field"), r.Path)
	var now []field
	for _, f := range fieldsIn(r.Record) {
		if slices.Contains(r.Changed, f.key) {
			now = append(now, f)
		}
	}
	for _, key := range r.Changed {
		if !slices.ContainsFunc(now, func(f field) bool { return f.key == key }) {
			now = append(now, field{key: key, value: []byte(`"(taken away)"`)})
		}
	}
	p.record(now)
}
