// Package edit changes what a task says: title, epic, requirements, criteria, dependencies,
// priority. Every change is a splice, so all other bytes stay.
package edit

import (
	"slices"
	"strings"
	"time"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Request is what to change. Nil and empty fields change nothing. Numbers of criteria are those
// before the change.
type Request struct {
	Title        *string
	Epic         *string // "TITLE (#ID)", "TITLE" or "#ID"; "" removes it
	Repository   *string
	Requirements *string
	Priority     *task.Priority

	After, NotAfter []task.ID
	Reword          []Words
	Verify          []Words // commands; "" removes one
	Drop            []int
	Accept          []string
	Note            string // goes below the requirements, with the day
	Now             time.Time
}

// Words is a text for a criterion.
type Words struct {
	N    int
	Text string
}

// Removed is a text that a change takes out of the task. It goes to the archive.
type Removed struct {
	What string // "criterion", "requirements" …
	Text string // as it was in the file; a criterion with its box and what belongs to it
}

// Result is a changed task.
type Result struct {
	State   *task.State
	Changed []string // what changed: "title", "criterion 2" …
	Removed []Removed
	Opened  []int // criteria that are open again, because their words changed
}

// op is the operation in errors.
const op = "task.edit"

// Apply changes a task. A request that asks for what is there already changes nothing. Errors:
// NotFound criterion_unknown, Usage value_invalid, Corrupt metadata_invalid or opaque_section,
// Violation unclosed_fence.
func Apply(s *task.State, r Request) (Result, error) {
	e := &editor{Result: Result{State: s}, r: r}
	for _, step := range []func() error{
		e.title, e.epic, e.repository, e.requirements, e.note, e.reword, e.verify, e.drop, e.accept,
		e.dependencies, e.priority,
	} {
		if err := step(); err != nil {
			return Result{}, err
		}
	}
	return e.Result, nil
}

type editor struct {
	Result
	r Request
}

func (e *editor) changed(what string) { e.Changed = append(e.Changed, what) }

func invalid(message, hint string) error {
	return task.UsageError(op, report.CodeValueInvalid, 0, message, hint)
}

// dependencies adds and removes ids in the metadata's list. The items that stay keep their form.
func (e *editor) dependencies() error {
	was := e.State.Meta.Dependencies
	var add []task.ID
	for _, id := range e.r.After {
		if !slices.Contains(was, id) && !slices.Contains(add, id) {
			add = append(add, id)
		}
	}
	drop := slices.DeleteFunc(slices.Clone(e.r.NotAfter), func(id task.ID) bool { return !slices.Contains(was, id) })
	if len(add)+len(drop) == 0 {
		return nil
	}
	if !e.State.Meta.Valid {
		return e.State.NoMetadata(op, "store dependencies")
	}
	text, ok := respelled(e.State, add, drop)
	if !ok {
		ids := slices.DeleteFunc(slices.Clone(was), func(id task.ID) bool { return slices.Contains(drop, id) })
		text = []byte(task.JSONIDs(append(ids, add...)))
	}
	next, ok := e.State.SetMeta(task.KeyValue{Key: "dependencies", JSON: string(text)})
	if !ok {
		return e.State.NoMetadata(op, "store dependencies")
	}
	e.State = next
	e.changed("dependencies")
	return nil
}

// respelled returns the list of dependencies as the file has it, with some ids more and some less.
// ok is false if the file has no such list.
func respelled(s *task.State, add, drop []task.ID) (text []byte, ok bool) {
	text, ok = s.MetaRaw("dependencies")
	list, fault := jsontext.Relaxed(text)
	if !ok || fault != nil || list.Kind != '[' {
		return nil, false
	}
	for i := len(list.Items) - 1; i >= 0 && fault == nil; i-- {
		ids := task.IDsOf(list.Items[i], text)
		if len(ids) == 1 && slices.Contains(drop, ids[0]) {
			text = jsontext.RemoveItem(text, list, i)
			list, fault = jsontext.Relaxed(text)
		}
	}
	for _, id := range add {
		if fault == nil {
			text = jsontext.AddItem(text, list, task.JSONID(string(id)), "", "\n")
			list, fault = jsontext.Relaxed(text)
		}
	}
	return text, fault == nil
}

func (e *editor) priority() error {
	if e.r.Priority == nil || e.r.Priority.Rank() == e.State.Meta.Priority.Rank() {
		return nil
	}
	next, ok := e.State, false
	if word := e.r.Priority.Shown(); word != "" {
		next, ok = next.SetMeta(task.KeyValue{Key: task.PriorityKey, JSON: jsontext.Quote(word)})
	} else {
		next, ok = next.DeleteMeta(task.PriorityKey)
	}
	if !ok {
		return e.State.NoMetadata(op, "store a priority")
	}
	e.State = next
	e.changed("priority")
	return nil
}

// Archived returns the text that is appended to the archive: what was removed, when and why.
func Archived(removed []Removed, reason string, now time.Time) []byte {
	if len(removed) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("\n" + task.RemovedHeading + " - " + task.FormatStamp(now, now.Location()) + "\n\n")
	for _, r := range removed {
		if r.What != "criterion" {
			b.WriteString("**" + strings.ToUpper(r.What[:1]) + r.What[1:] + ":**\n")
		}
		b.WriteString(markdown.Contain(r.Text, 4) + "\n\n")
	}
	if reason = safetext.OneLine(reason); reason != "" {
		b.WriteString("Reason: " + reason + "\n")
	}
	return []byte(strings.TrimRight(b.String(), "\n") + "\n")
}
