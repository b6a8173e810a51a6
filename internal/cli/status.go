package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/cli/digest"
	"baton/internal/cli/folder"
	"baton/internal/cli/tasks"
	"baton/internal/project"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
)

func statusCommand(d *app.App) *cobra.Command {
	verbose := false
	cmd := d.Command(app.Spec{
		Use: "status", Short: "Show where the project stands",
		Long: `Show on one screen where the project stands: what its digest says, how many tasks there are and
who works on which, what is blocked, lost or wrong, and what comes next. If there is room, it also
shows the working folder, the agents in this checkout and in other worktrees of the repository, and
how large documents are compared with their limits.

--verbose shows everything in full, and what baton found where: the root, its layouts, the runtime
folders, and the name under which you hold tasks.`,
		Example: "baton status\nbaton status --verbose\nbaton status --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (sessions.StatusResult, error) {
				return p.Sessions.Status(ctx)
			}, func(p *app.Page, r sessions.StatusResult) { pageStatus(p, r, verbose) })
		},
	})
	cmd.Flags().BoolVar(&verbose, "verbose", false, "show everything in full, and where baton found it")
	d.OnlyHere(cmd)
	return cmd
}

// screen is how many lines a status may have, so that a terminal of 24 lines shows it with the
// prompt below.
const screen = 23

// pageStatus prints the parts of a status, most important first. Without verbose, it says less of
// each if the first ones do not fit on the screen, and only names the last ones if they do not.
func pageStatus(p *app.Page, r sessions.StatusResult, verbose bool) {
	v := statusView{r: r, detail: loose}
	if verbose {
		v.detail = everything
	}
	room := screen - 2 // for what is left out, and the next step
	first := v.first(p)
	if v.detail == loose && lines(first) > room {
		v.detail = tight
		first = v.first(p)
	}
	p.Raw.Write(first)
	room -= lines(first)
	var left []string
	for _, part := range [...]struct {
		name  string
		print func(*app.Page)
	}{
		{"folder", func(p *app.Page) { folder.StatusFolder(p, r.Folder) }},
		{"agents", v.agents},
		{"others at work", v.neighbours},
		{"sizes", v.sizes},
	} {
		text := partOf(p, part.print)
		switch {
		case len(text) == 0:
		case v.detail != everything && lines(text)+1 > room:
			left = append(left, part.name)
		default:
			p.End()
			p.Raw.Write(text)
			room -= lines(text) + 1
		}
	}
	if v.detail == everything {
		p.End()
		v.plumbing(p)
	}
	if len(left) > 0 {
		p.Hint("%s: %s", "Not shown: "+strings.Join(left, ", "), p.Here("baton status --verbose"))
	}
	if next := statusNext(r); next != "" {
		p.Hint("%s", next)
	}
}

// plumbing puts what baton found where.
func (v statusView) plumbing(p *app.Page) {
	p.Line(app.Faint, "  root     %s", v.r.Root)
	for _, layout := range v.r.Layouts {
		p.Line(app.Faint, "  %-8s %s in %s", layout.Role, layout.Name, layout.Path)
	}
	p.Line(app.Faint, "  runtime  %s", v.r.Runtime)
	if v.r.SharedRuntime != v.r.Runtime {
		p.Line(app.Faint, "  shared   %s", v.r.SharedRuntime)
	}
	p.Line(app.Faint, "  holder   %s", v.r.Holder)
}

// place puts the project's name and what its digests say.
func (v statusView) place(p *app.Page) {
	p.Add(app.Strong, filepath.Base(v.r.Root))
	saying := slices.DeleteFunc(slices.Clone(v.r.Digests), blank)
	if len(saying) == 0 {
		p.End()
		return
	}
	for i, d := range saying {
		if i > 0 {
			p.End()
			p.Add(app.Strong, d.Path)
		}
		v.digest(p, d)
	}
}

// blank reports whether a digest says nothing yet: no phase has begun and nothing is recorded.
func blank(d sessions.DigestStatus) bool {
	place := d.Milestone + d.MilestoneName + d.Phase + d.ActivePhase
	return place+d.NextAction+d.NextSpec+d.LastActivity+d.StoppedAt == "" &&
		(d.Status == "" || d.Status == "unknown") && d.Percent == nil &&
		d.Decisions+d.Archived+len(d.Specs)+len(d.NextPhases)+len(d.Blockers) == 0
}

// digest puts in brief what a digest says, behind a name.
func (v statusView) digest(p *app.Page, d sessions.DigestStatus) {
	if title := digest.MilestoneWords(d.Milestone, d.MilestoneName); title != "" {
		p.Add(app.Plain, "  "+v.short(p, title, ""))
	}
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
		if fact.text != "" {
			p.Item("  ", cmp.Or(fact.t, app.Faint), fmt.Sprintf("%-8s", fact.name), v.short(p, fact.text, ""))
		}
	}
	n := v.most(len(d.Blockers), 4, 2)
	for _, text := range d.Blockers[:n] {
		p.Item("  ", app.Bad, "blocked ", v.short(p, text, ""))
	}
	v.more(p, len(d.Blockers)-n, "baton blocker list")
}

// tasks puts how many tasks stand where, those at work, the blocked ones, and who holds what.
func (v statusView) tasks(p *app.Page) {
	r := v.r
	if len(r.Counts) == 0 && (len(r.Digests) > 0 || r.Folder != nil && !hasRole(r, "tasks")) {
		return
	}
	p.Wrapped(app.Plain, "Tasks: "+counts(r))
	var list []func()
	item := func(t app.Tone, mark, title, state string) {
		list = append(list, func() { p.Item("  ", t, mark, v.short(p, title, state)) })
	}
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
		item(app.Accent, t.ID.Ref(), t.Title, note+open(t.ID))
		reported[t.ID] = true
	}
	for _, t := range r.Blocked {
		item(app.Bad, t.Task.Ref()+" blocked:", cmp.Or(t.Reason, t.Title), apart[t.Task]+open(t.Task))
		reported[t.Task] = apart[t.Task] != ""
	}
	for _, t := range r.Apart {
		if !reported[t.ID] {
			item(app.Good, t.ID.Ref(), t.Title, held[t.ID]+"  "+t.CompleteOn.Words)
			reported[t.ID] = true
		}
	}
	for _, claim := range r.Claims {
		if !reported[claim.Task] {
			who := held[claim.Task] + open(claim.Task)
			if claim.Title == "" {
				who = strings.TrimSpace(who)
			}
			item(app.Accent, claim.Task.Ref(), claim.Title, who)
		}
	}
	for _, t := range r.Next {
		item(app.Good, t.ID.Ref(), t.Title, "  ready"+open(t.ID))
	}
	for _, t := range r.Open {
		if words := open(t.ID); words != "" {
			item(app.Faint, t.ID.Ref(), t.Title, words)
		}
	}
	n := v.most(len(list), 8, 4)
	for _, print := range list[:n] {
		print()
	}
	v.more(p, len(list)-n, "baton task list")
	n = v.most(len(r.Later), 3, 1)
	tasks.Later(p, r.Later[:n])
	v.more(p, len(r.Later)-n, "baton task list")
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

// statusNext says which command comes next.
func statusNext(r sessions.StatusResult) string {
	if r.Ready > 0 {
		return "Next: baton task ready"
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
