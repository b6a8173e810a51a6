package project

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"baton/internal/task"
)

// mostToolNote bounds what one batch of tools is answered with, in characters (agents.md 2.3).
const mostToolNote = 400

// mostTold bounds the notes that are remembered as given.
const mostTold = 64

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
	twice, err := p.withAgent(ctx, e, func(rec *agentRecord) error {
		files := p.noteCalls(ctx, rec, e.Calls)
		notes := p.lossNotes(ctx, rec, e.Calls)
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
	return AgentAnswer{Context: said}, err
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

// lossNotes looks at the documents that the session knows, by size and time first (D7), and tells of entries that are gone and
// stand in no archive either. What baton or git changed in this batch is no loss.
func (p *Project) lossNotes(ctx context.Context, rec *agentRecord, calls []ToolCall) []toolNote {
	var notes []toolNote
	meant := slices.ContainsFunc(calls, func(c ToolCall) bool { return movesDocuments(c) })
	for _, name := range sortedKeys(rec.Docs) {
		if note, ok := p.lossNote(ctx, rec, name, meant); ok {
			notes = append(notes, note)
		}
	}
	return notes
}

func (p *Project) lossNote(ctx context.Context, rec *agentRecord, name string, meant bool) (toolNote, bool) {
	knew := rec.Docs[name]
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		delete(rec.Docs, name)
		return toolNote{}, false
	}
	info, err := os.Stat(filepath.Join(p.root, filepath.FromSlash(name)))
	gone := os.IsNotExist(err)
	if err != nil && !gone || !gone && info.Size() == knew.Size && info.ModTime().UnixNano() == knew.ModTime || gone && knew.Hash == "" {
		return toolNote{}, false
	}
	doc, err := p.store.Read(ctx, name)
	if err != nil {
		return toolNote{}, false
	}
	now := agentDoc{}
	if doc.Exists {
		now = p.docOf(name, doc)
	}
	seen := func() { rec.Docs[name] = now }
	var lost []string
	if now.Hash != knew.Hash && !meant && doc.Size <= mostDocBytes {
		if lost = missing(knew.Entries, now.Entries); len(lost) > 0 {
			lost = docLost(knew.Entries, now.Entries, p.docArchives(ctx, name)...)
		}
	}
	if len(lost) == 0 {
		seen()
		return toolNote{}, false
	}
	return toolNote{text: lossText(name, lost), given: seen}, true
}

// lossText says what is gone and how it comes back, with as many names as there is room for.
func lossText(name string, lost []string) string {
	text := ""
	shown := plainWord(name, mostGuardName)
	for n := min(mostLossNames, len(lost)); n >= 0; n-- {
		text = shown + " no longer has " + lossNames(lost, n) + ", and no archive has it. Put it back unless it was meant to go; `git show HEAD:./" + shown +
			"` prints the committed file."
		if utf8.RuneCountInString(text) <= mostToolNote {
			break
		}
	}
	return cutRunes(text, mostToolNote)
}

// movesDocuments tells of a call whether what it changes in documents is no loss: baton's own commands and tools move entries to
// archives, and git goes to another state of everything.
func movesDocuments(c ToolCall) bool {
	if strings.Contains(strings.ToLower(c.Tool), "baton") {
		return true
	}
	for _, word := range strings.FieldsFunc(c.Command, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()'\"`$", r) }) {
		if base := word[strings.LastIndexAny(word, `/\`)+1:]; base == "baton" || base == "baton.exe" || base == "git" {
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
