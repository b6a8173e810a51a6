package task

import (
	"slices"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
)

// SplitResult is what a split makes.
type SplitResult struct {
	Parent   *State    // status decomposed, children named
	Children []NewTask // in chain order, dependencies set
	Input    Block     // chain input of the first child, from the parent
}

// Split applies a suggestion (5.15). Each group becomes a child with the parent's context and requirements and its
// own criteria; the first depends on what the parent depends on, each further one on the one before it. The parent
// keeps its criteria and its log. taken says which ids are in use.
//
// Kind Violation: nothing_to_split without groups, already_split for a parent that was split; Corrupt
// metadata_invalid where the file has no metadata to hold children and status.
func (s *State) Split(sg Suggestion, taken func(ID) bool, now time.Time) (SplitResult, error) {
	if err := s.splittable(sg); err != nil {
		return SplitResult{}, err
	}
	ids := s.ChildIDs(len(sg.Groups), taken)
	result := SplitResult{Input: s.splitInput()}
	after := s.Meta.Dependencies
	for i, g := range sg.Groups {
		if _, err := ParseID(string(ids[i])); err != nil {
			return SplitResult{}, err
		}
		child := s.child(ids[i], g, now)
		child.Dependencies = slices.Clone(after)
		result.Children = append(result.Children, child)
		after = []ID{ids[i]}
	}
	parent, ok := s.SetStatus(StatusDecomposed)
	if ok {
		children := slices.Concat(s.Meta.Children, ids)
		parent, ok = parent.SetMeta(KeyValue{"children", jsonIDs(children)})
	}
	if !ok {
		return SplitResult{}, s.noMetadata("task.split", "hold the names of its sub-tasks")
	}
	result.Parent = parent.Reconcile(Reconciliation{Now: now})
	return result, nil
}

// splittable refuses what cannot be split.
func (s *State) splittable(sg Suggestion) error {
	refuse := func(code, message, hint string) error {
		return &report.Error{Op: "task.split", Kind: report.Violation, Code: code, Path: StateName(s.ID), Message: message, Hint: hint}
	}
	switch {
	case s.Status() == StatusDecomposed:
		return refuse("already_split", "task "+s.ID.Ref()+" was split before", "split one of its sub-tasks instead")
	case len(sg.Groups) == 0:
		return refuse("nothing_to_split", "there is nothing to split off task "+s.ID.Ref()+": "+sg.tooFew(), "work on it as it is, or add criteria first")
	case !s.Meta.Valid:
		return s.noMetadata("task.split", "hold the names of its sub-tasks")
	}
	return nil
}

// tooFew says why a suggestion has no groups.
func (sg Suggestion) tooFew() string {
	switch sg.Open {
	case 0:
		return "it has no open criteria"
	case 1:
		return "it has one open criterion"
	}
	return "its " + itoa(sg.Open) + " open criteria fit into one part"
}

// noMetadata says that a command needs metadata that the file does not have (D14).
func (s *State) noMetadata(op, purpose string) error {
	return &report.Error{
		Op: op, Kind: report.Corrupt, Code: "metadata_invalid", Path: StateName(s.ID),
		Message: StateName(s.ID) + " has no metadata that can be read, which it needs to " + purpose,
		Hint:    "repair the JSON of its metadata section, or add one: baton task convert " + string(s.ID) + " --to v2 --apply",
	}
}

// child is the new task for one group.
func (s *State) child(id ID, g Group, now time.Time) NewTask {
	title, epic := s.Epic()
	n := NewTask{
		ID: id, Title: g.Title, EpicID: epic, EpicTitle: title, Repository: s.Context.Repository, PRD: s.Context.PRD,
		Agent: s.Context.Agent, Requirements: s.Context.Requirements, Dialect: V2, Parent: s.ID, Now: now,
	}
	if s.Dialect.V1() {
		n.Dialect = V1C
	}
	for _, c := range g.Criteria {
		n.Criteria = append(n.Criteria, NewCriterion{Text: c.Text, Verify: c.Verify})
	}
	return n
}

// Epic takes the task's epic apart. The id of the metadata counts before one in the context's words, where the title
// may end with it without a sign that it is one.
func (s *State) Epic() (title, id string) {
	title, id = ParseEpic(s.Context.Epic)
	if s.Meta.EpicID == "" {
		return title, id
	}
	ref := ID(s.Meta.EpicID).Ref()
	if title == ref {
		title = ""
	}
	return strings.TrimSpace(strings.TrimSuffix(title, "("+ref+")")), s.Meta.EpicID
}

// ParseEpic reads "TITLE (#ID)", "#ID" and "TITLE". Without the sign a word in parentheses is part of the title, unless
// it is a key such as PROJ-4, which is written without it (D21).
func ParseEpic(text string) (title, id string) {
	text = safetext.OneLine(text)
	if rest, ok := strings.CutPrefix(text, "#"); ok {
		if found, err := ParseID(rest); err == nil {
			return "", string(found)
		}
	}
	rest, closed := strings.CutSuffix(text, ")")
	at := strings.LastIndex(rest, "(")
	if at < 0 || !closed {
		return text, ""
	}
	inner := strings.TrimSpace(rest[at+1:])
	found, err := ParseID(inner)
	if err != nil || !strings.HasPrefix(inner, "#") && !trackerKey(inner) {
		return text, ""
	}
	return strings.TrimSpace(rest[:at]), string(found)
}

// trackerKey says whether a word is a key as issue trackers give them: capital letters, a hyphen, digits.
func trackerKey(word string) bool {
	name, number, ok := strings.Cut(word, "-")
	return ok && name != "" && number != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && strings.Trim(number, "0123456789") == ""
}

// ChildIDs gives n ids for sub-tasks: the parent's id with the next free letters, "a" to "z", then "aa" and on.
func (s *State) ChildIDs(n int, taken func(ID) bool) []ID {
	var ids []ID
	for i := 0; len(ids) < n; i++ {
		id := s.ID + ID(letters(i))
		if slices.Contains(s.Meta.Children, id) || taken != nil && taken(id) {
			continue
		}
		ids = append(ids, id)
	}
	return ids
}

// letters counts a, b, … z, aa, ab, …
func letters(i int) string {
	text := ""
	for i++; i > 0; i = (i - 1) / 26 {
		text = string(rune('a'+(i-1)%26)) + text
	}
	return text
}

// splitInput is what the first child gets from the parent: the summary of what is archived and the last session's
// state and next steps, whole, so that nothing is lost (5.15).
func (s *State) splitInput() Block {
	var parts []string
	if s.Summary != nil {
		parts = append(parts, "**Archived summary (sessions "+rangeText(s.Summary.First, s.Summary.Last)+"):**\n"+s.Summary.Body)
	}
	if n := len(s.Sessions); n > 0 {
		last := n - 1
		told := last
		for told > 0 && !s.Sessions[told].tells() {
			told--
		}
		if told != last && s.Sessions[told].tells() { // the last one left no word on how things stand
			parts = append(parts, s.sessionInput("Session", s.Sessions[told]))
		}
		parts = append(parts, s.sessionInput("Last session", s.Sessions[last]))
	}
	if len(parts) == 0 {
		parts = append(parts, "(nothing was logged before the split)")
	}
	return NewBlock(s.ID, s.Title, quoteLines(embeddable(strings.Join(parts, "\n\n"))))
}

// tells says whether an entry says how things stand or what is next. Prose may.
func (s Session) tells() bool { return len(s.State)+len(s.Next) > 0 || s.Style == StyleE }

// sessionInput is what a session hands to the first part of a split task: how things stand, what is open and next, or
// else what was done.
func (s *State) sessionInput(name string, session Session) string {
	if session.Number > 0 {
		name += " (" + itoa(session.Number) + ")"
	}
	text := "**" + name + ":**"
	add := func(label string, items []string) {
		if len(items) > 0 {
			text += "\n" + label + ":"
		}
		for _, item := range items {
			text += "\n" + listItem(item)
		}
	}
	if !session.tells() {
		add("Done", session.Did)
	}
	add("Current state", session.State)
	add("Open issues", session.Issues)
	add("Next", session.Next)
	if session.Style == StyleE {
		_, prose, _ := strings.Cut(string(session.Span.Of(s.Bytes())), "\n")
		text += "\n" + strings.TrimSpace(prose)
	}
	return text
}
