package history

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	"baton/internal/ledger"
	"baton/internal/ledger/restore"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/usecase/find"
	"baton/internal/usecase/loss"
	"baton/internal/workspace"
)

// Blame returns every entry of a document with the change that added it. It takes no lock and
// writes nothing. It fails with NotFound no_project, task_unknown, document_unknown or
// section_unknown, and with Conflict document_ambiguous.
func (p History) Blame(ctx context.Context, r BlameRequest) (Blame, error) {
	const op = "blame"
	roots, done, err := loss.Of(p.Workspace).LossRoots(ctx, op)
	if err != nil {
		return Blame{}, err
	}
	defer done()
	at, name, err := p.blamed(ctx, roots, r.Document)
	if err != nil {
		return Blame{}, workspace.InOp(err, op)
	}
	out, err := Of(at).blame(ctx, name, r.Section)
	if err != nil {
		return Blame{}, workspace.InOp(err, op)
	}
	return out, nil
}

// blame answers for a document below this root.
func (p History) blame(ctx context.Context, name, section string) (Blame, error) {
	out := Blame{
		Document: name, Entries: []BlameEntry{}, Warnings: append([]report.Finding{}, p.Settings().Warnings()...),
	}
	doc, err := p.Store.Read(ctx, name)
	if err != nil {
		return out, err
	}
	family, _ := p.FamilyOf(name)
	book, err := p.Kept.Book(ctx, family)
	if err != nil {
		return out, err
	}
	if book != nil {
		out.Since = workspace.Stamp(book.Since)
	}
	places := placesOf(doc.Data, p.EntriesOf(name, doc.Data))
	if section != "" {
		if places, err = within(name, doc.Data, places, section); err != nil {
			return out, err
		}
	}
	origins, err := p.origins(ctx, family)
	if err != nil {
		return out, err
	}
	for _, one := range places {
		out.Entries = append(out.Entries, blameEntry(one, book, origins))
	}
	losses, err := loss.Of(p.Workspace).Losses(ctx, loss.Query{Families: []string{family}, Git: true})
	if err != nil {
		return out, err
	}
	for _, l := range losses {
		if l.Doc == name && l.Fate == loss.FateLost && (section == "" || headingIs(l.Known.Section, section)) {
			out.Missing++
		}
	}
	return out, ctx.Err()
}

func blameEntry(one placedEntry, book *ledger.Book, origins *origins) BlameEntry {
	e := BlameEntry{
		Line: one.line, Kind: string(one.Kind), Label: loss.LabelShown(one.Label), Number: one.Number,
		Section: find.NameOf(strings.TrimLeft(one.Section, "# ")), Source: loss.BlameOutside,
	}
	var known *ledger.Known
	if book != nil {
		known = book.Get(one.Key)
	}
	if known == nil {
		if book == nil {
			e.Source = loss.BlameBefore // the ledger does not exist yet
		}
		return e
	}
	first := known.First
	e.At, e.By, e.Command, e.Head = workspace.Stamp(first.At), safetext.Line(first.By), safetext.Line(first.Command),
		first.Head
	switch {
	case first.By != "" || first.Command != "":
		e.Source = loss.BlameChange
	case !first.At.After(book.Since):
		e.Source = loss.BlameBefore
		return e
	}
	origins.tell(&e, first)
	return e
}

// placedEntry is an entry and its place in its document.
type placedEntry struct {
	ledger.Entry
	pos, line int
}

// placesOf finds the entries in the document and returns them from top to bottom.
func placesOf(data []byte, entries []ledger.Entry) []placedEntry {
	out := make([]placedEntry, 0, len(entries))
	for i, span := range restore.Spans(data, entries) {
		if span.Len() > 0 {
			out = append(out, placedEntry{Entry: entries[i], pos: span.Start})
		}
	}
	sorting.By(out, func(a, b placedEntry) int { return a.pos - b.pos })
	line, counted := 1, 0
	for i := range out {
		line += bytes.Count(data[counted:out[i].pos], []byte{'\n'})
		counted = out[i].pos
		out[i].line = line
	}
	return out
}

// within keeps the entries below a heading or its subheadings. It fails with NotFound
// section_unknown.
func within(name string, data []byte, places []placedEntry, section string) ([]placedEntry, error) {
	doc := markdown.Parse(data)
	var spans []markdown.Span
	// a heading that equals the name wins over headings that contain it
	for _, exact := range [...]bool{true, false} {
		for i, h := range doc.Headings() {
			if text := string(h.Text.Of(data)); exact && headingIs(text, section) ||
				!exact && headingHas(text, section) {
				spans = append(spans, doc.Section(i))
			}
		}
		if len(spans) > 0 {
			break
		}
	}
	if len(spans) == 0 {
		return nil, noSection(name, places, section)
	}
	var out []placedEntry
	for _, one := range places {
		if slices.ContainsFunc(spans, func(s markdown.Span) bool { return s.Start <= one.pos && one.pos < s.End }) {
			out = append(out, one)
		}
	}
	return out, nil
}

// headingIs compares a heading with a name, both with and without the heading's number.
func headingIs(heading, name string) bool {
	heading = foldedHeading(heading)
	name = foldedHeading(name)
	return heading == name || strings.TrimLeft(heading, "0123456789.) ") == name
}

func headingHas(heading, name string) bool {
	return strings.Contains(foldedHeading(heading), foldedHeading(name))
}

func foldedHeading(text string) string {
	return strings.ToLower(safetext.OneLine(strings.Trim(text, "# ")))
}

// noSection is the error for an unknown section. It names the sections that have entries.
func noSection(name string, places []placedEntry, section string) error {
	e := &report.Error{
		Kind: report.NotFound, Code: report.CodeSectionUnknown, Path: name,
		Message: name + " has no section " + safetext.Quote(section), Hint: "it has no entries in any section",
	}
	var names []string
	for _, one := range places {
		if text := find.NameOf(strings.TrimLeft(one.Section, "# ")); text != "" && !slices.Contains(names, text) {
			names = append(names, text)
		}
	}
	if len(names) > 0 {
		shown := names[:min(len(names), mostSections)]
		e.Hint = "its entries are in: " + strings.Join(shown, ", ")
		if more := len(names) - len(shown); more > 0 {
			e.Hint += " and " + strconv.Itoa(more) + " more"
		}
	}
	return e
}

// mostSections is the largest number of sections in the hint.
const mostSections = 8
