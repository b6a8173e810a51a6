package gsd

import (
	"fmt"
	"strings"
	"time"

	"baton/internal/digest/phases"
	"baton/internal/frontmatter"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// editor makes one edit of several steps. Each step works on the result of the previous one, and
// the first error ends the edit.
type editor struct {
	was   *Doc
	d     *Doc
	now   time.Time
	front []frontmatter.Change // applied together at the end
	out   Edited
	err   error
}

func (d *Doc) edit(now time.Time) *editor {
	return &editor{was: d, d: d, now: now, out: Edited{Text: d.src}}
}

// scope returns the part of a document that is searched for a field.
type scope func(*Doc) markdown.Span

// today is the local date; stamp is the moment in UTC with milliseconds (N3).
func (e *editor) today() string { return e.now.Format(time.DateOnly) }

func stamp(now time.Time) string { return now.UTC().Format("2006-01-02T15:04:05.000Z") }

// splice changes bytes of the text.
func (e *editor) splice(edits ...markdown.Edit) {
	if e.err != nil {
		return
	}
	text, err := markdown.Apply(e.d.src, edits...)
	if err != nil {
		e.err = fmt.Errorf("edit the digest: %w", err)
		return
	}
	e.d = reparse(text, e.d)
}

// changedField records the new value of a field.
func (e *editor) changedField(name, old, value string) {
	if e.err == nil {
		e.out.Changed = append(e.out.Changed, Change{Field: name, Old: old, New: value})
	}
}

// find records a finding.
func (e *editor) find(code report.Code, line int, format string, args ...any) {
	e.out.Findings = append(e.out.Findings, code.Finding("", line, fmt.Sprintf(format, args...)))
}

// fail ends the edit with an error.
func (e *editor) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// set writes a field after its label and reports whether the label exists. The edit fails if the
// value cannot be read back.
func (e *editor) set(in scope, name, value string) bool {
	if e.err != nil {
		return true
	}
	f, ok := e.d.find(in(e.d), name, true)
	if !ok {
		return false
	}
	old := e.d.text(f)
	if value = safetext.JoinLines(value); old == value {
		return true
	}
	e.splice(markdown.Edit{Span: f.value, Text: []byte(e.d.fitted(&f, value))})
	if e.err != nil {
		return true
	}
	after, ok := e.d.find(in(e.d), name, true)
	if !ok || e.d.text(after) != value {
		e.fail(&report.Error{
			Kind: report.Internal, Code: report.CodeVerifyFailed, Line: e.d.line(f.start),
			Message: fmt.Sprintf("the field %q was not written, because it could not be read back", name),
			Hint:    "change it with an editor",
		})
		return true
	}
	e.changedField(f.label, old, value)
	return true
}

// fitted returns the text to write for a value at the place of a field. If the place is empty, it
// may need a blank first.
func (d *Doc) fitted(f *field, value string) string {
	if f.cell {
		value = markdown.EscapeCell(value)
	}
	if f.value.Len() > 0 || value == "" {
		return value
	}
	at := f.value.Start
	follows := byte(0)
	if at < len(d.src) {
		follows = d.src[at]
	}
	switch {
	case f.cell && follows == '|':
		if d.src[at-1] == '|' {
			value = " " + value
		}
		return value + " "
	case f.cell:
		return value
	case isBlank(follows):
		f.value.Start, f.value.End = at+1, at+1
		return value
	}
	return " " + value
}

// setUnless writes a field unless a person wrote its present value (N5, GSD-D9). It returns false
// if the label does not exist.
func (e *editor) setUnless(in scope, name, value string, force bool, written func(string) bool) bool {
	if e.err != nil {
		return true
	}
	f, ok := e.d.find(in(e.d), name, true)
	if !ok {
		return false
	}
	if old := e.d.text(f); old != safetext.JoinLines(value) && !force && !written(old) {
		e.out.Preserved = append(e.out.Preserved, Change{Field: f.label, Old: old, New: safetext.JoinLines(value)})
		return true
	}
	return e.set(in, name, value)
}

// key requests a value for a key of the front matter: a string, an int, a list of strings, or nil,
// which takes the key away, because other readers take null for a word (F-61). The last request for
// a key wins.
func (e *editor) key(path string, value any) {
	c := frontmatter.Change{Path: path, Value: value, Drop: true, After: neighbours(path)}
	switch path {
	case "active_phase", "next_phases", "last_updated":
		c.Quote = true // as N5 and the schema write these values
	}
	if s, ok := value.(string); ok {
		c.Value = safetext.JoinLines(s)
	}
	for i := range e.front {
		if e.front[i].Path == path {
			e.front[i] = c
			return
		}
	}
	e.front = append(e.front, c)
}

// keyIf requests a value only if the key exists already.
func (e *editor) keyIf(path string, value any) {
	if e.d.has(path) {
		e.key(path, value)
	}
}

// order returns the keys in the order of the schema's example.
func order() []string {
	return []string{
		"gsd_state_version", "milestone", "milestone_name", "status", "active_phase", "next_action", "next_phases",
		"progress.total_phases", "progress.completed_phases", "progress.total_plans", "progress.completed_plans",
		"progress.percent", "current_phase", "current_phase_name", "current_plan", "last_updated", "last_activity",
		"last_activity_desc", "state_head", "stopped_at", "paused_at", pausedStatus,
	}
}

// neighbours returns the keys after which a new key is inserted, the nearest first (N5). The keys
// of the life cycle follow the status, and those of progress keep the order of the schema. Other
// keys go to the end.
func neighbours(path string) []string {
	switch path {
	case "active_phase":
		return []string{"status"}
	case "next_action":
		return []string{"active_phase", "status"}
	case "next_phases":
		return []string{"next_action", "active_phase", "status"}
	}
	if !strings.HasPrefix(path, "progress.") {
		return nil
	}
	var out []string
	for _, name := range order() {
		if name == path {
			break
		}
		if strings.HasPrefix(name, "progress.") {
			out = append([]string{name}, out...)
		}
	}
	return out
}

// same reports whether two ids are both non-empty and name the same phase.
func same(a, b string) bool { return a != "" && b != "" && phases.Same(a, b) }
