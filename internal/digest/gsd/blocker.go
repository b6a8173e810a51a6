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

// AddBlocker adds "- [Phase P]: TEXT" after the last bullet of the blockers (N9). Without a phase
// the prefix is left out. A line that says None is replaced. If the section is missing, it is added
// at level 3 below Accumulated Context or, without that section, at level 2 at the end.
func (d *Doc) AddBlocker(text, phase string, now time.Time) (Edited, error) {
	e := d.edit(now)
	bullet := safetext.JoinLines(text)
	if bullet == "" {
		e.fail(&report.Error{
			Kind: report.Usage, Code: report.CodeTextEmpty, Message: "the blocker has no text",
			Hint: "say what is blocking: baton blocker add TEXT",
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
			Message: "the blocker was not written, because it could not be read back",
			Hint:    "a text in brackets or None does not count as a blocker; for any other text use an editor",
		})
	}
	e.changedField("Blockers", "", bullet)
	return e.finish()
}

// addBullet puts a bullet at the end of a section's list, in place of a line that says None, or
// after the text.
func (e *editor) addBullet(t title, bullet string) {
	line := "- " + bullet
	none, ok := e.d.noneLine(t)
	if list := e.d.bullets(t.list); len(list) > 0 {
		// The line that says None is removed too, because it is wrong next to a bullet.
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
		// The last bullet may be a placeholder of the template; then the new one follows directly.
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

// noneLine finds a separate line that says None; it may be a bullet.
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

// insertBlockers adds the missing section.
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

// ResolveBlocker removes blockers: the one with that number in the list, or else those whose text
// contains which, regardless of case (N9). A section that loses its last bullet says None.
// ResolveBlocker fails with NotFound "no_match", and with Violation "ambiguous" if several blockers
// match and all is false.
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
			Hint:    "give its number or more of its text, or use --all",
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
			Message: "the blocker was not removed, because others would change with it",
			Hint:    "remove it with an editor",
		})
	}
	out, err := e.finish()
	if err != nil {
		return out, nil, err
	}
	return out, gone, nil
}

// noneLeft returns the edits that write None into sections which lose their last bullet.
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

// matching returns the indexes of the blockers that which refers to.
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
