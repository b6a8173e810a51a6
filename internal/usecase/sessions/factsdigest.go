package sessions

import (
	"context"
	"fmt"
	"strings"

	"baton/internal/digest"
	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/digest/specflow"
	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

// digestFacts adds the state of the project. It does not read the archive of decisions, and only
// checks whether there is one. An unreadable digest becomes a warning.
func (p Sessions) digestFacts(ctx context.Context, g *Gathered) {
	at, places, err := p.ForDigest(ctx, "hook")
	if err != nil {
		return
	}
	place, others := digests.Of(at).ShownDigest("hook", places)
	for _, other := range others {
		g.notes = append(g.notes, "there is also a digest in "+workspace.FactLine(other.State)+"; this is about "+
			workspace.FactLine(place.State))
	}
	size, err := at.Store.Head(ctx, place.State, 1)
	if err == nil && size.Size > workspace.MostDocBytes {
		g.notes = append(g.notes, workspace.FactLine(place.State)+" is too large to read at the start of a session")
		return
	}
	doc, err := at.Store.Read(ctx, place.State)
	if err != nil || !doc.Exists {
		if err != nil {
			g.notes = append(g.notes, faultWords(place.State, err))
		}
		return
	}
	g.Facts.Project.Path = workspace.FactLine(place.State)
	if at.Root == p.Root {
		g.Docs[place.State] = workspace.DocOf(doc)
	}
	for _, f := range digests.DigestFindings(place.State, doc) {
		g.notes = append(g.notes, workspace.FactLine(f.Text))
	}
	if TooLarge(doc.Data) {
		return
	}
	rows := decision.Read(doc.Data, place.Form(), digests.Of(at).Policy(place)).Chronological()
	for _, row := range rows[max(0, len(rows)-5):] {
		g.Facts.Project.Decisions = append(g.Facts.Project.Decisions, strings.TrimSpace(workspace.FactLine(row.Date)+
			" "+workspace.FactLine(row.Text)))
	}
	if len(rows) == 0 {
		archive, err := at.Store.Head(ctx, place.Archive, 1)
		g.Facts.Project.Undecided = err == nil && !archive.Exists
	}
	switch place.Layout {
	case workspace.LayoutGSD:
		g.Facts.Project.Kind = protocol.KindGSD
	case workspace.LayoutSpecflow:
		g.Facts.Project.Kind = protocol.KindSpecflow
	}
	if place.Layout == workspace.LayoutSpecflow {
		specflowFacts(specflow.Parse(doc.Data), &g.Facts.Project.Phase, g)
	} else {
		Of(at).gsdFacts(ctx, place, gsd.Parse(doc.Data), g)
	}
	if place.Layout == workspace.LayoutBaton {
		g.Facts.Project.Tasks = digests.Of(at).ShareNow(doc.Data)
	}
	if policy, counted := digests.Of(at).Policy(place), digest.SizeOf(doc.Data); policy.Over(counted) {
		g.Over = append(g.Over, place.State)
		g.notes = append(g.notes, fmt.Sprintf(
			"%s has %d lines and %d bytes, but the limits are %d and %d; `baton state rotate` moves older decisions "+
				"to the archive",
			workspace.FactLine(place.State),
			counted.Lines, counted.Bytes, policy.MaxLines, policy.MaxBytes,
		))
	}
}

// specflowFacts adds a summary of a SpecFlow digest.
func specflowFacts(doc *specflow.Doc, phase *string, g *Gathered) {
	var active []string
	m := doc.Model()
	out := &g.Facts.Project
	for _, a := range m.Active {
		active = append(active, strings.TrimSpace(workspace.FactLine(a.ID)+" "+workspace.FactLine(a.Title)))
		if out.Status == "" {
			out.Status, out.Next = workspace.FactLine(a.Status), workspace.FactLine(a.Next)
		}
	}
	*phase = strings.Join(active[:min(len(active), 3)], "; ")
	if row, ok := specflow.NextInQueue(m.Queue); ok && out.Next == "" {
		out.Next = "start " + strings.TrimSpace(workspace.FactLine(row.ID)+" "+workspace.FactLine(row.Title))
	}
	if paused := doc.LastPause(); filledIn(paused) {
		out.Next = strings.TrimPrefix(out.Next+"; the last session stopped at: "+workspace.FactLine(paused), "; ")
	}
	out.Blockers, out.MoreBlockers = newestFirst(m.Warnings)
}

// gsdFacts adds a summary of a digest in the GSD schema, and its contradictions to the files.
func (p Sessions) gsdFacts(ctx context.Context, place workspace.DigestPlace, doc *gsd.Doc, g *Gathered) {
	m, out := doc.Model(), &g.Facts.Project
	out.Milestone = strings.TrimSpace(workspace.FactLine(m.Milestone) + " " + workspace.FactLine(m.MilestoneName))
	out.Phase, out.Status = workspace.FactLine(m.Position.Phase), workspace.FactLine(m.Status)
	if m.Status == "unknown" {
		out.Status = workspace.FactLine(m.StatusRaw)
	}
	if text := m.OwnStatus(); text != "" {
		out.Status += " (" + workspace.FactLine(text) + ")"
	}
	if m.Progress.Percent != nil {
		out.Percent = *m.Progress.Percent
	}
	blockers := make([]string, 0, len(m.Blockers))
	for _, b := range m.Blockers {
		blockers = append(blockers, b.Text)
	}
	out.Blockers, out.MoreBlockers = newestFirst(blockers)
	next := phases.Next{Action: m.NextAction, Phases: m.NextPhases}
	facts, _, err := digests.PhaseFacts(ctx, p.Workspace, p.Store, place, m)
	if err == nil {
		for _, f := range doc.Findings(facts) {
			if f.Severity != report.Info {
				g.notes = append(g.notes, workspace.FactLine(place.State)+": "+workspace.FactLine(f.Text))
			}
		}
		if found := doc.Recommend(facts); found.Action != "" && m.ActivePhase == "" {
			next = found
		}
	}
	out.Next = NextWords(place, m, next)
}

// NextWords describes what to do next: the next stage of a phase, and the place where the last
// session stopped.
func NextWords(place workspace.DigestPlace, m gsd.Model, next phases.Next) string {
	var words []string
	if text := workspace.FactLine(next.Action); text != "" {
		ids := workspace.FactLine(strings.Join(next.Phases, ", "))
		text = strings.TrimSpace(text + " " + ids)
		if place.Layout == workspace.LayoutBaton && len(next.Phases) > 0 {
			if command := StepCommand(next.Action, workspace.FactLine(next.Phases[0])); command != "" {
				text += " (`" + command + "`)"
			}
		}
		words = append(words, text)
	} else if m.ActivePhase != "" {
		words = append(words, "continue phase "+workspace.FactLine(m.ActivePhase))
	}
	stopped := m.Session.StoppedAt
	if stopped == "" {
		stopped = m.StoppedAt
	}
	if filledIn(stopped) {
		words = append(words, "the last session stopped at: "+workspace.FactLine(stopped))
	}
	if filledIn(m.Session.ResumeFile) {
		words = append(words, "to resume, read "+workspace.FactLine(m.Session.ResumeFile))
	}
	return strings.Join(words, "; ")
}

// StepCommand returns the command for a stage of a phase, or "" for any other action.
func StepCommand(action, phase string) string {
	switch action {
	case phases.Discuss:
		return "baton state begin " + phase + " --stage discuss"
	case phases.Plan:
		return "baton state plan " + phase
	case phases.Execute:
		return "baton state begin " + phase
	case phases.Verify:
		return "baton state verify " + phase
	}
	return ""
}

// filledIn reports whether a text says more than a placeholder or a template, such as None or
// [Issues that affect future work].
func filledIn(text string) bool {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.IndexByte(inner, ']') == len(inner)-1 {
		return false
	}
	bare := strings.ToLower(strings.Trim(text, "[]()._"))
	switch bare {
	case "", "none", "-", "—", "n/a", "null", "unknown", "not started", "none yet", "none currently", "none so far",
		"no sessions yet", "to be completed", "tbd":
		return false
	}
	for _, start := range [...]string{"none - ", "none – ", "none — ", "none (", "none, ", "none; "} {
		if strings.HasPrefix(bare, start) {
			return false
		}
	}
	return true
}
