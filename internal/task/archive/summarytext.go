package archive

import (
	"slices"
	"strconv"
	"strings"

	"baton/internal/sorting"
	"baton/internal/task"
)

// text returns the summary as a block in the form of the dialect (5.14.2), with LF line ends
// including a final one. extra includes the lines that a person wrote.
func (sum *summary) text(dialect task.Dialect, path string, extra bool) string {
	var b strings.Builder
	b.WriteString("### Archived Summary")
	if sum.first > 0 {
		b.WriteString(" (Sessions " + strconv.Itoa(sum.first) + "-" + strconv.Itoa(sum.last) + ")")
	}
	b.WriteByte('\n')
	if dialect.V1() {
		sum.writeV1(&b)
	} else {
		sum.writeV2(&b)
	}
	if extra && len(sum.extra) > 0 {
		b.WriteString("\n" + strings.Join(sum.extra, "\n") + "\n\n")
	}
	switch {
	case path == "":
	case dialect.V1():
		if !strings.HasSuffix(b.String(), "\n\n") {
			b.WriteByte('\n')
		}
		b.WriteString("[Full session details: " + path + "]\n")
	default:
		b.WriteString("[Full details: " + path + "]\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// writeV1 writes lists below labels.
func (sum *summary) writeV1(b *strings.Builder) {
	b.WriteByte('\n')
	if sum.from.known {
		b.WriteString("**Duration:** " + sum.from.text() + " - " + sum.to.text() + "\n")
	}
	for _, part := range [...]struct {
		label string
		tally tally
	}{{"Key Accomplishments", sum.done}, {"Issues Resolved", sum.issues}} {
		lines := part.tally.lines()
		if len(lines) == 0 {
			continue
		}
		if !strings.HasSuffix(b.String(), "\n\n") && part.label != "Key Accomplishments" {
			b.WriteByte('\n')
		}
		b.WriteString("**" + part.label + ":**\n")
		for _, line := range lines {
			b.WriteString("- " + line + "\n")
		}
	}
	if names := sum.commitList(); len(names) > 0 {
		b.WriteString("\n**Commits:** " + strings.Join(names, ", ") + "\n")
	}
}

// writeV2 writes each field on one line. The end of the duration has no date if both are on the
// same day. A semicolon inside an item would end it, so it becomes a comma.
func (sum *summary) writeV2(b *strings.Builder) {
	if sum.from.known {
		end := sum.to.text()
		if sum.to.clock && sum.from.clock && sum.from.time.Format("2006-01-02") == sum.to.time.Format("2006-01-02") {
			end = sum.to.time.Format("15:04")
		}
		b.WriteString("**Duration:** " + sum.from.text() + " - " + end + "\n")
	}
	field := func(label, sep string, items []string) {
		if len(items) > 0 {
			b.WriteString("**" + label + ":** " + strings.Join(items, sep) + "\n")
		}
	}
	inline := func(t tally) []string {
		var out []string
		for _, line := range t.lines() {
			out = append(out, strings.TrimRight(strings.ReplaceAll(line, "; ", ", "), ";"))
		}
		return out
	}
	field("Accomplishments", "; ", inline(sum.done))
	field("Issues", "; ", inline(sum.issues))
	field("Commits", ", ", sum.commitList())
}

// lines returns the items, followed by the number of those that are not shown.
func (t tally) lines() []string {
	if t.more == 0 {
		return t.items
	}
	return append(slices.Clone(t.items), "+"+strconv.Itoa(t.more)+" more")
}

// commitList returns the commits, followed by the number of those that are not shown.
func (sum *summary) commitList() []string {
	return tally{items: sum.commits, more: sum.hidden}.lines()
}

// text returns a moment in the form of a stamp.
func (m moment) text() string {
	if m.clock {
		return m.time.Format("2006-01-02 15:04")
	}
	return m.time.Format("2006-01-02")
}

// hexTokens finds words in a session that look like commits: hexadecimal words of 7 to 40 digits,
// or from 6 digits on in back-ticks (5.14.2). Parts of a longer word do not count, in particular
// not those of a word with hyphens.
func hexTokens(text []byte) []string {
	var found []string
	for i := 0; i < len(text); {
		if !wordByte(text[i]) {
			i++
			continue
		}
		j := i
		hex := true
		for j < len(text) && wordByte(text[j]) {
			hex = hex && hexByte(text[j])
			j++
		}
		least := 7
		if i > 0 && text[i-1] == '`' && j < len(text) && text[j] == '`' {
			least = 6
		}
		if hex && j-i >= least && j-i <= 40 {
			found = append(found, string(text[i:j]))
		}
		i = j
	}
	return found
}

// wordByte reports whether c can be part of a word.
func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-' || c >= 0x80
}

// hexByte reports whether c is a hexadecimal digit.
func hexByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// inNumberOrder returns the sessions sorted by number, and their numbers. Sessions with equal
// numbers stay in file order.
func inNumberOrder(sessions []task.Session) ([]task.Session, []int) {
	sorted := sorting.By(slices.Clone(sessions), func(a, b task.Session) int { return a.Number - b.Number })
	var numbers []int
	for _, s := range sorted {
		numbers = append(numbers, s.Number)
	}
	return sorted, numbers
}
