package statedir

// evict applies the four rules of 5.8.3 in their order. marks is the limit of the listed names and of the files of the
// impact step, outputs that of what a workflow wrote.
func (p *planner) evict(marks, outputs limit) {
	places := map[string]int{} // of the names that rules list
	var variants []int
	for at := range p.all {
		switch name := p.all[at].Name; {
		case p.c.listed(name):
			places[name] = at
		case p.c.slugVariant(name):
			variants = append(variants, at)
		}
	}
	p.named(places, EvictList, ReasonListed, marks)
	p.named(places, EvictScoped, ReasonScoped, outputs)
	for _, at := range p.sorted(variants, false) {
		p.expel(at, ReasonSlug, outputs)
	}
	p.named(places, EvictGraph, ReasonGraph, marks)
}

// listed tells whether evict rules name a name.
func (c *Contract) listed(name string) bool {
	r := c.rows[name]
	return r != nil && len(r.Eviction) > 0
}

// named looks at the names of one list that are there.
func (p *planner) named(places map[string]int, rule EvictRule, reason string, l limit) {
	for _, name := range p.c.evictionList(rule) {
		if at, here := places[name]; here {
			p.expel(at, reason, l)
		}
	}
}

// expel moves an entry that a rule names and that is old enough. Folders stay, whatever their names (SD-12), and what a
// project made exempt stays too.
func (p *planner) expel(at int, reason string, l limit) {
	switch {
	case p.why[at] != "":
	case p.all[at].Kind == Dir:
		p.spare(at, SparedFolder)
	case p.classes[at].Exempt:
		p.spare(at, SparedExempt)
	default:
		p.judge(at, reason, l)
	}
}
