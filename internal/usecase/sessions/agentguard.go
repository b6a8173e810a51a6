package sessions

import (
	"context"
	"strings"

	"baton/internal/agentsession"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// Limits of a guard's texts, in characters.
const (
	mostDenial    = 600
	mostGuardName = 120 // of a path
)

// AgentPreTool refuses a tool's edit of text that only baton writes, and names the command for the
// change. If configured, it also refuses edits of files in the scope of another session's claim
// (agents.md 2.3). It keeps no record of refusals, because a client that asks twice must be refused
// twice (agents.md 2.6). If another session edits a file too, it says so once and allows the edit.
// In doubt it allows the edit: the guard is a reminder, and audits find what it missed
// (agents.md 2.8).
func (p Sessions) AgentPreTool(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	guard, scopes := p.Settings().Text("hooks.guard") != "off", p.Settings().Text("claims.scope") == "deny"
	targets := p.toolTargets(e.Calls)
	for _, t := range targets {
		why := ""
		if guard {
			why = p.handDenied(ctx, t)
		}
		if why == "" && scopes {
			why = p.scopeDenial(ctx, t)
		}
		if why != "" {
			return agentsession.Answer{Deny: safetext.Runes(why, mostDenial)}, nil
		}
	}
	return agentsession.Answer{Context: p.neighbourBefore(ctx, e, targets)}, ctx.Err()
}

// handDenied returns why a target must not be edited by hand and what to do instead, or "".
func (p Sessions) handDenied(ctx context.Context, t toolTarget) string {
	for _, s := range p.spots(t) {
		if why := guardPlain(s); why != "" {
			return why
		}
		if why := p.guardTasks(ctx, s, t); why != "" {
			return why
		}
		if why := p.guardFolder(ctx, s, t); why != "" {
			return why
		}
	}
	return ""
}

// guardPlain checks files that it recognises by name: the runtime folder, and archives of digests.
func guardPlain(s spot) string {
	if _, below := cutFolder(s.name, workspace.RuntimeDir); below {
		return s.shown() +
			" is part of baton's internal data: locks, claims and caches, which may only be written under a lock. " +
			"`baton status` and `baton task show ID` show what is in it, and commands such as `baton task claim " +
			"ID` change it."
	}
	for _, l := range workspace.DigestLayouts() {
		rest, below := cutFolder(s.name, l[1])
		base := rest[strings.LastIndexByte(rest, '/')+1:]
		// a project or workstream of GSD has a folder of its own
		if !below || base != rest && l[0] != workspace.LayoutGSD {
			continue
		}
		switch {
		case sameName(base, "DECISIONS_ARCHIVE.md"):
			return s.shown() +
				" is the archive of decisions. baton moves older ones there and removes none. `baton decision " +
				"add TEXT` records " +
				"a decision, `baton decision rotate` moves old ones, and `baton decision list --all` shows them."
		case sameName(base, "STATE-ARCHIVE.md") && l[0] != workspace.LayoutSpecflow:
			return s.shown() +
				" is an archive of entries from the digest, and baton removes none. `baton blocker resolve " +
				"TEXT` moves " +
				"a blocker, " +
				"and `baton state rotate` moves older entries."
		}
	}
	return ""
}
