package project

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"baton/internal/protocol"
	"baton/internal/task"
)

// taskFacts adds the task of the session. The task's own files and those of its dependencies are opened.
func (p *Project) taskFacts(ctx context.Context, ask factsAsk, g *gathered) error {
	g.active = agentTask{Open: -1, Ready: -1}
	switch {
	case ask.active != nil:
		g.active = *ask.active
	case ask.Task != "":
		id, err := task.ParseID(ask.Task)
		if err != nil {
			return err
		}
		g.active.ID = id
	default:
		g.active = p.activeFor(ctx, ask.Record)
	}
	g.facts.Open, g.facts.Ready, g.facts.Files = g.active.Open, g.active.Ready, g.active.Files
	g.facts.Proposed, g.facts.Held = g.active.Proposed, g.active.Held
	if g.active.ID == "" {
		return nil
	}
	l, err := p.loadTask(ctx, p.store, g.active.ID)
	if err != nil {
		if ask.Task != "" {
			return err
		}
		g.notes = append(g.notes, faultWords("the file of task "+refOf(g.active.ID), err))
		g.active.ID = ""
		return ctx.Err()
	}
	g.task = l
	g.docs[l.Name] = docOf(l.Doc)
	t := p.taskWords(l)
	g.facts.Task = t
	g.facts.First = l.State.TotalSessions() == 0
	if err := p.criteriaFacts(ctx, l, t); err != nil {
		return err
	}
	p.sessionFacts(ctx, l, t)
	if err := p.inputFacts(ctx, l, g); err != nil {
		return err
	}
	hold, doubts := p.claimOf(ctx, l.ID)
	t.Claimed = hold.Claim != nil && hold.Mine
	if hold.foreign() {
		t.Holder, t.Until = harmless(hold.By), moment(hold.Claim.Until, p.now())
	}
	for _, f := range slices.Concat(doubts, l.warnings(), l.State.SizeFindings(p.limits(), l.State.TotalSessions())) {
		g.notes = append(g.notes, harmless(f.Text))
	}
	if limits := p.limits(); l.Doc.Size > int64(limits.ArchiveKB)<<10 && len(l.State.Sessions) > limits.KeepSessions {
		g.over = append(g.over, l.Name)
	}
	return ctx.Err()
}

// taskWords is what the task file itself says.
func (p *Project) taskWords(l *loaded) *protocol.Task {
	s := l.State
	t := &protocol.Task{
		ID: refOf(l.ID), Command: harmless(string(l.ID)), Title: harmless(s.Title), Path: harmless(l.Name), Status: string(s.Status()),
		Requirements: firstRunes(neutral(s.Context.Requirements), mostFactProse), Words: "criterion", Size: l.Doc.Size,
	}
	if slices.ContainsFunc(s.Criteria, func(c task.Criterion) bool { return c.FeatureID != "" }) {
		t.Words = "feature"
	}
	if reason := harmless(s.MetaText(blockedKey)); reason != "" && s.Status() == task.StatusBlocked {
		t.Failed = append(t.Failed, "it is blocked: "+reason)
	}
	return t
}

// criteriaFacts adds the criteria with the command that shows each, and what the last runs said.
func (p *Project) criteriaFacts(ctx context.Context, l *loaded, t *protocol.Task) error {
	known := bookOf(p.newestEvidence(ctx, l), l.State.Criteria)
	views, err := p.criteria(ctx, l, known)
	if err != nil {
		return err
	}
	t.Total = len(views)
	for _, v := range views {
		c := protocol.Criterion{N: v.N, Text: harmless(v.Text), Checked: v.Checked, Verify: harmless(v.Verify)}
		run, ran := known.runs[v.Key]
		if c.Verify == "" && ran {
			c.Verify = harmless(run.Command)
		}
		if v.Checked {
			t.Done++
		} else if ran && !run.Passed {
			text := fmt.Sprintf("%s %d: `%s` failed", t.Words, v.N, harmless(run.Command))
			if run.Exit != nil {
				text += fmt.Sprintf(" with exit code %d", *run.Exit)
			}
			t.Failed = append(t.Failed, text+" when it was run last ("+stamp(run.At)+")")
		}
		t.Criteria = append(t.Criteria, c)
	}
	return nil
}

// mostFailedSessions is how many sessions back failed attempts are told of.
const mostFailedSessions = 3

// sessionFacts adds what earlier sessions left: what the last one did, what is next, what went wrong.
func (p *Project) sessionFacts(ctx context.Context, l *loaded, t *protocol.Task) {
	s := l.State
	var tail []byte
	if s.Summary != nil || s.Meta.Archived > 0 {
		if facts, err := archiveFacts(ctx, p.store, l); err == nil && l.Outside == nil {
			tail = facts.Tail
		}
	}
	t.Session = s.NextNumber(tail)
	var failed []string
	for i, session := range s.Sessions {
		if next := harmlessList(session.Next, mostFactItems); len(next) > 0 {
			t.Next = next
		}
		if i >= len(s.Sessions)-mostFailedSessions {
			failed = append(failed, session.Issues...)
		}
	}
	t.Failed = append(harmlessList(failed, mostFactItems), t.Failed...)
	if len(s.Sessions) > 0 {
		last := s.Sessions[len(s.Sessions)-1]
		t.LastDid, t.Drafted = harmlessList(last.Did, mostFactItems), isDraft(last)
	}
}

// inputFacts adds what upstream tasks handed over, and which tasks this one waits for.
func (p *Project) inputFacts(ctx context.Context, l *loaded, g *gathered) error {
	s, t := l.State, g.facts.Task
	changes, err := p.inputChanges(ctx, p.store, l, s)
	if err != nil {
		return ctx.Err()
	}
	for _, in := range s.Inputs {
		input := protocol.Input{
			ID: refOf(in.Task), Title: harmless(in.Title), Brief: brief(in.Text), Full: firstRunes(neutral(in.Text), mostFactProse),
			Command: "baton task show " + harmless(string(in.Task)) + " --section chain_output",
			Changed: slices.ContainsFunc(changes, func(c InputChange) bool { return c.Task == in.Task }),
		}
		t.Inputs = append(t.Inputs, input)
	}
	for _, c := range changes {
		text := "what " + refOf(c.Task) + " hands over is another text than since " + c.sinceWords()
		g.notes = append(g.notes, text+"; `baton task show "+harmless(string(l.ID))+"` shows the difference")
	}
	waiting, err := p.waitingShown(ctx, p.store, s)
	if err != nil {
		return err
	}
	if len(waiting) > 0 {
		g.notes = append(g.notes, "task "+t.ID+" waits for "+harmless(refs(waiting)))
	}
	for _, id := range s.Meta.Dependencies[:min(mostFactInputs, len(s.Meta.Dependencies))] {
		for _, d := range p.searchDirs(id) {
			name := d.state(id)
			if doc, err := p.store.Read(ctx, name); err == nil && doc.Exists {
				g.docs[name] = docOf(doc)
				break
			}
		}
	}
	return ctx.Err()
}

// brief gives the first sentences of a text, at most 280 characters, cut at the end of a sentence or else of a word.
func brief(text string) string {
	const most = 280
	text = harmless(strings.ReplaceAll(text, "#", ""))
	cut := firstRunes(text, most)
	if cut == text {
		return text
	}
	if at := strings.LastIndexAny(cut, ".!?"); at > most/4 && unicode.IsSpace(rune(text[at+1])) {
		return cut[:at+1]
	}
	if at := strings.LastIndexByte(cut, ' '); at > 0 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ,;:") + " …"
}

// sortedKeys gives the names of documents in order.
func sortedKeys[V any](docs map[string]V) []string { return slices.Sorted(maps.Keys(docs)) }
