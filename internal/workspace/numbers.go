package workspace

import (
	"context"
	"time"
)

// NumbersBefore returns the highest number that a session of the task is known to have had: by the
// metadata as it was read, and by the ledger (D44).
func (p *Workspace) NumbersBefore(ctx context.Context, l *Loaded) int {
	return max(l.State.CountedBefore(), p.KnownSessions(ctx, l))
}

// KnownSessions returns the highest number of a session of the task that the ledger has. It returns
// 0 if the ledger cannot be read, because a log must not fail for that.
func (p *Workspace) KnownSessions(ctx context.Context, l *Loaded) int {
	if family, ok := p.FamilyOf(l.Name); ok {
		if n, err := p.Kept.HighestSession(ctx, family); err == nil {
			return n
		}
	}
	return 0
}

// FirstSeen returns when the ledger saw a session of the task with this file first; see
// history.FirstSession.
func (p *Workspace) FirstSeen(ctx context.Context, name string) func(text string) time.Time {
	family, _ := p.FamilyOf(name)
	return p.Kept.FirstSession(ctx, family)
}
