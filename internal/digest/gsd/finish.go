package gsd

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"baton/internal/frontmatter"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/sorting"
)

// finish writes the front matter and returns the result. It updates last_updated if anything else
// changed (N3).
func (e *editor) finish() (Edited, error) {
	if e.err != nil {
		return Edited{Text: e.was.src}, e.err
	}
	body := !bytes.Equal(e.d.src, e.was.src)
	front := e.pending()
	if !body && len(front) == 0 {
		e.out.Text, e.out.Changed = e.was.src, nil
		return e.out, nil
	}
	if len(front) > 0 || e.d.has("last_updated") {
		e.key("last_updated", stamp(e.now))
		if front = e.pending(); len(front) > 0 {
			e.writeFront(front)
		}
	}
	if e.err != nil {
		return Edited{Text: e.was.src}, e.err
	}
	e.out.Text = e.d.src
	return e.out, nil
}

// pending returns the front matter changes that alter a value, in the order of the schema.
func (e *editor) pending() []frontmatter.Change {
	var out []frontmatter.Change
	for _, c := range e.front {
		if e.d.sheet == nil && c.Value == nil || e.d.sheet != nil && e.d.sheet.Holds(c) {
			continue
		}
		out = append(out, c)
	}
	rank := order()
	sorting.By(out, func(a, b frontmatter.Change) int { return rankOf(rank, a.Path) - rankOf(rank, b.Path) })
	return out
}

func rankOf(rank []string, path string) int {
	if i := slices.Index(rank, path); i >= 0 {
		return i
	}
	return len(rank)
}

// writeFront applies the changes. If there is no front matter, it adds a block.
func (e *editor) writeFront(changes []frontmatter.Change) {
	if e.d.sheet == nil {
		e.newFront(changes)
		return
	}
	sheet, err := e.d.sheet.Revise(changes...)
	if err != nil {
		if known := report.As(err); known.Line > 0 {
			known.Line += lineNumber(e.d.src, e.d.front.body.Start) - 1
		}
		e.fail(err)
		return
	}
	for _, c := range changes {
		e.changedField(c.Path, e.d.shown(c.Path), showValue(c.Value))
	}
	e.splice(markdown.Edit{Span: e.d.front.body, Text: sheet.Bytes()})
	if e.err == nil && (e.d.sheet == nil || !bytes.Equal(e.d.sheet.Bytes(), sheet.Bytes())) {
		e.fail(&report.Error{
			Kind: report.Internal, Code: report.CodeVerifyFailed,
			Message: "the front matter was not written, because the block would end in another place",
			Hint:    "change it with an editor",
		})
	}
}

// shown returns a value of the front matter for an answer.
func (d *Doc) shown(path string) string {
	v, ok := d.getFront(path)
	if !ok {
		return ""
	}
	return v.Text
}

// showValue returns a new value for an answer, "" for null.
func showValue(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case []string:
		return strings.Join(v, ", ")
	}
	return fmt.Sprint(value)
}

// Touch brings last_updated up to date if the digest has it (N3). It is for packages that write
// other parts of the digest. was is the digest before the change: if it had no front matter, this
// one gets all keys that its body has values for (F-61).
// head is the commit that GSD 1.14 notes as state_head, or "" (D47).
func (d *Doc) Touch(was *Doc, head string, now time.Time) (Edited, error) {
	e := d.edit(now)
	if head != "" && (d.sheet != nil || was.headless()) && d.fm("state_head") != head {
		e.key("state_head", head)
	}
	if len(was.src) > 0 && was.headless() {
		e.derived()
		out, err := e.finish()
		out.Changed = slices.DeleteFunc(out.Changed, func(c Change) bool { return c.Field != "gsd_state_version" })
		return out, err
	}
	if d.has("last_updated") {
		e.key("last_updated", stamp(now))
	}
	return e.finish()
}
