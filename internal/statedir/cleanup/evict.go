package cleanup

import (
	"baton/internal/statedir"
)

// evict applies the four rules of 5.8.3 in their order. marks is the limit of the listed names and
// of the files of the impact step, outputs that of what a workflow wrote.
func (p *planner) evict(marks, outputs limit) {
	places := map[string]int{} // of the names that rules list
	var variants []int
	for at := range p.all {
		switch name := p.all[at].Name; {
		case p.c.Listed(name):
			places[name] = at
		case p.c.SlugVariant(name):
			variants = append(variants, at)
		}
	}
	p.named(places, statedir.EvictList, ReasonListed, marks)
	p.named(places, statedir.EvictScoped, ReasonScoped, outputs)
	for _, at := range p.sorted(variants, false) {
		p.expel(at, ReasonSlug, outputs)
	}
	p.named(places, statedir.EvictGraph, ReasonGraph, marks)
}

// named looks at the names of one list that are there.
func (p *planner) named(places map[string]int, rule statedir.EvictRule, reason string, l limit) {
	for _, name := range p.c.EvictionList(rule) {
		if at, here := places[name]; here {
			p.expel(at, reason, l)
		}
	}
}

// expel moves an entry that a rule names and that is old enough. Folders stay, whatever their names
// (SD-12), and what a project made exempt stays too.
func (p *planner) expel(at int, reason string, l limit) {
	switch {
	case p.why[at] != "":
	case p.all[at].Kind == statedir.Dir:
		p.spare(at, SparedFolder)
	case p.classes[at].Exempt:
		p.spare(at, SparedExempt)
	default:
		p.judge(at, reason, l)
	}
}
