package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/usecase/sessions"
)

func (d *door) contextCommand() *cobra.Command {
	r := sessions.ContextRequest{}
	cmd := d.command(spec{
		use: "context [TASK]", short: "Print what a fresh session needs to know",
		long: "Print what a session of a task needs, within a budget of tokens: where the project stands, the task with its open\n" +
			"criteria and requirements, the next steps of the last session, what failed, what came from other tasks, what git says.\n" +
			"Without TASK it is the active task. What is always needed stands there in full, what rarely is is named with the command\n" +
			"that prints it; nothing is cut inside a sentence, and the last line says what was left out.\n\n" +
			"Tokens are estimated, so that the same files give the same text for every model.\n\n" +
			"--explain prints what an agent is told when its session starts, the size of each part, what had no room, and how well such\n" +
			"a session is oriented: a score with the reasons. Nothing is changed by looking.",
		example: "baton context\nbaton context 101 --budget 4000\nbaton context --explain",
		most:    1,
		exits:   reading[:],
		run: func(cmd *cobra.Command, args []string) error {
			if err := exclusive(cmd, "budget", "explain"); err != nil {
				return err
			}
			if cmd.Flags().Changed("budget") && r.Budget == 0 {
				r.Budget = -1 // refused like every budget that is too small
			}
			if len(args) > 0 {
				r.Task = args[0]
			}
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (sessions.ContextResult, error) {
				return p.Sessions.Context(ctx, r)
			}, pageContext)
		},
	})
	flags := cmd.Flags()
	flags.IntVar(&r.Budget, "budget", sessions.DefaultContextBudget, "print at most so many `TOKENS`")
	flags.BoolVar(&r.Explain, "explain", false, "print what a fresh session is told, and a score")
	cmd.ValidArgsFunction = d.completeTask
	return cmd
}

// pageContext is the text as an agent gets it; what is told about it stands behind.
func pageContext(p *page, r sessions.ContextResult) {
	p.remarks = r.Warnings
	if strings.TrimSpace(r.Text) != "" {
		p.block("", r.Text, 0)
	}
	if r.Score == nil {
		return
	}
	p.parts(r)
	p.heading("Score: %d of 100", r.Score.Points)
	for _, reason := range r.Score.Reasons {
		mark, text := good, reason.Text
		if reason.Points < reason.Of {
			mark = warn
			if reason.Hint != "" {
				text += ": " + reason.Hint
			}
		}
		p.item("  ", mark, fmt.Sprintf("%5s", fmt.Sprintf("%d/%d", reason.Points, reason.Of)), text)
	}
}

// parts lists what the text is made of.
func (p *page) parts(r sessions.ContextResult) {
	p.heading("Parts: %s, about %s", plural(r.Characters, "character"), plural(r.Tokens, "token"))
	rows := make([][]cell, 0, len(r.Parts))
	for _, part := range r.Parts {
		tone := plain
		if part.Form != "full" {
			tone = warn
		}
		rows = append(rows, []cell{
			{plain, part.Name},
			{tone, strings.ReplaceAll(part.Form, "_", " ")},
			{plain, fmt.Sprint(part.Characters)},
			{plain, fmt.Sprint(part.Tokens)},
		})
	}
	p.table([]column{
		{name: "PART", gives: true}, {name: "FORM"}, {name: "CHARACTERS", right: true}, {name: "TOKENS", right: true},
	}, rows)
	if len(r.Left) == 0 {
		return
	}
	p.heading("Left out")
	for _, left := range r.Left {
		p.line(plain, "  %s (%s): %s", left.Name, plural(left.Characters, "character"), left.Command)
	}
}
