package agents

import (
	"context"
	"slices"

	"baton/internal/agentsession"
	"baton/internal/usecase/guard"
	"baton/internal/workspace"
)

// changedNote says that somebody else changed the file of the session's task while it worked, once
// for each change. A batch with a command, a call of baton or an edit of the file may have changed
// it itself, and so may a sub-agent.
func (p Agents) changedNote(
	rec *agentsession.Record, name string, calls []agentsession.ToolCall,
) (text string, found bool) {
	if f, ok := p.FileOf(name); !ok || f.Id != p.taskOf(rec) || rec.SubRuns() || len(calls) == 0 {
		return "", false
	}
	if slices.ContainsFunc(calls, func(c agentsession.ToolCall) bool { return c.Command != "" || callsBaton(c) }) ||
		slices.ContainsFunc(guard.Of(p.Workspace).Targets(calls), func(t guard.Target) bool {
			return slices.Contains(t.Names, name)
		}) {
		return "", false
	}
	return p.changedWords(name), true
}

// changedWords says that a document is no longer as the session knows it, and how to see it.
func (p Agents) changedWords(name string) string {
	show := "`baton state show`"
	if f, ok := p.FileOf(name); ok {
		show = "`baton task show " + string(f.Id) + "`"
	}
	return workspace.PlainWord(name, mostChangedName) + " has changed, and not by this session. " + show +
		" prints it as it is now."
}

// mostChangedName limits the name of a changed document in a note, in characters.
const mostChangedName = 120

// changedSince says at a prompt which documents changed since the session stopped: the file of its
// task, and the digest. The session knows them from then on.
func (p Agents) changedSince(ctx context.Context, rec *agentsession.Record) string {
	text, own := "", p.taskOf(rec)
	changed := p.docsChanged(ctx, rec)
	for _, name := range workspace.SortedKeys(changed) {
		f, isTask := p.FileOf(name)
		family, _ := p.FamilyOf(name)
		if changed[name].Hash == "" || isTask && f.Id != own || !isTask && family != name {
			continue
		}
		rec.Docs[name] = changed[name]
		text = joinedNotes(text, p.changedWords(name))
	}
	return text
}
