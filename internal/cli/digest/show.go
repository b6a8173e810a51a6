package digest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"baton/internal/cli/app"
	"baton/internal/digest/standing"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
)

// How much of a digest its page shows: enough for one screen.
const (
	newestDecisions = 5
	ValueColumns    = 200 // of each text
	queueRows       = 5
	openRows        = 5 // blockers, and as many todos
)

// pageState prints the digest on one screen. Where a folder has two, the second follows.
func pageState(p *app.Page, r digests.StateResult) {
	state(p, r)
	for _, other := range r.Others {
		p.Heading("Also here: %s", other.Path)
		p.End()
		state(p, other)
	}
}

func state(p *app.Page, r digests.StateResult) {
	if r.Specflow != nil {
		specflow(p, r)
	} else {
		phase(p, r)
	}
	recentDecisions(p, r)
	if r.GSD != nil {
		openItems(p, r)
	}
	p.Findings(app.Unsized(r.Warnings))
	p.End()
	over := r.MaxLines > 0 && r.Size.Lines > r.MaxLines || r.MaxBytes > 0 && r.Size.Bytes > r.MaxBytes
	t := app.Faint
	if over {
		t = app.Warn
	}
	p.Line(t, "%s  %s", r.Path, LimitWords(r.Size.Lines, r.MaxLines, r.Size.Bytes, r.MaxBytes))
	spent := slices.ContainsFunc(
		r.Warnings, func(f report.Finding) bool { return f.Code == report.CodeDecisionsExhausted },
	)
	if over && !spent {
		p.Hint("Over its limits. To move old decisions: baton state rotate")
	}
	if command := nextOf(r); command != "" {
		p.Hint("Next: %s", command)
	} else {
		nextTask(p, r.Tasks)
	}
}

// nextTask says which task comes next, as long as no phase has begun.
func nextTask(p *app.Page, f *standing.Facts) {
	switch {
	case f == nil || f.Total == 0:
	case f.Focus != nil:
		p.Hint("Next: baton session start %s", f.Focus.ID)
	case f.Complete < f.Total:
		p.Hint("To see which tasks you can start: baton task ready")
	default:
		p.Hint("To see what was finished: baton history")
	}
}

// nextOf returns the command for the step that the digest names, else for the one that is
// recommended.
func nextOf(r digests.StateResult) string {
	if r.GSD == nil {
		return ""
	}
	g := r.GSD
	if g.ActivePhase == "" && g.NextAction == "" && g.Status != "paused" && r.Next != nil {
		return StepCommand(g.Status, "", r.Next.Action, r.Next.Phases)
	}
	return StepCommand(g.Status, g.ActivePhase, g.NextAction, g.NextPhases)
}

// milestone puts the title line of a GSD digest, or of baton's own: milestone and bar.
func milestone(p *app.Page, r digests.StateResult) {
	title := MilestoneWords(r.GSD.Milestone, r.GSD.MilestoneName)
	if title == "" {
		title = "No milestone yet"
	}
	p.Add(app.Strong, title)
	if percent := r.GSD.Progress.Percent; percent != nil {
		p.Add(app.Plain, "  ").Add(app.Accent, Bar(p, *percent))
	}
	p.End()
}

// MilestoneWords returns a milestone's version and name; a name that says no more than that it is
// one is left out (N10).
func MilestoneWords(version, name string) string {
	if name == "milestone" {
		name = ""
	}
	return strings.TrimSpace(version + " " + name)
}

// StatusTone colours a digest's status.
func StatusTone(status string) app.Tone {
	switch status {
	case "paused":
		return app.Warn
	case "completed":
		return app.Good
	case "unknown", "":
		return app.Plain
	}
	return app.Accent
}

// phase puts where a GSD digest, or baton's own, says that the project stands.
func phase(p *app.Page, r digests.StateResult) {
	if r.GSD == nil {
		return
	}
	g := r.GSD
	if r.Tasks != nil && r.Tasks.Total > 0 {
		tasksStand(p, r.Tasks)
		return
	}
	if g.Milestone+g.StatusRaw+g.CurrentPhase+g.Position.Phase+g.Position.Status == "" &&
		g.Progress.Percent == nil {
		p.Line(app.Faint, "No phase has begun. To begin one: baton state begin PHASE")
	} else {
		milestone(p, r)
		raw := g.StatusRaw
		if text := g.OwnStatus(); text != "" {
			raw = text
		}
		p.Line(StatusTone(g.Status), "%s", statusWords(g.Status, raw))
	}
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
		{"next", NextWords(g.NextAction, g.NextPhases)},
		{"phase", at},
		{"plan", plan},
		{"done", progress},
		{"activity", activity},
		{"paused", g.PausedAt},
		{"stopped", stopped},
		{"resume", g.Session.ResumeFile},
	} {
		if fact[1] != "" && !strings.EqualFold(fact[1], "none") {
			p.Item("  ", app.Faint, fmt.Sprintf("%-8s ", fact[0]), fact[1])
		}
	}
	advice(p, r)
}

// tasksStand puts how far the tasks are, as long as no phase has begun.
func tasksStand(p *app.Page, f *standing.Facts) {
	p.Add(app.Accent, Bar(p, f.Percent)).Add(app.Plain, fmt.Sprintf("  %d of %s complete", f.Complete,
		safetext.Count(f.Total, "task")))
	p.End()
	activity := ""
	if f.Last != nil {
		activity = f.Last.Words()
	}
	for _, fact := range [...][2]string{
		{"focus", f.FocusWords()}, {"activity", activity}, {"stopped", f.NextWords()},
	} {
		if fact[1] != "" {
			p.Item("  ", app.Faint, fmt.Sprintf("%-8s ", fact[0]), fact[1])
		}
	}
}

// statusWords returns a status, with the text of the file if that says it differently.
func statusWords(status, raw string) string {
	switch {
	case raw == "" && (status == "" || status == "unknown"):
		return "no status"
	case status == "" || status == "unknown":
		return raw
	case raw != "" && !strings.EqualFold(raw, status):
		return status + " (" + raw + ")"
	}
	return status
}

// advice puts the recommendation where the digest has another one or none (N7).
func advice(p *app.Page, r digests.StateResult) {
	if r.Next == nil || r.Next.Action == "" || r.GSD.ActivePhase != "" || r.GSD.PausedAt != "" {
		return
	}
	advised := NextWords(r.Next.Action, r.Next.Phases)
	if advised == NextWords(r.GSD.NextAction, r.GSD.NextPhases) {
		return
	}
	command := "baton state next " + r.Next.Action + " " + strings.Join(r.Next.Phases, " ")
	p.Item("  ", app.Warn, "advised  ", advised+", by the roadmap and the phases' files; to write it: "+command)
}

// specflow puts where a SpecFlow digest says that the project stands.
func specflow(p *app.Page, r digests.StateResult) {
	s := r.Specflow
	actives(p, digests.ActiveList{Active: s.Active})
	for _, l := range s.Position {
		p.Item("  ", app.Faint, l.Name+":", l.Value)
	}
	if len(s.Queue) > 0 {
		p.Heading("Queue")
		shown := s.Queue[:min(len(s.Queue), queueRows)]
		queue(p, digests.QueueList{Queue: shown})
		more(p, len(s.Queue)-len(shown), "baton state queue list")
	}
	if len(s.Execution) > 0 {
		p.Heading("Running")
	}
	for _, e := range s.Execution {
		p.Item("  ", app.Accent, e.ID, strings.Join(slices.DeleteFunc(
			[]string{e.Mode, e.Progress, e.Updated}, func(text string) bool { return text == "" },
		), "  "))
	}
	if len(s.Warnings) > 0 {
		p.Heading("Warnings in the digest")
	}
	for _, text := range s.Warnings {
		p.Item("  ", app.Warn, "!", text)
	}
}

// recentDecisions puts the newest few decisions.
func recentDecisions(p *app.Page, r digests.StateResult) {
	all := r.Decisions
	shown := all[max(0, len(all)-newestDecisions):]
	archived := ""
	if r.Archived > 0 {
		archived = fmt.Sprintf(", %d in the archive", r.Archived)
	}
	switch {
	case len(all) == 0 && r.Archived == 0:
		p.Heading("Decisions")
		p.Line(app.Faint, "  none yet: baton decision add TEXT")
		return
	case len(shown) < len(all):
		p.Heading("Newest %d of %d decisions%s", len(shown), len(all), archived)
	default:
		p.Heading("%s%s", safetext.Count(len(all), "decision"), archived)
	}
	decisions(p, digests.DecisionList{Decisions: shown}, ValueColumns)
}

// openItems puts the first few blockers and pending todos.
func openItems(p *app.Page, r digests.StateResult) {
	if n := len(r.GSD.Blockers); n > 0 {
		p.Heading("%s", safetext.Count(n, "blocker"))
		for i, b := range r.GSD.Blockers[:min(n, openRows)] {
			p.Item("  ", app.Bad, strconv.Itoa(i+1), safetext.Columns(safetext.Visible(b.Text), ValueColumns))
		}
		more(p, n-openRows, "baton blocker list")
	}
	if n := len(r.GSD.Todos); n > 0 {
		p.Heading("%s", safetext.Count(n, "pending todo"))
		for _, t := range r.GSD.Todos[:min(n, openRows)] {
			p.Item("  ", app.Faint, p.Marks().Dot, safetext.Columns(safetext.Visible(t.Text), ValueColumns))
		}
		more(p, n-openRows, "baton state show --json")
	}
}

// more says how much a page leaves out, and which command shows it.
func more(p *app.Page, n int, command string) {
	if n > 0 {
		p.Line(app.Faint, "  (%d more: %s)", n, command)
	}
}
