package cleanup

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"baton/internal/sorting"
	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/statedir/record"
)

// planner builds a plan rule by rule. The first rule that takes an entry moves it, and each entry
// is reported once. Entries are identified by their positions, so that everything about them is
// looked up only once, however many rules there are.
type planner struct {
	c       *declaration.Contract
	now     time.Time
	record  *record.Record
	all     []statedir.Entry
	classes []statedir.Class
	why     []string // why the entry moves, or ""
	moves   []move   // in the order of the contract
	stays   []stay   // entries that a rule matched, but that stay
	hasty   bool     // only why is needed: no order, no moves, no stays
}

type (
	move struct {
		at     int
		before time.Time
	}
	stay struct {
		at     int
		reason string
	}
)

func newPlanner(c *declaration.Contract, f declaration.Facts) *planner {
	p := &planner{
		c: c, now: f.Now, record: f.Record, all: f.Entries, classes: make([]statedir.Class, len(f.Entries)),
		why: make([]string, len(f.Entries)),
	}
	for at := range p.all {
		p.classes[at] = c.ClassifyEntry(p.all[at])
	}
	return p
}

// running reports whether a workflow is, or may be, running. An unreadable record may be anything,
// so nothing is taken from it.
func (p *planner) running() bool {
	if p.record != nil {
		return p.record.Active()
	}
	return slices.ContainsFunc(p.all, func(e statedir.Entry) bool {
		return e.Name == record.FileName && e.Kind != statedir.Dir
	})
}

func (p *planner) move(at int, reason string, l limit) {
	p.why[at] = reason
	if !p.hasty {
		p.moves = append(p.moves, move{at, l.before})
	}
}

func (p *planner) keep(at int, reason string) {
	if !p.hasty {
		p.stays = append(p.stays, stay{at, reason})
	}
}

// judge moves an entry that is old enough, and keeps all others.
func (p *planner) judge(at int, reason string, l limit) {
	if why := l.tooYoung(&p.all[at], p.now); why != "" {
		p.keep(at, why)
		return
	}
	p.move(at, reason, l)
}

// finish returns the plan. An entry that a later rule moves is not reported as kept. An entry that
// two rules keep is reported once, with the reason of the first.
func (p *planner) finish(s statedir.Sweep) Plan {
	plan := Plan{Sweep: s, Moves: make([]Planned, len(p.moves))}
	for i, m := range p.moves {
		plan.Moves[i] = Planned{Entry: p.all[m.at], Class: p.classes[m.at], Reason: p.why[m.at], Before: m.before}
	}
	reported := make([]bool, len(p.all))
	for _, s := range p.stays {
		if p.why[s.at] != "" || reported[s.at] {
			continue
		}
		reported[s.at] = true
		name, raw := statedir.ShownName(p.all[s.at].Name)
		plan.Kept = append(plan.Kept, Kept{Name: name, NameBytes: raw, Reason: s.reason})
	}
	return plan
}

// immovable returns the reason why an entry never moves, or "" if it may.
func immovable(e *statedir.Entry) string {
	switch {
	case e.Instance || e.Name == statedir.InstancesName:
		return KeptInstance
	case e.Name == statedir.ArchiveName || e.Name == statedir.LockName:
		return KeptExempt
	}
	return ""
}

// buckets handles the entries that are not canonical, in the order of the contract: ad hoc,
// left-overs, allowed names. Each group is sorted by size, largest first, then by the bytes of the
// name (SD-19).
func (p *planner) buckets(adHoc limit, allowed func(statedir.Class) limit) {
	var held, unknown, leftOver, known []int
	for at := range p.all {
		why, bucket := immovable(&p.all[at]), p.classes[at].Bucket
		switch {
		case p.why[at] != "":
		case why == KeptInstance, why != "" && bucket != statedir.Canonical:
			held = append(held, at)
		case bucket == statedir.AdHoc:
			unknown = append(unknown, at)
		case bucket == statedir.Ephemeral:
			leftOver = append(leftOver, at)
		case bucket == statedir.PatternAllowed:
			known = append(known, at)
		}
	}
	for _, at := range p.sorted(held, false) {
		p.keep(at, immovable(&p.all[at]))
	}
	for _, at := range p.sorted(unknown, true) {
		p.judge(at, ReasonAdHoc, adHoc)
	}
	for _, at := range p.sorted(leftOver, true) {
		p.move(at, ReasonEphemeral, anyAge())
	}
	for _, at := range p.sorted(known, true) {
		p.judge(at, ReasonStale, allowed(p.classes[at]))
	}
}

// sorted sorts entries by the bytes of their names, which does not depend on the system's language.
// With bySize, size comes first.
func (p *planner) sorted(places []int, bySize bool) []int {
	if p.hasty {
		return places
	}
	return sorting.By(places, func(a, b int) int {
		x, y := &p.all[a], &p.all[b]
		if bySize && x.Size != y.Size {
			return cmp.Compare(y.Size, x.Size)
		}
		return strings.Compare(x.Name, y.Name)
	})
}
