package app

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"baton/internal/report"
	"baton/internal/workspace"
)

// DryRuns gives --dry-run to every command that writes, unless it has a way of its own to show
// first what it does (D52). A command writes if it may have to wait for a lock. A command that runs
// another one gets no such flag, because nobody knows what that would write.
func (d *App) DryRuns(cmd *cobra.Command) *cobra.Command {
	EachCommand(cmd, func(c *cobra.Command) {
		flags := c.Flags()
		if strings.Contains(c.Annotations[ExitsKey], string(report.Locked)) && flags.Lookup("apply") == nil &&
			flags.Lookup("dry-run") == nil && c.Annotations[AskedKey] == "" {
			flags.BoolVar(&d.DryRun, "dry-run", false, "show what would change, and write nothing")
		}
	})
	return cmd
}

// OldSpelling accepts a flag that a command had before D52, and says nothing of it.
func OldSpelling(flags *pflag.FlagSet, name string) {
	flags.Bool(name, false, "")
	_ = flags.MarkHidden(name) // fails for a flag that is not there
}

// pageRehearsal shows what a command would change.
func pageRehearsal(p *Page, r *workspace.Rehearsal, again string) {
	p.Remarks = r.Warnings
	for _, c := range r.Changes {
		p.Diff("", c.Diff)
	}
	if len(r.Changes) == 0 {
		p.Line(Plain, "Nothing to do: no document would change.")
		return
	}
	p.DoIt("Nothing was written.", again)
}
