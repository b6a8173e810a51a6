// Package guard decides which files an agent may not edit with its own tools: those that only baton
// writes, and those in the scope of another session's claim.
package guard

import (
	"context"
	"strings"

	"baton/internal/safetext"
	"baton/internal/workspace"
)

// Guard has the use cases of this package for one open workspace. It has no state of its own.
type Guard struct{ *workspace.Workspace }

// Of returns the use cases of this package for w.
func Of(w *workspace.Workspace) Guard { return Guard{w} }

// Limits of a guard's texts, in characters.
const (
	mostDenial = 600
	mostName   = 120 // of a path
)

// Denied returns why tools must not write one of the targets, and what to do instead, or "". It
// refuses edits of text that only baton writes and, if configured, of files in the scope of another
// session's claim (agents.md 2.3). In doubt it allows the edit: the guard is a reminder, and audits
// find what it missed (agents.md 2.8). It keeps no record of refusals, because a client that asks
// twice must be refused twice (agents.md 2.6).
func (p Guard) Denied(ctx context.Context, targets []Target) string {
	hands, scopes := p.Settings().Text("hooks.guard") != "off", p.Settings().Text("claims.scope") == "deny"
	for _, t := range targets {
		why := ""
		if hands {
			why = p.handDenial(ctx, t)
		}
		if why == "" && scopes {
			why = p.scopeDenial(ctx, t)
		}
		if why != "" {
			return safetext.Runes(why, mostDenial)
		}
	}
	return ""
}

// handDenial returns why a target must not be edited by hand and what to do instead, or "".
func (p Guard) handDenial(ctx context.Context, t Target) string {
	for _, s := range p.spots(t) {
		if why := nameDenial(s); why != "" {
			return why
		}
		if why := p.taskDenial(ctx, s, t); why != "" {
			return why
		}
		if why := p.folderDenial(ctx, s, t); why != "" {
			return why
		}
	}
	return ""
}

// nameDenial returns why a file that is recognised by its name must not be edited by hand, or "":
// it is in the runtime folder, or an archive of a digest.
func nameDenial(s spot) string {
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
