package protocol

import "baton/internal/sorting"

// A text within a budget consists of sections, and a section of units: lines that are shown or left
// out as a whole. Units are added by rank. After the first unit that does not fit, all others are
// left out. Therefore a larger budget never shows less of anything, and the missing units can be
// counted.

// unit is one line, or several that belong together.
type unit struct {
	rank  int // 0 is added first
	lines []string
	cut   bool // the unit shows only part of a fact
	// verbatim lines have commands of the project outside quotations, which no tool replaces
	verbatim bool
}

// section is one part of the text.
type section struct {
	name    string // name in lists of parts
	title   string // line above the units, or ""
	units   []unit
	instead []string // lines that replace all units if there is room, or nil
	rank    int      // of instead
	// what and many are the singular and plural of the thing that is counted if units are left out.
	// If what is "", the units are pieces of one text.
	what    string
	many    string
	command string // prints the whole section
	by      string // how the text names the command, or "" for the command in marks
	beyond  int    // number of things for which there are no units
}

// weight is the size of some lines.
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

// fits reports whether the size is within a limit of characters and of tokens.
func (w weight) fits(characters, tokens int) bool {
	return (characters <= 0 || w.characters <= characters) && (tokens <= 0 || whole(w.hundredths) <= tokens)
}

// step adds one unit, or replaces the units of a section with its full text.
type step struct {
	rank, section, unit int // unit -1 is the full text
	size                int // of a full text; smaller ones come first
}

// composer builds the text from sections.
type composer struct {
	sections []section
	shown    []int  // number of units of each section that are shown
	whole    []bool // whether the section's full text is shown
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

// steps returns the steps in the order in which they are tried. The units of a section keep their
// order.
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

// take makes one step, and undo reverses the last one.
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

// costs returns the size that a step adds. A full text replaces all units of its section, and the
// first unit adds the title.
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

// compose adds as much as fits. Only steps of rank 0 may exceed the target.
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
