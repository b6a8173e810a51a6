package history

import (
	"context"
	"slices"

	"baton/internal/ledger"
	"baton/internal/store/history"
)

// origins finds the changes of the log that the entries of one family came with.
type origins struct {
	changes map[origin]*history.Change // nil where several look alike
	agents  *agentsKnown
}

// origin is what a book and the log both say of a change. A commit has one time for both.
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
			c = nil // a clock that stands still: which of them it was nobody knows
		}
		o.changes[key] = c
	}
	return o, nil
}

func (p History) isOf(name, family string) bool {
	of, ok := p.FamilyOf(name)
	return ok && of == family
}

// tell says of an entry with which change it came, and which agent made that.
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
