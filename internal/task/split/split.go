package split

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/task/inputs"
)

// Result is the result of a split.
type Result struct {
	Parent   *task.State      // with status decomposed and the ids of the children
	Children []create.Request // in chain order, with dependencies
	Input    inputs.Block     // chain input of the first child, from the parent
}

// Task applies a suggestion (5.15). Each group becomes a child with the parent's context and
// requirements and the group's criteria. The first child has the parent's dependencies; each other
// one depends on the child before it. The parent keeps its criteria and its log. taken reports
// whether an id is in use.
//
// Errors: Violation nothing_to_split without groups, already_split for a parent that was split;
// Corrupt metadata_invalid if the file has no metadata for children and status.
func Task(s *task.State, sg Suggestion, taken func(task.ID) bool, now time.Time) (Result, error) {
	if err := splittable(s, sg); err != nil {
		return Result{}, err
	}
	ids := ChildIDs(s, len(sg.Groups), taken)
	result := Result{Input: splitInput(s)}
	after := s.Meta.Dependencies
	for i, g := range sg.Groups {
		if _, err := task.ParseID(string(ids[i])); err != nil {
			return Result{}, err
		}
		child := child(s, ids[i], g, now)
		child.Dependencies = slices.Clone(after)
		result.Children = append(result.Children, child)
		after = []task.ID{ids[i]}
	}
	parent, ok := s.SetStatus(task.StatusDecomposed)
	if ok {
		children := slices.Concat(s.Meta.Children, ids)
		parent, ok = parent.SetMeta(task.KeyValue{Key: "children", JSON: task.JSONIDs(children)})
	}
	if !ok {
		return Result{}, s.NoMetadata("task.split", "list its sub-tasks")
	}
	result.Parent = parent.Reconcile(task.Reconciliation{Now: now})
	return result, nil
}

// splittable returns the error for a task that cannot be split, or nil.
func splittable(s *task.State, sg Suggestion) error {
	refuse := func(code report.Code, message, hint string) error {
		return &report.Error{
			Op: "task.split", Kind: report.Violation, Code: code, Path: task.StateName(s.ID), Message: message,
			Hint: hint,
		}
	}
	switch {
	case s.Status() == task.StatusDecomposed:
		return refuse(report.CodeAlreadySplit, "task "+s.ID.Ref()+" was split before",
			"split one of its sub-tasks instead")
	case len(sg.Groups) == 0:
		return refuse(report.CodeNothingToSplit, "there is nothing to split off task "+s.ID.Ref()+": "+sg.tooFew(),
			"work on it as it is, or add criteria first")
	case !s.Meta.Valid:
		return s.NoMetadata("task.split", "list its sub-tasks")
	}
	return nil
}

// tooFew returns the reason why a suggestion has no groups.
func (sg Suggestion) tooFew() string {
	switch sg.Open {
	case 0:
		return "it has no open criteria"
	case 1:
		return "it has one open criterion"
	}
	return "its " + strconv.Itoa(sg.Open) + " open criteria fit into one part"
}

// child returns the new task for one group.
func child(s *task.State, id task.ID, g Group, now time.Time) create.Request {
	title, epic := s.Epic()
	n := create.Request{
		ID: id, Title: g.Title, EpicID: epic, EpicTitle: title, Repository: s.Context.Repository, PRD: s.Context.PRD,
		Agent: s.Context.Agent, Requirements: s.Context.Requirements, Dialect: task.V2, Parent: s.ID, Now: now,
	}
	if s.Dialect.V1() {
		n.Dialect = task.V1C
	}
	for _, c := range g.Criteria {
		n.Criteria = append(n.Criteria, create.Criterion{Text: c.Text, Verify: c.Verify})
	}
	return n
}

// ChildIDs returns n ids for sub-tasks: the parent's id followed by the next free letters, "a" to
// "z", then "aa" and so on.
func ChildIDs(s *task.State, n int, taken func(task.ID) bool) []task.ID {
	var ids []task.ID
	for i := 0; len(ids) < n; i++ {
		id := s.ID + task.ID(letters(i))
		if slices.Contains(s.Meta.Children, id) || taken != nil && taken(id) {
			continue
		}
		ids = append(ids, id)
	}
	return ids
}

// letters returns the i-th text of the series a, b, …, z, aa, ab, …
func letters(i int) string {
	text := ""
	for i++; i > 0; i = (i - 1) / 26 {
		text = string(rune('a'+(i-1)%26)) + text
	}
	return text
}

// splitInput returns what the first child receives from the parent: the summary of archived
// sessions, and the last session's state and next steps in full, so that nothing is lost (5.15).
func splitInput(s *task.State) inputs.Block {
	var parts []string
	if s.Summary != nil {
		parts = append(parts, "**Archived summary (sessions "+task.RangeText(s.Summary.First, s.Summary.Last)+"):**\n"+
			s.Summary.Body)
	}
	if n := len(s.Sessions); n > 0 {
		last := n - 1
		stated := last
		for stated > 0 && !says(s.Sessions[stated]) {
			stated--
		}
		if stated != last && says(s.Sessions[stated]) { // the last session says nothing about the current state
			parts = append(parts, sessionInput(s, "Session", s.Sessions[stated]))
		}
		parts = append(parts, sessionInput(s, "Last session", s.Sessions[last]))
	}
	if len(parts) == 0 {
		parts = append(parts, "(nothing was logged before the split)")
	}
	return inputs.NewBlock(s.ID, s.Title, inputs.QuoteLines(inputs.Embeddable(strings.Join(parts, "\n\n"))))
}

// says reports whether an entry describes the current state or the next steps. Prose may, so it
// counts.
func says(s task.Session) bool { return len(s.State)+len(s.Next) > 0 || s.Style == task.StyleE }

// sessionInput returns what a session passes to the first part of a split task: state, open issues
// and next steps, or if there are none, what was done.
func sessionInput(s *task.State, name string, session task.Session) string {
	if session.Number > 0 {
		name += " (" + strconv.Itoa(session.Number) + ")"
	}
	text := "**" + name + ":**"
	add := func(label string, items []string) {
		if len(items) > 0 {
			text += "\n" + label + ":"
		}
		for _, item := range items {
			text += "\n" + task.ListItem(item)
		}
	}
	if !says(session) {
		add("Done", session.Did)
	}
	add("Current state", session.State)
	add("Open issues", session.Issues)
	add("Next", session.Next)
	add("Notes", session.Notes)
	if session.Style == task.StyleE {
		_, prose, _ := strings.Cut(string(session.Span.Of(s.Bytes())), "\n")
		text += "\n" + strings.TrimSpace(prose)
	}
	return text
}
