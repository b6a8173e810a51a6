package cleanup

import (
	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
)

// PlanCleanup plans a cleanup (5.8.1): it moves names that are not allowed, left-overs, and allowed
// names that are too old. Canonical names and the folders of instances stay (SD-D15).
func PlanCleanup(c *declaration.Contract, f declaration.Facts, o CleanupOptions) Plan {
	p := newPlanner(c, f)
	p.cleanup(o)
	return p.finish(statedir.SweepCleanup)
}

// PlanReset plans a reset (5.8.2): it moves everything except exempt entries and the folders of
// instances, sorted by name. The record moves too.
func PlanReset(c *declaration.Contract, f declaration.Facts) Plan {
	p := newPlanner(c, f)
	p.reset()
	return p.finish(statedir.SweepReset)
}

// PlanEvict plans an evict (5.8.3). The files of a running workflow stay, because its marks may
// still be needed.
func PlanEvict(c *declaration.Contract, f declaration.Facts) Plan {
	p := newPlanner(c, f)
	p.evictNow()
	return p.finish(statedir.SweepEvict)
}

// PlanBegin plans the sweeps of a new workflow (5.8.4 steps 4 and 5, SD-D13). f.Record is the
// record of the previous workflow. A new session has no past, so its limit for the outputs of
// workflows is now.
func PlanBegin(c *declaration.Contract, f declaration.Facts, newSession bool) Plan {
	p := newPlanner(c, f)
	p.begin(newSession)
	return p.finish(statedir.SweepBegin)
}

func (p *planner) cleanup(o CleanupOptions) {
	adHoc := anyAge()
	if o.AdHocLimit {
		adHoc = p.days(o.AdHocStaleDays)
	}
	p.buckets(adHoc, func(class statedir.Class) limit {
		if o.StaleDays < 0 {
			return p.days(class.Pattern.StaleDays)
		}
		return p.days(o.StaleDays)
	})
}

func (p *planner) reset() {
	all := make([]int, len(p.all))
	for at := range all {
		all[at] = at
	}
	for _, at := range p.sorted(all, false) {
		switch why := immovable(&p.all[at]); {
		case why != "":
			p.keep(at, why)
		case p.classes[at].Exempt:
			p.keep(at, KeptExempt)
		default:
			p.move(at, ReasonReset, anyAge())
		}
	}
}

// evictNow is the evict that a person requested. begin uses limits of its own.
func (p *planner) evictNow() {
	marks := anyAge()
	if p.running() {
		marks = p.since("created_at", KeptNoStart)
	}
	p.evict(marks, p.since("first_created_at", KeptNoAnchor))
}

func (p *planner) begin(newSession bool) {
	outputs := p.since("first_created_at", KeptNoAnchor)
	if newSession {
		outputs = p.until(p.now)
	}
	p.evict(anyAge(), outputs)
	prior := p.since("created_at", "")
	if prior.unknown {
		prior = p.days(statedir.BeginStaleDays)
	}
	p.buckets(prior, func(statedir.Class) limit { return prior })
}
