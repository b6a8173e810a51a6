package record

import (
	"fmt"
	"slices"
	"time"

	"baton/internal/report"
	"baton/internal/sorting"
)

// Pair is one KEY=VALUE of an update.
type Pair struct{ Key, Value string }

// Stamping is what the stamps of 5.6.4 need to know.
type Stamping struct {
	Now   time.Time
	NewID func() string // returns a new UUID v4
	Trace []byte        // whole lines from the end of the trace, of which the last 5,000 count; nil if there is none
	Words *Words        // nil: those of the original tool
	Force bool          // store unknown phases, tiers and types
	Raw   []byte        // content of dispatch-warnings.jsonl, or nil if there is none
	Raws  string        // dispatch_hygiene_mode: block, warn or off; any other value means block
}

// Updated is the result of an update.
type Updated struct {
	Record  *Record
	Changed []string // keys whose values changed, in the order of the record, followed by removed keys
	Notes   []Note
}

// Note is a remark about an update that did not prevent it.
type Note struct {
	Code report.Code // clock_skew, raw_dispatches, deprecated_key
	Text string      // one sentence
}

// Update sets fields and applies the stamps. A nil record means that there is none. The last of
// several values for one key counts. mark returns the number of validation errors of the new
// record, for rule 6. If mark is nil, that check is skipped and an existing mark is removed.
// Without a change, the result is the given record with the same bytes; without pairs, a missing
// record stays missing. Errors: Usage update_refused, key_invalid, value_invalid (with the allowed
// values and the most similar one); Corrupt conflict_markers for a record in the middle of a merge;
// Violation raw_dispatches if a deactivation is refused (5.6.4 rule 5).
func Update(r *Record, pairs []Pair, s Stamping, mark func(*Record) int) (Updated, error) {
	if err := r.unmerged("dir.update"); err != nil {
		return Updated{}, err
	}
	u := newUpdate(r, s)
	given := map[string]bool{}
	for _, p := range pairs {
		v, err := p.value(s.Words, s.Force)
		if err != nil {
			return Updated{}, err
		}
		u.set(p.Key, v)
		given[p.Key] = true
	}
	if given["complexity"] {
		u.note(report.CodeDeprecatedKey, "complexity is the old name of tier; set tier instead")
	}
	if len(pairs) == 0 && u.fresh {
		return Updated{Record: u.old}, nil
	}
	u.resume(given)
	u.stamp()
	if err := u.deactivate(); err != nil {
		return Updated{}, err
	}
	return u.finish(mark), nil
}

// update is the state of an update.
type update struct {
	*draft
	s     Stamping
	notes []Note
	prior string // id of the workflow before the update, if the session continues
}

func newUpdate(r *Record, s Stamping) *update {
	d := newDraft(r)
	return &update{draft: d, s: s, prior: d.old.Text("workflow_id")}
}

// note adds a remark.
func (u *update) note(code report.Code, text string) { u.notes = append(u.notes, Note{code, text}) }

// resume removes the marks of a stop when a stopped workflow becomes active again, unless the same
// update sets them. A workflow that continues is not stopped (SD-K36).
func (u *update) resume(given map[string]bool) {
	if u.old.Active() || !u.active() {
		return
	}
	for _, key := range []string{"stopped_at", "stopped_phase"} {
		if !given[key] && !u.absent(key) {
			u.put(key, nil)
		}
	}
}

// active reports whether the workflow is running after the update.
func (u *update) active() bool {
	v, _ := u.get("active")
	return v.plain == true
}

// unmerged refuses a record in the middle of a merge, in which git left both versions. Its meaning
// is unclear, and a new value would be written between the two versions.
func (r *Record) unmerged(op string) error {
	if r == nil || r.merged < 0 {
		return nil
	}
	line := r.line(r.merged)
	return &report.Error{
		Op: op, Kind: report.Corrupt, Code: report.CodeConflictMarkers, Path: FileName, Line: line,
		Message: fmt.Sprintf("%s: %s", FileName, conflictText(line)),
		Hint:    "resolve the merge conflict in the file, then run the command again",
	}
}

// conflictText describes where a merge conflict is.
func conflictText(line int) string { return fmt.Sprintf("line %d belongs to a merge conflict", line) }

// finish applies the consistency mark and returns the new record.
func (u *update) finish(mark func(*Record) int) Updated {
	u.arrange()
	next, wrong := u.apply(), 0
	if mark != nil {
		wrong = mark(next)
	}
	marks := []string{"validation_status", "validation_warnings"}
	if wrong > 0 {
		u.put(marks[0], validationWord)
		u.put(marks[1], int64(wrong))
	} else {
		u.drop(marks...)
	}
	if slices.ContainsFunc(marks, u.changes) {
		next = u.apply()
	}
	for _, field := range Skewed(next, u.s.Now) {
		u.note(report.CodeClockSkew, field+" is more than five minutes in the future, so it counts as missing")
	}
	return Updated{Record: next, Changed: u.changed(next), Notes: u.notes}
}

// arrange puts the keys of a new record into a fixed order: the defaults first, then the other
// known fields in the order of the contract, then the project's own keys as given.
func (u *update) arrange() {
	if !u.fresh {
		return
	}
	for _, p := range recordDefaults() {
		if _, ok := u.held[p.Key]; !ok {
			u.put(p.Key, readScalar(p.Value))
		}
	}
	fields := Fields()
	rank := func(key string) int {
		if at := slices.IndexFunc(fields, func(f Field) bool { return f.Name == key }); at >= 0 {
			return at
		}
		return len(fields)
	}
	sorting.By(u.order, func(a, b string) int { return rank(a) - rank(b) })
}
