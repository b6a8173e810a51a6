package cli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"baton/internal/cli/app"
	"baton/internal/cli/digest"
	"baton/internal/cli/tasks"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/usecase/sessions"
)

// agents puts the sessions of agents in this checkout, with what baton put into their
// contexts.
func (v statusView) agents(p *app.Page) {
	list := v.r.Agents
	if len(list) == 0 {
		return
	}
	p.Heading("Agents")
	n := v.most(len(list), 4, 4)
	for _, a := range list[:n] {
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
	v.more(p, len(list)-n, "baton status --verbose")
}

// waiting puts how many agents wait for a person, and how many left work that belongs to no task.
func (v statusView) waiting(p *app.Page) {
	if n := v.r.Sessions; n > 0 {
		verb := safetext.Noun(n, "waits", "wait")
		p.Line(app.Warn, "%s %s for you: %s", safetext.Count(n, "session"), verb, p.Here("baton waiting"))
	}
	if n := v.r.Unbound; n > 0 && hasRole(v.r, "tasks") {
		p.Line(app.Warn, "%s left work without a task: %s", safetext.Count(n, "session"), p.Here("baton session adopt"))
	}
}

// neighbours puts who else is at work.
func (v statusView) neighbours(p *app.Page) {
	n := v.r.Neighbours
	if most := v.most(len(n.Rows), 4, 4); most < len(n.Rows) {
		n.More += len(n.Rows) - most
		n.Rows = n.Rows[:most]
	}
	tasks.Neighbours(p, n)
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

// sizes puts documents against their limits.
func (v statusView) sizes(p *app.Page) {
	list := v.r.Sizes
	if len(list) == 0 {
		return
	}
	p.Heading("Sizes")
	n := v.most(len(list), 4, 4)
	for _, s := range list[:n] {
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
	v.more(p, len(list)-n, "baton status --verbose")
}

// troubles puts what is lost and what is wrong, the worst first.
func (v statusView) troubles(p *app.Page) {
	v.lost(p)
	list := sorting.By(app.Unsized(v.r.Warnings), func(a, b report.Finding) int {
		return severityRank(a.Severity) - severityRank(b.Severity)
	})
	if len(list) > 0 && v.detail != tight {
		p.Heading("Warnings")
	}
	n := v.most(len(list), 4, 2)
	for _, f := range list[:n] {
		t, _ := app.SeverityWords(f.Severity)
		p.Item("  ", t, "!", v.short(p, app.RemarkText(f), ""))
	}
	v.more(p, len(list)-n, "baton doctor")
}

func (v statusView) lost(p *app.Page) {
	lost := v.r.Lost
	switch {
	case lost.Count == 0:
		return
	case v.detail == tight:
		p.Item("  ", app.Bad, "!", app.EntryCount(lost.Count)+" lost: `"+p.Here("baton lost")+"`")
		return
	}
	p.Line(app.Strong, "Lost")
	names := slices.Sorted(maps.Keys(lost.Documents))
	n := v.most(len(names), 4, 4)
	for _, name := range names[:n] {
		p.Line(app.Bad, "  %s  %s", name, app.EntryCount(lost.Documents[name]))
	}
	v.more(p, len(names)-n, "baton lost")
	p.Hint(
		"To see them: %s   To restore them: %s", p.Here("baton lost"), p.Here("baton lost --restore"),
	)
}

func severityRank(s report.Severity) int {
	switch s {
	case report.Severe:
		return 0
	case report.Info:
		return 2
	}
	return 1
}
