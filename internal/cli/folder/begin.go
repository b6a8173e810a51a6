package folder

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/folder"
)

func dirBeginCommand(d *app.App) *cobra.Command {
	var r folder.BeginRequest
	cmd := d.Command(app.Spec{
		Use: "begin TYPE TASK", Short: "Begin a workflow in a clean folder",
		Long: "Move what an earlier workflow left behind to a snapshot in .archive, with a copy of its " +
			"record, and write the record of the new workflow: id, start, phase context_init. Plans, " +
			"specifications, decisions and notes stay. This happens immediately; --dry-run only shows it. " +
			"A workflow that is still running is replaced. If somebody else began or updated it within " +
			"tasks.lease (30 minutes), or agents of devt work on its lanes, the command is refused without " +
			"--steal. If you give the TYPE and TASK " +
			"that are already running, that workflow continues and nothing changes.\n\n" +
			"TYPE is a type of workflow; `baton dir contract` lists them. Four have a short name: " +
			"workflow means dev, implement means quick_implement, review means code_review, arch means " +
			"arch_health_scan. TASK is any text that says what the workflow is about; - reads it from " +
			"standard input, and @FILE from a file. --new-session also starts a new session: it forgets " +
			"the ids and the start of the previous one, and moves all its reviews and summaries, even " +
			"recent ones.",
		Example: "baton dir begin dev \"Sign in with a key\" --dry-run\n" +
			"baton dir begin dev \"Sign in with a key\"\nbaton dir begin code_review \"PR 376\" --new-session",
		MinArgs: 2, MaxArgs: 2,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			ask := r
			ask.Type = args[0]
			var err error
			if ask.Task, err = d.TextOrFile(cmd.Context(), "TASK", args[1]); err != nil {
				return err
			}
			words := []string{"begin"}
			if ask.NewSession {
				words = append(words, "--new-session")
			}
			same := app.InShell(hintFor(d, ask.DirRequest, words...), args)
			return app.AnswerJudged(d, cmd, func(ctx context.Context, p *project.Project) (folder.BeginResult, error) {
				return p.Folder.DirBegin(ctx, ask)
			}, func(p *app.Page, got folder.BeginResult) { pageBegun(p, got, ask, same) },
				func(got folder.BeginResult) error {
					if err := broken(got.Warnings); err != nil {
						return err
					}
					return unmoved(got.Entries, got.Folder)
				})
		},
	})
	flags := cmd.Flags()
	flags.BoolVar(&r.NewSession, "new-session", false, "also end the previous session, and forget its ids")
	flags.BoolVar(&r.Steal, "steal", false, "also end a workflow that somebody else is at work on")
	flags.BoolVar(&r.DryRun, "dry-run", false, "only show what would happen")
	cmd.ValidArgsFunction = app.FirstOperand(d.Completer(completeType))
	return inFolder(cmd, &r.DirRequest)
}

func pageBegun(p *app.Page, r folder.BeginResult, asked folder.BeginRequest, same string) {
	p.Remarks = slices.DeleteFunc(slices.Clone(r.Warnings), func(f report.Finding) bool {
		return f.Code == report.CodeInherited // said on the page, with the names
	})
	said := headline(textOf(r.Record, "workflow_type"), textOf(r.Record, "task"))
	switch {
	case r.Resumed:
		p.Item("", app.Good, "Continues", said)
		brief(p, r.Record)
		p.Line(app.Plain, "Nothing was moved or written.")
	case asked.DryRun:
		p.Item("", app.Strong, "Would begin", said)
		moves(p, r.DirSweep)
	default:
		p.Item("", app.Good, "Began", said)
		brief(p, r.Record)
		moves(p, r.DirSweep)
	}
	if !r.Resumed {
		ends(p, r.DirSweep)
	}
	stayed(p, r.DirSweep)
	ring(p, r.DirSweep)
	if len(r.Inherited) > 0 {
		p.Item(
			"  ", app.Warn, "inherited:",
			shortFilenames(p, r.Inherited, 2*keptNames)+"; left by earlier work, not by this workflow",
		)
	}
	switch {
	case asked.DryRun && !r.Resumed:
		p.DoIt("Nothing was done.", same)
	default:
		undo(p, r.DirSweep, asked.DirRequest)
		p.Hint("To record a change: %s", pageHint(p, asked.DirRequest, "update phase=PHASE"))
	}
}

// brief says which workflow the record is about.
func brief(p *app.Page, record json.RawMessage) {
	for _, fact := range [...][2]string{{"id", "workflow_id"}, {"since", "created_at"}, {"phase", "phase"}} {
		text := textOf(record, fact[1])
		if fact[1] == "created_at" {
			text = p.Clock(text)
		}
		if text != "" {
			p.Item("  ", app.Faint, fact[0]+strings.Repeat(" ", len("phase")-len(fact[0])+1), text)
		}
	}
}

// headline says which workflow is meant.
func headline(kind, task string) string {
	if kind == "" {
		return firstLine(task)
	}
	return strings.TrimSuffix(kind+": "+firstLine(task), ": ")
}

// nameless is the headline of a workflow whose record has neither type nor task.
const nameless = "a workflow without type and task"

// inPhase adds the phase, if there is one, to the headline of a workflow, if it has one.
func inPhase(said, phase string) string {
	switch {
	case phase == "":
		return said
	case said == "":
		return "phase " + phase
	}
	return said + ", phase " + phase
}

// firstLine shortens a task for a heading; the record has all of it.
func firstLine(text string) string {
	line, rest, more := strings.Cut(strings.TrimSpace(text), "\n")
	if more && strings.TrimSpace(rest) != "" {
		line = strings.TrimSpace(line) + " …"
	}
	return safetext.Columns(line, 160)
}

// field is one field of a record, in the record's order.
type field struct {
	key   string
	value json.RawMessage
}

// fieldsIn returns the fields of a record, none if it is not an object.
func fieldsIn(record json.RawMessage) []field {
	dec := json.NewDecoder(bytes.NewReader(record))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	var list []field
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return list
		}
		f := field{}
		f.key, _ = key.(string)
		if err := dec.Decode(&f.value); err != nil {
			return list
		}
		list = append(list, f)
	}
	return list
}

// textOf returns a field that holds text; "" for any other.
func textOf(record json.RawMessage, key string) string {
	for _, f := range fieldsIn(record) {
		var text string
		if f.key == key && json.Unmarshal(f.value, &text) == nil {
			return text
		}
	}
	return ""
}

// valueWords writes a value for people: text as it is, lists of texts with commas, everything else
// as JSON.
func valueWords(value json.RawMessage) string {
	var text string
	var texts []string
	switch {
	case string(value) == "null":
		return "null"
	case json.Unmarshal(value, &text) == nil:
		return text
	case json.Unmarshal(value, &texts) == nil:
		return strings.Join(texts, ", ")
	}
	var out bytes.Buffer
	if json.Compact(&out, value) != nil {
		return string(value)
	}
	return out.String()
}
