package agents

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"baton/internal/agentsession"
	"baton/internal/protocol"
	"baton/internal/task"
	"baton/internal/usecase/guard"
	"baton/internal/usecase/sessions"
)

// mostToolNote is the longest answer to one batch of tools, in characters (agents.md 2.3).
const mostToolNote = 400

// toolNote is one note after tools. given records that it was given; a note without room is given
// later.
type toolNote struct {
	text  string
	given func()
}

// agentPostTool records what tools did: files, commands, and changed documents. It returns what the
// session should know at once: lost entries, a claim that ended, files in the scope of another
// claim or in use by another session, and a context window that fills up. It writes no document
// (D38).
func (p Agents) agentPostTool(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	var said string
	var log sessions.LogLine
	twice, err := p.WithAgent(ctx, e, func(rec *agentsession.Record) error {
		files := p.noteCalls(ctx, rec, e.Calls)
		if slices.ContainsFunc(e.Calls, logsTask) {
			// The entry of a sub-agent does not free the main session from its own (F-41).
			if rec.Undo != nil && e.SubAgent != "" {
				rec.Restore(*rec.Undo)
			}
			rec.Undo = nil
		}
		notes := append(p.refusedNotes(e), p.LossNotes(ctx, rec, e.Calls, &log)...)
		tip := p.Git.Place.Begin()
		if slices.ContainsFunc(e.Calls, makesCommits) {
			rec.Moved(tip, p.Now())
		}
		rec.Tip = tip
		notes = append(notes, p.claimNotes(ctx, rec, files)...)
		notes = append(notes, p.neighbourNotes(p.freshNeighbours(ctx, rec.Session), rec, files)...)
		if e.SubAgent == "" { // the readings are of the main session's window
			notes = append(notes, p.windowNotes(rec, e)...)
		}
		said = fitNotes(notes, rec.Tools)
		rec.Tell(said)
		return ctx.Err()
	})
	if twice || err != nil && said == "" {
		return agentsession.Answer{}, err
	}
	return agentsession.Answer{Context: said, Log: log.String()}, err
}

// fitNotes joins as many notes as fit, in order, for a client that has the tools of baton's server,
// or not.
func fitNotes(notes []toolNote, tools bool) string {
	text := ""
	for _, n := range notes {
		next := protocol.Spoken(n.text, tools)
		if text != "" {
			next = text + "\n" + next
		}
		if utf8.RuneCountInString(next) > mostToolNote {
			continue
		}
		text = next
		n.given()
	}
	return text
}

// noteCalls records the files that calls wrote and the commands that they ran. It returns the
// files, relative to the root.
func (p Agents) noteCalls(ctx context.Context, rec *agentsession.Record, calls []agentsession.ToolCall) []string {
	var files []string
	for _, call := range calls {
		if line := agentsession.CommandLine(call.Command); line != "" {
			if call.Outcome != "" {
				line += " (" + call.Outcome + ")"
			}
			rec.Commands = Newest(rec.Commands, line, agentsession.MostCommands)
		}
		if call.Failed {
			continue
		}
		if call.Todos != nil {
			rec.Todos = p.quoted(call.Todos)
		}
		for _, t := range guard.Of(p.Workspace).Targets([]agentsession.ToolCall{call}) {
			if len(t.Names) == 0 || t.Internal() || !p.isWritten(rec, t.Names[0]) {
				continue
			}
			rec.Edits++
			rec.Files = Newest(rec.Files, t.Names[0], agentsession.MostFiles)
			p.MarkFile(ctx, rec, t.Names[0])
			files = append(files, t.Names[0])
		}
	}
	return files
}

// agentTodo keeps the open to-dos of a client that reports each of them, as Claude Code does with
// its tasks. It answers nothing, because an answer could keep the client from adding or closing
// one.
func (p Agents) agentTodo(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	if e.SubAgent != "" {
		return agentsession.Answer{}, nil
	}
	_, err := p.WithAgent(ctx, e, func(rec *agentsession.Record) error {
		for _, text := range p.quoted([]string{e.Text}) {
			if e.Event == agentsession.TodoAdded {
				rec.Todos = Newest(rec.Todos, text, agentsession.MostTodos)
				continue
			}
			rec.Todos = slices.DeleteFunc(rec.Todos, func(open string) bool { return open == text })
		}
		return ctx.Err()
	})
	return agentsession.Answer{}, err
}

// isWritten reports whether a file differs from what the session's record has for it. If the record
// has nothing, the file counts as written unless it is older than the session. What a client says
// of a call is not proof: a refused call has no error of its own in a batch (F-35).
func (p Agents) isWritten(rec *agentsession.Record, name string) bool {
	was, known := rec.Docs[name]
	if !known {
		was, known = rec.Marks[name]
	}
	now, err := os.Stat(filepath.Join(p.Root, filepath.FromSlash(name)))
	switch {
	case err != nil:
		return known && was.Hash != "" && os.IsNotExist(err)
	case known:
		return was.Size != now.Size() || was.ModTime != now.ModTime().UnixNano() ||
			was.Inode != 0 && was.Inode != p.Store.Stamp(name).Inode
	}
	return !now.ModTime().Before(rec.OpenedAt())
}

// Newest moves an item to the end of a list without duplicates, and limits its length.
func Newest(list []string, item string, most int) []string {
	if i := slices.Index(list, item); i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	list = append(list, item)
	return list[max(0, len(list)-most):]
}

// logsTask reports whether a call writes an entry of a task's log: by the command, or by the tool
// of the MCP server, which each client names in its own way.
func logsTask(c agentsession.ToolCall) bool {
	return strings.HasSuffix(c.Tool, "task_log") ||
		strings.Contains(c.Command, "baton") && strings.Contains(c.Command, " log ")
}

// runsGit reports whether a call may have changed all documents at once, as git does.
func runsGit(c agentsession.ToolCall) bool {
	for _, word := range shellWords(c.Command) {
		if base := word[strings.LastIndexAny(word, `/\`)+1:]; base == "git" || base == "git.exe" {
			return true
		}
	}
	return false
}

// makesCommits reports whether a call runs a command of git that makes commits or brings some.
func makesCommits(c agentsession.ToolCall) bool {
	return runsGit(c) && slices.ContainsFunc(shellWords(c.Command), func(word string) bool {
		return slices.Contains([]string{"am", "cherry-pick", "commit", "merge", "pull", "rebase", "revert"}, word)
	})
}

// shellWords returns the words of a command line, without what a shell reads as signs.
func shellWords(command string) []string {
	return strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()'\"`$", r) })
}

// heldTask returns the task of this session's claim, according to the cache of active tasks (D24).
func (p Agents) heldTask() (task.ID, int64) {
	entry := p.Active().Holders[p.Holder()]
	if id, err := task.ParseID(string(entry.Task)); err == nil { // the cache file may contain anything
		return id, entry.Fence
	}
	return "", 0
}

// refusedName is the cache that says that a session was told how its client's refusals end.
const refusedName = "refused-told"

// refusedNotes says which command a person can run, if the client refused a call of baton (D56). It
// says so once per project.
func (p Agents) refusedNotes(e agentsession.Event) []toolNote {
	i := slices.IndexFunc(e.Calls, func(c agentsession.ToolCall) bool {
		return c.Outcome == agentsession.OutcomeRefused && callsBaton(c)
	})
	if i < 0 || !slices.Contains([]string{
		"claude", "codex", "copilot", "cursor", "gemini", "opencode", "qwen",
	}, e.Client) {
		return nil
	}
	if data, err := p.Store.ReadCache(refusedName); err != nil || data != nil {
		return nil
	}
	what := e.Calls[i].Tool
	if line := agentsession.CommandLine(e.Calls[i].Command); line != "" {
		what = "`" + line + "`"
	}
	return []toolNote{{
		text: "baton: this client refused " + what + ". A person allows baton's commands and tools once with: " +
			"baton init --agent " + e.Client + " --allow. Tell them.",
		given: func() { _ = p.Store.WriteCache(refusedName, []byte(e.Client+"\n")) }, // it may be told again
	}}
}

// callsBaton reports whether a call is for baton's program or server. Clients join the names of
// server and tool in different ways.
func callsBaton(c agentsession.ToolCall) bool {
	for _, begin := range [...]string{"mcp__baton__", "mcp__plugin_baton_baton__", "mcp_baton_", "baton_", "baton-"} {
		if strings.HasPrefix(c.Tool, begin) {
			return true
		}
	}
	word, _, _ := strings.Cut(strings.TrimSpace(c.Command), " ")
	return word == "baton"
}
