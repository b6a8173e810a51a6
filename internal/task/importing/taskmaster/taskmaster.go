// Package taskmaster reads the file tasks.json of Task Master, with its tags and sub-tasks.
package taskmaster

import (
	"encoding/json"
	"strings"

	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/task/importing"
)

// Is reports whether an object has a list of tasks, itself or in one of its tags.
func Is(obj task.Object) bool {
	if _, title := obj["title"]; title {
		return false
	}
	if isList(obj["tasks"]) {
		return true
	}
	for _, raw := range obj {
		var tag task.Object
		if len(raw) > 0 && raw[0] == '{' && json.Unmarshal(raw, &tag) == nil && isList(tag["tasks"]) {
			return true
		}
	}
	return false
}

func isList(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '[' }

// names has what fields of a task are called in the report.
var names = map[string]string{
	"assignee": "assignees", "updatedAt": "time stamps", "createdAt": "time stamps", "completedAt": "time stamps",
	"metadata": "metadata", "complexity": "estimates", "complexityScore": "estimates", "effort": "estimates",
	"labels": "labels", "tags": "labels", "complexityReason": "estimates", "estimatedEffort": "estimates",
}

// Parse reads the tasks of all tags. Sub-tasks become tasks, for which their task waits. The key of
// a task is its id, with the tag in front unless that is master, such as "later/3.2". Errors:
// Usage json_invalid and value_invalid.
func Parse(data []byte) (*importing.List, error) {
	whole, err := task.ParseObject(data, importing.Op)
	if err != nil {
		return nil, err
	}
	list := &importing.List{Format: "taskmaster", Prefix: "taskmaster:"}
	tags := map[string]task.Object{"master": whole}
	if !isList(whole["tasks"]) {
		tags = map[string]task.Object{}
		for name, raw := range whole {
			var tag task.Object
			if json.Unmarshal(raw, &tag) == nil && isList(tag["tasks"]) {
				tags[name] = tag
			} else {
				list.Lose("other fields", 1)
			}
		}
	}
	order := make([]string, 0, len(tags))
	for name := range tags {
		order = append(order, name)
	}
	sorting.By(order, func(a, b string) int {
		switch {
		case a == b:
			return 0
		case a == "master":
			return -1
		case b == "master":
			return 1
		}
		return strings.Compare(a, b)
	})
	for _, name := range order {
		r := reader{list: list}
		if name != "master" {
			r.prefix, r.epic = name+"/", name
		}
		f := importing.NewFields(tags[name], "tag "+name)
		for i, obj := range f.Objects("tasks") {
			if err := r.add(obj, "", importing.Nth("task", i+1), nil); err != nil {
				return nil, err
			}
		}
		if f.Err != nil {
			return nil, f.Err
		}
	}
	return list, nil
}

// reader reads the tasks of one tag.
type reader struct {
	list         *importing.List
	prefix, epic string
}

// add adds a task, or a sub-task of the one with the given id, and then its sub-tasks.
func (r reader) add(obj task.Object, parent, place string, siblings map[string]bool) error {
	f := importing.NewFields(obj, place)
	id := f.Text("id")
	if f.Err == nil && id == "" {
		return importing.Wrong(report.CodeValueInvalid, place+` has no "id"`, `give each task its "id"`)
	}
	if parent != "" {
		id = parent + "." + strings.TrimPrefix(id, parent+".")
	}
	f.Place = "task " + r.prefix + id
	it := importing.Item{Key: r.prefix + id, Place: f.Place}
	if parent != "" {
		it.Parent = r.prefix + parent
	}
	it.Title = f.Text("title")
	if parent == "" {
		it.EpicTitle = r.epic
	}
	switch status := f.Text("status"); strings.ToLower(status) {
	case "done", "completed", "complete":
		it.State = importing.Done
	case "cancelled", "canceled":
		it.State = importing.Dropped
	case "", "pending":
	default:
		r.list.Waits(status)
	}
	it.Requirements = importing.Parts([2]string{"", f.Text("description")}, [2]string{"", f.Text("details")})
	it.Criteria, _ = importing.Criteria(f.Text("testStrategy"))
	it.Priority = importing.Priority(f.Text("priority"))
	for _, on := range f.Texts("dependencies") {
		if parent != "" && siblings[on] {
			on = parent + "." + on
		}
		it.After = append(it.After, r.prefix+on)
	}
	f.Known("parentTaskId", "parentId")
	parts := f.Objects("subtasks")
	if it.State == importing.Open {
		f.Rest(r.list, names)
	}
	if f.Err != nil {
		return f.Err
	}
	r.list.Add(it)
	if parent != "" && len(parts) > 0 {
		return importing.Wrong(report.CodeValueInvalid, f.Place+" is a sub-task with sub-tasks", "")
	}
	known := map[string]bool{}
	for _, part := range parts {
		known[importing.NewFields(part, "").Text("id")] = true
	}
	for i, part := range parts {
		if err := r.add(part, id, importing.Nth("sub-task", i+1), known); err != nil {
			return err
		}
	}
	return nil
}
