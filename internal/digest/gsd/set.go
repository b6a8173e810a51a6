package gsd

import (
	"fmt"
	"strings"
	"time"

	"baton/internal/digest/gsd/words"
	"baton/internal/digest/phases"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// Set changes one value (N9). A name in lower case is a key of the front matter and is added if it
// is missing. Any other name is a field of the body, which must exist. The prefixes "fm:" and
// "body:" decide if a name could be both. "status" writes the Status line of the body, and into the
// front matter its canonical word, or the raw text if it has none; "fm:status" writes the front
// matter only. "stopped_at" is written into the session's section, too. An empty value or null
// takes a key away. The person who sets a value is its author, so it is written whatever the
// present text is (F-50).
//
// Errors are *report.Error: Usage for an impossible name, Usage "field_unknown" for a new key that
// looks misspelt unless force is set, NotFound for a missing field, Violation "derived" for
// computed values, Conflict "phase_active" for the next step while a phase is active (N7).
func (d *Doc) Set(name, value string, force bool, now time.Time) (Edited, error) {
	e := d.edit(now)
	switch key, front := strings.CutPrefix(name, "fm:"); {
	case front && key == "status" && safetext.JoinLines(value) != "":
		e.key(key, value)
	case front:
		e.newKey(key, value, force, false)
	case strings.HasPrefix(name, "body:"):
		e.setField(strings.TrimPrefix(name, "body:"), value, false)
	case isKey(name):
		e.newKey(name, value, force, true)
		if name == "stopped_at" && e.d.sessionField("Stopped At") != "" { // both programs read this line first
			e.set((*Doc).sessionSpan, "Stopped At", words.OrNone(safetext.JoinLines(value)))
		}
	case strings.EqualFold(name, "status") && words.Null(value):
		e.setStatus(value)
	default:
		e.setField(name, value, true)
	}
	return e.finish()
}

// isKey reports whether a name is a key of the front matter: lower case without blanks.
func isKey(name string) bool {
	for i := range len(name) {
		if c := name[i]; c != '.' && c != '-' && c != '_' && (c < 'a' || c > 'z') && !isDigit(c) {
			return false
		}
	}
	return name != "" && name[0] >= 'a' && name[0] <= 'z'
}

// newKey is setKey, but refuses a name that looks like a typing error. With labels it also compares
// the name with the labels of the body.
func (e *editor) newKey(name, value string, force, labels bool) {
	if err := e.slip(name, labels); err != nil && !force {
		e.fail(err)
		return
	}
	e.setKey(name, value)
}

// setKey writes a key of the front matter.
func (e *editor) setKey(name, value string) {
	value = safetext.JoinLines(value)
	null := words.Null(value)
	switch {
	case !isKey(name) && !e.d.has(name) || strings.Count(name, ".") > 1:
		e.fail(badName(name))
		return
	case name == "progress" || strings.HasPrefix(name, "progress.") && derivedCount(name) || name == "last_updated":
		e.fail(&report.Error{
			Kind: report.Violation, Code: report.CodeDerived,
			Message: fmt.Sprintf("%q cannot be set by hand: it is computed from the roadmap, the phases and the "+
				"clock", name),
			Hint: "update it with \"baton state sync\"",
		})
		return
	}
	switch name {
	case "status":
		e.setStatus(value)
		return
	case "next_action", "next_phases":
		if m := e.d.Model(); m.ActivePhase != "" && !null {
			e.fail(phaseActive(m.ActivePhase))
			return
		}
	case "active_phase":
		if !null { // while a phase is active, there is no next step
			e.next(phases.Next{})
		}
	}
	switch {
	case null:
		e.key(name, nil)
	case name == "next_phases":
		e.key(name, ids(strings.Split(strings.Trim(value, "[]"), ",")))
	default:
		e.key(name, value)
	}
}

// derivedCount reports whether a key of progress is computed.
func derivedCount(name string) bool {
	for _, known := range order() {
		if known == name {
			return true
		}
	}
	return false
}

// setStatus writes a status in both places (N9).
func (e *editor) setStatus(value string) {
	l := line{label: "Status", value: value}
	switch {
	case words.Null(value):
		e.fail(&report.Error{
			Kind: report.Usage, Code: report.CodeValueMissing, Message: "the status is empty",
			Hint: "give the status",
		})
	case e.d.positionSection() >= 0:
		if !e.write((*Doc).positionSpan, l, true) && !e.write((*Doc).body, l, true) {
			e.insertLabel(l)
		}
	default:
		e.write((*Doc).body, l, true)
	}
	e.key("status", e.d.stored(value))
}

// setField writes an existing field of the body.
func (e *editor) setField(name, value string, whole bool) {
	if !fieldName(name) {
		e.fail(badName(name))
		return
	}
	before := *e.d
	done := e.set(e.home(name), name, value)
	e.follow(&before, whole)
	if !done {
		e.fail(&report.Error{
			Kind: report.NotFound, Code: report.CodeFieldUnknown,
			Message: fmt.Sprintf("the body of the digest has no field %q", name),
			Hint:    "see its fields with \"baton state show\"; a key of the front matter is written in lower case",
		})
	}
}

// follow updates existing keys of the front matter after a change of the body. A key is taken from
// the body only if its source there changed (GSD-16). A status without a known word counts only if
// whole is set (N9), not for "body:" (GSD-6); the word unknown never does.
func (e *editor) follow(before *Doc, whole bool) {
	if e.err != nil || e.d.sheet == nil {
		return
	}
	was, is := before.position(), e.d.position()
	if text := e.d.bodyStatus(); text != before.bodyStatus() {
		if word := Canonical(text, false); word != statusUnknown {
			e.keyIf("status", e.d.stored(text))
		} else if whole && text != "" && !strings.EqualFold(text, statusUnknown) {
			e.keyIf("status", text)
		}
	}
	if text := e.d.sessionField("Stopped At"); text != "" && text != before.sessionField("Stopped At") {
		e.keyIf("stopped_at", text)
	}
	if phrase := words.ParsePhase(is.Phase); is.Phase != was.Phase && phrase.ID != "" {
		e.keyIf("current_phase", phrase.ID)
		if phrase.Name != "" {
			e.keyIf("current_phase_name", phrase.Name)
		}
	}
	for _, field := range [...][2]string{
		{"Current Phase", "current_phase"},
		{"Current Phase Name", "current_phase_name"},
		{"Current Plan", "current_plan"},
	} {
		if text := e.d.bodyField(field[0]); text != "" && text != before.bodyField(field[0]) {
			e.keyIf(field[1], text)
		}
	}
	if _, percent, ok := percentPart(is.Progress); ok && is.Progress != was.Progress {
		e.keyIf("progress.percent", percent) // body and front matter have one percentage (N11)
	}
	if date, desc := splitActivity(is.LastActivity); is.LastActivity != was.LastActivity && date != "" {
		e.keyIf("last_activity", date)
		if desc != "" {
			e.keyIf("last_activity_desc", desc)
		}
	}
}

// home returns the part of the digest that a field belongs to.
func (e *editor) home(name string) scope {
	if _, ok := e.d.find(e.d.positionSpan(), name, true); ok {
		return (*Doc).positionSpan
	}
	if i := e.d.sessionSection(); i >= 0 {
		if _, ok := e.d.find(e.d.titles[i].full, name, true); ok {
			return (*Doc).sessionSpan
		}
	}
	return (*Doc).body
}

// sessionSpan is the span of the session's section, empty if the section is missing.
func (d *Doc) sessionSpan() (s markdown.Span) {
	if i := d.sessionSection(); i >= 0 {
		return d.titles[i].full
	}
	return s
}

// fieldName reports whether a name can be the name of a field: a letter, then up to 60 letters,
// digits, blanks and marks.
func fieldName(name string) bool {
	for i, r := range name {
		switch {
		case r >= 0x80, r|0x20 >= 'a' && r|0x20 <= 'z':
		case i == 0:
			return false
		case r >= '0' && r <= '9', strings.ContainsRune(" _.-/", r):
		default:
			return false
		}
	}
	return name != "" && len(name) <= 61
}

func badName(name string) error {
	return &report.Error{
		Kind: report.Usage, Code: report.CodeNameInvalid, Message: fmt.Sprintf("%q is not the name of a value", name),
		Hint: "a name begins with a letter; letters, digits, blanks and _ . - / follow",
	}
}

// phaseActive is the refusal while another phase is active (N6, N7).
func phaseActive(id string) error {
	return &report.Error{
		Kind: report.Conflict, Code: report.CodePhaseActive,
		Message: "phase " + id + " is active",
		Hint: "`baton state complete " + id + "` completes it; `baton state show` names the command that ends " +
			"only its stage",
	}
}

// ids strips blanks and quotes from the ids of phases and drops empty ones.
func ids(list []string) []string {
	out := []string{}
	for _, s := range list {
		if s = strings.Trim(strings.TrimSpace(s), `"'`); s != "" {
			out = append(out, safetext.JoinLines(s))
		}
	}
	return out
}
