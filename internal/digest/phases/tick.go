package phases

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/markdown"
)

// Tick marks a phase as complete in the roadmap, as GSD does, in the milestone's part of it: it
// checks the phase's box and those of its plans with a summary, fills in its row of the progress
// table, and counts its plans on the line Plans of its section. It also returns the ids on the line
// Requirements of that section.
func (f Facts) Tick(roadmap []byte, p Phase, date string) (ticked []byte, requirements []string, err error) {
	t := ticker{d: markdown.Parse(roadmap)}
	o := outlineOf(roadmap)
	in := o.window(f.version).all
	plans := strconv.Itoa(p.Summaries) + "/" + strconv.Itoa(p.Plans)
	own, level := false, 0
	for i, l := range t.d.Lines() {
		text := string(roadmap[l.Start:l.End])
		switch {
		case l.Class == markdown.FenceBody, l.Class == markdown.Comment, !in[i]:
			continue
		case l.Class == markdown.Item:
			m, ok := phaseBullet(text)
			switch {
			case !ok && own && f.summarised(p.ID, text):
				t.check(i)
			case ok && !m.checked && Same(m.id, p.ID) && t.check(i) && !strings.Contains(text, "(completed "):
				t.replace(l.End, l.End, " (completed "+date+")")
			}
			continue
		}
		if rest := strings.TrimLeft(text, "#"); rest != text {
			id, _, phase := phaseHeading(strings.TrimSpace(rest))
			if n := len(text) - len(rest); !own || phase || n <= level {
				own, level = phase && Same(id, p.ID), n
			}
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
	t.rows(func(line int, head, cells []string) []string {
		if id, _ := token(cells[0]); id == "" || !Same(strings.TrimRight(id, "."), p.ID) || o.folded[line] {
			return nil
		}
		return f.finished(head, cells, plans, date, in[line])
	})
	ticked, err = markdown.Apply(roadmap, t.edits...)
	return ticked, requirements, err
}

// summarised reports whether an item is about a plan of the phase that has a summary.
func (f Facts) summarised(phase, item string) bool {
	return slices.ContainsFunc(f.summaries[key(phase)], func(plan string) bool { return planBullet(item, plan) })
}

// finished returns the new cells of a phase's row in the progress table. A date that is there
// stays. A row of another milestone stays, and so does one outside the milestone's part that is
// complete.
func (f Facts) finished(head, cells []string, plans, date string, own bool) []string {
	out := make([]string, len(cells))
	complete, dated := false, false
	for i, name := range head {
		switch {
		case strings.HasPrefix(name, "plans"):
			out[i] = plans
		case name == "status":
			out[i], complete = "Complete", strings.EqualFold(cells[i], "complete")
		case name == "completed", name == "date":
			_, err := time.Parse(time.DateOnly, cells[i])
			if dated = err == nil; !dated {
				out[i] = date
			}
		case name == "milestone" && f.version != "" && version(cells[i]) != "" && !mentions(cells[i], f.version, false):
			return nil
		}
	}
	if complete && dated && !own {
		return nil
	}
	return out
}

// planBullet reports whether an item with a box is about the plan with an id: "- [ ] 01-02: name".
func planBullet(text, id string) bool {
	_, name, box := strings.Cut(text, "[ ]")
	rest, ok := strings.CutPrefix(strings.TrimLeft(name, " \t*"), id)
	return box && ok && (rest == "" || !letter(rest[0]) && !digit(rest[0]))
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
	t.rows(func(_ int, _, cells []string) []string {
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

// rows calls cells with the line of each row, the names of the columns, in lower case, and its
// cells. It returns the new texts, "" for those that stay.
func (t *ticker) rows(cells func(line int, head, row []string) []string) {
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
			for i, text := range cells(line, head, row) {
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
