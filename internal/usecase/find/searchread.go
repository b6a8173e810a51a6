package find

import (
	"bytes"
	"context"
	"hash/maphash"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/search"
	"baton/internal/task"
)

// searched is a document after it was searched.
type searched struct {
	doc      searchDoc
	title    string
	size     int64
	searched bool
	total    int        // hits
	hits     []foundHit // no more than the limit
	keys     []uint64   // of all hits that are entries, if the document is live
	finding  *report.Finding
}

// foundHit is a hit before its text is prepared for the answer. Only the hits that are shown are
// prepared.
type foundHit struct {
	entry   searchEntry
	section []string
	line    int
	lines   int
	raw     []byte // the line, or the relevant part of a long one
}

// searchEntry is a session or a decision of a document.
type searchEntry struct {
	kind   string // "" for everything else
	number int
	date   string
	span   markdown.Span
}

// document reads and searches one document. The buffer is reused for the next one.
func (s *searching) document(ctx context.Context, d searchDoc, buffer []byte) (searched, []byte) {
	out := searched{doc: d}
	doc, err := d.root.at.Store.Read(ctx, d.name)
	switch {
	case report.CodeOf(err) == report.CodeTooLarge:
		out.leave(report.CodeTooLarge, "is larger than 64 MiB, so it was not searched")
	case err != nil:
		out.leave(report.CodeUnreadable, "cannot be read: "+safetext.Line(err.Error()))
	case doc.Outside: // it became a link after the folder was listed
		out.leave(report.CodeOutside, "is a link that leads outside the project, so it was not searched")
	case !doc.Exists:
	case bytes.IndexByte(doc.Data, 0) >= 0:
		out.leave(report.CodeBinary, "is not text, so it was not searched")
	default:
		out.searched, out.size = true, int64(len(doc.Data))
		buffer = search.Fold(buffer[:0], doc.Data)
		if s.query.Within(buffer) {
			s.look(&out, doc.Data, buffer)
		}
	}
	return out, buffer
}

func (d *searched) leave(code report.Code, text string) {
	f := code.Finding(d.doc.path, 0, d.doc.path+" "+text)
	d.finding = &f
}

// look finds the hits in a document that contains all words.
func (s *searching) look(out *searched, data, folded []byte) {
	doc, entries := out.parse(data)
	spans := make([]markdown.Span, len(entries))
	for i, e := range entries {
		spans[i] = e.span
	}
	outline := search.NewOutline(doc, spans)
	for _, h := range s.query.Find(outline, folded) {
		hit := foundHit{line: h.Line, lines: h.Lines}
		if h.Part.Entry >= 0 {
			hit.entry = entries[h.Part.Entry]
		}
		if !s.wanted(hit.entry) {
			continue
		}
		if hit.entry.kind != "" {
			key := s.key(out.doc.id, hit.entry.span.Of(data))
			if out.doc.kind == kindArchive && s.live[key] {
				continue
			}
			if out.doc.kind != kindArchive {
				out.keys = append(out.keys, key)
			}
		}
		out.total++
		if s.limit == 0 || len(out.hits) < s.limit {
			hit.section = outline.Section(h.Part)
			hit.raw = bytes.Clone(s.query.Window(h.Text.Of(data))) // a copy, so that the document can be freed
			out.hits = append(out.hits, hit)
		}
	}
}

// wanted reports whether the scope includes an entry. Scopes of documents include everything in
// them.
func (s *searching) wanted(e searchEntry) bool {
	switch s.scope {
	case SearchSessions:
		return e.kind == entrySession
	case SearchDecisions:
		return e.kind == entryDecision
	}
	return true
}

// parse reads a document according to its kind and returns its entries in order.
func (d *searched) parse(data []byte) (*markdown.Document, []searchEntry) {
	switch {
	case d.doc.kind == kindTask:
		state := task.Parse(d.doc.id, data)
		d.title = state.Title
		return state.Document(), sessionEntries(state.Sessions)
	case d.doc.kind == kindArchive && d.doc.id != "":
		return markdown.Parse(data), sessionEntries(task.ParseArchive(data).Sessions)
	case d.doc.kind == kindEvidence:
		return markdown.Parse(data), lineEntries(data)
	case d.doc.form != nil:
		doc := markdown.Parse(data)
		list := decision.ReadArchive
		if d.doc.kind == kindDigest {
			settings := decision.Settings{Titles: d.doc.root.titles}
			list = func(data []byte, form decision.Form) decision.List { return decision.Read(data, form, settings) }
		}
		return doc, decisionEntries(doc, list(data, d.doc.form.Form()).Rows)
	}
	return markdown.Parse(data), nil
}

func sessionEntries(sessions []task.Session) []searchEntry {
	entries := make([]searchEntry, 0, len(sessions))
	for _, session := range sessions {
		entries = append(entries, searchEntry{entrySession, session.Number, session.Stamp, session.Span})
	}
	return entries
}

// decisionEntries returns the places of the rows in the document. A row begins with its line.
func decisionEntries(doc *markdown.Document, rows []decision.Row) []searchEntry {
	entries := make([]searchEntry, 0, len(rows))
	for _, row := range rows {
		if row.Line < 1 || row.Line > len(doc.Lines()) {
			continue
		}
		start := doc.Lines()[row.Line-1].Start
		span := markdown.Span{Start: start, End: min(start+len(row.Raw), len(doc.Bytes()))}
		entries = append(entries, searchEntry{kind: entryDecision, date: row.Date, span: span})
	}
	return entries
}

// lineEntries makes every line an entry, because evidence has one record on each line.
func lineEntries(data []byte) []searchEntry {
	entries := make([]searchEntry, 0, bytes.Count(data, []byte{'\n'})+1)
	for start := 0; start < len(data); {
		end := len(data)
		if n := bytes.IndexByte(data[start:], '\n'); n >= 0 {
			end = start + n + 1
		}
		entries = append(entries, searchEntry{span: markdown.Span{Start: start, End: end}})
		start = end
	}
	return entries
}

// key identifies an entry of a task, or of digests, by its bytes. The level of the heading is left
// out, because it changes when a session moves to its archive.
func (s *searching) key(id task.ID, entry []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(s.seed)
	_, _ = h.WriteString(string(id) + "\n") // never fails
	_, _ = h.Write(bytes.TrimSpace(bytes.TrimLeft(entry, "#")))
	return h.Sum64()
}

// remember records the entries of all live documents. A copy in an archive is then left out: the
// entry moved during the search, or recovery kept both (D8).
func (s *searching) remember() {
	s.live = map[uint64]bool{}
	for i := range s.read {
		for _, key := range s.read[i].keys {
			s.live[key] = true
		}
	}
}

// mostName is the number of characters of a heading or a title that are shown.
const mostName = 80

// show prepares a hit for the answer.
func (s *searching) show(d *searched, h foundHit) SearchHit {
	out := SearchHit{
		Path: d.doc.path, Line: h.line, Kind: d.doc.kind, Task: d.doc.id, Title: NameOf(d.title),
		Entry: h.entry.kind, Session: h.entry.number, Date: NameOf(h.entry.date), Lines: h.lines,
	}
	names := make([]string, 0, len(h.section))
	for _, name := range h.section {
		names = append(names, NameOf(name))
	}
	out.Section = strings.Join(names, " / ")
	out.Excerpt, out.Marks = s.query.Excerpt(safetext.Line(string(h.raw)))
	return out
}

// NameOf prepares a heading, a title or a date for an answer.
func NameOf(text string) string {
	return safetext.Runes(safetext.Line(text), mostName)
}
