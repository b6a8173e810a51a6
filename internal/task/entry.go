package task

import (
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
)

// Entry is the content of a session before it has a number and a place in a file. An item may have
// several lines.
type Entry struct {
	Did     []string `json:"did"`
	Issues  []string `json:"issues" doc:"problems, and attempts that failed"`
	State   []string `json:"state"`
	Next    []string `json:"next" doc:"what the next session should do"`
	Commits []Commit
}

// Empty reports whether the entry has nothing to pass on: did, issues and next are all empty (5.8).
func (e Entry) Empty() bool {
	e = e.Tidy()
	return len(e.Did)+len(e.Issues)+len(e.Next) == 0
}

// Tidy returns the entry as it will be written. Line ends are LF; items lose their bullets and the
// blanks around them. Items that only say "none" are dropped, because each style has its own word
// for that.
func (e Entry) Tidy() Entry {
	return Entry{
		Did: tidyItems(e.Did), Issues: tidyItems(e.Issues), State: tidyItems(e.State), Next: tidyItems(e.Next),
		Commits: tidyCommits(e.Commits),
	}
}

// tidyItems cleans the items of one field.
func tidyItems(items []string) []string {
	var out []string
	for _, text := range items {
		for _, item := range listed(text) {
			if item = tidyItem(item); item != "" {
				out = append(out, item)
			}
		}
	}
	return out
}

// listed splits an item that is itself a list, in which every line that is not indented begins with
// the same bullet. Indented lines belong to the bullet above them. Any other text is one item.
func listed(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	if len(lines) < 2 || len(lines[0]) < 2 || !strings.Contains("-*+", lines[0][:1]) || lines[0][1] != ' ' {
		return []string{text}
	}
	bullet := lines[0][:2]
	var items []string
	for _, line := range lines {
		inner, below := strings.CutPrefix(line, "  ")
		switch {
		case strings.HasPrefix(line, bullet):
			items = append(items, line[len(bullet):])
		case below, strings.TrimSpace(line) == "":
			items[len(items)-1] += "\n" + inner
		default:
			return []string{text}
		}
	}
	return items
}

// tidyItem cleans one item. A bullet at its start would become a nested list.
func tidyItem(item string) string {
	item = strings.ReplaceAll(item, "\r\n", "\n")
	lines := strings.Split(item, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	item = strings.TrimSpace(strings.Join(lines, "\n"))
	for strings.HasPrefix(item, "- ") || strings.HasPrefix(item, "* ") || strings.HasPrefix(item, "+ ") {
		item = strings.TrimSpace(item[2:])
	}
	if SaysNone(item) {
		return ""
	}
	return item
}

// SaysNone reports whether an item is a word for an empty field (5.14.2).
func SaysNone(item string) bool {
	if len(item) > len("none.") {
		return false
	}
	return item == "" || item == "-" || strings.EqualFold(item, "none") || strings.EqualFold(item, "none.")
}

// tidyCommits drops commits without a hash and joins repeated ones. All their subjects are kept.
func tidyCommits(commits []Commit) []Commit {
	var out []Commit
	at := map[string]int{}
	for _, c := range commits {
		c.Hash = strings.Trim(safetext.OneLine(c.Hash), "` ,;")
		c.Subject = safetext.OneLine(c.Subject)
		if c.Hash == "" {
			continue
		}
		first, seen := at[c.Hash]
		switch {
		case !seen:
			at[c.Hash] = len(out)
			out = append(out, c)
		case out[first].Subject == "":
			out[first].Subject = c.Subject
		case c.Subject != "" && c.Subject != out[first].Subject:
			out[first].Subject += "; " + c.Subject
		}
	}
	return out
}

// errEmptyEntry returns the error for an entry with no content.
func errEmptyEntry() error {
	return &report.Error{
		Op: "task.log", Kind: report.Usage, Code: report.CodeEntryEmpty,
		Message: "the entry is empty: it needs did, issues or next",
		Hint:    "give at least one of did, issues and next",
	}
}
