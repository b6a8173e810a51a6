package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"baton/internal/protocol"
)

// clientGemini is the client that has no event after a compaction, so that it is reminded at a prompt (agents.md 3.3).
const clientGemini = "gemini"

// mostSummary is how much of a compaction's summary is kept, in bytes.
const mostSummary = 4 << 10

// agentPrompt says nothing, except in a client that may have lost what it was told, and only when the state changed since
// (agents.md 2.3).
func (p *Project) agentPrompt(ctx context.Context, e AgentEvent) (AgentAnswer, error) {
	if e.Client != clientGemini || e.SubAgent != "" {
		return AgentAnswer{}, nil
	}
	var out AgentAnswer
	_, err := p.withAgent(ctx, e, func(rec *agentRecord) error {
		g, err := p.gather(ctx, factsAsk{Session: e.Session, Source: e.Source, Record: rec})
		if err != nil {
			return err
		}
		state := toldState(&g)
		if rec.Injected.State == "" || rec.Injected.State == state {
			rec.Injected.State = state
			return nil
		}
		out.Context = protocol.Pointer(g.facts)
		rec.Docs, rec.Injected.State = g.docs, state
		rec.tell(out.Context)
		return nil
	})
	return out, err
}

// toldState tells one state of the documents from another.
func toldState(g *gathered) string {
	sum := sha256.New()
	for _, name := range sortedKeys(g.docs) {
		sum.Write([]byte(name + "\x00" + g.docs[name].Hash + "\x00"))
	}
	if t := g.facts.Task; t != nil {
		sum.Write([]byte(t.ID + "\x00" + t.Holder))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// agentPreCompact says what the summary of a compaction must keep as it is, shortens what waited for it (D38), and keeps
// the record.
func (p *Project) agentPreCompact(ctx context.Context, e AgentEvent) (AgentAnswer, error) {
	if e.SubAgent != "" {
		return AgentAnswer{}, nil
	}
	var log logLine
	var out AgentAnswer
	twice, err := p.withAgent(ctx, e, func(rec *agentRecord) error {
		g, err := p.gatherShort(ctx, factsAsk{Session: e.Session, Source: e.Source, Record: rec}, &log)
		if err != nil {
			log.add(err)
			return nil
		}
		p.observe(ctx, g.docs, &log)
		p.observeAll(ctx, &log)
		out.Note = protocol.CompactNote(g.facts)
		rec.tell(out.Note)
		return nil
	})
	out.Log = log.String()
	if twice {
		return AgentAnswer{}, nil
	}
	return out, err
}

// agentPostCompact keeps the summary; the session start that follows or went before tells where the project stands.
func (p *Project) agentPostCompact(ctx context.Context, e AgentEvent) (AgentAnswer, error) {
	if e.SubAgent != "" {
		return AgentAnswer{}, nil
	}
	_, err := p.withAgent(ctx, e, func(rec *agentRecord) error {
		rec.Summary = summaryOf(e.Text)
		return nil
	})
	return AgentAnswer{}, err
}

// summaryOf is the summary itself, without what the model thought before it, cut at a character.
func summaryOf(text string) string {
	if len(text) > 1<<20 {
		text = text[:1<<20]
	}
	if _, after, ok := strings.Cut(text, "<summary>"); ok {
		text, _, _ = strings.Cut(after, "</summary>")
	}
	return strings.TrimSpace(firstBytes(strings.TrimSpace(neutral(text)), mostSummary))
}
