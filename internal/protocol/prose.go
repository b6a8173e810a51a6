package protocol

import (
	"strings"
)

// mostUnit limits one unit of prose, in UTF-16 units. A longer sentence is cut between words.
const mostUnit = 600

// quoted returns a file's text as units in which each line is marked as a quotation, so that it
// cannot pass for baton's own words. There is one unit for each sentence, list item, row or block
// of code. A unit is cut only if it is longer than mostUnit.
func quoted(text string, rank func(i int) int) []unit {
	var out []unit
	for _, block := range blocks(lines(text)) {
		u := unit{rank: rank(len(out))}
		for _, line := range block {
			if units(line) > mostUnit {
				line, _ = brief(line, mostUnit)
				u.cut = true
			}
			u.lines = append(u.lines, strings.TrimRight("> "+line, " "))
		}
		out = append(out, u)
	}
	return out
}

// quotation returns a whole text as quoted lines.
func quotation(text string) []string {
	var out []string
	for _, line := range lines(text) {
		out = append(out, strings.TrimRight("> "+line, " "))
	}
	return out
}

// blocks splits lines into pieces that are shown or left out as a whole.
func blocks(all []string) [][]string {
	var out [][]string
	var paragraph []string
	flush := func() {
		for _, s := range sentences(strings.Join(paragraph, " ")) {
			out = append(out, []string{s})
		}
		paragraph = nil
	}
	for i := 0; i < len(all); i++ {
		line := strings.TrimSpace(all[i])
		switch {
		case fence(line) != "":
			flush()
			end := closing(all, i)
			out = append(out, all[i:end+1])
			i = end
		case line == "":
			flush()
		case structural(line):
			flush()
			out = append(out, []string{strings.TrimRight(all[i], " ")})
		case len(paragraph) == 0 && len(out) > 0 && strings.HasPrefix(all[i], "  ") && i > 0 &&
			strings.TrimSpace(all[i-1]) != "":
			out[len(out)-1] = append(out[len(out)-1], all[i]) // continues the item above
		default:
			paragraph = append(paragraph, line)
		}
	}
	flush()
	return out
}

// fence returns the marks that open a block of code, or "" if the line opens none.
func fence(line string) string {
	for _, mark := range [...]string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

// closing returns the line that closes the block of code that begins on line i, or the last line.
func closing(all []string, i int) int {
	mark := fence(strings.TrimSpace(all[i]))
	for k := i + 1; k < len(all); k++ {
		if line := strings.TrimSpace(all[k]); strings.HasPrefix(line, mark) && strings.Trim(line, mark[:1]) == "" {
			return k
		}
	}
	return len(all) - 1
}

// structural reports whether a line is an item, a row or a heading, which ends the paragraph before
// it.
func structural(line string) bool {
	switch line[0] {
	case '-', '*', '+':
		return len(line) == 1 || line[1] == ' '
	case '|', '#', '>':
		return true
	}
	digits := 0
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	return digits > 0 && digits < 4 && len(line) > digits+1 && (line[digits] == '.' || line[digits] == ')') &&
		line[digits+1] == ' '
}
