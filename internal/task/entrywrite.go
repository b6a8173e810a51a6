package task

import (
	"strconv"
	"strings"
	"time"

	"baton/internal/safetext"
)

// entryLines writes an entry as a session of the given style (5.4), LF line ends, without a final
// one. withCommits is false where the git history keeps them. The entry must be tidy.
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

// entryWriter collects the fields of an entry, one blank line between two.
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

// list writes a field as a list; "- None" when it is empty.
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

// inline writes a field after its label when it is one item of one line that no parser would take
// for something else, and as a list otherwise. An empty field is written as none, or not at all
// when none is "".
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

// ListItem writes one item. Its further lines are indented into the item, so that a heading, a
// label or a fence in it is content and ends with the item (TS-10, TS-38); a fence that is left
// open is closed for readers that look at lines only.
func ListItem(item string) string {
	item = CloseBlocks(item)
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

// bulletEntry is style D: one bullet with an RFC 3339 stamp and the fields joined with "; " (5.8).
// It is one line: the line breaks of an item become blanks, because whatever follows them in the
// line would join a fence or quote.
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

// commitNames returns the hashes, as the Commits field lists them.
func commitNames(commits []Commit) []string {
	var names []string
	for _, c := range commits {
		names = append(names, c.Hash)
	}
	return names
}
