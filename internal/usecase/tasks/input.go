package tasks

import (
	"bytes"
	"encoding/json"
	"strings"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
)

// ParsePart returns the part of a chain output for a word: summary, files, api, configuration or
// notes.
func ParsePart(word string) (task.Part, bool) {
	switch part := task.Part(strings.ToLower(strings.TrimSpace(word))); part {
	case task.PartSummary, task.PartFiles, task.PartAPI, task.PartConfiguration, task.PartNotes:
		return part, true
	default:
		return "", false
	}
}

// ParseNew reads tasks to create, from JSON or Markdown (D20). A given title overrides the text's
// own, so that a text with one task needs no title. The error's Kind is Usage.
func ParseNew(data []byte, title string) ([]NewTask, error) {
	parsed, err := create.Parse(data)
	if title != "" && report.CodeOf(err) == report.CodeTitleMissing {
		parsed, err = create.Parse(entitled(data, title))
	}
	if err != nil {
		return nil, err
	}
	if title != "" && len(parsed) == 1 {
		parsed[0].Title = title
	}
	tasks := make([]NewTask, 0, len(parsed))
	for _, n := range parsed {
		tasks = append(tasks, newTask(n))
	}
	return tasks, nil
}

// newTask returns the request for a task that a text describes.
func newTask(n create.Request) NewTask {
	after := make([]string, 0, len(n.Dependencies))
	for _, id := range n.Dependencies {
		after = append(after, string(id))
	}
	return NewTask{
		ID: string(n.ID), Title: n.Title, Epic: epicText(n.EpicTitle, n.EpicID),
		Repository: n.Repository, PRD: n.PRD,
		Agent: n.Agent, After: after, Requirements: n.Requirements, Criteria: n.Criteria,
		Dialect: string(n.Dialect), Priority: string(n.Priority), From: string(n.From), Source: n.Source,
	}
}

// entitled adds the title to a text without one. A text that is neither an object nor Markdown
// stays as it is.
func entitled(data []byte, title string) []byte {
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if !bytes.HasPrefix(text, []byte("{")) && !bytes.HasPrefix(text, []byte("[")) {
		return append([]byte("# "+strings.Join(strings.Fields(title), " ")+"\n\n"), text...)
	}
	var object map[string]json.RawMessage
	quoted, err := json.Marshal(title)
	if err != nil || json.Unmarshal(text, &object) != nil {
		return data
	}
	object["title"] = quoted
	if whole, err := json.Marshal(object); err == nil {
		return whole
	}
	return data
}

// epicText writes an epic in the form of NewTask.Epic.
func epicText(title, id string) string {
	switch {
	case id == "":
		return title
	case title == "":
		return "#" + id
	default:
		return title + " (#" + id + ")"
	}
}
