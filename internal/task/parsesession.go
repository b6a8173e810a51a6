package task

import (
	"strings"

	"baton/internal/markdown"
)

// label returns the field that a label names (5.3). long reports whether the label is a long form
// of the first dialects.
func label(text string) (field string, long bool) {
	switch text { // the labels that baton writes
	case "Did":
		return "did", false
	case "Issues":
		return "issues", false
	case "Next":
		return "next", false
	}
	switch FoldName(text) {
	case "did":
		return "did", false
	case "what i did":
		return "did", true
	case "issues":
		return "issues", false
	case "issues encountered":
		return "issues", true
	case "current state":
		return "state", false
	case "next":
		return "next", false
	case "next steps":
		return "next", true
	case "commits":
		return "commits", false
	}
	return "", false
}

// read reads the fields of one session. Values of repeated labels are joined (TS-39). Text before
// the first label says what was done, and fields with other labels are notes (F-65).
func (log *logReader) read(session *Session, body markdown.Span) {
	if log.light {
		return
	}
	seen := shape{}
	fields := log.fieldsIn(body)
	lead := body
	if len(fields) > 0 {
		lead.End = max(lead.Start, log.doc.Lines()[fields[0].Line].Start)
	}
	if lead.Len() > 0 { // below the heading, which ends where the body begins
		if items, _ := log.values(log.doc.LineAt(lead.Start-1), lead); len(items) > 0 {
			session.put("did", items)
		}
	}
	for _, field := range fields {
		name, long := label(field.Label)
		value := field.Value
		value.End = max(min(value.End, body.End), value.Start)
		items, inline := log.values(field.Line, value)
		if name == "" {
			session.note(field.Label, items)
			continue
		}
		seen.add(name, long, inline, len(items))
		session.put(name, items)
	}
	session.Style = seen.style()
}

// put appends the items of a field, except words for an empty field (5.14.2).
func (session *Session) put(name string, items []string) {
	kept := items[:0]
	for _, item := range items {
		if !SaysNone(item) {
			kept = append(kept, item)
		}
	}
	switch name {
	case "did":
		session.Did = joinItems(session.Did, kept)
	case "issues":
		session.Issues = joinItems(session.Issues, kept)
	case "state":
		session.State = joinItems(session.State, kept)
	case "next":
		session.Next = joinItems(session.Next, kept)
	case "commits":
		for _, item := range kept {
			session.Commits = append(session.Commits, splitCommits(item)...)
		}
	}
}

// note keeps the items of a field whose label is not baton's, each with the label.
func (session *Session) note(label string, items []string) {
	for _, item := range items {
		if !SaysNone(item) {
			session.Notes = append(session.Notes, label+": "+item)
		}
	}
}

// joinItems appends more to items, without copying if items is empty.
func joinItems(items, more []string) []string {
	if len(items) == 0 {
		return more
	}
	return append(items[:len(items):len(items)], more...)
}

// shape describes which labels a session has, from which its style follows (5.4).
type shape struct {
	any, whatIDid, encountered, nextSteps, short bool
	inline                                       bool // the value of issues, state or next begins on the label's line
}

func (sh *shape) add(name string, long, inline bool, items int) {
	sh.any = true
	switch {
	case name == "did" && long:
		sh.whatIDid = true
	case name == "did", name == "next" && !long:
		sh.short = true
	case name == "issues" && long:
		sh.encountered = true
	case name == "next":
		sh.nextSteps = true
	}
	if name != "did" && name != "commits" && inline && items > 0 {
		sh.inline = true
	}
}

// style returns the style of a session. Short labels mean C. Long labels mean B if a value is
// inline, otherwise A.
func (sh *shape) style() Style {
	switch {
	case !sh.any:
		return StyleE
	case sh.short, !sh.whatIDid && !sh.encountered && !sh.nextSteps:
		return StyleC
	case sh.inline && !sh.encountered:
		return StyleB
	}
	return StyleA
}

// values splits a field's value into items: each top-level list item, and each other paragraph or
// fence. Further lines of an item follow after "\n", without the item's indentation. inline reports
// whether the value begins on the label's line.
func (log *logReader) values(line int, value markdown.Span) (items []string, inline bool) {
	doc, lines := log.doc, log.doc.Lines()
	first := strings.TrimSpace(log.of(markdown.Span{
		Start: value.Start, End: max(value.Start, min(lines[line].End, value.End)),
	}))
	if first != "" && log.endsAt(line, value.End) {
		return append(log.take(1), first), true
	}
	para := paragraphs{}
	if first != "" {
		para.open = append(para.open, first)
	}
	below := log.itemsIn(markdown.Span{Start: lines[line].Next, End: value.End})
	para.items = log.take(len(below) + len(para.open))
	for i := line + 1; i < len(lines) && lines[i].Start < value.End; i++ {
		for len(below) > 0 && below[0].Line < i {
			below = below[1:]
		}
		if len(below) > 0 && below[0].Line == i {
			para.flush()
			item := below[0]
			end := min(max(item.Full.End, lines[i].Next), value.End)
			para.add(log.itemText(item, end))
			if end > lines[i].Next {
				i = doc.LineAt(end - 1)
			}
			continue
		}
		class := lines[i].Class
		if log.literal && (class == markdown.Comment || class == markdown.Rule) {
			class = markdown.Text
		}
		para.line(class, log.of(markdown.Span{Start: lines[i].Start, End: min(lines[i].End, value.End)}))
	}
	para.flush()
	return para.items, first != ""
}

// endsAt reports whether nothing but blank lines follows a line before end.
func (log *logReader) endsAt(line, end int) bool {
	lines := log.doc.Lines()
	for i := line + 1; i < len(lines) && lines[i].Start < end; i++ {
		if lines[i].Class != markdown.Blank {
			return false
		}
	}
	return true
}

// paragraphs collects the items of a value. open has the lines of the current paragraph.
type paragraphs struct {
	items, open []string
}

func (para *paragraphs) add(text string) {
	if text != "" {
		para.items = append(para.items, text)
	}
}

func (para *paragraphs) flush() {
	if len(para.open) > 0 {
		para.add(trimLines(strings.Join(para.open, "\n")))
		para.open = para.open[:0]
	}
}

// line adds a line that is not part of a list item. A fence is one paragraph, including its blank
// lines.
func (para *paragraphs) line(class markdown.Class, text string) {
	switch class {
	case markdown.Blank, markdown.Rule: // a rule separates sessions
		para.flush()
	case markdown.Comment:
	case markdown.FenceBody:
		para.open = append(para.open, text)
	default:
		para.open = append(para.open, strings.TrimSpace(text))
		if class == markdown.FenceClose {
			para.flush()
		}
	}
}

// itemText returns the text of a list item after its marker. Further lines lose the item's
// indentation.
func (log *logReader) itemText(item markdown.ListItem, end int) string {
	head := log.of(item.Text)
	lines := log.doc.Lines()
	next := lines[item.Line].Next
	if next >= end {
		return head
	}
	width := item.Text.Start - lines[item.Line].Start
	rest := strings.TrimRight(strings.ReplaceAll(log.of(markdown.Span{Start: next, End: end}), "\r\n", "\n"), " \t\n")
	var text strings.Builder
	text.Grow(len(head) + 1 + len(rest))
	text.WriteString(head)
	for line := range strings.SplitSeq(rest, "\n") {
		cut := 0
		for cut < width && cut < len(line) && (line[cut] == ' ' || line[cut] == '\t') {
			if line[cut] == '\t' { // a tab covers the whole indentation
				cut++
				break
			}
			cut++
		}
		text.WriteByte('\n')
		text.WriteString(strings.TrimRight(line[cut:], " \t"))
	}
	return strings.TrimRight(text.String(), " \t\n")
}

// splitCommits splits "abc123, def456" into hashes. An entry with a subject stays one entry and
// loses its back-ticks.
func splitCommits(item string) []string {
	var commits []string
	for _, part := range strings.Split(item, ",") {
		part = strings.TrimSpace(strings.ReplaceAll(part, "`", ""))
		if part == "" {
			continue
		}
		if strings.ContainsAny(part, " \n") { // text, so this is not a list of hashes
			whole := strings.TrimSpace(strings.ReplaceAll(item, "`", ""))
			return []string{whole}
		}
		commits = append(commits, part)
	}
	return commits
}

// bullets reads the entries of style D in a span: top-level bullets that begin with a stamp in
// brackets (5.4).
func (log *logReader) bullets(within markdown.Span) {
	for _, item := range log.itemsIn(within) {
		stamp, ok := bulletStamp(log.of(item.Text))
		if !ok || item.Indent > 3 || item.Full.End > within.End {
			continue
		}
		session := Session{Stamp: stamp, Style: StyleD, Span: item.Full}
		session.Span.End = TrimEnd(log.doc, item.Full.Start, item.Full.End)
		if found, tail, dated := scanStamp(stamp); dated && tail == "" {
			session.Time, session.HasTime, session.Zoned = found.time, true, found.zoned
		}
		text := log.itemText(item, item.Full.End)
		session.bulletFields(strings.TrimSpace(text[len(stamp)+2:]))
		log.sessions = append(log.sessions, session)
	}
}

// bulletStamp returns the text in brackets at the start of an entry of style D. Check boxes and
// links do not count.
func bulletStamp(text string) (stamp string, ok bool) {
	if len(text) < 3 || text[0] != '[' {
		return "", false
	}
	end := strings.IndexByte(text, ']')
	if end < 3 || end+1 < len(text) && text[end+1] == '(' {
		return "", false
	}
	stamp = text[1:end]
	_, _, dated := scanStamp(stamp)
	return stamp, dated || strings.EqualFold(stamp, "timestamp")
}

// bulletFields reads the fields of "did; Issues: x; Next: y" (5.8).
func (session *Session) bulletFields(text string) {
	name := "did"
	for _, part := range strings.Split(text, "; ") {
		if word, rest, found := strings.Cut(part, ": "); found {
			if field, _ := label(word); field != "" {
				name, part = field, rest
			}
		}
		if part = strings.TrimSpace(part); part != "" {
			session.put(name, []string{part})
		}
	}
}
