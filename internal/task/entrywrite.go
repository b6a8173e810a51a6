package task

import (
	"strconv"
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/safetext"
)

// entryLines writes an entry as a session of the given style (5.4), with LF line ends and no final
// one. withCommits is false if the git history lists the commits. The entry must be tidy.
func entryLines(style Style, number int, stamp time.Time, e Entry, withCommits bool) string {
	if style == StyleD {
		return bulletEntry(stamp, e, withCommits)
	}
	w := entryWriter{style: style}
	w.b.WriteString("### Session " + strconv.Itoa(number) + " - " + FormatStamp(stamp, stamp.Location()) + "\n")
	switch style {
	case StyleA:
		w.list("What I did", e.Did)
		w.list("Issues encountered", e.Issues)
		w.list("Current state", e.State)
		w.list("Next steps", e.Next)
	case StyleB:
		w.list("What I did", e.Did)
		w.inline("Issues", e.Issues, "None")
		w.inline("Current state", e.State, "")
		w.inline("Next steps", e.Next, "None")
	default:
		w.inline("Did", e.Did, "None")
		w.inline("Issues", e.Issues, "None")
		w.inline("Current state", e.State, "")
		w.inline("Next", e.Next, "None")
	}
	if withCommits {
		w.inline("Commits", commitNames(e.Commits), "")
	}
	return strings.TrimRight(w.b.String(), "\n")
}

// entryWriter collects the fields of an entry, separated by blank lines.
type entryWriter struct {
	style Style
	b     strings.Builder
	begun bool
}

// label begins a field.
func (w *entryWriter) label(name string) {
	if w.begun {
		w.b.WriteByte('\n')
	}
	w.begun = true
	w.b.WriteString("**" + name + ":**")
}

// list writes a field as a list, or "- None" if it is empty.
func (w *entryWriter) list(name string, items []string) {
	w.label(name)
	w.b.WriteByte('\n')
	if len(items) == 0 {
		items = []string{"None"}
	}
	for _, item := range items {
		w.b.WriteString(ListItem(item) + "\n")
	}
}

// inline writes a field on the line of its label if it is a single one-line item that no parser
// would misread, and as a list otherwise. An empty field is written as none, or left out if none is
// "".
func (w *entryWriter) inline(name string, items []string, none string) {
	switch {
	case name == "Commits" && len(items) > 0:
		items = []string{strings.Join(items, ", ")}
	case len(items) == 0 && none == "":
		return
	case len(items) == 0:
		items = []string{none}
	}
	if len(items) > 1 || strings.Contains(items[0], "\n") {
		w.list(name, items)
		return
	}
	w.label(name)
	w.b.WriteString(" " + items[0] + "\n")
}

// ListItem writes one item. Its further lines are indented, so that a heading, a label or a fence
// in them stays content and ends with the item (TS-10, TS-38). An open fence is closed, for readers
// that look at lines only.
func ListItem(item string) string {
	item = markdown.CloseBlocks(item)
	var b strings.Builder
	for i, line := range strings.Split(item, "\n") {
		switch {
		case i == 0:
			b.WriteString("- ")
		case line != "":
			b.WriteString("\n  ")
		default:
			b.WriteString("\n")
		}
		b.WriteString(line)
	}
	return b.String()
}

// bulletEntry writes style D: one bullet with an RFC 3339 stamp and the fields joined with "; "
// (5.8). Line breaks inside items become blanks, because the next item would otherwise continue a
// fence or quote.
func bulletEntry(stamp time.Time, e Entry, withCommits bool) string {
	var parts []string
	join := func(items []string, sep string) string {
		var flat []string
		for _, item := range items {
			flat = append(flat, safetext.OneLine(item))
		}
		return strings.Join(flat, sep)
	}
	if len(e.Did) > 0 {
		parts = append(parts, join(e.Did, "; "))
	}
	add := func(label string, items []string, sep string) {
		if len(items) > 0 {
			parts = append(parts, label+": "+join(items, sep))
		}
	}
	add("Issues", e.Issues, "; ")
	add("Current state", e.State, "; ")
	add("Next", e.Next, "; ")
	if withCommits {
		add("Commits", commitNames(e.Commits), ", ")
	}
	return "- [" + stamp.Format(time.RFC3339) + "] " + strings.Join(parts, "; ")
}

// commitNames returns the hashes for the Commits field.
func commitNames(commits []Commit) []string {
	var names []string
	for _, c := range commits {
		names = append(names, c.Hash)
	}
	return names
}
