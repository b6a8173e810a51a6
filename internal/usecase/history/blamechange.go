package history

import (
	"context"
	"slices"

	"baton/internal/ledger"
	"baton/internal/store/history"
)

// origins finds the changes in the log that added the entries of one family.
type origins struct {
	changes map[origin]*history.Change // nil if several changes look alike
	agents  *agentsKnown
}

// origin identifies a change in both a ledger and the log. Both record the same time for one
// commit.
type origin struct {
	at          int64 // nanoseconds since 1970
	by, command string
}

func (p History) origins(ctx context.Context, family string) (*origins, error) {
	all, _, err := p.Kept.Changes(ctx, 0)
	if err != nil {
		return nil, err
	}
	o := &origins{changes: map[origin]*history.Change{}, agents: p.AgentsKnown()}
	for i := range all {
		c := &all[i]
		if idleLook(*c) || c.More == 0 &&
			!slices.ContainsFunc(c.Docs, func(d history.DocChange) bool { return p.isOf(d.Name, family) }) {
			continue
		}
		key := origin{at: c.At.UnixNano(), by: c.By, command: c.Command}
		if _, twice := o.changes[key]; twice {
			c = nil // the clock did not move between them, so nobody knows which of them it was
		}
		o.changes[key] = c
	}
	return o, nil
}

func (p History) isOf(name, family string) bool {
	of, ok := p.FamilyOf(name)
	return ok && of == family
}

// tell adds to an entry the change that it came with, and the agent that made the change.
func (o *origins) tell(e *BlameEntry, first ledger.Mark) {
	c := o.changes[origin{at: first.At.UnixNano(), by: first.By, command: first.Command}]
	if c != nil {
		e.Change = c.Seq
	} else if first.By != "" {
		c = &history.Change{By: first.By}
	} else {
		return
	}
	e.Agent, e.Session = o.agents.Of(c)
}
