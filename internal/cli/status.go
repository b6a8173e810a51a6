package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/cli/digest"
	"baton/internal/cli/folder"
	"baton/internal/cli/tasks"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/sessions"
)

func statusCommand(d *app.App) *cobra.Command {
	cmd := d.Command(app.Spec{
		Use: "status", Short: "Show where the project stands",
		Long: `Show on one screen where the project stands: what its digest says, what is active and what comes
next, how many tasks there are and who holds which, which agents are at work here and how much baton
told them, who else is at work in any worktree of the repository, how large documents are compared
with their limits, and what is wrong. The last lines show what baton found: the root, its layouts,
the runtime folders, and the name under which you hold tasks.`,
		Example: "baton status\nbaton status --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (sessions.StatusResult, error) {
				return p.Sessions.Status(ctx)
			}, pageStatus)
		},
	})
	d.OnlyHere(cmd)
	return cmd
}

func pageStatus(p *app.Page, r sessions.StatusResult) {
	p.Line(app.Strong, "%s", r.Root)
	for _, d := range r.Digests {
		if !blank(d) {
			p.End()
			statusDigest(p, d)
		}
	}
	if len(r.Layouts) == 0 {
		p.Line(app.Plain, "  no layout yet")
	}
	statusTasks(p, r)
	folder.StatusFolder(p, r.Folder)
	statusAgents(p, r.Agents)
	tasks.Neighbours(p, r.Neighbours)
	statusSizes(p, r)
	statusLost(p, r.Lost)
	p.Findings(app.Unsized(r.Warnings))
	p.End()
	for _, layout := range r.Layouts {
		p.Line(app.Faint, "  %-8s %s in %s", layout.Role, layout.Name, layout.Path)
	}
	p.Line(app.Faint, "  runtime  %s", r.Runtime)
	if r.SharedRuntime != r.Runtime {
		p.Line(app.Faint, "  shared   %s", r.SharedRuntime)
	}
	p.Line(app.Faint, "  holder   %s", r.Holder)
	if next := statusNext(r); next != "" {
		p.Hint("%s", next)
	}
}

// blank reports whether a digest says nothing yet: no phase has begun and nothing is recorded.
func blank(d sessions.DigestStatus) bool {
	place := d.Milestone + d.MilestoneName + d.Phase + d.ActivePhase
	return place+d.NextAction+d.NextSpec+d.LastActivity+d.StoppedAt == "" &&
		(d.Status == "" || d.Status == "unknown") && d.Percent == nil &&
		d.Decisions+d.Archived+len(d.Specs)+len(d.NextPhases)+len(d.Blockers) == 0
}

// statusDigest puts in brief what a digest says.
func statusDigest(p *app.Page, d sessions.DigestStatus) {
	title := digest.MilestoneWords(d.Milestone, d.MilestoneName)
	if title == "" {
		title = d.Path
	}
	p.Add(app.Strong, title)
	if d.Percent != nil {
		p.Add(app.Plain, "  ").Add(app.Accent, digest.Bar(p, *d.Percent))
	}
	p.End()
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
		decisions = safetext.Count(d.Decisions, "decision")
	}
	if d.Archived > 0 {
		decisions += fmt.Sprintf(", %d in the archive", d.Archived)
	}
	for _, fact := range [...]struct {
		name, text string
		t          app.Tone
	}{
		{"status", status, digest.StatusTone(d.Status)},
		{"phase", d.Phase, app.Plain},
		{"active", active, app.Accent},
		{"active", strings.Join(d.Specs, ", "), app.Accent},
		{"next", digest.NextWords(d.NextAction, d.NextPhases), app.Plain},
		{"next", d.NextSpec, app.Plain},
		{"activity", d.LastActivity, app.Plain},
		{"stopped", d.StoppedAt, app.Plain},
		{"decided", decisions, app.Plain},
	} {
		if fact.text == "" {
			continue
		}
		p.Add(app.Faint, fmt.Sprintf("  %-8s ", fact.name)).Add(fact.t, fact.text).End()
	}
	for _, text := range d.Blockers {
		p.Item("  ", app.Bad, "blocked ", text)
	}
}

// statusTasks puts how many tasks stand where, those at work, the blocked ones, and who holds what.
func statusTasks(p *app.Page, r sessions.StatusResult) {
	if len(r.Counts) == 0 && (len(r.Digests) > 0 || r.Folder != nil && !hasRole(r, "tasks")) {
		return
	}
	p.End()
	p.Line(app.Plain, "Tasks: %s", counts(r))
	reported := map[task.ID]bool{}
	open := openElsewhere(r)
	held, apart := map[task.ID]string{}, map[task.ID]string{}
	for _, t := range r.Apart {
		apart[t.ID] = ", " + t.CompleteOn.Words
	}
	for _, claim := range r.Claims {
		held[claim.Task] = "  " + p.Held(claim.By, claim.Until)
	}
	for _, t := range r.Active {
		note := cmp.Or(held[t.ID], "  held by nobody")
		if t.CriteriaTotal > 0 {
			note = "  " + tasks.Fraction(t.CriteriaDone, t.CriteriaTotal) + note
		}
		p.Item("  ", app.Accent, t.ID.Ref(), t.Title+note+open(t.ID))
		reported[t.ID] = true
	}
	for _, t := range r.Blocked {
		p.Item("  ", app.Bad, t.Task.Ref()+" blocked:", cmp.Or(t.Reason, t.Title)+apart[t.Task]+open(t.Task))
		reported[t.Task] = apart[t.Task] != ""
	}
	for _, t := range r.Apart {
		if !reported[t.ID] {
			p.Item("  ", app.Good, t.ID.Ref(), t.Title+held[t.ID]+"  "+t.CompleteOn.Words)
			reported[t.ID] = true
		}
	}
	for _, claim := range r.Claims {
		if !reported[claim.Task] {
			p.Item("  ", app.Accent, claim.Task.Ref(), strings.TrimSpace(held[claim.Task])+open(claim.Task))
		}
	}
	for _, t := range r.Next {
		p.Item("  ", app.Good, t.ID.Ref(), t.Title+"  ready"+open(t.ID))
	}
	for _, t := range r.Open {
		if words := open(t.ID); words != "" {
			p.Item("  ", app.Faint, t.ID.Ref(), t.Title+words)
		}
	}
	tasks.Later(p, r.Later)
}

// openElsewhere returns a function that says once, for each task, which status it has in another
// worktree, as a part of a sentence.
func openElsewhere(r sessions.StatusResult) func(task.ID) string {
	words := map[task.ID]string{}
	for _, t := range r.Open {
		words[t.ID] = ", " + t.StatusOn.Words
	}
	return func(id task.ID) string {
		text := words[id]
		delete(words, id)
		return text
	}
}

// statusAgents puts the sessions of agents in this checkout, with what baton put into their
// contexts.
func statusAgents(p *app.Page, list []sessions.AgentRow) {
	if len(list) == 0 {
		return
	}
	p.Heading("Agents")
	for _, a := range list {
		t, state := app.Faint, "inactive"
		if a.Live {
			t, state = app.Accent, "active"
		}
		session := a.Session
		if len(session) > 12 {
			session = safetext.Runes(session, 9) // enough for people; programs find all of it in --json
		}
		name := strings.TrimSpace(a.Client + " " + session)
		text := state + ", last seen " + p.Clock(a.Seen)
		if a.Task != "" {
			text = a.Task.Ref() + "  " + text
		}
		if n := a.Injected; n.Times > 0 {
			text += fmt.Sprintf(
				", %s from baton: %s characters, about %s tokens", safetext.Count(n.Times, "message"),
				rounded(n.Characters), rounded(n.Tokens),
			)
		}
		if a.Subs > 0 {
			text += ", " + safetext.Count(a.Subs, "sub-agent")
		}
		p.Item("  ", t, name, text)
	}
}

// rounded returns a number with about three digits.
func rounded(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%.1fk", float64(n)/1000)
}

// hasRole reports whether the project has a layout with this role.
func hasRole(r sessions.StatusResult, role string) bool {
	return slices.ContainsFunc(r.Layouts, func(l sessions.LayoutView) bool { return l.Role == role })
}

// statusSizes puts documents against their limits.
func statusSizes(p *app.Page, r sessions.StatusResult) {
	if len(r.Sizes) == 0 {
		return
	}
	p.Heading("Sizes")
	for _, s := range r.Sizes {
		t := app.Faint
		text := app.Kilobytes(int64(s.Bytes)) + " of " + app.Kilobytes(int64(s.MaxBytes))
		if s.Lines > 0 {
			text = digest.LimitWords(s.Lines, s.MaxLines, s.Bytes, s.MaxBytes)
		}
		if s.Over {
			t, text = app.Warn, text+", over its limits"
		}
		p.Line(t, "  %s  %s", s.Path, text)
	}
}

// statusLost puts how much is missing from which documents.
func statusLost(p *app.Page, l loss.LostStatus) {
	if l.Count == 0 {
		return
	}
	p.Heading("Lost")
	for _, name := range slices.Sorted(maps.Keys(l.Documents)) {
		p.Line(app.Bad, "  %s  %s", name, app.EntryCount(l.Documents[name]))
	}
	p.Hint(
		"To see them: %s   To restore them: %s", p.Here("baton lost"), p.Here("baton lost --restore"),
	)
}

// statusNext says which command comes next.
func statusNext(r sessions.StatusResult) string {
	if len(r.Layouts) == 0 {
		return "Next: baton init"
	}
	if r.Ready > 0 {
		return fmt.Sprintf("You can start %s. Next: baton task ready", safetext.Count(r.Ready, "task"))
	}
	for _, d := range r.Digests {
		if command := digest.StepCommand(d.Status, d.ActivePhase, d.NextAction, d.NextPhases); command != "" {
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
	if len(r.Counts) == 0 && tasks.TasksGone(r.Warnings) {
		if r.Lost.Count > 0 {
			return "Next: baton lost --restore"
		}
		return ""
	}
	if len(r.Counts) == 0 &&
		!slices.ContainsFunc(
			r.Layouts, func(l sessions.LayoutView) bool { return l.Role == "digest" && l.Name != "baton" },
		) {
		return `Next: baton task new "TITLE"`
	}
	return ""
}

// counts lists how many tasks have which status, in the order of a task's life and then by name.
// Ready tasks that wait for others are named as such, and so are tasks that another branch closed.
func counts(r sessions.StatusResult) string {
	byStatus := maps.Clone(r.Counts)
	waiting := r.Waiting
	var apart [2]int
	for _, t := range r.Apart {
		byStatus[t.Status]--
		if t.Status == string(task.StatusReady) && len(t.WaitingFor) > 0 {
			waiting--
		}
		if t.CompleteOn.Status == "" {
			apart[0]++
		} else {
			apart[1]++
		}
	}
	if waiting > 0 {
		byStatus["ready"] -= waiting
		byStatus["waiting"] = waiting
	}
	var parts []string
	life := tasks.Statuses[:]
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
	for i, words := range [...]string{"complete elsewhere", "cancelled elsewhere"} {
		if apart[i] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", apart[i], words))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
