package agents

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// draftDid describes what a session did, as far as baton knows.
func (p Agents) draftDid(rec *agentsession.Record, seen *sessionWork) []string {
	zone := p.Now().Location()
	who := "session " + draftWords(rec.Session)
	if client := draftWords(rec.Client); client != "" {
		who = client + " " + who
	}
	from, to := workspace.ParseStamp(rec.Started).In(zone), workspace.ParseStamp(rec.Seen).In(zone)
	did := []string{fmt.Sprintf("%s; the %s from %s to %s left no hand-off", sessions.DraftMark, who, from.Format(
		"2006-01-02 15:04",
	), to.Format("15:04"))}
	if rec.Bound != "" {
		did[0] += "; it worked on this task because of " + draftWords(rec.Bound)
	}
	if list := draftList(rec.Files, mostDraftFiles, ", "); list != "" {
		did = append(did, "Files edited: "+list)
	}
	if list := draftList(seen.loose, mostDraftFiles, ", "); list != "" {
		did = append(did, "Changed in the checkout: "+list)
	}
	if list := draftList(rec.Commands, mostDraftCommands, "; "); list != "" {
		did = append(did, "Commands, newest last: "+list)
	}
	if rec.Words != "" {
		did = append(did, cmp.Or(draftWords(rec.Client), "The agent")+" said last: “"+rec.Words+"”")
	} else if seen.over && p.Settings().On("hooks.quote") {
		did = append(did, "Its last message is not known")
	}
	return did
}

// How much of an agent's last message a draft quotes, in characters (D55).
const (
	mostFirstWords = 600
	mostLastWords  = 200
)

// lastWords returns an agent's last message as a draft quotes it: one line without headings, fences
// and secrets; "" if nothing is to be quoted.
func (p Agents) lastWords(text string) string {
	if text == "" || !p.Settings().On("hooks.quote") {
		return ""
	}
	var kept []string
	for line := range strings.Lines(safetext.Clean(safetext.WithoutSecrets(text, p.Env.Environ))) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			continue
		}
		if line = strings.TrimSpace(strings.TrimLeft(line, "#>")); line != "" {
			kept = append(kept, line)
		}
	}
	said := []rune(plainMarkup(safetext.JoinLines(strings.Join(kept, " "))))
	if len(said) > mostFirstWords+mostLastWords {
		said = slices.Concat(said[:mostFirstWords], []rune(" … "), said[len(said)-mostLastWords:])
	}
	return strings.TrimSpace(string(said))
}

// quoted returns texts of the client as a draft quotes them.
func (p Agents) quoted(texts []string) []string {
	out := []string{}
	for _, text := range texts {
		if text = draftWords(safetext.WithoutSecrets(text, p.Env.Environ)); text != "" {
			out = append(out, text)
		}
	}
	return out[:min(len(out), agentsession.MostTodos)]
}

// draftList joins the newest texts, and mentions how many others there are.
func draftList(texts []string, most int, between string) string {
	older := max(0, len(texts)-most)
	words := make([]string, 0, most)
	for _, text := range texts[older:] {
		if text = draftWords(text); text != "" {
			words = append(words, text)
		}
	}
	list := strings.Join(words, between)
	if older > 0 && list != "" {
		list += fmt.Sprintf(" (and %d earlier)", older)
	}
	return list
}

// draftWords prepares a text for an item of a document: one line without characters that begin
// markup in Markdown or HTML.
func draftWords(text string) string {
	return safetext.Runes(plainMarkup(safetext.Line(text)), draftText)
}

// plainMarkup replaces the characters that begin markup in Markdown or HTML.
func plainMarkup(text string) string {
	return strings.NewReplacer("`", "'", "<", "‹", ">", "›").Replace(text)
}

// draftNext returns the next steps of a draft: the open to-dos of the client, and the previous
// entry's steps, because nobody knows which of them were done.
func draftNext(s *task.State, todos []string) []string {
	const first = "Look at the working tree first, because nobody recorded what is finished"
	if workspace.Closed(s.Status()) { // nobody is asked to go on with it
		return todosLeft(todos)
	}
	next := append([]string{first}, todosLeft(todos)...)
	most := len(next) + mostDraftNext - 1
	for i := len(s.Sessions) - 1; i >= 0; i-- {
		for _, step := range s.Sessions[i].Next {
			if step != first && !strings.HasPrefix(step, "To-do that was open: ") && len(next) <= most {
				next = append(next, step)
			}
		}
		if len(s.Sessions[i].Next) > 0 {
			break
		}
	}
	return next
}

// todosLeft returns the open to-dos of the client as next steps.
func todosLeft(todos []string) []string {
	var next []string
	for _, text := range todos {
		next = append(next, "To-do that was open: "+text)
	}
	return next
}

// draftSince returns the start time of a draft: the start of the session, or the time of the newest
// entry if that is later.
func draftSince(rec *agentsession.Record) time.Time {
	since := workspace.ParseStamp(rec.Started)
	if at := workspace.ParseStamp(rec.Since); at.After(since) {
		since = at
	}
	return since
}

// checkedSince lists the criteria that the session checked since its last entry and that are still
// checked, or "".
func (p Agents) checkedSince(ctx context.Context, rec *agentsession.Record, w agentWork) string {
	l, err := p.LoadTask(ctx, p.Store, w.id)
	if err != nil {
		return ""
	}
	since, by := draftSince(rec), map[string]bool{}
	for _, e := range tasks.Of(p.Workspace).NewestEvidence(ctx, l) {
		if e.By == rec.Holder() && !e.At.Before(since) {
			by[e.Criterion] = true
		}
	}
	var names []string
	for _, c := range l.State.Criteria {
		if c.Checked && by[c.Key] {
			names = append(names, fmt.Sprintf("%d (%s)", c.N, draftWords(c.Text)))
		}
	}
	return draftChecked(names)
}

func draftChecked(names []string) string {
	list := draftList(names, mostDraftFiles, ", ")
	if list == "" {
		return ""
	}
	return "Criteria checked: " + list
}

// openTodos returns the client's open to-dos, if a draft may quote them.
func (p Agents) openTodos(rec *agentsession.Record) []string {
	if !p.Settings().On("hooks.quote") {
		return nil
	}
	return rec.Todos
}
