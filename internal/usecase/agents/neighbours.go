package agents

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"baton/internal/agentsession"
	"baton/internal/protocol"
	"baton/internal/task"
	"baton/internal/usecase/guard"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// neighboursName is the cache with the places of the live sessions' records. The hooks around tools
// use it, because they search neither worktrees nor records (D30). It is not a record, so its name
// has no extension.
const neighboursName = "agents/neighbours"

// The clients that accept a text before a tool runs (agents.md 3).
const (
	clientClaude = "claude"
	clientCodex  = "codex"
)

// neighboursFresh is how long the cache is used before a hook after a tool searches again.
const neighboursFresh = time.Minute

// keptNeighbours is the content of the cache. It includes this checkout's own sessions, because all
// sessions read it.
type keptNeighbours struct {
	At       string          `json:"at"` // RFC 3339 UTC
	Sessions []keptNeighbour `json:"sessions"`
}

type keptNeighbour struct {
	Root   string  `json:"root"`
	Record string  `json:"record"`
	Task   task.ID `json:"task,omitempty"`
}

// keepNeighbours writes the cache for a session with the sessions that were found. Failures are
// ignored, because it is only a cache.
func (p Agents) keepNeighbours(session string, found []workspace.Neighbour) keptNeighbours {
	kept := keptNeighbours{
		At:       workspace.Stamp(p.Now()),
		Sessions: []keptNeighbour{{Root: p.Root, Record: agentsession.RecordFile(session)}},
	}
	for _, n := range found {
		if n.Client != "" && len(kept.Sessions) <= sessions.MostNeighbours {
			kept.Sessions = append(kept.Sessions, keptNeighbour{n.Root, n.Record, n.Task})
		}
	}
	if data, err := workspace.Encoded(kept, ""); err == nil {
		_ = p.Store.WriteCache(neighboursName, data)
	}
	return kept
}

// keptNeighbours reads the cache. An unreadable one counts as empty.
func (p Agents) keptNeighbours() keptNeighbours {
	var kept keptNeighbours
	if data, err := p.Store.ReadCache(neighboursName); err != nil || json.Unmarshal(data, &kept) != nil {
		return keptNeighbours{}
	}
	kept.Sessions = kept.Sessions[:min(len(kept.Sessions), sessions.MostNeighbours+1)]
	return kept
}

// freshNeighbours returns the cache, and looks for sessions again if it is old or does not know the
// session. The start of a session writes it only if there are others, because that must be quick
// (D30).
func (p Agents) freshNeighbours(ctx context.Context, session string) keptNeighbours {
	kept := p.keptNeighbours()
	age := p.Now().Sub(workspace.ParseStamp(kept.At))
	own := agentsession.RecordFile(session)
	known := slices.ContainsFunc(kept.Sessions, func(k keptNeighbour) bool {
		return k.Root == p.Root && k.Record == own
	})
	if known && age >= 0 && age < neighboursFresh {
		return kept
	}
	return p.keepNeighbours(session, p.Neighbours(ctx, false, workspace.MostNeighbourRecords))
}

// neighbourNotes names the files that other sessions are editing too, once for each file and
// session. It reads only the records of those sessions.
func (p Agents) neighbourNotes(kept keptNeighbours, rec *agentsession.Record, files []string) []toolNote {
	var notes []toolNote
	if len(files) == 0 {
		return nil
	}
	for _, k := range kept.Sessions {
		if k.Root == p.Root && k.Record == agentsession.RecordFile(rec.Session) {
			continue
		}
		n, lives := p.NeighbourAgain(k.Root, k.Record)
		if !lives {
			continue
		}
		if id, err := task.ParseID(string(k.Task)); err == nil {
			n.Task = id
		}
		for _, file := range files {
			about := "neighbour\x00" + file + "\x00" + n.Session
			if !slices.Contains(n.Files, workspace.FactLine(file)) || rec.Knows(about) {
				continue
			}
			notes = append(notes, toolNote{
				text:  sessions.EditedBy([]string{file}, n, sessions.Of(p.Workspace).PlaceOf(n), p.Now()) + ".",
				given: func() { rec.Remember(about) },
			})
		}
	}
	return notes
}

// AgentPreTool refuses what the guard denies. If another session edits a file too, it says so once
// and allows the edit.
func (p Agents) AgentPreTool(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	guarded := guard.Of(p.Workspace)
	targets := guarded.Targets(e.Calls)
	if why := guarded.Denied(ctx, targets); why != "" {
		return agentsession.Answer{Deny: protocol.Spoken(why, p.AgentRecordOf(e.Session).Tools)}, nil
	}
	return agentsession.Answer{Context: p.neighbourBefore(ctx, e, targets)}, ctx.Err()
}

// neighbourBefore reports before an edit that another session is editing the same file. It writes
// the record only if there is something to report. Clients that accept no text before a tool get it
// after the tool.
func (p Agents) neighbourBefore(ctx context.Context, e agentsession.Event, targets []guard.Target) string {
	if e.Client != clientClaude && e.Client != clientCodex {
		return ""
	}
	session, files := e.Session, []string{}
	for _, t := range targets {
		if len(t.Names) > 0 {
			files = append(files, t.Names[0])
		}
	}
	kept := p.keptNeighbours()
	if len(files) == 0 || len(kept.Sessions) == 0 {
		return ""
	}
	rec := p.AgentRecordOf(session)
	if len(p.neighbourNotes(kept, rec, files)) == 0 {
		return ""
	}
	free, held := p.Store.LockCache(ctx, agentsession.RecordLock(session), agentsession.LockPatience)
	if held {
		defer free()
		rec = p.AgentRecordOf(session)
	}
	notes := p.neighbourNotes(kept, rec, files)
	said := fitNotes(notes[:min(len(notes), 1)], rec.Tools)
	rec.Tell(said)
	if held && said != "" && rec.Started != "" {
		p.SaveAgent(rec)
	}
	return said
}
