package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
)

func (d *door) statusCommand() *cobra.Command {
	return d.command(spec{
		use: "status", short: "Say what baton found here",
		long: "Print the root that was found, its layouts, the runtime folders, who you are as a holder, how many tasks stand\n" +
			"where, and which claims are held.",
		example: "baton status\nbaton status --json",
		exits:   []report.Kind{report.NotFound, report.Violation, report.Refused},
		run: func(cmd *cobra.Command, _ []string) error {
			return answer(d, cmd, func(ctx context.Context, b backend) (project.StatusResult, error) {
				return b.Status(ctx)
			}, pageStatus)
		},
	})
}

func pageStatus(p *page, r project.StatusResult) {
	p.line(strong, "%s", r.Root)
	if len(r.Layouts) == 0 {
		p.line(plain, "  no layout yet")
	}
	for _, layout := range r.Layouts {
		p.line(plain, "  %-8s %s in %s", layout.Role, layout.Name, layout.Path)
	}
	p.line(plain, "  runtime  %s", r.Runtime)
	if r.SharedRuntime != r.Runtime {
		p.line(plain, "  shared   %s", r.SharedRuntime)
	}
	p.line(plain, "  holder   %s", r.Holder)
	p.end()
	p.line(plain, "Tasks: %s", counts(r.Counts, r.Waiting))
	for _, t := range r.Blocked {
		p.item("  ", bad, ref(t.Task)+" blocked:", blockedText(t))
	}
	for _, claim := range r.Claims {
		p.line(accent, "  %s held by %s until %s", ref(claim.Task), claim.By, p.clock(claim.Until))
	}
	p.findings(r.Warnings)
	switch {
	case len(r.Layouts) == 0:
		p.hint("Next: baton init")
	case r.Ready > 0:
		p.hint("Ready: %d. Next: baton task ready", r.Ready)
	case len(r.Counts) == 0:
		p.hint(`Next: baton task new "TITLE"`)
	}
}

// blockedText is why a task is blocked, or its title where nobody said.
func blockedText(t project.BlockedRow) string {
	if t.Reason != "" {
		return t.Reason
	}
	return t.Title
}

// counts lists how many tasks have which status, in the order of a task's life and then by name; those of the ready
// ones that wait for others are named as such.
func counts(byStatus map[string]int, waiting int) string {
	byStatus = maps.Clone(byStatus)
	if waiting > 0 {
		byStatus["ready"] -= waiting
		byStatus["waiting"] = waiting
	}
	var parts []string
	life := []string{"backlog", "waiting", "ready", "in_progress", "in_review", "blocked", "complete", "cancelled", "decomposed"}
	var others []string
	for status := range byStatus {
		if !slices.Contains(life, status) {
			others = append(others, status)
		}
	}
	slices.Sort(others)
	for _, status := range append(life, others...) {
		if n := byStatus[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// findings puts warnings on the page itself.
func (p *page) findings(list []report.Finding) {
	if len(list) == 0 {
		return
	}
	p.heading("Warnings")
	for _, f := range list {
		t := warn
		switch f.Severity {
		case report.Info:
			t = faint
		case report.Severe:
			t = bad
		}
		p.item("  ", t, "!", remark(f))
	}
}
