// Package backlog reads the tasks of a Backlog.md folder, each of which is a Markdown file with
// front matter.
package backlog

import (
	"strings"

	"baton/internal/frontmatter"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/task/importing"
)

// Is reports whether a file may be a task.
func Is(data []byte) bool {
	_, ok := frontmatter.Find(data)
	return ok
}

// File is one file of the folder.
type File struct {
	Name      string // for messages
	Data      []byte
	Completed bool // it is in the folder of completed tasks
}

// names has what fields of a task are called in the report.
var names = map[string]string{
	"assignee": "assignees", "labels": "labels", "created_date": "time stamps", "updated_date": "time stamps",
	"due_date": "due dates", "references": "references", "documentation": "references", "modified_files": "references",
	"reporter": "authors", "type": "types", "ordinal": "places on the board", "project": "projects",
}

// Parse reads the files. The order of the tasks is that of their ids. Errors: Usage text_invalid
// and value_invalid, with the file.
func Parse(files []File) (*importing.List, error) {
	list := &importing.List{Format: "backlog", Prefix: "backlog:"}
	for i := range files {
		if err := add(list, &files[i]); err != nil {
			return nil, err
		}
	}
	sorting.By(list.Items, func(a, b importing.Item) int { return compare(a.Key, b.Key) })
	return list, nil
}

// compare orders ids with their numbers as numbers.
func compare(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x > 0 && y > 0 {
			m, n := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
			if len(m) != len(n) {
				return len(m) - len(n)
			}
			if c := strings.Compare(m, n); c != 0 {
				return c
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// add adds the task of one file.
func add(list *importing.List, file *File) error {
	wrong := func(code report.Code, what, hint string) error {
		e := report.As(importing.Wrong(code, file.Name+what, hint))
		e.Path = file.Name
		return e
	}
	if problem, bad := task.BadText(file.Data); bad {
		return wrong(report.CodeTextInvalid, " "+problem, "give UTF-8 text")
	}
	block, found := frontmatter.Find(file.Data)
	if !found {
		return wrong(report.CodeValueInvalid, " has no front matter, so it is no task", "move it out of the folder")
	}
	front, err := frontmatter.ParseYAML(block.Body.Of(file.Data))
	if err != nil {
		e := report.As(err)
		return wrong(report.CodeValueInvalid, " has front matter that cannot be read: "+e.Message, e.Hint)
	}
	it := importing.Item{Place: file.Name}
	if it.Key = strings.ToLower(text(front, "id")); it.Key == "" {
		return wrong(report.CodeValueInvalid, " has no id", `give it one in its front matter, such as "id: TASK-7"`)
	}
	it.Title, it.EpicTitle = text(front, "title"), text(front, "milestone")
	it.Priority = importing.Priority(text(front, "priority"))
	it.Parent = strings.ToLower(text(front, "parent_task_id"))
	for _, id := range texts(front, "dependencies") {
		it.After = append(it.After, strings.ToLower(id))
	}
	switch status := text(front, "status"); strings.ToLower(status) {
	case "done", "complete", "completed", "closed":
		it.State = importing.Done
	case "", "to do", "todo", "backlog", "open":
	default:
		if !file.Completed {
			list.Waits(status)
		}
	}
	if file.Completed {
		it.State = importing.Done
	}
	body(list, &it, string(file.Data[block.Span.End:]))
	if it.State == importing.Open {
		rest(list, front)
	}
	list.Add(it)
	return nil
}

// rest notes the fields that have no place.
func rest(list *importing.List, front frontmatter.Map) {
	for _, e := range front {
		switch e.Key {
		case "id", "title", "status", "priority", "milestone", "parent_task_id", "dependencies", "subtasks":
			continue
		}
		n := 1
		switch v := e.Value.(type) {
		case nil:
			continue
		case []any:
			n = len(v)
		case string:
			if v == "" {
				continue
			}
		}
		name, known := names[e.Key]
		if !known {
			name = "field " + safetext.Quote(safetext.Runes(e.Key, 40))
		}
		list.Lose(name, n)
	}
}

// body divides the text of a task into requirements and criteria.
func body(list *importing.List, it *importing.Item, text string) {
	src := markdown.Fold(text, "\n")
	doc := markdown.Parse(src)
	name, start := "", 0
	var parts [][2]string
	add := func(end int) {
		content := plain(string(src[start:end]))
		if name == "" {
			parts = append(parts, [2]string{"", content})
			return
		}
		section(list, it, name, content, &parts)
	}
	for _, h := range doc.Headings() {
		if h.Level > 2 || !strings.HasPrefix(strings.TrimLeft(string(h.Span.Of(src)), " "), "#") {
			continue // the head of a comment looks like an underlined heading
		}
		add(h.Span.Start)
		name, start = safetext.OneLine(string(h.Text.Of(src))), h.Span.End
	}
	add(len(src))
	it.Requirements = importing.Parts(parts...)
}

// section adds one section of the text.
func section(list *importing.List, it *importing.Item, name, content string, parts *[][2]string) {
	open := it.State == importing.Open
	switch strings.ToLower(name) {
	case "description":
		*parts = append(*parts, [2]string{"", content})
	case "acceptance criteria", "definition of done":
		criteria, ticked := importing.Criteria(content)
		for i, c := range criteria {
			if number, rest, ok := strings.Cut(c.Text, " "); ok && len(number) > 1 && number[0] == '#' &&
				digits(number[1:]) == len(number)-1 {
				criteria[i].Text = rest
			}
		}
		it.Criteria = append(it.Criteria, criteria...)
		if open {
			list.Lose("ticks of criteria", ticked)
		}
	case "comments":
		if n := strings.Count("\n"+content, "\nauthor:"); open && strings.TrimSpace(content) != "" {
			list.Lose("comments", max(n, 1))
		}
	default:
		*parts = append(*parts, [2]string{name, content})
	}
}

// plain removes the comments with which Backlog.md marks its sections.
func plain(text string) string {
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		mark, ok := strings.CutPrefix(strings.TrimSpace(line), "<!-- ")
		if !ok || !strings.HasSuffix(mark, ":BEGIN -->") && !strings.HasSuffix(mark, ":END -->") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// text returns a scalar as written.
func text(front frontmatter.Map, key string) string {
	e, _ := front.Get(key)
	return safetext.OneLine(e.Text)
}

// texts returns a list of scalars, or a single one.
func texts(front frontmatter.Map, key string) []string {
	e, _ := front.Get(key)
	list, ok := e.Value.([]any)
	if !ok {
		if one := safetext.OneLine(e.Text); one != "" {
			return []string{one}
		}
		return nil
	}
	var out []string
	for _, v := range list {
		if one, ok := v.(string); ok && one != "" {
			out = append(out, one)
		}
	}
	return out
}
