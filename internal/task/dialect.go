package task

import (
	"strconv"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// numbered returns the dialects that number their sections, in the order of the columns of 5.2.
func numbered() [6]Dialect { return [6]Dialect{V1A, V1B, V1C, V15, V2, V3} }

// V1 reports whether the dialect is one of the first format description: long labels, " - State" in
// the title.
func (d Dialect) V1() bool { return d == V1A || d == V1B || d == V1C }

// number returns the number that the dialect writes before a section's name, or -1 if it has no
// such section or no numbers.
func (d Dialect) number(k Kind) int {
	// Columns: metadata, context, chain inputs, feature checklist, progress log, git history, chain
	// output.
	var row [7]int8
	switch d {
	case V1A:
		row = [7]int8{-1, 1, 2, -1, 3, -1, 4}
	case V1B:
		row = [7]int8{-1, 1, 2, 3, 4, 5, 6}
	case V1C:
		row = [7]int8{0, 1, 2, 3, 4, 5, 6}
	case V15:
		row = [7]int8{0, 1, 2, 3, 4, -1, 5}
	case V2:
		row = [7]int8{0, 1, 2, -1, 3, -1, 4}
	case V3:
		row = [7]int8{0, -1, 1, -1, 2, -1, 3}
	default:
		return -1
	}
	if at := k.order(); at < len(row) {
		return int(row[at])
	}
	return -1
}

// order returns the position of a section in the file, which is the same in all dialects.
func (k Kind) order() int {
	switch k {
	case Metadata:
		return 0
	case ContextKind:
		return 1
	case ChainInputs:
		return 2
	case FeatureChecklist:
		return 3
	case ProgressLog:
		return 4
	case GitHistory:
		return 5
	case ChainOutput:
		return 6
	}
	return 7
}

// Heading returns the heading line that the dialect writes for a section, without a line end.
func (d Dialect) Heading(k Kind) string {
	name := [...]string{
		"Metadata", "Context", "Chain Inputs", "Feature Checklist", "Progress Log", "Git History", "Chain Output",
		"Notes",
	}[k.order()]
	if k == ContextKind && d.V1() {
		name = "Static Context"
	}
	if n := d.number(k); n >= 0 {
		return "## " + strconv.Itoa(n) + ". " + name
	}
	return "## " + name
}

// required reports whether a file of the dialect should have the section (TS-D5). Chain inputs are
// needed only with dependencies, which the dialect does not know.
func (d Dialect) required(k Kind) bool {
	switch k {
	case ProgressLog, ChainOutput:
		return true
	case ChainInputs, Unknown:
		return false
	}
	return d.number(k) >= 0
}

// detect finds the column of 5.2 whose numbers and names agree with most sections. In a tie, the
// leftmost column that explains all numbered sections wins, or else the leftmost. If there are no
// numbers, or no column has them, the dialect is bare.
func detect(sections []Section) Dialect {
	best, most, all := Bare, 0, false
	for _, d := range numbered() {
		agree, known := 0, 0
		for _, section := range sections {
			if section.Kind == Unknown || section.Number < 0 {
				continue
			}
			known++
			if d.number(section.Kind) == section.Number {
				agree++
			}
		}
		explains := agree == known
		if agree > most || agree == most && agree > 0 && explains && !all {
			best, most, all = d, agree, explains
		}
	}
	return best
}

// readTitle reads the title from the first H1 of the form "Task #101: Title", or else from an H1
// before the first section.
func (s *State) readTitle(headings []markdown.Heading) {
	fallback := ""
	sections := false
	for _, heading := range headings {
		if heading.Level == 2 {
			sections = true
		}
		if heading.Level != 1 {
			continue
		}
		text := string(heading.Text.Of(s.Bytes()))
		if title, ok := TitleOf(text, s.Dialect); ok {
			s.Title = title
			return
		}
		if fallback == "" && !sections {
			fallback = text
		}
	}
	s.Title = fallback
}

// TitleOf reads "Task #101: Title - State" and similar titles (5.1). Only v1 dialects add " -
// State" to a title; in other dialects it is part of the title (TS-45).
func TitleOf(text string, d Dialect) (title string, ok bool) {
	if len(text) < 5 || !strings.EqualFold(text[:4], "task") || text[4] != ' ' && text[4] != '\t' && text[4] != '#' {
		return "", false
	}
	rest := strings.TrimPrefix(strings.TrimLeft(text[4:], " \t"), "#")
	n := 0
	for n < len(rest) && IDByte(rest[n]) {
		n++
	}
	if n == 0 {
		return "", false
	}
	rest = strings.TrimSpace(rest[n:])
	if after, colon := strings.CutPrefix(rest, ":"); colon {
		title = strings.TrimSpace(after)
		if d.V1() {
			if title == "- State" {
				return "", true
			}
			title = strings.TrimSpace(strings.TrimSuffix(title, " - State"))
		}
		return title, true
	}
	if rest == "" || strings.EqualFold(rest, "- State") || strings.EqualFold(rest, "State") {
		return "", true
	}
	return "", false
}

// IDByte reports whether an id may contain c (D21).
func IDByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == '_' || c == '-'
}

// ParseDialect reads the name of a dialect that tasks can be created in or converted to: "v1" or
// "v2" (TS-D16). Errors: Usage dialect_unknown.
func ParseDialect(name string) (Dialect, error) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "v1", "v1c":
		return V1C, nil
	case "v2":
		return V2, nil
	}
	return "", NoDialect(name)
}

// NoDialect returns the error for a name that is not such a dialect.
func NoDialect(name string) error {
	return UsageError("task.dialect", report.CodeDialectUnknown, 0,
		"there is no dialect "+jsontext.Quote(safetext.Runes(name, 20))+" to write", "the dialects are v1 and v2")
}
