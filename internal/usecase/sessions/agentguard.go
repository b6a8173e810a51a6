package sessions

import (
	"context"
	"strings"

	"baton/internal/safetext"
	"baton/internal/workspace"
)

// Limits of what a guard says, in characters.
const (
	mostDenial    = 600
	mostGuardName = 120 // of a path in it
)

// AgentPreTool refuses a tool's edit of text that only baton writes, and names the command for it.
// If configured, it also refuses edits of files in the scope of another session's claim (agents.md
// 2.3). It keeps no record of that, because a client that asks twice must be refused twice
// (agents.md 2.6). For an edit that it allows, it says once that another session edits the file.
// In doubt it allows the edit: the guard is a reminder, and audits find what it missed (agents.md
// 2.8).
func (p Sessions) AgentPreTool(ctx context.Context, e workspace.AgentEvent) (workspace.AgentAnswer, error) {
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
			return workspace.AgentAnswer{Deny: safetext.Runes(why, mostDenial)}, nil
		}
	}
	return workspace.AgentAnswer{Context: p.neighbourBefore(ctx, e, targets)}, ctx.Err()
}

// handDenied says why a target must not be edited by hand and what to do instead, or "".
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

// guardPlain judges the files that it recognises by name: the runtime folder, and archives of
// digests.
func guardPlain(s spot) string {
	if _, below := cutFolder(s.name, workspace.RuntimeDir); below {
		return s.shown() +
			" belongs to baton's own bookkeeping: locks, claims and caches, which are written under a lock. " +
			"`baton status` and `baton task show ID` tell what is in it, and commands such as `baton task claim " +
			"ID` change it."
	}
	for _, l := range workspace.DigestLayouts() {
		rest, below := cutFolder(s.name, l[1])
		base := rest[strings.LastIndexByte(rest, '/')+1:]
		// a project or workstream of GSD has its own folder
		if !below || base != rest && l[0] != workspace.LayoutGSD {
			continue
		}
		switch {
		case sameName(base, "DECISIONS_ARCHIVE.md"):
			return s.shown() +
				" is the archive of decisions: baton moves older ones there and takes none away. `baton decision " +
				"add TEXT` records " +
				"a decision, `baton decision rotate` moves old ones, and `baton decision list --all` shows them."
		case sameName(base, "STATE-ARCHIVE.md") && l[0] != workspace.LayoutSpecflow:
			return s.shown() +
				" is an archive: what leaves the digest goes there and stays. `baton blocker resolve TEXT` moves " +
				"a blocker, " +
				"and `baton state rotate` moves what is too much."
		}
	}
	return ""
}
