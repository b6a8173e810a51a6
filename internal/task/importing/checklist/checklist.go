// Package checklist reads tasks from a Markdown list of boxes: the outermost boxes are tasks, and
// the boxes inside them are criteria.
package checklist

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"baton/internal/markdown"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/task/importing"
)

// Is reports whether a text is nothing but a list of boxes: it has no title, and all its text is in
// list items and lower headings. A text with a title is one task with criteria (D20).
func Is(src []byte) bool {
	doc := markdown.Parse(src)
	for _, h := range doc.Headings() {
		if h.Level == 1 {
			return false
		}
	}
	for _, line := range doc.Lines() {
		if line.Depth == 0 && prose(line.Class) {
			return false
		}
	}
	return Has(doc)
}

// Has reports whether a document has a box.
func Has(doc *markdown.Document) bool {
	return len(doc.TaskItems(markdown.Span{End: len(doc.Bytes())})) > 0
}

// prose reports whether a line outside of list items says something.
func prose(c markdown.Class) bool {
	switch c {
	case markdown.Blank, markdown.Item, markdown.ATX, markdown.SetextText, markdown.SetextUnderline, markdown.Rule,
		markdown.Comment:
		return false
	}
	return true
}

// Parse reads a list of boxes. What is neither in a box nor a heading has no place.
func Parse(src []byte) (*importing.List, error) {
	src = markdown.Fold(string(src), "\n")
	p := parser{
		doc: markdown.Parse(src), src: src, boxes: map[int]*markdown.TaskItem{}, keys: map[string]bool{},
		list: &importing.List{Format: "checklist", Prefix: "list:", Strict: true},
	}
	all := p.doc.TaskItems(markdown.Span{End: len(src)})
	for i := range all {
		p.boxes[all[i].Line] = &all[i]
	}
	for _, h := range p.doc.Headings() {
		if h.Level == 1 {
			p.list.Lose("title of the list", 1)
		}
	}
	for _, line := range p.doc.Lines() {
		if line.Depth == 0 && prose(line.Class) {
			p.list.Lose("lines outside of the list", 1)
		}
	}
	p.outermost()
	p.refer()
	return p.list, nil
}

type parser struct {
	doc   *markdown.Document
	src   []byte
	boxes map[int]*markdown.TaskItem // by line
	list  *importing.List
	after [][]string // of each item, as written
	keys  map[string]bool
}

// outermost adds an item for each box that is not inside another one.
func (p *parser) outermost() {
	items := p.doc.ListItems(markdown.Span{End: len(p.src)})
	headings, epic := p.doc.Headings(), ""
	for i := 0; i < len(items); i++ {
		it := &items[i]
		for len(headings) > 0 && headings[0].Span.Start < it.Full.Start {
			if epic = ""; headings[0].Level > 1 {
				epic = string(headings[0].Text.Of(p.src))
			}
			headings = headings[1:]
		}
		box := p.boxes[it.Line]
		if box == nil {
			p.list.Lose("list items without a box", 1)
			continue
		}
		p.add(box, it.Full.End, epic)
		for i+1 < len(items) && items[i+1].Full.Start < it.Full.End {
			i++
		}
	}
}

// add adds the item of a box, which ends at a position.
func (p *parser) add(box *markdown.TaskItem, end int, epic string) {
	it := importing.Item{Place: "line " + strconv.Itoa(box.Line+1)}
	title, after := Behind(safetext.Line(string(box.Text.Of(p.src))))
	it.Title, it.EpicTitle = title, epic
	if box.Checked {
		it.State = importing.Done
	}
	var rest []string
	lines := p.doc.Lines()
	ticked := 0
	for i := p.doc.LineAt(box.Box.Start) + 1; i < len(lines) && lines[i].Start < end; i++ {
		text := string(p.doc.Text(i))
		nested := p.boxes[i]
		if nested == nil {
			if command, ok := create.VerifyOf(text); ok && len(it.Criteria) > 0 && p.boxes[i-1] != nil {
				it.Criteria[len(it.Criteria)-1].Verify = command
				continue
			}
			rest = append(rest, text)
			continue
		}
		if words := string(nested.Text.Of(p.src)); strings.TrimSpace(words) != "" {
			it.Criteria = append(it.Criteria, create.Criterion{Text: words})
			if nested.Checked {
				ticked++
			}
		}
	}
	if it.State == importing.Open {
		p.list.Lose("ticks of criteria", ticked)
	}
	it.Requirements = importing.Squeeze(strings.Join(dedent(rest), "\n"))
	it.Key = p.key(title)
	p.list.Add(it)
	p.after = append(p.after, after)
}

// key returns the key of a title. A title that the list has before gets another one.
func (p *parser) key(title string) string {
	for n := 0; ; n++ {
		key := Key(title, n)
		if !p.keys[key] {
			p.keys[key] = true
			return key
		}
	}
}

// Key returns 8 hexadecimal digits for a title and the number of earlier items with this title.
func Key(title string, before int) string {
	if before > 0 {
		title += "\n" + strconv.Itoa(before)
	}
	sum := sha256.Sum256([]byte(title))
	return hex.EncodeToString(sum[:4])
}

// dedent removes the indentation that all lines share.
func dedent(lines []string) []string {
	least := -1
	for _, line := range lines {
		if text := strings.TrimLeft(line, " \t"); text != "" && (least < 0 || len(line)-len(text) < least) {
			least = len(line) - len(text)
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(least, 0), len(line)):]
	}
	return lines
}

// refer replaces what is written behind "after" with keys of items and ids of tasks.
func (p *parser) refer() {
	titles := make(map[string]int, len(p.list.Items))
	for i := range p.list.Items {
		name := strings.ToLower(p.list.Items[i].Title)
		if _, twice := titles[name]; !twice {
			titles[name] = i
		}
	}
	for i, words := range p.after {
		it := &p.list.Items[i]
		for _, word := range words {
			if at, known := titles[strings.ToLower(word)]; known {
				it.After = append(it.After, p.list.Items[at].Key)
				continue
			}
			id, isID := strings.CutPrefix(word, "#")
			if n, err := strconv.Atoi(id); isID && err == nil && n >= 1 && n <= len(p.list.Items) {
				it.After = append(it.After, p.list.Items[n-1].Key)
			} else if parsed, err := task.ParseID(id); isID && err == nil {
				it.Dependencies = append(it.Dependencies, parsed)
			} else if parts := split(word); len(parts) > 1 {
				p.several(it, parts, titles)
			} else {
				it.After = append(it.After, word)
			}
		}
	}
}

// several adds the titles of a list of titles.
func (p *parser) several(it *importing.Item, parts []string, titles map[string]int) {
	for _, part := range parts {
		if at, known := titles[strings.ToLower(part)]; known {
			part = p.list.Items[at].Key
		}
		it.After = append(it.After, part)
	}
}
