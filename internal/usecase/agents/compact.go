package agents

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/protocol"
	"baton/internal/safetext"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// clientGemini is the client without an event after a compaction. It is reminded at a prompt
// instead (agents.md 3.3).
const clientGemini = "gemini"

// mostSummary limits the stored summary of a compaction, in bytes.
const mostSummary = 4 << 10

// agentPrompt binds the session to the task that it works on (D54) and says so. It also reports
// entries that are gone, or else documents that somebody else changed. Otherwise it returns
// nothing, except for a client that may have lost earlier texts, and then only if the state has
// changed since (agents.md 2.3).
func (p Agents) agentPrompt(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	if e.SubAgent != "" {
		return agentsession.Answer{}, nil
	}
	var out agentsession.Answer
	_, err := p.WithAgent(ctx, e, func(rec *agentsession.Record) error {
		var log sessions.LogLine
		text := e.Text
		if rec.Knows(text) { // Copilot and Gemini also report a held stop as a prompt, which names tasks
			text = ""
		}
		lost, changed := p.promptLosses(ctx, rec), p.changedSince(ctx, rec)
		if lost == "" { // who reads that entries are gone looks at the document anyway
			lost = changed
		}
		p.take(ctx, rec, text, &log)
		out.Context = joinedNotes(p.boundNote(ctx, rec), protocol.Spoken(lost, rec.Tools))
		out.Title = p.titleOf(ctx, rec, e)
		out.Log = log.String()
		rec.Tell(out.Context)
		if e.Client != clientGemini || out.Context != "" {
			return ctx.Err()
		}
		g, err := sessions.Of(p.Workspace).Gather(ctx, sessions.FactsAsk{
			Session: e.Session, Source: e.Source, Record: rec,
		})
		if err != nil {
			return err
		}
		state := stateText(&g)
		if rec.Injected.State == "" || rec.Injected.State == state {
			rec.Injected.State = state
			return nil
		}
		out.Context = protocol.Pointer(g.Facts)
		rec.Docs, rec.Injected.State = g.Docs, state
		rec.Tell(out.Context)
		return nil
	})
	return out, err
}

// joinedNotes joins the notes that are not empty.
func joinedNotes(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(note string) bool { return note == "" }), "\n")
}

// stateText returns a text that changes whenever the state of the documents changes.
func stateText(g *sessions.Gathered) string {
	sum := sha256.New()
	for _, name := range workspace.SortedKeys(g.Docs) {
		sum.Write([]byte(name + "\x00" + g.Docs[name].Hash + "\x00"))
	}
	if t := g.Facts.Task; t != nil {
		sum.Write([]byte(t.ID + "\x00" + t.Holder))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// agentPreCompact returns what the summary of a compaction must repeat unchanged. It also shortens
// documents that waited for a compaction (D38), and saves the record.
func (p Agents) agentPreCompact(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	if e.SubAgent != "" {
		return agentsession.Answer{}, nil
	}
	var log sessions.LogLine
	var out agentsession.Answer
	twice, err := p.WithAgent(ctx, e, func(rec *agentsession.Record) error {
		p.take(ctx, rec, "", &log)
		g, err := p.gatherShort(ctx, sessions.FactsAsk{Session: e.Session, Source: e.Source, Record: rec}, &log)
		if err != nil {
			log.Add(err)
			return nil
		}
		sessions.Of(p.Workspace).Stand(ctx, p.agentWork(ctx, rec).id, &log)
		p.Observe(ctx, g.Docs, &log)
		p.ObserveAll(ctx, &log)
		out.Note = protocol.CompactNote(g.Facts)
		rec.Tell(out.Note)
		if rec.Kept { // what was done so far is not in the next context
			_, err := p.draftFor(ctx, rec, p.agentWork(ctx, rec), time.Time{}, false)
			log.Add(err)
		}
		return nil
	})
	out.Log = log.String()
	if twice {
		return agentsession.Answer{}, nil
	}
	return out, err
}

// agentPostCompact stores the summary. The session start before or after it describes the project.
func (p Agents) agentPostCompact(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	if e.SubAgent != "" {
		return agentsession.Answer{}, nil
	}
	_, err := p.WithAgent(ctx, e, func(rec *agentsession.Record) error {
		rec.Summary = summaryOf(e.Text)
		return nil
	})
	return agentsession.Answer{}, err
}

// summaryOf returns the summary without the model's preceding thoughts, cut at a character.
func summaryOf(text string) string {
	if len(text) > 1<<20 {
		text = text[:1<<20]
	}
	if _, after, ok := strings.Cut(text, "<summary>"); ok {
		text, _, _ = strings.Cut(after, "</summary>")
	}
	return strings.TrimSpace(safetext.FirstBytes(strings.TrimSpace(safetext.Clean(text)), mostSummary))
}
