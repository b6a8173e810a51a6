package cleanup

import (
	"baton/internal/statedir"
)

// evict applies the four rules of 5.8.3 in order. marks limits the listed names and the files of
// the impact step; outputs limits the files that workflows wrote.
func (p *planner) evict(marks, outputs limit) {
	places := map[string]int{} // positions of the names that rules list
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

// named handles the existing entries of one list of names.
func (p *planner) named(places map[string]int, rule statedir.EvictRule, reason string, l limit) {
	for _, name := range p.c.EvictionList(rule) {
		if at, here := places[name]; here {
			p.expel(at, reason, l)
		}
	}
}

// expel moves an entry that matches a rule and is old enough. Folders always stay (SD-12), and so
// do entries that the project exempted.
func (p *planner) expel(at int, reason string, l limit) {
	switch {
	case p.why[at] != "":
	case p.all[at].Kind == statedir.Dir:
		p.keep(at, KeptFolder)
	case p.classes[at].Exempt:
		p.keep(at, KeptExempt)
	default:
		p.judge(at, reason, l)
	}
}
