package sessions

import (
	"context"
	"fmt"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// draftDid describes what a session did, as far as baton knows.
func draftDid(rec *agentsession.Record, zone *time.Location) []string {
	who := "session " + draftWords(rec.Session)
	if client := draftWords(rec.Client); client != "" {
		who = client + " " + who
	}
	from, to := workspace.ParseStamp(rec.Started).In(zone), workspace.ParseStamp(rec.Seen).In(zone)
	did := []string{fmt.Sprintf("%s; the %s from %s to %s left no hand-off", draftMark, who, from.Format(
		"2006-01-02 15:04",
	), to.Format("15:04"))}
	if list := draftList(rec.Files, mostDraftFiles, ", "); list != "" {
		did = append(did, "Files edited: "+list)
	}
	if list := draftList(rec.Commands, mostDraftCommands, "; "); list != "" {
		did = append(did, "Commands, newest last: "+list)
	}
	return did
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
	text = strings.NewReplacer("`", "'", "<", "‹", ">", "›").Replace(safetext.Line(text))
	return safetext.Runes(text, draftText)
}

// draftNext returns the next steps of a draft. The previous entry's steps are kept, because nobody
// knows which of them were done.
func draftNext(s *task.State) []string {
	const first = "Look at the working tree first, because nobody recorded what is finished"
	next := []string{first}
	for i := len(s.Sessions) - 1; i >= 0; i-- {
		for _, step := range s.Sessions[i].Next {
			if step != first && len(next) <= mostDraftNext {
				next = append(next, step)
			}
		}
		if len(s.Sessions[i].Next) > 0 {
			break
		}
	}
	return next
}

// draftSince returns the start time of a draft: the start of the session, or the time of the newest
// entry if that is later.
func draftSince(rec *agentsession.Record, s *task.State) time.Time {
	since := workspace.ParseStamp(rec.Started)
	if at := workspace.ParseStamp(rec.Since); at.After(since) {
		since = at
	}
	return since
}

// checkedSince lists the criteria that the session checked since its last entry and that are still
// checked, or "".
func (p Sessions) checkedSince(ctx context.Context, rec *agentsession.Record, w agentWork) string {
	l, err := p.LoadTask(ctx, p.Store, w.id)
	if err != nil {
		return ""
	}
	since, by := draftSince(rec, w.state), map[string]bool{}
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
