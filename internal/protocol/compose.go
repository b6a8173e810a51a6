package protocol

import "baton/internal/sorting"

// A text under a budget is composed of sections, and a section of units: lines that stand or fall
// whole. Units come in by their rank, and all that come after the first one that does not fit stay
// out. So a larger budget never shows less of anything, and what is missing can be counted.

// unit is one line, or several that belong together.
type unit struct {
	rank  int // 0 comes first
	lines []string
	cut   bool // a part of what the facts say is missing
}

// section is one part of the text.
type section struct {
	name    string // for lists of parts
	title   string // line above the units, "" for none
	units   []unit
	instead []string // lines that take the place of all units where there is room, nil for none
	rank    int      // of instead
	// the thing that is counted when it is left out, as one and as many; "": units are pieces of
	// one text
	what    string
	many    string
	command string // that returns all of it
	beyond  int    // things that never became units
}

// weight is what lines cost.
type weight struct{ characters, hundredths int }

func weigh(lines ...string) (w weight) {
	for _, line := range lines {
		w.characters += units(line) + 1
		w.hundredths += hundredths(line + "\n")
	}
	return w
}

func (w weight) add(o weight) weight {
	return weight{w.characters + o.characters, w.hundredths + o.hundredths}
}

func (w weight) sub(o weight) weight {
	return weight{w.characters - o.characters, w.hundredths - o.hundredths}
}

// fits reports whether so much may stand under a limit of characters and of tokens.
func (w weight) fits(characters, tokens int) bool {
	return (characters <= 0 || w.characters <= characters) && (tokens <= 0 || whole(w.hundredths) <= tokens)
}

// step is one unit coming in, or the whole text of a section taking the place of its units.
type step struct {
	rank, section, unit int // unit -1: the whole
	size                int // of a whole: smaller ones come first
}

// composer puts sections together.
type composer struct {
	sections []section
	shown    []int  // units of each section that are in
	whole    []bool // instead is in
	weight   weight
}

func newComposer(sections []section) *composer {
	kept := sections[:0]
	for _, s := range sections {
		if len(s.units) > 0 || s.beyond > 0 {
			kept = append(kept, s)
		}
	}
	return &composer{sections: kept, shown: make([]int, len(kept)), whole: make([]bool, len(kept))}
}

// steps returns the order in which things come in. Within a section units come in the order in
// which they stand.
func (c *composer) steps() []step {
	var all []step
	for i, s := range c.sections {
		rank := 0
		for k, u := range s.units {
			rank = max(rank, u.rank)
			all = append(all, step{rank: rank, section: i, unit: k})
		}
		if s.instead != nil {
			all = append(all, step{rank: max(rank, s.rank), section: i, unit: -1, size: weigh(s.instead...).characters})
		}
	}
	sorting.By(all, func(a, b step) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		return a.size - b.size
	})
	return all
}

// take brings one step in, and undo takes the last one out again.
func (c *composer) take(at step) {
	c.weight = c.weight.add(c.costs(at))
	if at.unit < 0 {
		c.whole[at.section] = true
		return
	}
	c.shown[at.section]++
}

func (c *composer) undo(at step) {
	if at.unit < 0 {
		c.whole[at.section] = false
	} else {
		c.shown[at.section]--
	}
	c.weight = c.weight.sub(c.costs(at))
}

// costs is what a step that is not in adds: a whole replaces all units of its section, and the
// first unit brings the title.
func (c *composer) costs(at step) (w weight) {
	s := &c.sections[at.section]
	if at.unit < 0 {
		w = weigh(s.instead...)
		for _, u := range s.units {
			w = w.sub(weigh(u.lines...))
		}
		return w
	}
	if at.unit == 0 && s.title != "" {
		w = weigh("", s.title)
	}
	return w.add(weigh(s.units[at.unit].lines...))
}

// compose takes in what fits. Steps of rank 0 may go past the target, all others not.
func compose(sections []section, l Limit) Packed {
	c := newComposer(sections)
	steps := c.steps()
	target := l.Target
	if l.Characters > 0 && (target <= 0 || target > l.Characters) {
		target = l.Characters
	}
	k := 0
	for k < len(steps) && c.weight.fits(max(target, l.Characters), l.Tokens) {
		c.take(steps[k])
		k++
	}
	for ; ; k-- {
		most := target
		if k > 0 && steps[k-1].rank == 0 {
			most = l.Characters
		}
		if c.weight.fits(most, l.Tokens) && c.weight.add(weigh(c.last()...)).fits(most, l.Tokens) {
			return c.packed(true)
		}
		if k == 0 {
			return c.packed(false) // no room for the line that says what is missing
		}
		c.undo(steps[k-1])
	}
}
