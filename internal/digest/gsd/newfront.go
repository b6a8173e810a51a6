package gsd

import (
	"bytes"
	"slices"

	"baton/internal/frontmatter"
	"baton/internal/markdown"
	"baton/internal/report"
)

// headless reports whether the digest has no front matter, and a block can be added.
func (d *Doc) headless() bool { return d.sheet == nil && !d.front.open && !d.front.blanks }

// derived requests the keys that the body has values for and the front matter lacks, as GSD does in
// the first call that writes (F-61 f). The milestone is not one of them, because it comes from the
// roadmap. A phase and a plan that are not started are none.
func (e *editor) derived() {
	d, m := e.d, e.d.Model()
	add := func(path string, value any) {
		if value != "" && !d.has(path) {
			e.key(path, value)
		}
	}
	if m.Status == statusUnknown && m.StatusRaw == "" {
		add("status", statusUnknown)
	}
	if m.Phase() != "" {
		add("current_phase", m.CurrentPhase)
		add("current_phase_name", m.CurrentPhaseName)
	}
	if plan := d.bodyField("Current Plan"); Number(plan) >= 0 {
		add("current_plan", plan)
	}
	add("last_activity", m.LastActivity)
	add("last_activity_desc", m.LastActivityDesc)
	add("stopped_at", m.StoppedAt)
	add("paused_at", m.PausedAt)
	if _, percent, ok := percentPart(m.Position.Progress); ok {
		add("progress.percent", percent)
	}
	e.key("last_updated", stamp(e.now))
}

// newFront adds a block before the body. It refuses a document whose first block never ends,
// because nobody can say what belongs to it.
func (e *editor) newFront(changes []frontmatter.Change) {
	if e.d.front.open {
		e.fail(&report.Error{
			Kind: report.Corrupt, Code: report.CodeFrontmatterUnterminated, Line: 1,
			Message: "line 1 begins a block of front matter that is never closed, so nothing can be written into it",
			Hint:    "add a line \"---\" after its last key",
		})
		return
	}
	if e.d.front.blanks {
		e.fail(&report.Error{
			Kind: report.Corrupt, Code: report.CodeFrontmatterInvalid, Line: 1,
			Message: "blanks follow the mark on line 1, so no reader sees the block below it as front matter, and " +
				"a new block would hide it",
			Hint: "make line 1 exactly \"---\"",
		})
		return
	}
	changes = e.d.withStatus(changes)
	start := 0
	if bytes.HasPrefix(e.d.src, []byte("\ufeff")) {
		start = len("\ufeff")
	}
	eol := eolAt(e.d.src, 0)
	sheet, err := frontmatter.OpenSheet(markdown.Fold("gsd_state_version: '1.0'\n", eol), eol).Revise(changes...)
	if err != nil {
		e.fail(err)
		return
	}
	text := frontmatter.Mark + eol + string(sheet.Bytes()) + frontmatter.Mark + eol
	if line, _ := markdown.LineAt(e.d.src, start); start < len(e.d.src) && len(bytes.TrimSpace(line)) > 0 {
		text += eol
	}
	e.changedField("gsd_state_version", "", "1.0")
	for _, c := range changes {
		e.changedField(c.Path, "", showValue(c.Value))
	}
	e.splice(markdown.Edit{Span: markdown.Span{Start: start, End: start}, Text: []byte(text)})
}

// withStatus adds the status to the keys of a new block: the body's, or unknown without one, as GSD
// does.
func (d *Doc) withStatus(changes []frontmatter.Change) []frontmatter.Change {
	if slices.ContainsFunc(changes, func(c frontmatter.Change) bool { return c.Path == "status" && c.Value != nil }) {
		return changes
	}
	m := d.Model()
	word := m.Status
	if word == statusUnknown {
		word = or(m.StatusRaw, statusUnknown)
	}
	return append([]frontmatter.Change{{Path: "status", Value: word}}, changes...)
}
