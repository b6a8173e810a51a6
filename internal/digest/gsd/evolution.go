package gsd

import (
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
)

// Evolution is a change of the roadmap.
type Evolution struct {
	Phase  string
	Action string // "" is changed
	After  string // the phase before it, or ""
	Note   string
	Urgent bool
}

// Evolve adds "- Phase P ACTION after Phase A: NOTE" to Roadmap Evolution below Accumulated Context
// (GSD-38). Sections that are missing are added. An entry that is there is not added again. It
// fails with Usage text_empty and phase_missing.
func (d *Doc) Evolve(v Evolution, now time.Time) (Edited, error) {
	e := d.edit(now)
	note, phase := safetext.JoinLines(v.Note), bareID(v.Phase)
	switch {
	case note == "":
		e.fail(&report.Error{
			Kind: report.Usage, Code: report.CodeTextEmpty, Message: "the change of the roadmap has no note",
			Hint: "say what changed: baton state evolution PHASE NOTE",
		})
		return e.finish()
	case phase == "":
		e.fail(&report.Error{
			Kind: report.Usage, Code: report.CodePhaseMissing, Message: "the change of the roadmap names no phase",
			Hint: "name it: baton state evolution PHASE NOTE",
		})
		return e.finish()
	}
	entry := "Phase " + phase + " " + or(safetext.JoinLines(v.Action), "changed")
	if after := bareID(v.After); after != "" {
		entry += " after Phase " + after
	}
	entry += ": " + note
	if v.Urgent {
		entry += " (URGENT)"
	}
	const name = "Roadmap Evolution"
	section := []string{"### " + name, "", "- " + entry}
	context := e.d.titled(2, 2, "Accumulated Context")
	if context < 0 {
		e.insertSection(len(e.d.src), append([]string{"## Accumulated Context", ""}, section...))
		e.changedField(name, "", entry)
		return e.finish()
	}
	within := e.d.titles[context].full
	for _, t := range e.d.titles {
		if t.level != 3 || !named(t.text, name) || t.head.Start < within.Start || t.head.Start >= within.End {
			continue
		}
		for line := range strings.Lines(string(t.own.Of(e.d.src))) {
			if strings.TrimSpace(line) == "- "+entry {
				return e.finish()
			}
		}
		e.addBullet(t, entry)
		e.changedField(name, "", entry)
		return e.finish()
	}
	e.insertSection(within.End, section)
	e.changedField(name, "", entry)
	return e.finish()
}

// bareID returns the id of a phase that may be called "Phase 4".
func bareID(text string) string {
	text = safetext.JoinLines(text)
	if hasPrefixFold(text, "phase ") {
		return strings.TrimSpace(text[len("phase "):])
	}
	return text
}
