package agents

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/sessions"
)

func contextCommand(d *app.App) *cobra.Command {
	r := sessions.ContextRequest{}
	cmd := d.Command(app.Spec{
		Use: "context [TASK]", Short: "Print what a new session needs to know",
		Long: `Print what a session on a task needs to know, within a budget of tokens: where the project stands,
the task with its open criteria and requirements, the next steps that the last session left, what
failed, what came from other tasks, and what git says. Without TASK, baton takes the active task.
The essentials are always printed in full. For details that did not fit, you see the command that
prints them. No sentence is cut, and the last line says what was left out.

Tokens are estimated, so that the same files give the same text for every model.

--explain prints what an agent is told when its session starts, the size of each part, and what
did not fit. It also scores how well such a session is oriented, and says why. Nothing is written.`,
		Example: "baton context\nbaton context 101 --budget 4000\nbaton context --explain",
		MaxArgs: 1,
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if err := app.Exclusive(cmd, "budget", "explain"); err != nil {
				return err
			}
			if cmd.Flags().Changed("budget") && r.Budget == 0 {
				r.Budget = -1 // refused like every budget that is too small
			}
			r.Task = app.Operand(args)
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (sessions.ContextResult, error) {
				return p.Sessions.Context(ctx, r)
			}, pageContext)
		},
	})
	flags := cmd.Flags()
	flags.IntVar(&r.Budget, "budget", sessions.DefaultContextBudget, "print at most this many `TOKENS`")
	flags.BoolVar(&r.Explain, "explain", false, "print what a new session is told, with a score")
	cmd.ValidArgsFunction = d.CompleteTask
	return cmd
}

// pageContext prints the text as an agent gets it, and what there is to say about it below.
func pageContext(p *app.Page, r sessions.ContextResult) {
	p.Remarks = r.Warnings
	if strings.TrimSpace(r.Text) != "" {
		p.Block("", r.Text, 0)
	}
	if r.Score == nil {
		return
	}
	parts(p, r)
	p.Heading("Score: %d of 100", r.Score.Points)
	for _, reason := range r.Score.Reasons {
		mark, text := app.Good, reason.Text
		if reason.Points < reason.Of {
			mark = app.Warn
			if reason.Hint != "" {
				text += ": " + reason.Hint
			}
		}
		p.Item("  ", mark, fmt.Sprintf("%5s", fmt.Sprintf("%d/%d", reason.Points, reason.Of)), text)
	}
}

// parts lists what the text is made of.
func parts(p *app.Page, r sessions.ContextResult) {
	p.Heading("Parts: %s, about %s", safetext.Count(r.Characters, "character"), safetext.Count(r.Tokens, "token"))
	rows := make([][]app.Cell, 0, len(r.Parts))
	for _, part := range r.Parts {
		tone := app.Plain
		if part.Form != "full" {
			tone = app.Warn
		}
		rows = append(rows, []app.Cell{
			{Text: part.Name},
			{Tone: tone, Text: strings.ReplaceAll(part.Form, "_", " ")},
			{Text: fmt.Sprint(part.Characters)},
			{Text: fmt.Sprint(part.Tokens)},
		})
	}
	p.Table([]app.Column{
		{Name: "PART", Shrinks: true}, {Name: "FORM"}, {Name: "CHARACTERS", Right: true}, {Name: "TOKENS", Right: true},
	}, rows)
	if len(r.Left) == 0 {
		return
	}
	p.Heading("Left out")
	for _, left := range r.Left {
		p.Line(app.Plain, "  %s (%s): %s", left.Name, safetext.Count(left.Characters, "character"), left.Command)
	}
}
