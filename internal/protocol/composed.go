package protocol

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// missing returns a description of what is missing from a section, or "" if nothing is.
func (c *composer) missing(i int) string {
	s := c.sections[i]
	n := len(s.units) - c.shown[i] + s.beyond
	cut := slices.ContainsFunc(s.units[:c.shown[i]], func(u unit) bool { return u.cut })
	switch {
	case c.whole[i] && s.beyond == 0:
		return ""
	case s.instead != nil && c.shown[i] > 0:
		return s.name + " in full"
	case n == 0 && cut:
		return "the rest of " + s.name
	case n == 0:
		return ""
	case s.what == "" && c.shown[i] > 0:
		return "the rest of " + s.name
	case s.what == "", c.shown[i] == 0 && n == 1:
		return s.name
	case c.shown[i] == 0:
		return strconv.Itoa(n) + " " + s.many
	case n == 1:
		return "1 more " + s.what
	}
	return strconv.Itoa(n) + " more " + s.many
}

// last returns the line that says what was left out, with the commands that print it.
func (c *composer) last() []string {
	var commands []string
	things := map[string][]string{}
	for i, s := range c.sections {
		if m := c.missing(i); m != "" {
			by := cmp.Or(s.by, "`"+s.command+"`")
			if things[by] == nil {
				commands = append(commands, by)
			}
			things[by] = append(things[by], m)
		}
	}
	if len(commands) == 0 {
		return nil
	}
	parts := make([]string, 0, len(commands))
	for _, by := range commands {
		parts = append(parts, strings.Join(things[by], ", ")+" ("+by+")")
	}
	return []string{"", "Left out for size: " + strings.Join(parts, "; ") + "."}
}

// packed returns the text and a description of its parts.
func (c *composer) packed(anything bool) Packed {
	out := Packed{Parts: []Part{}, Left: []LeftOut{}}
	var text []string
	for i, s := range c.sections {
		mine := c.text(i)
		all := s.all()
		part := Part{Name: s.name, Form: "full"}
		missing := c.missing(i)
		switch {
		case !anything || len(mine) == 0:
			part.Form, part.Why, mine = "left_out", "no room", nil
			if missing == "" {
				missing = s.name
			}
		case missing != "":
			part.Form, part.Why = "brief", missing+" left out"
		}
		w := weigh(mine...)
		part.Characters, part.Tokens = w.characters, whole(w.hundredths)
		out.Parts = append(out.Parts, part)
		if missing != "" {
			out.Left = append(out.Left, LeftOut{
				Name: missing, Characters: max(0, weigh(all...).characters-w.characters), Command: s.command,
			})
		}
		text = append(text, mine...)
	}
	if anything {
		text = append(text, c.last()...)
	}
	out.Text = strings.TrimLeft(strings.Join(text, "\n"), "\n")
	if out.Text != "" {
		out.Text += "\n"
	}
	out.Tokens = Tokens(out.Text)
	return out
}

// text returns the lines that are shown of a section.
func (c *composer) text(i int) []string {
	s := c.sections[i]
	if c.shown[i] == 0 {
		return nil
	}
	var out []string
	if s.title != "" {
		out = append(out, "", s.title)
	}
	if c.whole[i] {
		return append(out, s.instead...)
	}
	for _, u := range s.units[:c.shown[i]] {
		out = append(out, u.lines...)
	}
	return out
}

// all returns all lines that a section could show.
func (s section) all() []string {
	if s.instead != nil {
		return s.instead
	}
	var out []string
	for _, u := range s.units {
		out = append(out, u.lines...)
	}
	return out
}
