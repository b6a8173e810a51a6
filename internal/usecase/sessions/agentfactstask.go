package sessions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"baton/internal/protocol"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/pick"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// taskFacts adds the task of the session. It opens only the task's own files and those of its
// dependencies.
func (p Sessions) taskFacts(ctx context.Context, ask FactsAsk, g *Gathered) error {
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
		g.active = p.ActiveFor(ctx, ask.Record, ask.asking())
	}
	g.Facts.Open, g.Facts.Ready, g.Facts.Files = g.active.Open, g.active.Ready, g.active.Files
	g.Facts.Proposed, g.Facts.Held = g.active.Proposed, g.active.Held
	for _, words := range slices.Concat(g.active.Apart, g.active.Later) {
		g.notes = append(g.notes, "task "+workspace.FactLine(words))
	}
	if g.active.ID == "" {
		return nil
	}
	l, err := p.LoadTask(ctx, p.Store, g.active.ID)
	if err != nil {
		if ask.Task != "" {
			return err
		}
		g.notes = append(g.notes, faultWords("the file of task "+workspace.RefOf(g.active.ID), err))
		g.active.ID = ""
		return ctx.Err()
	}
	g.task = l
	g.Docs[l.Name] = workspace.DocOf(l.Doc)
	t := p.TaskWords(l)
	g.Facts.Task = t
	g.Facts.First = l.State.TotalSessions() == 0
	if err := p.criteriaFacts(ctx, l, t); err != nil {
		return err
	}
	p.sessionFacts(ctx, l, t)
	p.foundFacts(ctx, l, t)
	if err := p.inputFacts(ctx, l, g); err != nil {
		return err
	}
	hold, doubts := p.ClaimOf(ctx, l.ID)
	t.Claimed = hold.Claim != nil && hold.Mine
	if hold.Foreign() && hold.Claim != nil {
		t.Holder, t.Until = workspace.FactLine(hold.By), workspace.Moment(hold.Claim.Until, p.Now())
	}
	for _, f := range slices.Concat(doubts, l.Warnings(), l.State.SizeFindings(p.Limits(), l.State.TotalSessions())) {
		g.notes = append(g.notes, workspace.FactLine(f.Text))
	}
	if limits := p.Limits(); l.Doc.Size > int64(limits.ArchiveKB)<<10 && len(l.State.Sessions) > limits.KeepSessions {
		g.over = append(g.over, l.Name)
	}
	return ctx.Err()
}

// mostFound limits how many found tasks are looked at.
const mostFound = 8

// foundFacts adds the open tasks that were found during this one, and where it was found itself.
func (p Sessions) foundFacts(ctx context.Context, l *workspace.Loaded, t *protocol.Task) {
	if from := l.State.Meta.From; from != "" {
		t.From = workspace.RefOf(from)
	}
	found := tasks.Of(p.Workspace).FoundDuring(l.ID)
	for _, id := range found[:min(mostFound, len(found))] {
		if h := p.HeadNow(ctx, id); h != nil && h.Sound() && !workspace.Closed(h.Status()) {
			t.Found = append(t.Found, workspace.RefOf(id)+" "+workspace.FactLine(h.State.Title))
		}
	}
}

// TaskWords returns the facts in the task file itself.
func (p Sessions) TaskWords(l *workspace.Loaded) *protocol.Task {
	s := l.State
	t := &protocol.Task{
		ID: workspace.RefOf(l.ID), Command: workspace.FactLine(
			string(l.ID),
		), Title: workspace.FactLine(s.Title), Path: workspace.FactLine(l.Name), Status: string(s.Status()),
		Requirements: safetext.FirstRunes(
			safetext.Clean(s.Context.Requirements), mostFactProse,
		), Words: "criterion", Size: l.Doc.Size,
	}
	if !filledIn(t.Requirements) {
		t.Requirements = ""
	}
	if slices.ContainsFunc(s.Criteria, func(c task.Criterion) bool { return c.FeatureID != "" }) {
		t.Words = "feature"
	}
	if reason := workspace.FactLine(s.MetaText(tasks.BlockedKey)); reason != "" && s.Status() == task.StatusBlocked {
		t.Blocked = reason
	}
	return t
}

// criteriaFacts adds the criteria, each with its command and the result of the last run.
func (p Sessions) criteriaFacts(ctx context.Context, l *workspace.Loaded, t *protocol.Task) error {
	known := tasks.BookOf(tasks.Of(p.Workspace).NewestEvidence(ctx, l), l.State.Criteria)
	views, err := tasks.Of(p.Workspace).Criteria(ctx, l, known)
	if err != nil {
		return err
	}
	t.Total = len(views)
	for _, v := range views {
		c := protocol.Criterion{
			N: v.N, Text: workspace.FactLine(v.Text), Checked: v.Checked, Verify: workspace.FactLine(v.Verify),
		}
		run, ran := known.Runs[v.Key]
		if c.Verify == "" && ran {
			c.Verify = workspace.FactLine(run.Command)
		}
		if v.Checked {
			if t.Done++; v.Verified && ran {
				c.Proof = workspace.FactLine(run.Command)
			}
		} else if ran && !run.Passed {
			text := fmt.Sprintf("%s %d: `%s` failed", t.Words, v.N, workspace.FactLine(run.Command))
			if run.Exit != nil {
				text += fmt.Sprintf(" with exit code %d", *run.Exit)
			}
			t.Failed = append(t.Failed, text+" when it was last run ("+workspace.Stamp(run.At)+")")
		}
		t.Criteria = append(t.Criteria, c)
	}
	return nil
}

// mostFailedSessions is how many of the last sessions are searched for failed attempts.
const mostFailedSessions = 3

// sessionFacts adds the hand-off of earlier sessions: what the last one did, what is next, and
// what failed.
func (p Sessions) sessionFacts(ctx context.Context, l *workspace.Loaded, t *protocol.Task) {
	s := l.State
	var tail []byte
	if s.Summary != nil || s.Meta.Archived > 0 {
		if facts, err := tasks.ArchiveFacts(ctx, p.Store, l); err == nil && l.Outside == nil {
			tail = facts.Tail
		}
	}
	t.Session = s.NextNumber(tail, p.NumbersBefore(ctx, l))
	var failed []string
	next, from := pick.NextSteps(s)
	for i, session := range s.Sessions {
		if i >= len(s.Sessions)-mostFailedSessions {
			failed = append(failed, slices.DeleteFunc(slices.Clone(session.Issues), isClaimNote)...)
		}
	}
	steps := harmless(next)
	t.NextFrom, t.Unread = from, pick.Unread(s)
	t.Next = steps[:min(mostFactItems, len(steps))]
	t.MoreNext = len(steps) - len(t.Next)
	issues := harmless(failed)
	t.MoreFailed = max(0, len(issues)-mostFactItems)
	t.Failed = append(issues[t.MoreFailed:], t.Failed...)
	if len(s.Sessions) > 0 {
		last := s.Sessions[len(s.Sessions)-1]
		t.LastDid, t.Drafted = harmlessList(last.Did, mostFactItems), IsDraft(last)
		t.MoreDid = len(harmless(last.Did)) - len(t.LastDid)
		t.Notes = harmlessList(last.Notes, mostFactItems)
		t.MoreNotes = len(harmless(last.Notes)) - len(t.Notes)
		t.Unread = t.Unread || last.Style == task.StyleE || t.MoreDid+t.MoreNotes > 0
	}
}

// isClaimNote reports whether an issue is baton's note that somebody else held the task. It is no
// attempt that failed (F-41).
func isClaimNote(issue string) bool {
	return strings.HasPrefix(issue, "Written by ") &&
		(strings.HasSuffix(issue, " held the task") || strings.HasSuffix(issue, " had claimed the task"))
}

// inputFacts adds the outputs of upstream tasks, and the tasks that this one waits for.
func (p Sessions) inputFacts(ctx context.Context, l *workspace.Loaded, g *Gathered) error {
	s, t := l.State, g.Facts.Task
	changes, err := tasks.Of(p.Workspace).InputChanges(ctx, p.Store, l, s)
	if err != nil {
		return ctx.Err()
	}
	for _, in := range s.Inputs {
		input := protocol.Input{
			ID: workspace.RefOf(in.Task), Title: workspace.FactLine(
				in.Title,
			), Brief: Brief(in.Text), Full: safetext.FirstRunes(safetext.Clean(in.Text), mostFactProse),
			Command: "baton task show " + workspace.FactLine(string(in.Task)) + " --section chain_output",
			Changed: slices.ContainsFunc(changes, func(c tasks.InputChange) bool { return c.Task == in.Task }),
		}
		t.Inputs = append(t.Inputs, input)
	}
	for _, c := range changes {
		text := "the output of " + workspace.RefOf(c.Task) + " has changed since " + c.SinceWords()
		g.notes = append(g.notes, text+"; `baton task show "+workspace.FactLine(string(l.ID))+"` shows the difference")
	}
	waiting, err := p.WaitingShown(ctx, p.Store, s)
	if err != nil {
		return err
	}
	if len(waiting) > 0 {
		note := "task " + t.ID + " waits for " + workspace.FactLine(workspace.Refs(waiting))
		book, _ := p.ClaimsNow(ctx)
		if once := p.ElsewhereOf(ctx, p.Store, book, s, workspace.AskNow).Once(waiting); once != nil {
			note += "; it is " + onceWords(once)
		}
		g.notes = append(g.notes, note)
	}
	for _, id := range s.Meta.Dependencies[:min(mostFactInputs, len(s.Meta.Dependencies))] {
		for _, d := range p.SearchDirs(id) {
			name := d.StateFile(id)
			if doc, err := p.Store.Read(ctx, name); err == nil && doc.Exists {
				g.Docs[name] = workspace.DocOf(doc)
				break
			}
		}
	}
	return ctx.Err()
}

// onceWords says what has to be merged before a task can start, with the command.
func onceWords(once *workspace.ReadyOnce) string {
	text := workspace.FactLine(once.Words())
	if once.Command != "" {
		text += ": `" + workspace.FactLine(once.Command) + "`"
	}
	return text
}

// Brief returns the first sentences of a text, at most 280 characters. It cuts at the end of a
// sentence, or else of a word.
func Brief(text string) string {
	const most = 280
	text = workspace.FactLine(strings.ReplaceAll(text, "#", ""))
	cut := safetext.FirstRunes(text, most)
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
