package task

import (
	"encoding/json"
	"fmt"
	"strings"

	"baton/internal/markdown"
	"baton/internal/safetext"
)

// ParseNewTasks reads what a new task is made from (D20). JSON, when the first byte that is not blank is "{" or
// "[": one object or a list with the keys title, id, epic, repository, prd, agent, dependencies, requirements and
// criteria (text, or {text, verify}). Markdown: the H1 is the title, check boxes are the criteria, the rest is the
// requirements. Kind Usage: unknown_key, json_invalid (with the line), value_invalid, id_invalid, title_missing.
func ParseNewTasks(data []byte) ([]NewTask, error) {
	text, opening, err := inputText(data, newOp)
	if err != nil {
		return nil, err
	}
	if opening == 0 {
		n, err := newFromMarkdown(text)
		return []NewTask{n}, err
	}
	var objects []object
	if opening == '{' {
		obj, err := parseObject(text, newOp)
		if err != nil {
			return nil, err
		}
		objects = []object{obj}
	} else if err := parseJSON(text, &objects, newOp); err != nil {
		return nil, err
	}
	var tasks []NewTask
	for i, obj := range objects {
		n, err := newFromObject(obj, i+1)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, n)
	}
	if len(tasks) == 0 {
		return nil, usage(newOp, "title_missing", 0, "the list given holds no task", "give at least one object with a title")
	}
	return tasks, nil
}

// newOp names the operation in errors.
const newOp = "task.new"

// newFromObject takes the keys of one task; n is its place in the list, for messages.
func newFromObject(obj object, n int) (NewTask, error) {
	known := []string{"title", "id", "epic", "repository", "prd", "agent", "dependencies", "requirements", "criteria"}
	if err := checkKeys(obj, known, newOp); err != nil {
		return NewTask{}, err
	}
	var task NewTask
	var epic string
	for _, f := range []struct {
		key  string
		into *string
	}{{"title", &task.Title}, {"repository", &task.Repository}, {"prd", &task.PRD}, {"agent", &task.Agent}, {"epic", &epic}} {
		text, err := oneText(obj, f.key)
		if err != nil {
			return NewTask{}, err
		}
		*f.into = safetext.OneLine(text)
	}
	if raw := obj["title"]; len(raw) > 0 && raw[0] != '"' && string(raw) != "null" {
		return NewTask{}, usage(newOp, "value_invalid", 0, `"title" must be a text`, "write it in quotes")
	}
	if task.Title == "" {
		return NewTask{}, usage(newOp, "title_missing", 0, fmt.Sprintf("task %d of the list has no title", n), `give "title"`)
	}
	task.EpicTitle, task.EpicID = ParseEpic(epic)
	var err error
	if task.ID, err = oneID(obj["id"]); err != nil {
		return NewTask{}, err
	}
	if task.Dependencies, err = idList(obj["dependencies"]); err != nil {
		return NewTask{}, err
	}
	requirements, err := textList(obj, "requirements", newOp)
	if err != nil {
		return NewTask{}, err
	}
	task.Requirements = strings.TrimSpace(strings.Join(requirements, "\n"))
	task.Criteria, err = criteriaList(obj["criteria"])
	return task, err
}

// oneText reads a text or a number; null and an absent key are "".
func oneText(obj object, key string) (string, error) {
	raw, ok := obj[key]
	if !ok || string(raw) == "null" {
		return "", nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		return "#" + number.String(), nil // a bare number can only be meant as an id
	}
	return "", usage(newOp, "value_invalid", 0, fmt.Sprintf("%q must be a text", key), "")
}

// oneID reads an id written as a number or a text; "" when there is none.
func oneID(raw json.RawMessage) (ID, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var id string
	if json.Unmarshal(raw, &id) == nil {
		if id == "" {
			return "", nil
		}
		return ParseID(id)
	}
	for _, c := range raw {
		if c < '0' || c > '9' { // a fraction, an exponent, a sign, an object: no id is written so (D21)
			return "", usage(newOp, "id_invalid", 0, fmt.Sprintf("%s is no id", safetext.Runes(string(raw), 40)), "write an id as a whole number or as a text in quotes")
		}
	}
	if len(raw) > 15 {
		return "", usage(newOp, "id_invalid", 0, safetext.Runes(string(raw), 40)+" has more than 15 digits, which no number may have", "write such an id as a text in quotes")
	}
	return ParseID(string(raw))
}

// idList reads one id or a list of ids.
func idList(raw json.RawMessage) ([]ID, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	var ids []ID
	for _, one := range list {
		id, err := oneID(one)
		if err != nil {
			return nil, err
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// criteriaList reads criteria: one or a list of texts or {text, verify}.
func criteriaList(raw json.RawMessage) ([]NewCriterion, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	var criteria []NewCriterion
	for _, one := range list {
		c, err := criterionOf(one)
		if err != nil {
			return nil, err
		}
		criteria = append(criteria, c)
	}
	return criteria, nil
}

// criterionOf reads one criterion.
func criterionOf(raw json.RawMessage) (NewCriterion, error) {
	bad := func(message, hint string) (NewCriterion, error) {
		return NewCriterion{}, usage(newOp, "value_invalid", 0, message, hint)
	}
	var c NewCriterion
	if json.Unmarshal(raw, &c.Text) != nil {
		var obj object
		if json.Unmarshal(raw, &obj) != nil {
			return bad("a criterion must be a text or an object with text and verify", "")
		}
		if err := checkKeys(obj, []string{"text", "verify"}, newOp); err != nil {
			return NewCriterion{}, err
		}
		if value, found := obj["text"]; found && json.Unmarshal(value, &c.Text) != nil {
			return bad("a criterion's text must be a text", "")
		}
		if value, found := obj["verify"]; found && json.Unmarshal(value, &c.Verify) != nil {
			return bad("a criterion's verify must be a text: the command that shows it", "")
		}
	}
	if c.Text, c.Verify = safetext.OneLine(c.Text), safetext.OneLine(c.Verify); c.Text == "" {
		return bad("a criterion has no text", "give each criterion a text")
	}
	return c, nil
}

// newFromMarkdown takes a text apart: title, criteria, and what remains.
func newFromMarkdown(data []byte) (NewTask, error) {
	src := markdown.Fold(string(data), "\n")
	doc := markdown.Parse(src)
	var n NewTask
	var edits []markdown.Edit
	cut := func(span markdown.Span) { edits = append(edits, markdown.Edit{Span: span}) }
	for _, h := range doc.Headings() {
		name := safetext.OneLine(string(h.Text.Of(src)))
		switch fold := foldName(name); {
		case h.Level == 1 && n.Title == "":
			n.Title = name
			cut(h.Span)
		case fold == "requirements", fold == "task description", fold == "acceptance criteria", fold == "criteria":
			cut(h.Span) // the new file has these headings itself
		}
	}
	for _, item := range doc.TaskItems(markdown.Span{End: len(src)}) {
		c := NewCriterion{Text: safetext.OneLine(string(item.Text.Of(src)))}
		line := doc.Lines()[item.Line]
		span := markdown.Span{Start: line.Start, End: line.Next}
		if next := item.Line + 1; next < len(doc.Lines()) {
			if command, ok := verifyOf(string(doc.Text(next))); ok {
				c.Verify, span.End = command, doc.Lines()[next].Next
			}
		}
		if c.Text != "" {
			n.Criteria = append(n.Criteria, c)
			cut(span)
		}
	}
	rest, err := markdown.Apply(src, edits...)
	if err != nil {
		return NewTask{}, fmt.Errorf("read new task: %w", err)
	}
	n.Requirements = squeeze(string(rest))
	if n.Title == "" {
		return NewTask{}, usage(newOp, "title_missing", 0, "the text given has no title", "begin it with a line such as: # Title")
	}
	return n, nil
}

// verifyOf reads the indented line "Verify: `command`" that belongs to the check box above it.
func verifyOf(line string) (string, bool) {
	body := strings.TrimLeft(line, " \t")
	rest, ok := cutFold(body, "verify:")
	if !ok || body == line {
		return "", false
	}
	command := codeSpan(strings.TrimSpace(rest))
	return command, command != ""
}

// squeeze takes out the holes that were left: at most one blank line between lines, none around.
func squeeze(text string) string {
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return strings.Trim(text, "\n")
}
