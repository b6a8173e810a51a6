package gsd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// AddBlocker adds "- [Phase P]: TEXT" after the last bullet of the blockers, without the prefix
// where no phase is given (N9). A line that says None makes room. A missing section becomes one of
// rank 3 below Accumulated Context, without that one of rank 2 at the end.
func (d *Doc) AddBlocker(text, phase string, now time.Time) (Edited, error) {
	e := d.edit(now)
	bullet := safetext.JoinLines(text)
	if bullet == "" {
		e.fail(&report.Error{
			Kind: report.Usage, Code: report.CodeTextEmpty, Message: "the blocker has no text",
			Hint: "say what blocks: baton blocker add TEXT",
		})
		return e.finish()
	}
	if phase = safetext.JoinLines(phase); phase != "" {
		bullet = "[Phase " + phase + "]: " + bullet
	}
	count := len(d.blockers())
	if i := slices.IndexFunc(d.titles, func(t title) bool { return blockersTitle(&t) }); i >= 0 {
		e.addBullet(d.titles[i], bullet)
	} else {
		e.insertBlockers(bullet)
	}
	if e.err == nil && len(e.d.blockers()) != count+1 {
		e.fail(&report.Error{
			Kind: report.Internal, Code: report.CodeVerifyFailed,
			Message: "the blocker was not written: it would not be read back",
			Hint:    "a text of brackets only, or None, does not count as one; otherwise add it with an editor",
		})
	}
	e.changedField("Blockers", "", bullet)
	return e.finish()
}

// addBullet puts a bullet at the end of a section's list, in the place of a line that says None, or
// after the text.
func (e *editor) addBullet(t title, bullet string) {
	line := "- " + bullet
	none, ok := e.d.noneLine(t)
	if list := e.d.bullets(t.list); len(list) > 0 {
		// The line that says None goes too: with a bullet beside it, it is wrong.
		at := list[len(list)-1].span.End
		e.insertLines(at, line)
		if ok && none.Start < at {
			e.splice(markdown.Edit{Span: none})
		}
		return
	}
	if ok {
		end := none.Start + len(strings.TrimRight(string(none.Of(e.d.src)), "\r\n"))
		e.splice(markdown.Edit{Span: markdown.Span{Start: none.Start, End: end}, Text: []byte(line)})
		return
	}
	if at := e.d.lastText(t.list); at > t.list.Start {
		// A placeholder of the template may be the last bullet; then the new one follows it at
		// once.
		_, start := e.d.lines(markdown.Span{Start: t.list.Start, End: at})
		lines := []string{"", line}
		if start > 0 && e.d.md.Lines()[start-1].Depth > 0 || start > 0 &&
			e.d.md.Lines()[start-1].Class == markdown.Item {
			lines = lines[1:]
		}
		if next, _ := markdown.LineAt(e.d.src, at); at < len(e.d.src) && len(strings.TrimSpace(string(next))) > 0 {
			lines = append(lines, "")
		}
		e.insertLines(at, lines...)
		return
	}
	e.insertBelow(t, []string{line})
}

// noneLine finds a line of its own that says None, also as a bullet.
func (d *Doc) noneLine(t title) (markdown.Span, bool) {
	first, last := d.lines(t.list)
	for i := first; i < last; i++ {
		ln := d.md.Lines()[i]
		if ln.Class != markdown.Text && ln.Class != markdown.Item || ln.Depth > 1 {
			continue
		}
		text := strings.TrimSpace(string(d.md.Text(i)))
		if rest, ok := strings.CutPrefix(text, "- "); ok {
			text = rest
		}
		if text != "" && isNone(text) && text != "-" {
			return d.move(markdown.Span{Start: ln.Start, End: ln.Next}), true
		}
	}
	return markdown.Span{}, false
}

// insertBlockers makes the section.
func (e *editor) insertBlockers(bullet string) {
	if i := e.d.titled(2, 2, "Accumulated Context"); i >= 0 {
		e.insertSection(e.d.titles[i].full.End, []string{"### Blockers/Concerns", "", "- " + bullet})
		return
	}
	e.insertSection(len(e.d.src), []string{"## Blockers", "", "- " + bullet})
}

func blockersTitle(t *title) bool {
	return (t.level == 2 || t.level == 3) && named(t.text, "Blockers", "Blockers/Concerns", "Concerns",
		"Blockers & Concerns")
}

// ResolveBlocker takes blockers out: the one with that number in the list, else those whose text
// holds which, whatever the case (N9). Where no bullet is left in a section, it says None. NotFound
// "no_match"; Violation "ambiguous" when several match and not all are meant.
func (d *Doc) ResolveBlocker(which string, all bool, now time.Time) (Edited, []Removed, error) {
	e, list := d.edit(now), d.blockers()
	hit := matching(list, strings.TrimSpace(which))
	switch {
	case len(hit) == 0:
		e.fail(&report.Error{
			Kind: report.NotFound, Code: report.CodeNoMatch, Message: fmt.Sprintf("no blocker matches %q", which),
			Hint: "see them with \"baton blocker list\"",
		})
	case len(hit) > 1 && !all:
		e.fail(&report.Error{
			Kind: report.Violation, Code: report.CodeAmbiguous,
			Message: fmt.Sprintf("%d blockers match %q", len(hit), which),
			Hint:    "give more of the text, its number, or --all",
		})
	}
	var gone []Removed
	var edits []markdown.Edit
	for _, i := range hit {
		b := list[i]
		gone = append(gone, Removed{N: i + 1, Item: b.item, Raw: slices.Clone(b.span.Of(d.src))})
		edits = append(edits, markdown.Edit{Span: b.span})
		e.changedField("Blockers", b.item.Text, "")
	}
	if e.err == nil {
		edits = append(edits, d.noneLeft(list, hit)...)
		e.splice(edits...)
	}
	if e.err == nil && len(e.d.blockers()) != len(list)-len(hit) {
		e.fail(&report.Error{
			Kind: report.Internal, Code: report.CodeVerifyFailed,
			Message: "the blocker was not taken out: others would change with it", Hint: "take it out with an editor",
		})
	}
	out, err := e.finish()
	if err != nil {
		return out, nil, err
	}
	return out, gone, nil
}

// noneLeft returns the edits that write None where a section loses its last bullet.
func (d *Doc) noneLeft(list []block, hit []int) []markdown.Edit {
	var edits []markdown.Edit
	for i := range d.titles {
		t := &d.titles[i]
		if !blockersTitle(t) {
			continue
		}
		left, last := 0, -1
		for k, b := range list {
			if b.span.Start < t.list.Start || b.span.Start >= t.list.End {
				continue
			}
			if slices.Contains(hit, k) {
				last = k
			} else {
				left++
			}
		}
		if last < 0 || left > 0 {
			continue
		}
		at := list[last].span.End
		text := "None" + eolAt(d.src, at)
		if d.src[at-1] != '\n' {
			text = "None"
		}
		edits = append(edits, markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: []byte(text)})
	}
	return edits
}

// matching returns the indexes of the blockers that are meant.
func matching(list []block, which string) []int {
	if digitsOnly(which) {
		if n := Number(which); n >= 1 && n <= len(list) {
			return []int{n - 1}
		}
	}
	var hit []int
	for i, b := range list {
		if which != "" && strings.Contains(strings.ToLower(b.item.Text), strings.ToLower(which)) {
			hit = append(hit, i)
		}
	}
	return hit
}
