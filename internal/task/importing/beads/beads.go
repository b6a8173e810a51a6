// Package beads reads the issues that "bd export" writes: one JSON object on each line, or a list.
package beads

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/importing"
)

// Is reports whether the first object of a text is an issue. more says that others follow it
// without a list.
func Is(obj task.Object, more bool) bool {
	_, kind := obj["issue_type"]
	_, row := obj["_type"]
	_, id := obj["id"]
	_, criteria := obj["criteria"]
	return kind || row || id && more && !criteria
}

// names has what fields of an issue are called in the report.
var names = map[string]string{
	"assignee": "assignees", "owner": "assignees", "labels": "labels", "comments": "comments",
	"created_by": "authors", "created_at": "time stamps", "updated_at": "time stamps",
	"closed_at": "time stamps", "due_at": "due dates", "defer_until": "due dates", "started_at": "time stamps",
	"estimated_minutes": "estimates", "external_ref": "external references", "metadata": "metadata",
	"pinned": "pins",
}

// Parse reads issues. An issue with children waits for them. Errors: Usage json_invalid and
// value_invalid, with the line.
func Parse(data []byte) (*importing.List, error) {
	list := &importing.List{Format: "beads", Prefix: "beads:"}
	if text := bytes.TrimSpace(data); len(text) > 0 && text[0] == '[' {
		objects, err := importing.Objects(data)
		if err != nil {
			return nil, err
		}
		for i, obj := range objects {
			if err := issue(list, obj, importing.Nth("issue", i+1)); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	n := 0
	for line := range bytes.SplitSeq(data, []byte{'\n'}) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var obj task.Object
		if err := json.Unmarshal(line, &obj); err != nil {
			return nil, &report.Error{
				Op: importing.Op, Kind: report.Usage, Code: report.CodeJSONInvalid, Line: n,
				Message: fmt.Sprintf("line %d is not a JSON object: %v", n, err),
				Hint:    "each line has one issue, as bd export writes them",
			}
		}
		if err := issue(list, obj, "line "+strconv.Itoa(n)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// issue adds one issue to the list.
func issue(list *importing.List, obj task.Object, place string) error {
	f := importing.NewFields(obj, place)
	if kind := f.Text("_type"); kind != "" && kind != "issue" {
		list.Lose("entries of kind "+strconv.Quote(kind[:min(20, len(kind))]), 1)
		return f.Err
	}
	it := importing.Item{Place: place, Key: f.Text("id")}
	if f.Err == nil && it.Key == "" {
		return importing.Wrong(report.CodeValueInvalid, place+` has no "id"`, "export the issues again with: bd export")
	}
	it.Place = it.Key + " (" + place + ")"
	it.Title = f.Text("title")
	switch status := f.Text("status"); status {
	case "closed":
		it.State = importing.Done
	case "tombstone":
		it.State = importing.Dropped
	case "", "open":
	default:
		list.Waits(status)
	}
	description, criteria, ticked := importing.Body(f.Text("description"))
	more, checked := importing.Criteria(f.Text("acceptance_criteria"))
	it.Criteria = append(criteria, more...)
	it.Requirements = importing.Parts([2]string{"", description}, [2]string{"Design", f.Text("design")},
		[2]string{"Notes", f.Text("notes")})
	it.Priority = priority(f.Text("priority"))
	kind := f.Text("issue_type")
	for _, d := range f.Objects("dependencies") {
		dependency(list, &it, d, f)
	}
	if it.State == importing.Open {
		list.Lose("ticks of criteria", ticked+checked)
		if kind != "" && kind != "task" {
			list.Lose("types", 1)
		}
		f.Known("content_hash", "dependency_count", "dependent_count", "comment_count", "parent", "source_repo",
			"compaction_level", "original_size")
		f.Rest(list, names)
	}
	list.Add(it)
	return f.Err
}

// dependency adds one link to another issue.
func dependency(list *importing.List, it *importing.Item, obj task.Object, of *importing.Fields) {
	f := importing.NewFields(obj, of.Place)
	on, kind := f.Text("depends_on_id"), f.Text("type")
	if on == "" { // as in "bd list --json"
		on, kind = f.Text("id"), f.Text("dependency_type")
	}
	if of.Err == nil {
		of.Err = f.Err
	}
	switch {
	case it.State != importing.Open || on == "":
	case kind == "parent-child":
		it.Parent = on
	case kind == "discovered-from":
		it.Found = on
	case kind == "blocks" || kind == "" || kind == "conditional-blocks" || kind == "waits-for":
		it.After = append(it.After, on)
	default:
		list.Lose("links of other kinds", 1)
	}
}

// priority returns the priority for a number from 0, the highest, to 4.
func priority(number string) task.Priority {
	switch number {
	case "0", "1":
		return task.High
	case "3", "4":
		return task.Low
	}
	return ""
}
