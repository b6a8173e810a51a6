package project

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"baton/internal/task"
)

// mostToolNote bounds what one batch of tools is answered with, in characters (agents.md 2.3).
const mostToolNote = 400

// mostTold bounds the notes that are remembered as given.
const mostTold = 512

// toolNote is one thing to tell after tools. Given remembers that it was told; a note that had no room is told later.
type toolNote struct {
	text  string
	given func()
}

// agentPostTool notes what tools did: files, commands, documents that changed; and tells what the session should know at once:
// entries that are gone, a claim that ended, files in the scope of another claim, a context window that fills. Nothing is
// written to a document (D38).
func (p *Project) agentPostTool(ctx context.Context, e AgentEvent) (AgentAnswer, error) {
	var said string
	var log logLine
	twice, err := p.withAgent(ctx, e, func(rec *agentRecord) error {
		files := p.noteCalls(ctx, rec, e.Calls)
		notes := p.lossNotes(ctx, rec, e.Calls, &log)
		notes = append(notes, p.claimNotes(ctx, rec, files)...)
		if e.SubAgent == "" { // the readings are those of the main session's window
			notes = append(notes, p.windowNotes(rec, e)...)
		}
		said = fitNotes(notes)
		rec.tell(said)
		return ctx.Err()
	})
	if twice || err != nil && said == "" {
		return AgentAnswer{}, err
	}
	return AgentAnswer{Context: said, Log: log.String()}, err
}

// fitNotes joins the notes for which there is room, the first ones first.
func fitNotes(notes []toolNote) string {
	text := ""
	for _, n := range notes {
		next := n.text
		if text != "" {
			next = text + "\n" + n.text
		}
		if utf8.RuneCountInString(next) > mostToolNote {
			continue
		}
		text = next
		n.given()
	}
	return text
}

// told says whether a note was given to the session before; the caller remembers it when it is.
func (r *agentRecord) told(about string) bool { return slices.Contains(r.Told, agentHash(about)[:12]) }

func (r *agentRecord) remember(about string) {
	r.Told = append(r.Told, agentHash(about)[:12])
	r.Told = r.Told[max(0, len(r.Told)-mostTold):]
}

// noteCalls keeps HEAD, the files that calls wrote and the commands that they ran, and gives the files, relative to the root.
func (p *Project) noteCalls(ctx context.Context, rec *agentRecord, calls []ToolCall) []string {
	rec.Tip = p.git.Place.Begin()
	var files []string
	for _, call := range calls {
		if line := commandLine(call.Command); line != "" {
			rec.Commands = newest(rec.Commands, line, mostAgentCommands)
		}
		if call.Failed {
			continue
		}
		for _, t := range p.toolTargets([]ToolCall{call}) {
			if len(t.names) == 0 {
				continue
			}
			if _, own := cutFolder(t.names[0], runtimeDir); own {
				continue
			}
			rec.Edits++
			rec.Files = newest(rec.Files, cutRunes(oneLine(neutral(t.names[0])), 300), mostAgentFiles)
			p.markFile(ctx, rec, t.names[0])
			files = append(files, t.names[0])
		}
	}
	return files
}

// newest puts an item at the end of a list that keeps each once, and so many.
func newest(list []string, item string, most int) []string {
	if i := slices.Index(list, item); i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	list = append(list, item)
	return list[max(0, len(list)-most):]
}

// runsGit tells of a call that it may have taken the documents to another state of everything.
func runsGit(c ToolCall) bool {
	for _, word := range strings.FieldsFunc(c.Command, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()'\"`$", r) }) {
		if base := word[strings.LastIndexAny(word, `/\`)+1:]; base == "git" || base == "git.exe" {
			return true
		}
	}
	return false
}

// heldTask is the task that this session's claim was for, by the cache of active tasks (D24).
func (p *Project) heldTask() (task.ID, int64) {
	entry := p.active().Holders[p.holder()]
	if id, err := task.ParseID(string(entry.Task)); err == nil { // a cache may hold anything
		return id, entry.Fence
	}
	return "", 0
}
