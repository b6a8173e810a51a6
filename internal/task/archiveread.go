package task

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"baton/internal/markdown"
	"baton/internal/sorting"
)

// Archive is a parsed archive file of either layout (5.14.1).
type Archive struct {
	Title    string    // text of the first H1
	Level    int       // heading level of its sessions: 2, or 3 in a file with "## Full Session History"
	Sessions []Session // in file order; spans begin at the heading as written in the archive
	Footers  []Footer  // one per batch, or one at the end
	History  []Commit  // lines that were moved from the git history

	Doc *markdown.Document
}

// Footer ends a batch. It is not part of any session.
type Footer struct {
	On     string        // stamp as written
	Reason string        // text as written
	Range  string        // "1-4, 6-9" as written
	Span   markdown.Span // from its "---" to the end of its last line
}

// InOrder returns the sessions by number. Sessions with equal numbers stay in file order.
func (a *Archive) InOrder() []Session {
	sorted := append([]Session(nil), a.Sessions...)
	return sorting.By(sorted, func(a, b Session) int { return a.Number - b.Number })
}

// ArchiveOwner finds the task to which an archive belongs. head is the beginning of the file; the
// title, "Task #101 Archive", names the task (5.1).
func ArchiveOwner(head []byte) (ID, bool) {
	doc := markdown.Parse(head)
	for _, heading := range doc.Headings() {
		words := strings.Fields(string(heading.Text.Of(head)))
		if heading.Level != 1 || len(words) < 3 || !strings.EqualFold(words[0], "task") ||
			!strings.EqualFold(words[2], "archive") {
			continue
		}
		id, err := ParseID(strings.TrimPrefix(words[1], "#"))
		return id, err == nil
	}
	return "", false
}

// ParseArchive reads an archive. Like Parse it never fails.
func ParseArchive(src []byte) *Archive {
	doc := markdown.Parse(src)
	return readArchive(doc, newLogReader(doc, markdown.Span{Start: 0, End: len(src)}))
}

// readArchive reads an archive. log is a reader of the document's whole text.
func readArchive(doc *markdown.Document, log *logReader) *Archive {
	src := doc.Bytes()
	a := &Archive{Level: 2, Doc: doc}
	a.readFooters()
	edges := a.edges()
	footer := 0 // footers and headings are both in ascending order
	for i, heading := range edges {
		end := len(src)
		if i+1 < len(edges) {
			end = edges[i+1].Span.Start
		}
		for footer < len(a.Footers) && a.Footers[footer].Span.Start < heading.Span.End {
			footer++
		}
		if footer < len(a.Footers) {
			end = min(end, a.Footers[footer].Span.Start)
		}
		text := string(heading.Text.Of(src))
		switch {
		case heading.Level == 1 && a.Title == "":
			a.Title = text
		case FoldName(text) == "full session history":
			a.Level = 3
		case heading.Level == 2 && FoldName(text) == "git history":
			a.History = append(a.History, CommitLines(doc, markdown.Span{Start: heading.Span.End, End: end})...)
		}
		if session, ok := SessionHeading(text); ok && heading.Level > 1 {
			session.Span = markdown.Span{Start: heading.Span.Start, End: TrimEnd(doc, heading.Span.Start, end)}
			log.read(&session, markdown.Span{Start: heading.Span.End, End: max(session.Span.End, heading.Span.End)})
			a.Sessions = append(a.Sessions, bulletFieldsOf(src, session))
		}
	}
	a.addBullets(log, edges)
	return a
}

// edges returns the headings that begin or end entries. Within a session whose heading is an H2, an
// H3 is part of the session.
func (a *Archive) edges() []markdown.Heading {
	var edges []markdown.Heading
	src := a.Doc.Bytes()
	inside, footer := false, 0
	for _, heading := range a.Doc.Headings() {
		for footer < len(a.Footers) && a.Footers[footer].Span.Start <= heading.Span.Start {
			inside = false
			footer++
		}
		if heading.Level > 3 || heading.Level == 3 && inside || a.inFooter(heading.Span) {
			continue
		}
		if heading.Level == 2 {
			_, inside = SessionHeading(string(heading.Text.Of(src)))
		}
		edges = append(edges, heading)
	}
	return edges
}

// inFooter reports whether span only looks like a heading: a line of text above the "---" of a
// footer.
func (a *Archive) inFooter(span markdown.Span) bool {
	for _, footer := range a.Footers {
		if footer.Span.Start > span.Start && footer.Span.Start < span.End {
			return true
		}
	}
	return false
}

// addBullets adds the entries of style D, which are bullets in the archive too, and sorts all
// sessions into file order.
func (a *Archive) addBullets(log *logReader, edges []markdown.Heading) {
	start := 0
	for i := 0; i <= len(edges); i++ {
		end := len(a.Doc.Bytes())
		if i < len(edges) {
			end = edges[i].Span.Start
		}
		inSession := false
		if i > 0 {
			_, inSession = SessionHeading(string(edges[i-1].Text.Of(a.Doc.Bytes())))
		}
		if !inSession {
			log.bullets(markdown.Span{Start: start, End: end})
		}
		start = end
	}
	a.Sessions = append(a.Sessions, log.sessions...)
	sorting.By(a.Sessions, func(x, y Session) int { return x.Span.Start - y.Span.Start })
}

// readFooters finds "---" lines that are followed by an "Archived on:" line.
func (a *Archive) readFooters() {
	lines := a.Doc.Lines()
	for i := range lines {
		class := lines[i].Class
		if class != markdown.Rule && class != markdown.SetextUnderline ||
			strings.TrimSpace(string(a.Doc.Text(i))) != "---" {
			continue
		}
		next := i + 1
		for next < len(lines) && lines[next].Class == markdown.Blank {
			next++
		}
		footer := Footer{Span: markdown.Span{Start: lines[i].Start, End: lines[i].Next}}
		found := false
		for ; next < len(lines); next++ {
			text := strings.TrimSpace(string(a.Doc.Text(next)))
			if on, ok := CutFold(text, "archived on:"); ok {
				footer.On, found = strings.TrimSpace(on), true
			} else if reason, ok := CutFold(text, "reason:"); ok && found {
				footer.Reason = strings.TrimSpace(reason)
			} else if ranges, ok := CutFold(text, "sessions archived:"); ok && found {
				footer.Range = strings.TrimSpace(ranges)
			} else {
				break
			}
			footer.Span.End = lines[next].Next
		}
		if found {
			a.Footers = append(a.Footers, footer)
		}
	}
}

// LastArchived returns the highest number on the "Sessions archived:" lines in the tail of an
// archive, or 0 if there is none. Nearly always it is on the last of these lines. But older
// sessions that were restored can be archived again after newer ones. Lines before the last one
// count only inside a footer, because sessions may quote them. The tail may begin at any byte, so
// it is read line by line, without parsing (D7).
func LastArchived(tail []byte) int {
	text := string(tail)
	const words = "Sessions archived:"
	highest := 0
	for end, last := len(text), true; ; {
		at := strings.LastIndex(text[:end], words)
		if at < 0 {
			return highest
		}
		if end = at; at > 0 && text[at-1] != '\n' || !last && !belowReason(text[:at]) {
			continue
		}
		last = false
		line, _, _ := strings.Cut(text[at+len(words):], "\n")
		for _, r := range Ranges(line) {
			highest = max(highest, r[1])
		}
	}
}

// belowReason reports whether the last line of a text is part of an archive's footer.
func belowReason(text string) bool {
	text = strings.TrimRight(text, "\r\n")
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return strings.HasPrefix(line, "Reason:") || strings.HasPrefix(line, "Archived on:")
}

// WriteRanges writes numbers as "1-4, 6-9", followed by "without number" if some sessions have
// none.
func WriteRanges(numbers []int) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(numbers)))
	unnumbered := len(sorted) > 0 && sorted[0] == 0
	if unnumbered {
		sorted = sorted[1:]
	}
	var parts []string
	for i := 0; i < len(sorted); {
		j := i
		for j+1 < len(sorted) && sorted[j+1] == sorted[j]+1 {
			j++
		}
		parts = append(parts, RangeText(sorted[i], sorted[j]))
		i = j + 1
	}
	if unnumbered {
		parts = append(parts, "without number")
	}
	return strings.Join(parts, ", ")
}

// RangeText returns "3" or "3-5".
func RangeText(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return strconv.Itoa(from) + "-" + strconv.Itoa(to)
}

// IsLogBullet reports whether the text is one bullet with a stamp in brackets, which is an entry of
// style D. Its heading was added by the archive.
func IsLogBullet(body []byte) bool {
	if len(body) < 3 || body[1] != ' ' || body[2] != '[' || body[0] != '-' && body[0] != '*' && body[0] != '+' {
		return false
	}
	doc := markdown.Parse(body)
	items := doc.ListItems(markdown.Span{End: len(body)})
	return len(items) > 0 && items[0].Full == markdown.Span{Start: 0, End: len(body)}
}

// bulletFieldsOf reads the fields of an archived entry of style D. Because of the added heading, it
// would otherwise be read as prose.
func bulletFieldsOf(src []byte, session Session) Session {
	_, body, _ := bytes.Cut(session.Span.Of(src), []byte{'\n'})
	if session.Style != StyleE || !IsLogBullet(body) {
		return session
	}
	if found := parseSessions(markdown.Parse(body), markdown.Span{End: len(body)}); len(found) == 1 {
		one := found[0]
		session.Did, session.Issues, session.State, session.Next, session.Commits = one.Did, one.Issues, one.State,
			one.Next, one.Commits
	}
	return session
}
