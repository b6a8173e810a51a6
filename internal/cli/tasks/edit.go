package tasks

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/task/edit"
	"baton/internal/usecase/tasks"
)

// editFlags are the flags of "task edit" that need more than their value.
type editFlags struct {
	title, epic, repository, requirements string
	after, notAfter, drop                 []string
	texts                                 []numberedText // of --reword and --verify, in order
}

// numberedText is a text for a criterion.
type numberedText struct {
	flag string
	n    int
	text string
	open bool // the text is an argument of its own
}

// numberedFlag is a flag with the values "N=TEXT", or N with the text as the next argument.
type numberedFlag struct {
	name string
	into *[]numberedText
}

func (numberedFlag) String() string { return "" }
func (numberedFlag) Type() string   { return "string" }

func (f numberedFlag) Set(word string) error {
	number, text, closed := strings.Cut(word, "=")
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || n < 1 {
		return errors.New("it begins with the number of a criterion")
	}
	*f.into = append(*f.into, numberedText{f.name, n, strings.TrimSpace(text), !closed})
	return nil
}

func editCommand(d *app.App) *cobra.Command {
	var r tasks.EditRequest
	var f editFlags
	cmd := about(d, app.Spec{
		Use: "edit ID", Short: "Change what a task says",
		Long: `Change a task: its title, requirements, criteria, dependencies or priority. Everything else in the
file stays as it is, byte for byte. What is removed goes to the task's archive.

Numbers of criteria are those before the change. A criterion that gets other words is open again.
Without flags, your editor ($VISUAL, $EDITOR) opens the file, and baton checks the result before it
writes it.`,
		Example: "baton task edit 101 --title \"JWT service\" --priority high\n" +
			"baton task edit 101 --after 100 --not-after 99\n" +
			"baton task edit 101 --accept \"Tokens expire\" --reword 2 \"Keys rotate weekly\"\n" +
			"baton task edit 101 --drop 3 --reason \"moved to 104\"\n" +
			"baton task edit 101 --verify 1 \"go test ./token\"",
		MinArgs: 1, MaxArgs: mostEditArgs,
		Exits: app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			r.ID = args[0]
			if cmd.Flags().NFlag() == 0 {
				return editorEdit(d, cmd, args[0])
			}
			if err := f.fill(d, cmd, &r, args[1:]); err != nil {
				return err
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (tasks.EditResult, error) {
				return p.Tasks.Edit(ctx, r)
			}, pageEdit)
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&f.title, "title", "", "the new title: `TEXT`")
	flags.StringVar(&f.epic, "epic", "", "the epic: `EPIC` is \"TITLE (#ID)\", a title or #ID; \"\" removes it")
	flags.StringVar(&f.repository, "repo", "", "the repository it is about: `NAME`")
	flags.StringVar(&f.requirements, "requirements", "", "what to do: `TEXT`, or - for standard input")
	flags.StringArrayVar(&f.after, "after", nil, "depend on task `ID`, too; may be repeated")
	flags.StringArrayVar(&f.notAfter, "not-after", nil, "do not depend on task `ID`; may be repeated")
	flags.StringArrayVar(&r.Accept, "accept", nil, "add a criterion: `TEXT`; may be repeated")
	flags.Var(numberedFlag{"reword", &f.texts}, "reword", "give criterion N other words: `N TEXT`; may be repeated")
	flags.Var(numberedFlag{"verify", &f.texts}, "verify", "this command verifies criterion N: `N CMD`; N= removes it")
	flags.StringArrayVar(&f.drop, "drop", nil, "remove criterion `N`; needs --reason; may be repeated")
	flags.StringVar(&r.Reason, "reason", "", "why criteria are dropped: `TEXT`")
	flags.StringVar(&r.Priority, "priority", "", "how urgent it is: `LEVEL` is high, normal or low")
	flags.StringVar(&r.Note, "note", "", "add `TEXT` below the requirements, with the day")
	return cmd
}

// mostEditArgs allows for an id and the texts of all flags with numbers.
const mostEditArgs = 200

// fill takes the flags over that were given. more are the arguments after the id: the texts of
// flags with numbers.
func (f *editFlags) fill(d *app.App, cmd *cobra.Command, r *tasks.EditRequest, more []string) (err error) {
	flags := cmd.Flags()
	if f.requirements, err = d.FlagText(cmd.Context(), "requirements", f.requirements); err != nil {
		return err
	}
	for name, to := range map[string]struct {
		into **string
		from *string
	}{
		"title": {&r.Title, &f.title}, "epic": {&r.Epic, &f.epic}, "repo": {&r.Repository, &f.repository},
		"requirements": {&r.Requirements, &f.requirements},
	} {
		if flags.Changed(name) {
			*to.into = to.from
		}
	}
	r.After, r.NotAfter = commaSeparated(f.after), commaSeparated(f.notAfter)
	for _, word := range commaSeparated(f.drop) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return app.Usage(cmd.CommandPath(), "--drop needs the number of a criterion, but got "+word)
		}
		r.Drop = append(r.Drop, n)
	}
	for _, t := range f.texts {
		if t.open {
			if len(more) == 0 {
				return app.Usage(cmd.CommandPath(), "--"+t.flag+" "+strconv.Itoa(t.n)+" needs a text after the number")
			}
			t.text, more = more[0], more[1:]
		}
		words := edit.Words{N: t.n, Text: t.text}
		if t.flag == "reword" {
			r.Reword = append(r.Reword, words)
		} else {
			r.Verify = append(r.Verify, words)
		}
	}
	if len(more) > 0 {
		return app.Usage(cmd.CommandPath(), app.CommandName(cmd)+" takes one task: "+more[0]+" belongs to no flag")
	}
	return nil
}

// commaSeparated splits values such as 100,101, which is what many try first.
func commaSeparated(values []string) []string {
	var out []string
	for _, value := range values {
		for one := range strings.SplitSeq(value, ",") {
			out = append(out, strings.TrimSpace(one))
		}
	}
	return out
}

func pageEdit(p *app.Page, r tasks.EditResult) {
	if len(r.Changed) == 0 {
		p.Line(app.Plain, "Nothing to do: %s already says that.", r.Task.Ref())
		p.Remarks = r.Warnings
		return
	}
	headline(p, "Changed "+r.Task.Ref(), r.Title, ": "+strings.Join(r.Changed, ", "))
	p.Line(app.Plain, "  %s", r.Path)
	if r.Archive != "" {
		p.Line(app.Plain, "  what it said before is in %s", r.Archive)
	}
	if len(r.WaitingFor) > 0 {
		p.Line(app.Plain, "  waits for %s", refs(r.WaitingFor))
	}
	p.Remarks = r.Warnings
	if r.Ready {
		p.Hint("Next: baton session start %s", r.Task)
		return
	}
	p.Hint("To see it: baton task show %s", r.Task)
}
