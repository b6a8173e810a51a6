package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/sessions"
)

func (d *door) statusCommand() *cobra.Command {
	return d.command(spec{
		use: "status", short: "Say where the project stands",
		long: "Print on one screen where the project stands: what its digest says, what is active and what is next, how many tasks\n" +
			"stand where and who holds which, which agents are at work here and how much baton told them, how large documents are\n" +
			"against their limits, and what is wrong. At the end stands what baton found: the root, its layouts, the runtime\n" +
			"folders, and who you are as a holder.",
		example: "baton status\nbaton status --json",
		exits:   []report.Kind{report.NotFound, report.Violation, report.Corrupt, report.Refused},
		run: func(cmd *cobra.Command, _ []string) error {
			return answer(d, cmd, func(ctx context.Context, p *project.Project) (sessions.StatusResult, error) {
				return p.Sessions.Status(ctx)
			}, pageStatus)
		},
	})
}

func pageStatus(p *page, r sessions.StatusResult) {
	p.line(strong, "%s", r.Root)
	for _, d := range r.Digests {
		p.end()
		p.digest(d)
	}
	if len(r.Layouts) == 0 {
		p.line(plain, "  no layout yet")
	}
	p.statusTasks(r)
	p.statusFolder(r.Folder)
	p.statusAgents(r.Agents)
	p.statusSizes(r)
	p.statusLost(r.Lost)
	p.findings(unsized(r.Warnings))
	p.end()
	for _, layout := range r.Layouts {
		p.line(faint, "  %-8s %s in %s", layout.Role, layout.Name, layout.Path)
	}
	p.line(faint, "  runtime  %s", r.Runtime)
	if r.SharedRuntime != r.Runtime {
		p.line(faint, "  shared   %s", r.SharedRuntime)
	}
	p.line(faint, "  holder   %s", r.Holder)
	if next := statusNext(r); next != "" {
		p.hint("%s", next)
	}
}

// digest puts in brief what a digest says.
func (p *page) digest(d sessions.DigestStatus) {
	title := milestoneWords(d.Milestone, d.MilestoneName)
	if title == "" {
		title = d.Path
	}
	p.add(strong, title)
	if d.Percent != nil {
		p.add(plain, "  ").add(accent, p.bar(*d.Percent))
	}
	p.end()
	active := d.ActivePhase
	if active != "" {
		active = "phase " + active
	}
	status := d.Status
	if status == "unknown" {
		status = "" // says no more than nothing
	}
	decisions := ""
	if d.Decisions+d.Archived > 0 {
		decisions = plural(d.Decisions, "decision")
	}
	if d.Archived > 0 {
		decisions += fmt.Sprintf(", %d in the archive", d.Archived)
	}
	for _, fact := range [...]struct {
		name, text string
		t          tone
	}{
		{"status", status, statusTone(d.Status)},
		{"phase", d.Phase, plain},
		{"active", active, accent},
		{"active", strings.Join(d.Specs, ", "), accent},
		{"next", nextWords(d.NextAction, d.NextPhases), plain},
		{"next", d.NextSpec, plain},
		{"activity", d.LastActivity, plain},
		{"stopped", d.StoppedAt, plain},
		{"decided", decisions, plain},
	} {
		if fact.text == "" {
			continue
		}
		p.add(faint, fmt.Sprintf("  %-8s ", fact.name)).add(fact.t, fact.text).end()
	}
	for _, text := range d.Blockers {
		p.item("  ", bad, "blocked ", text)
	}
}

// statusTasks puts how many tasks stand where, those at work, the blocked ones, and who holds what.
func (p *page) statusTasks(r sessions.StatusResult) {
	if len(r.Counts) == 0 && (len(r.Digests) > 0 || r.Folder != nil && !hasRole(r, "tasks")) {
		return
	}
	p.end()
	p.line(plain, "Tasks: %s", counts(r.Counts, r.Waiting))
	told := map[task.ID]bool{}
	for _, t := range r.Active {
		note := "  held by nobody"
		for _, claim := range r.Claims {
			if claim.Task == t.ID {
				note = fmt.Sprintf("  held by %s until %s", claim.By, p.clock(claim.Until))
			}
		}
		if t.CriteriaTotal > 0 {
			note = "  " + fraction(t.CriteriaDone, t.CriteriaTotal) + note
		}
		p.item("  ", accent, ref(t.ID), t.Title+note)
		told[t.ID] = true
	}
	for _, t := range r.Blocked {
		p.item("  ", bad, ref(t.Task)+" blocked:", blockedText(t))
	}
	for _, claim := range r.Claims {
		if !told[claim.Task] {
			p.line(accent, "  %s held by %s until %s", ref(claim.Task), claim.By, p.clock(claim.Until))
		}
	}
	for _, t := range r.Next {
		p.item("  ", good, ref(t.ID), t.Title+"  ready")
	}
}

// statusAgents puts the sessions of agents in this checkout, with what baton put into their contexts.
func (p *page) statusAgents(list []sessions.AgentRow) {
	if len(list) == 0 {
		return
	}
	p.heading("Agents")
	for _, a := range list {
		t, state := faint, "over"
		if a.Live {
			t, state = accent, "live"
		}
		name := strings.TrimSpace(a.Client + " " + shortSession(a.Session))
		text := state + ", seen " + p.clock(a.Seen)
		if a.Task != "" {
			text = ref(a.Task) + "  " + text
		}
		if n := a.Injected; n.Times > 0 {
			text += fmt.Sprintf(", told %s: %s characters, about %s tokens", plural(n.Times, "time"), rounded(n.Characters), rounded(n.Tokens))
		}
		if a.Subs > 0 {
			text += ", " + plural(a.Subs, "sub-agent")
		}
		p.item("  ", t, name, text)
	}
}

// shortSession is the beginning of a session's id, which is enough for people; programs find the whole one in --json.
func shortSession(id string) string {
	if runes := []rune(id); len(runes) > 12 {
		return string(runes[:8]) + "…"
	}
	return id
}

// rounded writes a number in three digits or so.
func rounded(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%.1fk", float64(n)/1000)
}

// hasRole says whether one of the layouts that were found has a role.
func hasRole(r sessions.StatusResult, role string) bool {
	return slices.ContainsFunc(r.Layouts, func(l sessions.LayoutView) bool { return l.Role == role })
}

// unsized are the findings that say more than a size against its limits, which the page shows, and more than that a
// new digest is new.
func unsized(list []report.Finding) []report.Finding {
	var kept []report.Finding
	for _, f := range list {
		switch f.Code {
		case "over_lines", "over_bytes", "at_limit", "unfilled_template":
		default:
			kept = append(kept, f)
		}
	}
	return kept
}

// statusSizes puts documents against their limits.
func (p *page) statusSizes(r sessions.StatusResult) {
	if len(r.Sizes) == 0 {
		return
	}
	p.heading("Sizes")
	for _, s := range r.Sizes {
		t := faint
		text := kilobytes(int64(s.Bytes)) + " of " + kilobytes(int64(s.MaxBytes))
		if s.Lines > 0 {
			text = limitWords(s.Lines, s.MaxLines, s.Bytes, s.MaxBytes)
		}
		if s.Over {
			t, text = warn, text+", over its limits"
		}
		p.line(t, "  %s  %s", s.Path, text)
	}
}

// statusLost puts how much is missing from which documents.
func (p *page) statusLost(l loss.LostStatus) {
	if l.Count == 0 {
		return
	}
	p.heading("Lost")
	for _, name := range slices.Sorted(maps.Keys(l.Documents)) {
		p.line(bad, "  %s  %s", name, entryCount(l.Documents[name]))
	}
	p.hint("Which: %s   Put back: %s", p.here("baton lost"), p.here("baton lost --restore"))
}

// statusNext says which command comes next.
func statusNext(r sessions.StatusResult) string {
	if len(r.Layouts) == 0 {
		return "Next: baton init"
	}
	if r.Ready > 0 {
		return fmt.Sprintf("Ready: %d. Next: baton task ready", r.Ready)
	}
	for _, d := range r.Digests {
		if command := stepCommand(d.Status, d.ActivePhase, d.NextAction, d.NextPhases); command != "" {
			return "Next: " + command
		}
		if d.NextSpec != "" && len(d.Specs) == 0 {
			return "Next: baton state active add " + d.NextSpec + " drafting"
		}
	}
	if f := r.Folder; f != nil && len(r.Counts) == 0 && !hasRole(r, "tasks") {
		if f.Active {
			return "Next: baton dir audit"
		}
		return "Next: baton dir begin TYPE TASK"
	}
	if len(r.Counts) == 0 && tasksGone(r.Warnings) {
		if r.Lost.Count > 0 {
			return "Next: baton lost --restore"
		}
		return ""
	}
	if len(r.Counts) == 0 && !slices.ContainsFunc(r.Layouts, func(l sessions.LayoutView) bool { return l.Role == "digest" && l.Name != "baton" }) {
		return `Next: baton task new "TITLE"`
	}
	return ""
}

// blockedText is why a task is blocked, or its title where nobody said.
func blockedText(t sessions.BlockedRow) string {
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
