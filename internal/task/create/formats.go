package create

import (
	"encoding/json"
	"fmt"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Parse reads the description of new tasks (D20). If the first non-blank byte is "{" or "[", it is
// JSON: one object, or a list of objects, with the keys title, id, epic, repository, prd, agent,
// dependencies, requirements, criteria (a text, or {text, verify}), priority, discovered_from and
// source. Otherwise it is Markdown: the H1 is the title, check boxes are the criteria, and the rest
// is the requirements. Errors: Usage unknown_key, json_invalid (with the line), value_invalid,
// id_invalid, title_missing.
func Parse(data []byte) ([]Request, error) {
	text, opening, err := task.InputText(data, newOp)
	if err != nil {
		return nil, err
	}
	if opening == 0 {
		n, err := newFromMarkdown(text)
		return []Request{n}, err
	}
	var objects []task.Object
	if opening == '{' {
		obj, err := task.ParseObject(text, newOp)
		if err != nil {
			return nil, err
		}
		objects = []task.Object{obj}
	} else if err := task.ParseJSON(text, &objects, newOp); err != nil {
		return nil, err
	}
	var tasks []Request
	for i, obj := range objects {
		n, err := newFromObject(obj, i+1)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, n)
	}
	if len(tasks) == 0 {
		return nil, task.UsageError(newOp, report.CodeTitleMissing, 0, "the list contains no task",
			"give at least one object with a title")
	}
	return tasks, nil
}

// newOp is the operation in errors.
const newOp = "task.new"

// newFromObject reads the keys of one task. n is its place in the list, for messages.
func newFromObject(obj task.Object, n int) (Request, error) {
	known := []string{
		"title", "id", "epic", "repository", "prd", "agent", "dependencies", "requirements", "criteria",
		task.PriorityKey, task.DiscoveredFromKey, task.SourceKey,
	}
	if err := task.CheckKeys(obj, known, newOp); err != nil {
		return Request{}, err
	}
	var one Request
	var epic, priority string
	for _, f := range []struct {
		key  string
		into *string
	}{
		{"title", &one.Title},
		{"repository", &one.Repository},
		{"prd", &one.PRD},
		{"agent", &one.Agent},
		{"epic", &epic},
		{task.PriorityKey, &priority},
		{task.SourceKey, &one.Source},
	} {
		text, err := oneText(obj, f.key)
		if err != nil {
			return Request{}, err
		}
		*f.into = safetext.OneLine(text)
	}
	if raw := obj["title"]; len(raw) > 0 && raw[0] != '"' && string(raw) != "null" {
		return Request{}, task.UsageError(newOp, report.CodeValueInvalid, 0, `"title" must be a text`,
			"write it in quotes")
	}
	if one.Title == "" {
		return Request{}, task.UsageError(newOp, report.CodeTitleMissing, 0,
			fmt.Sprintf("task %d of the list has no title", n),
			`give "title"`)
	}
	one.EpicTitle, one.EpicID = task.ParseEpic(epic)
	var err error
	if one.ID, err = oneID(obj["id"]); err != nil {
		return Request{}, err
	}
	if one.Dependencies, err = idList(obj["dependencies"]); err != nil {
		return Request{}, err
	}
	if one.From, err = oneID(obj[task.DiscoveredFromKey]); err != nil {
		return Request{}, err
	}
	if priority != "" {
		if one.Priority, err = task.ParsePriority(priority); err != nil {
			return Request{}, err
		}
	}
	requirements, err := task.TextList(obj, "requirements", newOp)
	if err != nil {
		return Request{}, err
	}
	one.Requirements = strings.TrimSpace(strings.Join(requirements, "\n"))
	one.Criteria, err = criteriaList(obj["criteria"])
	return one, err
}

// oneText reads a text or a number. It returns "" for null and for an absent key.
func oneText(obj task.Object, key string) (string, error) {
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
		return "#" + number.String(), nil // a number can only be an id
	}
	return "", task.UsageError(newOp, report.CodeValueInvalid, 0, fmt.Sprintf("%q must be a text", key), "")
}

// oneID reads an id, which is a number or a text. It returns "" if there is none.
func oneID(raw json.RawMessage) (task.ID, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var id string
	if json.Unmarshal(raw, &id) == nil {
		if id == "" {
			return "", nil
		}
		return task.ParseID(id)
	}
	for _, c := range raw {
		if c < '0' || c > '9' { // a fraction, exponent, sign or object cannot be an id (D21)
			return "", task.UsageError(newOp, report.CodeIDInvalid, 0,
				fmt.Sprintf("%s is not an id", safetext.Runes(string(raw), 40)),
				"write an id as a whole number or as a text in quotes")
		}
	}
	if len(raw) > 15 {
		return "", task.UsageError(newOp, report.CodeIDInvalid, 0, safetext.Runes(string(raw), 40)+
			" has more than 15 digits, too many for a number", "write such an id as a text in quotes")
	}
	return task.ParseID(string(raw))
}

// idList reads one id or a list of ids.
func idList(raw json.RawMessage) ([]task.ID, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	var ids []task.ID
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

// criteriaList reads one criterion or a list of them. A criterion is a text or {text, verify}.
func criteriaList(raw json.RawMessage) ([]Criterion, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	var criteria []Criterion
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
func criterionOf(raw json.RawMessage) (Criterion, error) {
	bad := func(message, hint string) (Criterion, error) {
		return Criterion{}, task.UsageError(newOp, report.CodeValueInvalid, 0, message, hint)
	}
	var c Criterion
	if json.Unmarshal(raw, &c.Text) != nil {
		var obj task.Object
		if json.Unmarshal(raw, &obj) != nil {
			return bad("a criterion must be a text or an object with text and verify", "")
		}
		if err := task.CheckKeys(obj, []string{"text", "verify"}, newOp); err != nil {
			return Criterion{}, err
		}
		if value, found := obj["text"]; found && json.Unmarshal(value, &c.Text) != nil {
			return bad("a criterion's text must be a text", "")
		}
		if value, found := obj["verify"]; found && json.Unmarshal(value, &c.Verify) != nil {
			return bad("a criterion's verify must be a text: the command that checks it", "")
		}
	}
	if c.Text, c.Verify = safetext.OneLine(c.Text), safetext.OneLine(c.Verify); c.Text == "" {
		return bad("a criterion has no text", "give each criterion a text")
	}
	return c, nil
}

// newFromMarkdown splits a text into title, criteria and the rest.
func newFromMarkdown(data []byte) (Request, error) {
	src := markdown.Fold(string(data), "\n")
	doc := markdown.Parse(src)
	var n Request
	var edits []markdown.Edit
	cut := func(span markdown.Span) { edits = append(edits, markdown.Edit{Span: span}) }
	for _, h := range doc.Headings() {
		name := safetext.OneLine(string(h.Text.Of(src)))
		switch fold := task.FoldName(name); {
		case h.Level == 1 && n.Title == "":
			n.Title = name
			cut(h.Span)
		case fold == "requirements", fold == "task description", fold == "acceptance criteria", fold == "criteria":
			cut(h.Span) // the new file has these headings anyway
		}
	}
	for _, item := range doc.TaskItems(markdown.Span{End: len(src)}) {
		c := Criterion{Text: safetext.OneLine(string(item.Text.Of(src)))}
		line := doc.Lines()[item.Line]
		span := markdown.Span{Start: line.Start, End: line.Next}
		if next := item.Line + 1; next < len(doc.Lines()) {
			if command, ok := VerifyOf(string(doc.Text(next))); ok {
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
		return Request{}, fmt.Errorf("read new task: %w", err)
	}
	n.Requirements = squeeze(string(rest))
	if n.Title == "" {
		return Request{}, task.UsageError(newOp, report.CodeTitleMissing, 0, "the text has no title",
			"begin it with a line such as: # Title")
	}
	return n, nil
}

// VerifyOf reads an indented line "Verify: `command`", which belongs to the check box above it.
func VerifyOf(line string) (string, bool) {
	body := strings.TrimLeft(line, " \t")
	rest, ok := task.CutFold(body, "verify:")
	if !ok || body == line {
		return "", false
	}
	command := task.CodeSpan(strings.TrimSpace(rest))
	return command, command != ""
}

// squeeze removes the gaps that are left: it keeps at most one blank line between lines and none at
// the ends.
func squeeze(text string) string {
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return strings.Trim(text, "\n")
}
