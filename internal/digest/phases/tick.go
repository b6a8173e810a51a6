package phases

import (
	"bytes"
	"strconv"
	"strings"

	"baton/internal/markdown"
)

// Tick marks a phase as complete in a roadmap, as GSD does: it checks the phase's box, fills in its
// row of the progress table, and counts its plans on the line Plans of its section. It also returns
// the ids on the line Requirements of that section.
func Tick(roadmap []byte, p Phase, date string) (ticked []byte, requirements []string, err error) {
	t := ticker{d: markdown.Parse(roadmap)}
	plans := strconv.Itoa(p.Summaries) + "/" + strconv.Itoa(p.Plans)
	own := false
	for i, l := range t.d.Lines() {
		text := string(roadmap[l.Start:l.End])
		switch l.Class {
		case markdown.FenceBody, markdown.Comment:
			continue
		case markdown.Item:
			if m, ok := phaseBullet(text); ok && !m.checked && Same(m.id, p.ID) && t.check(i) &&
				!strings.Contains(text, "(completed ") {
				t.replace(l.End, l.End, " (completed "+date+")")
			}
			continue
		}
		if strings.HasPrefix(text, "#") {
			id, _, phase := phaseHeading(strings.TrimSpace(strings.TrimLeft(text, "#")))
			own = phase && Same(id, p.ID)
		}
		if value, at, ok := boldLabel(text, "plans"); own && ok && value != plans+" plans complete" {
			t.replace(l.Start+at, l.Start+at+len(value), plans+" plans complete")
		}
		if value, _, ok := boldLabel(text, "requirements"); own && ok {
			requirements = append(requirements, strings.FieldsFunc(value, func(r rune) bool {
				return strings.ContainsRune("[], \t", r)
			})...)
		}
	}
	t.rows(func(head []string, cells []string) []string {
		if id, _ := token(cells[0]); id == "" || !Same(strings.TrimRight(id, "."), p.ID) {
			return nil
		}
		out := make([]string, len(cells))
		for i, name := range head {
			switch {
			case strings.HasPrefix(name, "plans"):
				out[i] = plans
			case name == "status":
				out[i] = "Complete"
			case name == "completed", name == "date":
				out[i] = date
			}
		}
		return out
	})
	ticked, err = markdown.Apply(roadmap, t.edits...)
	return ticked, requirements, err
}

// Fulfil marks requirements as complete, as GSD does: their boxes, and their rows that are pending
// or in progress.
func Fulfil(src []byte, ids []string) ([]byte, error) {
	t := ticker{d: markdown.Parse(src)}
	asked := map[string]bool{}
	for _, id := range ids {
		asked[strings.ToLower(id)] = true
	}
	for i, l := range t.d.Lines() {
		if l.Class != markdown.Item {
			continue
		}
		_, bold, _ := strings.Cut(t.d.View(markdown.Span{Start: l.Start, End: l.End}), "**")
		if id, _, closed := strings.Cut(bold, "**"); closed && asked[strings.ToLower(strings.TrimRight(id, ":"))] {
			t.check(i)
		}
	}
	t.rows(func(_ []string, cells []string) []string {
		if !asked[strings.ToLower(cells[0])] {
			return nil
		}
		out := make([]string, len(cells))
		for i, text := range cells {
			if strings.EqualFold(text, "pending") || strings.EqualFold(text, "in progress") {
				out[i] = "Complete"
			}
		}
		return out
	})
	return markdown.Apply(src, t.edits...)
}

// ticker collects edits of a document.
type ticker struct {
	d     *markdown.Document
	edits []markdown.Edit
}

func (t *ticker) replace(from, to int, text string) {
	t.edits = append(t.edits, markdown.Edit{Span: markdown.Span{Start: from, End: to}, Text: []byte(text)})
}

// check checks the box of an item, and reports whether it was open.
func (t *ticker) check(line int) bool {
	l := t.d.Lines()[line]
	at := bytes.Index(t.d.Bytes()[l.Start:l.End], []byte("[ ]"))
	if at < 0 || strings.Trim(string(t.d.Bytes()[l.Start:l.Start+at]), " \t-*+") != "" {
		return false
	}
	t.replace(l.Start+at+1, l.Start+at+2, "x")
	return true
}

// rows calls cells with the names of the columns, in lower case, and the cells of each row. It
// returns the new texts, "" for those that stay.
func (t *ticker) rows(cells func(head, row []string) []string) {
	for _, table := range t.d.Tables(markdown.Span{End: len(t.d.Bytes())}) {
		var head []string
		for _, c := range t.d.Cells(table.Header) {
			head = append(head, strings.ToLower(t.d.View(c)))
		}
		for _, line := range table.Rows {
			spans := t.d.Cells(line)
			row := make([]string, 0, len(spans))
			for _, c := range spans {
				row = append(row, strings.TrimSpace(t.d.View(c)))
			}
			if len(row) != len(head) {
				continue
			}
			for i, text := range cells(head, row) {
				switch {
				case text == "" || text == row[i]:
				case spans[i].Len() == 0:
					t.replace(spans[i].Start, spans[i].End, text+" ")
				default:
					t.replace(spans[i].Start, spans[i].End, text)
				}
			}
		}
	}
}

// boldLabel reads "**Name:** value" or "**Name**: value" at the start of a line, and returns where
// the value begins.
func boldLabel(line, name string) (value string, at int, ok bool) {
	for _, mark := range [...]string{"**" + name + ":**", "**" + name + "**:"} {
		if len(line) >= len(mark) && strings.EqualFold(line[:len(mark)], mark) {
			rest := line[len(mark):]
			value = strings.TrimLeft(rest, " \t")
			return strings.TrimRight(value, " \t\r"), len(line) - len(value), true
		}
	}
	return "", 0, false
}
