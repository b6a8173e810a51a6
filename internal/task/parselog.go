package task

import (
	"slices"
	"sort"
	"strings"

	"baton/internal/markdown"
)

// logReader reads the entries of a progress log or archive. It finds fields and list items once for
// the whole span, so that a log of any length is read in linear time (TS-22).
type logReader struct {
	doc      *markdown.Document
	text     string // the span's bytes, shared with the document; every item is a slice of this string
	base     int    // position of text in the document
	fields   []markdown.Field
	items    []markdown.ListItem
	field    int // cursors, because entries are read in file order
	item     int
	room     []string // memory for the items of all fields, allocated once
	sessions []Session
	summary  *Summary
	rangeEnd int
	literal  bool // comments and rules count as text
	light    bool // entries are read without their fields
}

func newLogReader(doc *markdown.Document, within markdown.Span) *logReader {
	log := &logReader{
		doc: doc, text: doc.View(within), base: within.Start,
		fields: doc.Fields(within), items: doc.ListItems(within),
	}
	log.room = make([]string, 0, len(log.items)+len(log.fields))
	return log
}

// take returns an empty slice with room for n texts, from the common memory while there is some.
func (log *logReader) take(n int) []string {
	at := len(log.room)
	if n > cap(log.room)-at {
		return make([]string, 0, n)
	}
	log.room = log.room[:at+n]
	return log.room[at : at : at+n]
}

// of returns the text of a span without copying it.
func (log *logReader) of(span markdown.Span) string {
	return log.text[span.Start-log.base : span.End-log.base]
}

// readLog reads the sessions and the archived summary from all progress log sections.
func (s *State) readLog() {
	for _, section := range s.All(ProgressLog) {
		log := newLogReader(s.doc, section.Body)
		log.walk(section.Body)
		if s.Sessions == nil {
			s.Sessions = log.sessions
		} else {
			s.Sessions = append(s.Sessions, log.sessions...)
		}
		if s.Summary == nil {
			s.Summary = log.summary
		}
		s.rangeEnd = max(s.rangeEnd, log.rangeEnd)
	}
}

// parseSessions reads the sessions in a span of a live log: H3 entries and bullets of style D.
func parseSessions(doc *markdown.Document, within markdown.Span) []Session {
	log := newLogReader(doc, within)
	log.walk(within)
	return log.sessions
}

// walk reads the entries of a live log. A session ends at the next heading of level 3 or higher, or
// at a "---" that closes the section. Deeper headings are part of it (5.3 rule 5).
func (log *logReader) walk(within markdown.Span) {
	end := ContentEnd(log.doc, within)
	headings := HeadingsIn(log.doc, within)
	edges := make([]markdown.Heading, 0, len(headings))
	for _, heading := range headings {
		if heading.Level <= 3 && heading.Span.Start < end {
			edges = append(edges, heading)
		}
	}
	intro := markdown.Span{Start: within.Start, End: end}
	if len(edges) > 0 {
		intro.End = edges[0].Span.Start
	}
	log.sessions = slices.Grow(log.sessions, len(edges))
	log.bullets(intro)
	for i, heading := range edges {
		next := end
		if i+1 < len(edges) {
			next = edges[i+1].Span.Start
		}
		span := markdown.Span{Start: heading.Span.Start, End: TrimEnd(log.doc, heading.Span.Start, next)}
		text := log.of(heading.Text)
		if heading.Level != 3 {
			continue
		}
		if session, ok := SessionHeading(text); ok {
			session.Span = span
			log.read(&session, markdown.Span{Start: heading.Span.End, End: max(span.End, heading.Span.End)})
			log.sessions = append(log.sessions, session)
		} else if first, last, ok := SummaryHeading(text); ok {
			log.readSummary(first, last, heading, span)
		}
	}
}

// readSummary keeps the first archived summary. Bullets with a stamp below it are entries of style
// D, because a file of that style has its log after its summary.
func (log *logReader) readSummary(first, last int, heading markdown.Heading, span markdown.Span) {
	log.rangeEnd = max(log.rangeEnd, last)
	end := span.End
	for _, item := range log.itemsIn(markdown.Span{Start: heading.Span.End, End: span.End}) {
		if _, ok := bulletStamp(log.of(item.Text)); ok && item.Indent < 2 {
			log.bullets(markdown.Span{Start: item.Full.Start, End: span.End})
			end = TrimEnd(log.doc, heading.Span.End, item.Full.Start)
			break
		}
	}
	if log.summary == nil {
		body := string(markdown.Fold(string(log.doc.Bytes()[min(heading.Span.End, end):end]), "\n"))
		log.summary = &Summary{
			First: first, Last: last, Span: markdown.Span{Start: span.Start, End: end}, Body: trimLines(body),
		}
	}
}

// SessionHeading reads "Session 3b – 2024-05-01 10:00" (5.3, TS-37): a number, perhaps a suffix,
// then perhaps a separator and a stamp in any form that baton reads. Other text after the separator
// is kept as the stamp. The note of an old number is not part of it.
func SessionHeading(text string) (Session, bool) {
	text, note := CutNote(text)
	if len(text) < 9 || !strings.EqualFold(text[:7], "session") || text[7] != ' ' && text[7] != '\t' {
		return Session{}, false
	}
	rest := strings.TrimPrefix(strings.TrimLeft(text[8:], " \t"), "#")
	n := 0
	for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
		n++
	}
	number, ok := wholeNumber(rest[:n])
	if !ok && strings.Trim(rest[:n], "0") == "" { // the number is too high and is ignored; this is still a session
		return Session{}, false
	}
	for n < len(rest) && (rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z' || rest[n] >= '0' && rest[n] <= '9') {
		n++
	}
	session := Session{Number: number, Label: rest[:n], Note: note}
	rest = strings.TrimSpace(rest[n:])
	if rest == "" {
		return session, true
	}
	stamp := rest
	for _, mark := range [...]string{"-", "\u2013", "\u2014", ":"} {
		if after, found := strings.CutPrefix(rest, mark); found {
			stamp = strings.TrimSpace(after)
			break
		}
	}
	found, tail, dated := scanStamp(stamp)
	if stamp == rest && !dated && rest[0] != '(' {
		return Session{}, false
	}
	session.Stamp = stamp
	if dated && (tail == "" || !IDByte(tail[0])) {
		session.Time, session.HasTime, session.Zoned = found.time, true, found.zoned
	}
	return session, true
}

// wholeNumber reads a number of at most maxNumber. Leading zeros are ignored (TS-37).
func wholeNumber(digits string) (int, bool) {
	digits = strings.TrimLeft(digits, "0")
	if len(digits) > 9 {
		return 0, false
	}
	n := 0
	for _, c := range digits {
		n = n*10 + int(c-'0')
	}
	return n, digits != "" // there is no session 0
}

// SummaryHeading reads "Archived Summary (Sessions 1-7)". Without a range, first and last are 0.
func SummaryHeading(text string) (first, last int, ok bool) {
	rest, ok := CutFold(text, "archived summary")
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '(' && rest[0] != ':' {
		return 0, 0, false
	}
	ranges := Ranges(rest)
	for i, r := range ranges {
		if i == 0 {
			first, last = r[0], r[1]
		}
		first, last = min(first, r[0]), max(last, r[1])
	}
	return first, last, true
}

// CutFold removes a prefix, ignoring case, and reports whether text had it.
func CutFold(text, prefix string) (rest string, ok bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}

// Ranges reads the numbers of "1-7" or "1-4, 6-9" as pairs and ignores all other text. A pair in
// reverse order is corrected.
func Ranges(text string) [][2]int {
	var ranges [][2]int
	for i := 0; i < len(text); {
		if text[i] < '0' || text[i] > '9' {
			i++
			continue
		}
		first, next := numberAt(text, i)
		i = next
		last := first
		rest := strings.TrimLeft(text[next:], " ")
		for _, dash := range [...]string{"-", "\u2013", "\u2014"} {
			after, found := strings.CutPrefix(rest, dash)
			after = strings.TrimLeft(after, " ")
			if found && after != "" && after[0] >= '0' && after[0] <= '9' {
				last, i = numberAt(text, len(text)-len(after))
				break
			}
		}
		if first > 0 && last > 0 {
			ranges = append(ranges, [2]int{min(first, last), max(first, last)})
		}
	}
	return ranges
}

// numberAt reads the digits at i. number is 0 if it is too large for a session.
func numberAt(text string, i int) (number, next int) {
	next = i
	for next < len(text) && text[next] >= '0' && text[next] <= '9' {
		next++
	}
	number, _ = wholeNumber(text[i:next])
	return number, next
}

// itemsIn returns the list items whose line begins in the span.
func (log *logReader) itemsIn(within markdown.Span) []markdown.ListItem {
	from := log.item
	if from > 0 && log.items[from-1].Full.Start >= within.Start {
		from = sort.Search(from, func(i int) bool { return log.items[i].Full.Start >= within.Start })
	}
	for from < len(log.items) && log.items[from].Full.Start < within.Start {
		from++
	}
	log.item = from
	for log.item < len(log.items) && log.items[log.item].Full.Start < within.End {
		log.item++
	}
	return log.items[from:log.item]
}

// fieldsIn returns the labels that begin in the span.
func (log *logReader) fieldsIn(within markdown.Span) []markdown.Field {
	from := log.field
	if from > 0 && log.fields[from-1].Span.Start >= within.Start {
		from = sort.Search(from, func(i int) bool { return log.fields[i].Span.Start >= within.Start })
	}
	for from < len(log.fields) && log.fields[from].Span.Start < within.Start {
		from++
	}
	log.field = from
	for log.field < len(log.fields) && log.fields[log.field].Span.Start < within.End {
		log.field++
	}
	return log.fields[from:log.field]
}
