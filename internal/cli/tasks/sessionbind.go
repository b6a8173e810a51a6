package tasks

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/usecase/agents"
)

func sessionAdoptCommand(d *app.App) *cobra.Command {
	var r agents.AdoptRequest
	cmd := d.Command(app.Spec{
		Use: "adopt [ENTRY TASK]", Short: "Move what a session did without a task into one",
		Long: "An agent's session that changed files or commits, but worked on no task, leaves an entry that " +
			"belongs to no task. Without arguments, list these entries. With an entry and a task, add the entry " +
			"to the task's log, as a draft, and remove it from the list.\n\n" +
			"If an entry belongs to no task of the project, --dismiss keeps it, but no session hears of it any " +
			"more. --all lists these entries, too, and you can still move them into a task.",
		Example: "baton session adopt\nbaton session adopt 1f0c9a2b 101\nbaton session adopt 1f0c9a2b --dismiss",
		MaxArgs: 2,
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			switch {
			case r.Dismiss && len(args) != 1:
				return app.Usage(cmd.CommandPath(), "--dismiss needs ENTRY and no TASK")
			case len(args) == 1 && !r.Dismiss:
				return app.Usage(cmd.CommandPath(), app.CommandName(cmd)+" needs both ENTRY and TASK")
			case len(args) > 0:
				r.ID = args[0]
			}
			if len(args) > 1 {
				r.Task = args[1]
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (agents.AdoptResult, error) {
				return p.Agents.AdoptSession(ctx, r)
			}, pageAdopted)
		},
	})
	cmd.Flags().BoolVar(&r.Dismiss, "dismiss", false, "do not mention the entry any more")
	cmd.Flags().BoolVar(&r.All, "all", false, "list entries that were dismissed, too")
	return cmd
}

func pageAdopted(p *app.Page, r agents.AdoptResult) {
	p.Remarks = append(p.Remarks, r.Warnings...)
	if r.Adopted != "" {
		p.Add(app.Good, fmt.Sprintf("Logged session %d", r.Session)).Add(app.Plain, " of "+r.Task.Ref()).
			Add(app.Faint, "  from "+r.Adopted).End()
		return
	}
	if r.Dismissed != "" {
		p.Line(app.Good, "No session hears of %s any more; `baton session adopt --all` still lists it.", r.Dismissed)
		return
	}
	if len(r.Unbound) == 0 {
		p.Line(app.Plain, "No session left work without a task.")
		return
	}
	heard := false // some are not dismissed
	for i, u := range r.Unbound {
		if i > 0 {
			p.End()
		}
		heard = heard || u.Dismissed == ""
		p.Add(app.Strong, u.ID).Add(app.Plain, "  "+safetext.Line(u.Client)+"  "+p.Clock(u.To))
		if u.Branch != "" {
			p.Add(app.Faint, "  on "+safetext.Line(u.Branch))
		}
		if u.Dismissed != "" {
			p.Add(app.Faint, "  dismissed "+p.Clock(u.Dismissed))
		}
		p.End()
		for _, text := range u.Did[min(1, len(u.Did)):] { // the first item says what the others do: who and when
			p.Block("  ", safetext.Line(text), 2)
		}
		for _, c := range u.Commits {
			commit := "Commit " + safetext.ShortHash(safetext.Line(c.Hash)) + " " + safetext.Line(c.Subject)
			p.Block("  ", strings.TrimSpace(commit), 2)
		}
	}
	p.End()
	p.Hint("Next: baton session adopt ENTRY TASK")
	if heard {
		p.Hint("  or: baton session adopt ENTRY --dismiss, if it belongs to no task")
	}
}

func sessionUnbindCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "unbind [SESSION]", Short: "Free an agent's session from the task that it was bound to",
		Long: "A session without a task begins to work on the one that its prompt, its branch or its edits name. " +
			"unbind undoes that: it releases the task's claim, and the session is bound to no task by itself any " +
			"more. `baton session start` still binds it. Without SESSION, it is the session in which you run the " +
			"command. `hooks.take: off` switches this binding off for the project.",
		Example: "baton session unbind",
		MaxArgs: 1,
		Exits:   app.WritingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			session := ""
			if len(args) > 0 {
				session = args[0]
			}
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (agents.UnbindResult, error) {
				return p.Agents.UnbindSession(ctx, session)
			}, func(p *app.Page, r agents.UnbindResult) {
				p.Remarks = append(p.Remarks, r.Warnings...)
				if r.Task == "" {
					p.Line(app.Plain, "The session works on no task.")
					return
				}
				p.Line(app.Good, "The session no longer works on %s.", r.Task.Ref())
			})
		},
	})
}
