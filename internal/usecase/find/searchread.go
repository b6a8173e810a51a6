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

// searched is a document that was looked through.
type searched struct {
	doc      searchDoc
	title    string
	size     int64
	searched bool
	total    int        // hits
	hits     []foundHit // as many of them as may be shown
	keys     []uint64   // of all hits that are entries, where the document is live
	finding  *report.Finding
}

// foundHit is a hit before it is made fit to be shown: only the few that are shown are worth that.
type foundHit struct {
	entry   searchEntry
	section []string
	line    int
	lines   int
	raw     []byte // the line, or what is worth showing of a long one
}

// searchEntry is a session or a decision of a document.
type searchEntry struct {
	kind   string // "" for everything else
	number int
	date   string
	span   markdown.Span
}

// document reads one document and looks through it. The buffer is used again for the next.
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

// look finds the hits of a document that holds all words.
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
			hit.raw = bytes.Clone(s.query.Window(h.Text.Of(data))) // a copy, so that the document need not be kept
			out.hits = append(out.hits, hit)
		}
	}
}

// wanted reports whether the scope is about an entry; scopes of documents are about everything in
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

// parse reads a document as what it is, and gives its entries in order.
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

// decisionEntries finds the rows in the bytes: they begin with their line.
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

// lineEntries makes every line an answer of its own: evidence has one record a line.
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

// key tells entries of a task, or of digests, apart by their bytes. The rank of the heading does
// not count: it changes when a session moves to its archive.
func (s *searching) key(id task.ID, entry []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(s.seed)
	_, _ = h.WriteString(string(id) + "\n") // never fails
	_, _ = h.Write(bytes.TrimSpace(bytes.TrimLeft(entry, "#")))
	return h.Sum64()
}

// remember keeps the entries of all live documents. An archive's copy of one is left out: it moved
// while the search went on, or recovery kept both (D8).
func (s *searching) remember() {
	s.live = map[uint64]bool{}
	for i := range s.read {
		for _, key := range s.read[i].keys {
			s.live[key] = true
		}
	}
}

// mostName is how many characters of a heading or a title are shown.
const mostName = 80

// show makes a hit fit to be shown.
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

// NameOf returns a heading, a title or a stamp as answers have it.
func NameOf(text string) string {
	return safetext.Runes(safetext.Line(text), mostName)
}
