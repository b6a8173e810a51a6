package protocol

import (
	"slices"
	"strings"

	"baton/internal/sorting"
)

// inputs returns what upstream tasks passed on: one section of short lines, or in a pack one
// section for each task.
func (w wording) inputs() []section {
	all := slices.Clone(w.Task.Inputs)
	sorting.By(all, func(a, b Input) int { // changed ones come first
		switch {
		case a.Changed == b.Changed:
			return 0
		case a.Changed:
			return -1
		}
		return 1
	})
	kept, beyond := limited(all, 12)
	together := section{
		name: "inputs", title: "From the tasks that this one depends on:", what: "input", many: "inputs",
		command: w.show(), beyond: beyond,
	}
	var out []section
	for _, in := range kept {
		if w.pack {
			out = append(out, w.input(in))
			continue
		}
		text, cut := brief(in.gist(), 300)
		if text = said(text); text == "" {
			text = "it passed nothing on"
		}
		name := strings.TrimSpace(short(in.ID, 64) + " " + said(short(in.Title, 80)))
		u := one(4, "- %s%s: %s (`%s`)", name, changed(in), text,
			inputCommand(in, w.show()))
		if u.cut = cut && in.Command == ""; in.Changed {
			u.rank = 3
		}
		together.units = append(together.units, u)
	}
	if w.pack {
		together.title = ""
	}
	return append(out, together)
}

func changed(in Input) string {
	if in.Changed {
		return " (changed since it was received)"
	}
	return ""
}

func inputCommand(in Input, otherwise string) string {
	if in.Command == "" {
		return otherwise
	}
	return short(in.Command, 120)
}

// gist returns the sentences of an input without headings, tables and code, from the full text if
// it is available.
func (in Input) gist() string {
	var out []string
	for _, block := range blocks(lines(in.Full)) {
		first := strings.TrimSpace(block[0])
		if strings.HasPrefix(first, "#") || strings.HasPrefix(first, "|") || fence(first) != "" {
			continue
		}
		out = append(out, stopped(
			strings.TrimSpace(strings.TrimLeft(strings.Join(strings.Fields(strings.Join(block, " ")), " "), "-*+> "))))
	}
	if text := strings.Join(out, " "); text != "" {
		return text
	}
	return in.Brief
}

// input returns the section about the input from one task: in brief, or in full if there is room.
func (w wording) input(in Input) section {
	s := section{
		name:  "input " + short(in.ID, 64),
		title: strings.TrimSpace("From "+short(in.ID, 64)+" "+said(short(in.Title, 80))) + changed(in) + ":",
		rank:  6, command: inputCommand(in, w.show()),
	}
	text, cut := brief(in.gist(), 600)
	if text == "" {
		text = "(it passed nothing on)"
	}
	u := one(3, "> %s", text)
	full := quotation(in.Full)
	if len(full) > 0 && (len(full) > 1 || full[0] != u.lines[0]) {
		s.instead = full
	} else {
		u.cut = cut
	}
	s.units = []unit{u}
	return s
}
