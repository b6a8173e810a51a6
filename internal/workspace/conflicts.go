package workspace

import (
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
)

// ConflictsFirst puts findings about conflict markers first, with advice, because all other
// findings about such a file mix both sides.
func ConflictsFirst(findings []report.Finding, resolve func(path string) string) []report.Finding {
	torn := func(f report.Finding) bool { return f.Code == report.CodeConflictMarkers }
	if !slices.ContainsFunc(findings, torn) {
		return findings
	}
	var first, rest []report.Finding
	for _, f := range findings {
		if !torn(f) {
			rest = append(rest, f)
			continue
		}
		if hint := resolve(f.Path); hint != "" {
			f.Text += "; " + hint
		}
		first = append(first, f)
	}
	return append(first, rest...)
}

// TornFirst is ConflictsFirst for the tasks of a list.
func (a All) TornFirst(findings []report.Finding) []report.Finding {
	return ConflictsFirst(findings, func(path string) string {
		if at := slices.IndexFunc(a.Tasks, func(h *Head) bool { return h.Name == path }); at >= 0 {
			return a.Tasks[at].Resolve
		}
		return ""
	})
}

// QuotedList formats names for a sentence.
func QuotedList(names []string) string {
	out := ""
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			out += " and "
		default:
			out += ", "
		}
		out += safetext.Quote(name)
	}
	return out
}

// MergedByBaton reports whether a .gitattributes assigns a pattern to baton's driver. The pattern
// is as MergeInstall writes it. As in git, the last line about merging decides, and other
// attributes on a line do not matter.
func MergedByBaton(attributes, pattern string) bool {
	ours := false
	for line := range strings.Lines(attributes) {
		rest, named := strings.CutPrefix(strings.TrimLeft(line, " \t"), pattern)
		if !named || strings.TrimLeft(rest, " \t\r\n") == rest {
			continue // a comment, or another pattern
		}
		for _, attribute := range strings.Fields(rest) {
			switch name, _, _ := strings.Cut(attribute, "="); name {
			case "merge", "-merge", "!merge", "binary":
				ours = attribute == "merge=baton"
			}
		}
	}
	return ours
}

// Compact removes repeated names and keeps the first occurrences in order.
func Compact(names []string) []string {
	seen, out := map[string]bool{}, []string{}
	for _, name := range names {
		if !seen[name] {
			out = append(out, name)
		}
		seen[name] = true
	}
	return out
}
