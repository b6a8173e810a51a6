package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/report"
	"baton/internal/usecase/digests"
)

// How much of a digest its page shows: enough for one screen.
const (
	newestDecisions = 5
	decisionColumns = 200
	queueRows       = 5
	openRows        = 5 // blockers, and as many todos
)

// pageState is the digest on one screen. Where a folder has two, the second follows.
func pageState(p *page, r digests.StateResult) {
	p.state(r)
	for _, other := range r.Others {
		p.heading("Also here: %s", other.Path)
		p.end()
		p.state(other)
	}
}

func (p *page) state(r digests.StateResult) {
	if r.Specflow != nil {
		p.specflow(r)
	} else {
		p.phase(r)
	}
	p.recentDecisions(r)
	if r.GSD != nil {
		p.openItems(r)
	}
	p.findings(unsized(r.Warnings))
	p.end()
	over := r.MaxLines > 0 && r.Size.Lines > r.MaxLines || r.MaxBytes > 0 && r.Size.Bytes > r.MaxBytes
	t := faint
	if over {
		t = warn
	}
	p.line(t, "%s  %s", r.Path, limitWords(r.Size.Lines, r.MaxLines, r.Size.Bytes, r.MaxBytes))
	spent := slices.ContainsFunc(r.Warnings, func(f report.Finding) bool { return f.Code == decision.DecisionsExhausted })
	if over && !spent {
		p.hint("Over its limits: baton state rotate")
	}
	if command := nextOf(r); command != "" {
		p.hint("Next: %s", command)
	}
}

// nextOf is the command for the step that the digest names, else for the one that is recommended.
func nextOf(r digests.StateResult) string {
	if r.GSD == nil {
		return ""
	}
	g := r.GSD
	if g.ActivePhase == "" && g.NextAction == "" && g.Status != "paused" && r.Next != nil {
		return stepCommand(g.Status, "", r.Next.Action, r.Next.Phases)
	}
	return stepCommand(g.Status, g.ActivePhase, g.NextAction, g.NextPhases)
}

// milestone puts the title line of a GSD digest, or of baton's own: milestone and bar.
func (p *page) milestone(r digests.StateResult) {
	title := milestoneWords(r.GSD.Milestone, r.GSD.MilestoneName)
	if title == "" {
		title = "No milestone yet"
	}
	p.add(strong, title)
	if percent := r.GSD.Progress.Percent; percent != nil {
		p.add(plain, "  ").add(accent, p.bar(*percent))
	}
	p.end()
}

// milestoneWords is a milestone's version and name; a name that says no more than that it is one is left out (N10).
func milestoneWords(version, name string) string {
	if name == "milestone" {
		name = ""
	}
	return strings.TrimSpace(version + " " + name)
}

// statusTone colours a digest's status.
func statusTone(status string) tone {
	switch status {
	case "paused":
		return warn
	case "completed":
		return good
	case "unknown", "":
		return plain
	}
	return accent
}

// phase puts where a GSD digest, or baton's own, says that the project stands.
func (p *page) phase(r digests.StateResult) {
	if r.GSD == nil {
		return
	}
	p.milestone(r)
	g := r.GSD
	status := g.Status
	switch {
	case g.StatusRaw == "" && (status == "" || status == "unknown"):
		status = "no status"
	case status == "" || status == "unknown":
		status = g.StatusRaw
	case g.StatusRaw != "" && !strings.EqualFold(g.StatusRaw, status):
		status += " (" + g.StatusRaw + ")"
	}
	p.line(statusTone(g.Status), "%s", status)
	at := g.Position.Phase
	if at == "" {
		at = strings.TrimSpace(g.CurrentPhase + " " + g.CurrentPhaseName)
	}
	plan := g.Position.Plan
	if plan == "" {
		plan = g.CurrentPlan
	}
	activity := strings.TrimSpace(g.LastActivity + " " + g.LastActivityDesc)
	if g.Position.LastActivity != "" {
		activity = g.Position.LastActivity
	}
	active := ""
	if g.ActivePhase != "" {
		active = "phase " + g.ActivePhase
	}
	progress := shares(g.Progress.CompletedPhases, g.Progress.TotalPhases, "phase")
	if plans := shares(g.Progress.CompletedPlans, g.Progress.TotalPlans, "plan"); plans != "" {
		progress = strings.TrimPrefix(progress+", "+plans, ", ")
	}
	stopped := g.Session.StoppedAt
	if stopped == "" {
		stopped = g.StoppedAt
	}
	for _, fact := range [...][2]string{
		{"active", active},
		{"next", nextWords(g.NextAction, g.NextPhases)},
		{"phase", at},
		{"plan", plan},
		{"done", progress},
		{"activity", activity},
		{"paused", g.PausedAt},
		{"stopped", stopped},
		{"resume", g.Session.ResumeFile},
	} {
		if fact[1] != "" && !strings.EqualFold(fact[1], "none") {
			p.item("  ", faint, fmt.Sprintf("%-8s ", fact[0]), fact[1])
		}
	}
	p.advice(r)
}

// advice puts the recommendation where the digest has another one or none (N7).
func (p *page) advice(r digests.StateResult) {
	if r.Next == nil || r.Next.Action == "" || r.GSD.ActivePhase != "" || r.GSD.PausedAt != "" {
		return
	}
	advised := nextWords(r.Next.Action, r.Next.Phases)
	if advised == nextWords(r.GSD.NextAction, r.GSD.NextPhases) {
		return
	}
	p.item("  ", warn, "advised  ", advised+", by the roadmap and the phases' files; write it: baton state sync")
}

// specflow puts where a SpecFlow digest says that the project stands.
func (p *page) specflow(r digests.StateResult) {
	s := r.Specflow
	p.actives(digests.ActiveList{Active: s.Active})
	for _, l := range s.Position {
		p.item("  ", faint, l.Name+":", l.Value)
	}
	if len(s.Queue) > 0 {
		p.heading("Queue")
		shown := s.Queue[:min(len(s.Queue), queueRows)]
		p.queue(digests.QueueList{Queue: shown})
		p.more(len(s.Queue)-len(shown), "baton state queue list")
	}
	if len(s.Execution) > 0 {
		p.heading("Running")
	}
	for _, e := range s.Execution {
		p.item("  ", accent, e.ID, strings.Join(nonEmpty(e.Mode, e.Progress, e.Updated), "  "))
	}
	if len(s.Warnings) > 0 {
		p.heading("Warnings of the digest")
	}
	for _, text := range s.Warnings {
		p.item("  ", warn, "!", text)
	}
}

func nonEmpty(list ...string) []string {
	var kept []string
	for _, text := range list {
		if text != "" {
			kept = append(kept, text)
		}
	}
	return kept
}

// recentDecisions puts the newest few decisions.
func (p *page) recentDecisions(r digests.StateResult) {
	all := r.Decisions
	shown := all[max(0, len(all)-newestDecisions):]
	archived := ""
	if r.Archived > 0 {
		archived = fmt.Sprintf(", %d in the archive", r.Archived)
	}
	switch {
	case len(all) == 0 && r.Archived == 0:
		p.heading("Decisions")
		p.line(faint, "  none yet: baton decision add TEXT")
		return
	case len(shown) < len(all):
		p.heading("Newest %d of %d decisions%s", len(shown), len(all), archived)
	default:
		p.heading("%s%s", plural(len(all), "decision"), archived)
	}
	p.decisions(digests.DecisionList{Decisions: shown}, decisionColumns)
}

// openItems puts the first few blockers and pending todos.
func (p *page) openItems(r digests.StateResult) {
	if n := len(r.GSD.Blockers); n > 0 {
		p.heading("%s", plural(n, "blocker"))
		for i, b := range r.GSD.Blockers[:min(n, openRows)] {
			p.item("  ", bad, strconv.Itoa(i+1), cut(harmless(b.Text), decisionColumns))
		}
		p.more(n-openRows, "baton blocker list")
	}
	if n := len(r.GSD.Todos); n > 0 {
		p.heading("%s", plural(n, "pending todo"))
		for _, t := range r.GSD.Todos[:min(n, openRows)] {
			p.item("  ", faint, "·", cut(harmless(t.Text), decisionColumns))
		}
		p.more(n-openRows, "baton state show --json")
	}
}

// more says how much a page leaves out, and which command shows it.
func (p *page) more(n int, command string) {
	if n > 0 {
		p.line(faint, "  (%d more: %s)", n, command)
	}
}
