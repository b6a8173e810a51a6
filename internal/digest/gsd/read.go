package gsd

import (
	"bytes"
	"strings"

	"baton/internal/digest/gsd/template"
	"baton/internal/digest/gsd/words"
	"baton/internal/digest/phases"
	"baton/internal/frontmatter"
	"baton/internal/markdown"
)

// fm returns a value of the front matter as written, or "" for null and for a missing key (N2,
// GSD-22, GSD-59).
func (d *Doc) fm(path string) string {
	if d.sheet == nil {
		return ""
	}
	e, ok := d.sheet.At(path)
	if !ok || frontmatter.Null(e) {
		return ""
	}
	return strings.TrimSpace(e.Text)
}

// has reports whether the front matter has the key, whatever its value.
func (d *Doc) has(path string) bool {
	if d.sheet == nil {
		return false
	}
	_, ok := d.sheet.At(path)
	return ok
}

// head is what the parser of the original status line reads. A value that it reads wins over YAML's
// (N2).
func (d *Doc) head() Head {
	if !d.front.ok || d.front.late > 0 {
		return Head{}
	}
	s := ReadHead(d.src[:d.front.body.End+len(frontmatter.Mark)])
	for _, v := range []*string{&s.Status, &s.Milestone, &s.MilestoneName, &s.ActivePhase, &s.NextAction} {
		if *v == "~" { // the other YAML word for null (N2)
			*v = ""
		}
	}
	if bytes.IndexByte(d.front.body.Of(d.src), '#') >= 0 {
		// YAML reads more items of a list with comments in it.
		if list := d.nextPhases(); len(list) > 0 {
			s.NextPhases = list
		}
	}
	return s
}

// Model returns everything that the digest says (N3), with derived numbers as stored.
func (d *Doc) Model() Model {
	s := d.head()
	m := Model{
		Version:       d.fm("gsd_state_version"),
		Milestone:     or(s.Milestone, d.fm("milestone")),
		MilestoneName: or(s.MilestoneName, d.fm("milestone_name")),
		ActivePhase:   or(s.ActivePhase, d.fm("active_phase")),
		NextAction:    or(s.NextAction, d.fm("next_action")),
		NextPhases:    s.NextPhases,
		LastUpdated:   d.fm("last_updated"),
		Position:      d.position(),
		Session:       d.session(),
		Blockers:      d.Blockers(),
		Todos:         d.todos(),
	}
	if len(m.NextPhases) == 0 || len(m.NextPhases) == 1 && m.NextPhases[0] == "~" {
		m.NextPhases = d.nextPhases()
	}
	m.Progress = Progress{
		TotalPhases:     count(or(s.TotalPhases, d.fm("progress.total_phases"))),
		CompletedPhases: count(or(s.CompletedPhases, d.fm("progress.completed_phases"))),
		TotalPlans:      count(d.fm("progress.total_plans")),
		CompletedPlans:  count(d.fm("progress.completed_plans")),
		Percent:         count(or(s.Percent, d.fm("progress.percent"))),
	}
	m.PausedAt = or(d.fm("paused_at"), d.sessionField("Paused At"))
	m.StoppedAt = or(d.sessionField("Stopped At"), d.fm("stopped_at"))
	m.Stamped = d.fm("state_head") != ""
	m.StatusFront = or(s.Status, d.fm("status"))
	if d.pauseOver(m.StatusFront) {
		m.Stale, m.PausedAt = append(m.Stale, "paused_at"), ""
	}
	m.StatusRaw = m.StatusFront
	m.StatusBody = d.bodyStatus()
	if m.StatusRaw == "" {
		m.StatusRaw = m.StatusBody
	}
	if m.StatusBody == m.StatusRaw {
		m.StatusBody = ""
	}
	m.Status = Canonical(m.StatusRaw, m.PausedAt != "")
	if m.PausedAt == "" && d.overruling(m.StatusFront) != "" {
		// The body's status wins, because the front matter is derived from it (F-53).
		m.StatusRaw, m.StatusBody = d.bodyStatus(), ""
		m.Status = Canonical(m.StatusRaw, false)
	}
	d.readCurrent(&m)
	d.readActivity(&m)
	d.believe(&m)
	return m
}

// believe takes away the lifecycle fields that are not true any more (D46). GSD never writes them,
// so they stay behind when it takes a step.
func (d *Doc) believe(m *Model) {
	if a, now := m.ActivePhase, d.fm("current_phase"); staleActive(a, now) {
		m.Stale, m.ActivePhase = append(m.Stale, "active_phase"), ""
	}
	if body := d.bodyStatus(); running(body) != "" && Canonical(body, false) == Canonical(m.StatusFront, false) {
		if m.NextAction != "" {
			m.Stale, m.NextAction = append(m.Stale, "next_action"), ""
		}
		if len(m.NextPhases) > 0 {
			m.Stale, m.NextPhases = append(m.Stale, "next_phases"), nil
		}
	}
}

// pauseOver reports whether baton paused the project, and another program has moved on since. That
// program writes a new status, but does not know the keys of the pause (D46).
func (d *Doc) pauseOver(status string) bool {
	return d.fm(pausedStatus) != "" && status != "" && status != statusUnknown &&
		Canonical(status, false) != statusPaused
}

// staleActive reports whether an active phase is not true any more, because another one is the
// current one in the front matter.
func staleActive(active, current string) bool {
	return active != "" && current != "" && !same(active, or(words.ParsePhase(current).ID, current))
}

// Derive completes the model with what the roadmap says: the milestone and its name if the digest
// has none (N3).
func (m *Model) Derive(f phases.Facts) {
	m.Milestone = or(m.Milestone, f.Milestone)
	if m.Milestone == f.Milestone && !realName(m.MilestoneName) && realName(f.MilestoneName) {
		m.MilestoneName = f.MilestoneName
	}
}

// nextPhases reads the list. A plain value is a list of one item.
func (d *Doc) nextPhases() []string {
	if d.sheet == nil {
		return nil
	}
	if items, ok := d.sheet.Items("next_phases"); ok {
		var out []string
		for _, s := range items {
			if s != "" && s != "null" {
				out = append(out, s)
			}
		}
		return out
	}
	if one := d.fm("next_phases"); one != "" {
		return []string{one}
	}
	return nil
}

// readCurrent reads the current phase from the front matter, or else from fields of the body, or
// else from the Phase line (N3).
func (d *Doc) readCurrent(m *Model) {
	phrase := words.ParsePhase(m.Position.Phase)
	m.CurrentPhase = or(d.fm("current_phase"), d.bodyField("Current Phase"), phrase.ID)
	m.CurrentPhaseName = or(d.fm("current_phase_name"), d.phaseName(), phrase.Name)
	m.CurrentPlan = or(d.fm("current_plan"), d.bodyField("Current Plan"))
	if m.CurrentPlan == "" {
		m.CurrentPlan, _, _ = words.PlanCount(m.Position.Plan)
	}
}

// phaseName returns the field Current Phase Name, "" for None.
func (d *Doc) phaseName() string {
	if name := d.bodyField("Current Phase Name"); !isNone(name) {
		return name
	}
	return ""
}

// readActivity reads the last activity of the body. A newer date in the front matter wins (N3).
func (d *Doc) readActivity(m *Model) {
	front, frontDesc := splitActivity(d.fm("last_activity"))
	frontDesc = or(d.fm("last_activity_desc"), frontDesc)
	date, desc := splitActivity(m.Position.LastActivity)
	desc = or(d.bodyField("Last Activity Description"), desc)
	switch day, frontDay := dayOf(date), dayOf(front); {
	case date == "" || frontDay != "" && day != "" && frontDay > day:
		m.LastActivity, m.LastActivityDesc = front, frontDesc
	case frontDay != "" && frontDay == day:
		m.LastActivity, m.LastActivityDesc = date, or(desc, frontDesc)
	default:
		m.LastActivity, m.LastActivityDesc = date, desc
	}
}

// dayOf returns the date at the start of a text, or "" if there is none.
func dayOf(text string) string {
	if len(text) >= 10 && isDate(text[:10]) {
		return text[:10]
	}
	return ""
}

// positionSpan is the span that is searched for the fields of Current Position: its section, or the
// whole body if the section is missing.
func (d *Doc) positionSpan() markdown.Span {
	if i := d.positionSection(); i >= 0 {
		return d.titles[i].own
	}
	return d.body()
}

// position reads Current Position as written. Values that the template left open are missing.
func (d *Doc) position() Position {
	within := d.positionSpan()
	return Position{
		Phase:        d.value(within, "Phase"),
		Plan:         d.value(within, "Plan"),
		Status:       d.value(within, "Status"),
		LastActivity: d.value(within, "Last Activity"),
		Progress:     d.value(within, "Progress"),
	}
}

// bodyStatus is the Status of Current Position, or else any Status of the body (N4).
func (d *Doc) bodyStatus() string {
	return or(d.value(d.positionSpan(), "Status"), d.bodyField("Status"))
}

// session reads the session's section as written.
func (d *Doc) session() Session {
	return Session{
		LastSession: or(d.sessionField("Last session"), d.sessionField("Last Date")),
		StoppedAt:   d.sessionField("Stopped At"),
		ResumeFile:  d.sessionField("Resume File"),
	}
}

// sessionField reads a field of the session's section. A field elsewhere is an older copy (GSD-9).
func (d *Doc) sessionField(name string) string {
	i := d.sessionSection()
	if i < 0 {
		return ""
	}
	text := d.value(d.titles[i].full, name)
	if text == "null" || isNone(text) && alike(name, "Paused At") {
		return ""
	}
	return text
}

// bodyField reads a field anywhere in the body.
func (d *Doc) bodyField(name string) string { return d.value(d.body(), name) }

// value reads a field within a span. It returns "" if the field is missing or still contains the
// template's brackets.
func (d *Doc) value(within markdown.Span, name string) string {
	f, ok := d.find(within, name, false)
	if !ok {
		return ""
	}
	text := d.text(f)
	if template.Unfilled(text) {
		return ""
	}
	return text
}

// or returns the first text that is not empty.
func or(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}

// count returns the number formed by the leading digits of a text, or nil if there are none (N2).
func count(text string) *int {
	if n := Number(text); n >= 0 {
		return &n
	}
	return nil
}

// Phase returns the id of the phase that something new belongs to: the active one, or else the
// current one, or "" if the digest names none. The value may say more than an id ("Phase 1 -
// Core"), or that no phase has begun ("Not started").
func (m Model) Phase() string {
	if m.ActivePhase != "" {
		return m.ActivePhase
	}
	if id := words.ParsePhase(m.CurrentPhase).ID; id != "" {
		return id
	}
	if strings.ContainsAny(m.CurrentPhase, "0123456789") && !strings.ContainsAny(m.CurrentPhase, " \t") {
		return m.CurrentPhase
	}
	return ""
}
