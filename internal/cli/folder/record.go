package folder

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/folder"
)

func dirReadCommand(d *app.App) *cobra.Command {
	var r folder.DirRequest
	cmd := d.Command(app.Spec{
		Use: "read", Short: "Print the record of the workflow",
		Long: `Print workflow.yaml: which workflow is running, in which phase, and since when. If a process holds
the folder's lock, or left it behind, that is shown too. --json prints the record itself as one
object with the record's own keys. Without a record, baton says that nothing is active.`,
		Example: "baton dir read\nbaton dir read --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			var lock folder.DirLock
			got, err := app.Ask(d, cmd, d.Options(cmd),
				func(ctx context.Context, p *project.Project) (folder.RecordResult, error) {
					got, err := p.Folder.DirRead(ctx, r)
					if err == nil && !d.JSON {
						lock, err = p.Folder.DirLock(ctx, r)
						lock.Warnings = nil // the record's are the same
					}
					return got, err
				},
			)
			if err != nil {
				return err
			}
			if err := app.Present(d, got, func(p *app.Page, got folder.RecordResult) {
				pageRecord(p, got, r)
				lockShown(p, lock, r)
			}); err != nil {
				return err
			}
			d.PrintRemarks(got.Warnings) // the record has no place for them
			return broken(got.Warnings)
		},
	})
	return inFolder(cmd, &r)
}

func pageRecord(p *app.Page, r folder.RecordResult, where folder.DirRequest) {
	if !r.Exists {
		p.Item("", app.Plain, "No workflow is recorded:", "there is no "+r.Path+".")
		p.Hint("To start one: %s", pageHint(p, where, "begin TYPE TASK"))
		return
	}
	fields := fieldsIn(r.Record)
	task := textOf(r.Record, "task")
	switch said := headline(textOf(r.Record, "workflow_type"), task); {
	case slices.ContainsFunc(fields, func(f field) bool { return f.key == "active" && string(f.value) == "true" }):
		p.Item("", app.Good, "Running", said)
	case said == "":
		p.Line(app.Plain, "No workflow is running.")
	default:
		p.Item("", app.Strong, "Ended", said)
	}
	brief(p, r.Record)
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
		p.End()
		record(p, rest)
	}
}

// record lists fields with aligned values. Line ends in a text are made visible, and times are in
// the reader's zone.
func record(p *app.Page, fields []field) {
	widest := 0
	for _, f := range fields {
		widest = max(widest, displaywidth.String(safetext.Visible(f.key)))
	}
	for _, f := range fields {
		key := safetext.Visible(f.key) + ":"
		gap := strings.Repeat(" ", widest-displaywidth.String(key)+1)
		p.Item("", app.Faint, key+gap, p.Clock(filename(valueWords(f.value))))
	}
}

func dirUpdateCommand(d *app.App) *cobra.Command {
	var r folder.RecordRequest
	cmd := d.Command(app.Spec{
		Use: "update KEY=VALUE…", Short: "Change the record of the workflow",
		Long: "Change fields of workflow.yaml and update the fields that follow from them: the first " +
			"activation and a new type get an id and a start, earlier ids are kept in a list, and one " +
			"field says whether `baton dir validate` finds errors. Only the lines of changed fields are " +
			"edited. Unknown phases, tiers and types need --force. VALUE is stored as you write it; only " +
			"task=- and task=@FILE read the text as `baton dir begin` does. null removes the value of any " +
			"field except workflow_id and created_at.",
		Example: "baton dir update phase=implement\nbaton dir update status=DONE verdict=PASS active=false\n" +
			"baton dir update phase=our_own_step --force",
		MinArgs: 1, MaxArgs: 256,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			for _, pair := range args {
				if key, _, ok := strings.Cut(pair, "="); !ok || key == "" {
					return app.Usage(cmd.CommandPath(), fmt.Sprintf("%q is not KEY=VALUE", pair))
				}
			}
			ask := r
			for _, pair := range args {
				if text, ok := strings.CutPrefix(pair, "task="); ok { // as in begin
					text, err := d.TextOrFile(cmd.Context(), "task", text)
					if err != nil {
						return err
					}
					pair = "task=" + text
				}
				ask.Pairs = append(ask.Pairs, pair)
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (folder.RecordChange, error) {
				return p.Folder.DirUpdate(ctx, ask)
			}, pageRecordChange)
		},
	})
	cmd.Flags().BoolVar(&r.Force, "force", false, "accept an unknown phase, tier or type")
	cmd.ValidArgsFunction = d.Completer(completeRecordField)
	return inFolder(cmd, &r.DirRequest)
}

func pageRecordChange(p *app.Page, r folder.RecordChange) {
	p.Remarks = r.Warnings
	if len(r.Changed) == 0 {
		p.Line(app.Plain, "Nothing to do: %s already says so.", r.Path)
		return
	}
	p.Line(app.Good, "Changed %s in %s", safetext.Count(len(r.Changed), "field"), r.Path)
	var now []field
	for _, f := range fieldsIn(r.Record) {
		if slices.Contains(r.Changed, f.key) {
			now = append(now, f)
		}
	}
	for _, key := range r.Changed {
		if !slices.ContainsFunc(now, func(f field) bool { return f.key == key }) {
			now = append(now, field{key: key, value: []byte(`"(removed)"`)})
		}
	}
	record(p, now)
}
