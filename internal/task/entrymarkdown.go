package task

import (
	"bytes"
	"strings"

	"baton/internal/markdown"
)

// entryFromMarkdown reads the text as if it were part of a session. It keeps everything (D20): text
// under an unknown label goes to the field before it, with the label; text under "Commits" that is
// not a commit goes to did; comments stay as text. Only a session heading at the start is dropped.
// Other headings become bold lines.
func entryFromMarkdown(text []byte) Entry {
	body := markdown.FlattenHeadings("**Did:**\n\n"+withoutSessionHeading(string(text)), markdown.BoldHeading)
	log := literalLog(body)
	edges := log.fields
	var session Session
	into := "did"
	for i, field := range edges {
		end := len(body)
		if i+1 < len(edges) {
			end = log.doc.Lines()[edges[i+1].Line].Start
		}
		items, _ := log.values(field.Line, markdown.Span{Start: field.Value.Start, End: max(end, field.Value.Start)})
		name, _ := label(field.Label)
		switch {
		case name == "" && into == "commits":
			into = "did" // text among the hashes is not a commit
			items = labelled(field.Label, items)
		case name == "":
			items = labelled(field.Label, items)
		default:
			into = name
		}
		if into == "commits" {
			var words []string
			session.Commits, words = hashLines(session.Commits, items)
			session.put("did", words)
			continue
		}
		session.put(into, items)
	}
	e := Entry{Did: session.Did, Issues: session.Issues, State: session.State, Next: session.Next}
	for _, c := range session.Commits {
		e.Commits = append(e.Commits, commitOf(c))
	}
	return e
}

// literalLog finds labels and items in a text that a person wrote, including the lines inside
// comments. A comment that is never closed is read as text; otherwise it would hide the labels
// after it.
func literalLog(body string) *logReader {
	src := []byte(body)
	doc := markdown.Parse(src)
	if line, open := doc.UnclosedComment(); open {
		// The structure is read from this copy, in which letters replace the marks. Positions stay
		// the same.
		src = bytes.Clone(src)
		rest := src[doc.Lines()[line].Start:]
		copy(rest, bytes.ReplaceAll(rest, []byte("<!--"), []byte("x!--")))
		doc = markdown.Parse(src)
	}
	log := newLogReader(doc, markdown.Span{End: len(body)})
	log.text, log.literal = body, true
	return log
}

// withoutSessionHeading removes a session heading that people paste along with the text. It does so
// only if the heading is at the start and contains nothing but number and time.
func withoutSessionHeading(text string) string {
	src := markdown.Fold(text, "\n")
	doc := markdown.Parse(src)
	headings := doc.Headings()
	if len(headings) == 0 || len(bytes.TrimSpace(src[:headings[0].Span.Start])) > 0 {
		return string(src)
	}
	first := headings[0]
	session, ok := SessionHeading(string(first.Text.Of(src)))
	if !ok || session.Stamp != "" && !session.HasTime {
		return string(src)
	}
	if _, tail, dated := scanStamp(session.Stamp); dated && strings.TrimSpace(tail) != "" {
		return string(src)
	}
	return string(src[first.Span.End:])
}

// labelled returns a field with an unknown label as one item: the label, followed by its text.
func labelled(name string, items []string) []string {
	switch {
	case len(items) == 0:
		return []string{name + ":"}
	case len(items) == 1:
		return []string{name + ": " + items[0]}
	}
	text := name + ":"
	for _, item := range items {
		text += "\n" + ListItem(item)
	}
	return []string{text}
}

// hashLines separates commits from text. Lines that begin with a hash, and lists of hashes, are
// commits. All other lines are returned as words, with the name of the field in which they were.
func hashLines(commits, items []string) (all, words []string) {
	for _, item := range items {
		for line := range strings.SplitSeq(item, "\n") {
			if line = strings.TrimSpace(line); SaysNone(line) {
				continue
			}
			found := splitCommits(line)
			hashes := len(found) > 0
			for _, one := range found {
				hashes = hashes && isHash(commitOf(one).Hash)
			}
			if hashes {
				commits = append(commits, found...)
			} else {
				words = append(words, "Commits: "+line)
			}
		}
	}
	return commits, words
}
