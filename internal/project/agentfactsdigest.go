package project

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
)

// digestFacts adds where the project stands. The archive of decisions is not read, and of a digest that cannot be read
// there is a warning.
func (p *Project) digestFacts(ctx context.Context, g *gathered) {
	at, places, err := p.forDigest(ctx, "hook")
	if err != nil {
		return
	}
	place, others := at.shownDigest("hook", places)
	for _, other := range others {
		g.notes = append(g.notes, "there is a digest in "+harmless(other.State)+" too; this is about "+harmless(place.State))
	}
	size, err := at.store.Head(ctx, place.State, 1)
	if err == nil && size.Size > mostDocBytes {
		g.notes = append(g.notes, harmless(place.State)+" is too large to be read at a session's start")
		return
	}
	doc, err := at.store.Read(ctx, place.State)
	if err != nil || !doc.Exists {
		if err != nil {
			g.notes = append(g.notes, faultWords(place.State, err))
		}
		return
	}
	g.facts.Project.Path = harmless(place.State)
	if at.root == p.root {
		g.docs[place.State] = docOf(doc)
	}
	for _, f := range digestFindings(place.State, doc) {
		g.notes = append(g.notes, harmless(f.Text))
	}
	if tooLarge(doc.Data) {
		return
	}
	rows := decision.Read(doc.Data, place.form(), at.policy(place)).Chronological()
	for _, row := range rows[max(0, len(rows)-5):] {
		g.facts.Project.Decisions = append(g.facts.Project.Decisions, strings.TrimSpace(harmless(row.Date)+" "+harmless(row.Text)))
	}
	switch place.Layout {
	case layoutGSD:
		g.facts.Project.Kind = protocol.KindGSD
	case layoutSpecflow:
		g.facts.Project.Kind = protocol.KindSpecflow
	}
	if place.Layout == layoutSpecflow {
		specflowFacts(specflow.Parse(doc.Data).Model(), &g.facts.Project.Phase, g)
	} else {
		at.gsdFacts(ctx, place, gsd.Parse(doc.Data), g)
	}
	if policy, counted := at.policy(place), digest.SizeOf(doc.Data); policy.Over(counted) {
		g.over = append(g.over, place.State)
		g.notes = append(g.notes, fmt.Sprintf("%s has %d lines and %d bytes, the limits are %d and %d; `baton state rotate` moves older decisions to the archive",
			harmless(place.State), counted.Lines, counted.Bytes, policy.MaxLines, policy.MaxBytes))
	}
}

// specflowFacts is what a SpecFlow digest says in brief.
func specflowFacts(m specflow.Model, phase *string, g *gathered) {
	var active []string
	out := &g.facts.Project
	for _, a := range m.Active {
		active = append(active, strings.TrimSpace(harmless(a.ID)+" "+harmless(a.Title)))
		if out.Status == "" {
			out.Status, out.Next = harmless(a.Status), harmless(a.Next)
		}
	}
	*phase = strings.Join(active[:min(len(active), 3)], "; ")
	if row, ok := specflow.NextInQueue(m.Queue); ok && out.Next == "" {
		out.Next = "take up " + strings.TrimSpace(harmless(row.ID)+" "+harmless(row.Title))
	}
	out.Blockers = harmlessList(m.Warnings, 3)
}

// gsdFacts is what a digest in the GSD schema says in brief, with what it says against its files.
func (p *Project) gsdFacts(ctx context.Context, place digestPlace, doc *gsd.Doc, g *gathered) {
	m, out := doc.Model(), &g.facts.Project
	out.Milestone = strings.TrimSpace(harmless(m.Milestone) + " " + harmless(m.MilestoneName))
	out.Phase, out.Status = harmless(m.Position.Phase), harmless(m.Status)
	if m.Status == "unknown" && m.StatusRaw != "" {
		out.Status = harmless(m.StatusRaw)
	}
	if m.Progress.Percent != nil {
		out.Percent = *m.Progress.Percent
	}
	for _, b := range m.Blockers {
		out.Blockers = append(out.Blockers, harmless(b.Text))
	}
	out.Blockers = out.Blockers[max(0, len(out.Blockers)-mostFactItems):]
	next := phases.Next{Action: m.NextAction, Phases: m.NextPhases}
	facts, _, err := p.phaseFacts(ctx, p.store, place, m)
	if err == nil {
		for _, f := range doc.Findings(facts) {
			if f.Severity != report.Info {
				g.notes = append(g.notes, harmless(place.State)+": "+harmless(f.Text))
			}
		}
		if found := doc.Recommend(facts); found.Action != "" && m.ActivePhase == "" {
			next = found
		}
	}
	out.Next = nextWords(place, m, next)
}

// nextWords says what comes next: where the last session stopped, and the step in the life of a phase.
func nextWords(place digestPlace, m gsd.Model, next phases.Next) string {
	var words []string
	if text := harmless(next.Action); text != "" {
		ids := harmless(strings.Join(next.Phases, ", "))
		text = strings.TrimSpace(text + " " + ids)
		if place.Layout == layoutBaton && len(next.Phases) > 0 {
			if command := StepCommand(next.Action, harmless(next.Phases[0])); command != "" {
				text += " (`" + command + "`)"
			}
		}
		words = append(words, text)
	} else if m.ActivePhase != "" {
		words = append(words, "go on with phase "+harmless(m.ActivePhase))
	}
	stopped := m.Session.StoppedAt
	if stopped == "" {
		stopped = m.StoppedAt
	}
	if filledIn(stopped) {
		words = append(words, "the last session stopped at: "+harmless(stopped))
	}
	if filledIn(m.Session.ResumeFile) {
		words = append(words, "to resume, read "+harmless(m.Session.ResumeFile))
	}
	return strings.Join(words, "; ")
}

// StepCommand is the command that takes a step in the life of a phase; "" for an action that is no step.
func StepCommand(action, phase string) string {
	switch action {
	case NextDiscuss:
		return "baton state begin " + phase + " --stage discuss"
	case NextPlan:
		return "baton state plan " + phase
	case NextExecute:
		return "baton state begin " + phase
	case NextVerify:
		return "baton state verify " + phase
	}
	return ""
}

// filledIn tells of a field whether it holds more than a place holder.
func filledIn(text string) bool {
	switch strings.ToLower(strings.Trim(strings.TrimSpace(text), "[]().")) {
	case "", "none", "-", "—", "n/a", "null", "unknown", "not started":
		return false
	}
	return true
}
