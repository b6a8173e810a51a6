package project

import (
	"strings"

	"baton/internal/task"
)

// Commit is one commit as an entry names it.
type Commit = task.Commit

// ParseEntry reads the text of a session entry, JSON or Markdown (D20). The error's Kind is Usage.
func ParseEntry(data []byte) (Entry, error) { return task.ParseEntry(data) }

// ParsePart gives the part of a chain output that a word names: summary, files, api, configuration or notes.
func ParsePart(word string) (Part, bool) {
	switch part := Part(strings.ToLower(strings.TrimSpace(word))); part {
	case task.PartSummary, task.PartFiles, task.PartAPI, task.PartConfiguration, task.PartNotes:
		return part, true
	default:
		return "", false
	}
}

// ParseNew reads tasks to be created, JSON or Markdown (D20). The error's Kind is Usage.
func ParseNew(data []byte) ([]NewTask, error) {
	parsed, err := task.ParseNewTasks(data)
	if err != nil {
		return nil, err
	}
	tasks := make([]NewTask, 0, len(parsed))
	for _, n := range parsed {
		after := make([]string, 0, len(n.Dependencies))
		for _, id := range n.Dependencies {
			after = append(after, string(id))
		}
		tasks = append(tasks, NewTask{
			ID: string(n.ID), Title: n.Title, Epic: epicText(n.EpicTitle, n.EpicID), Repository: n.Repository, PRD: n.PRD,
			Agent: n.Agent, After: after, Requirements: n.Requirements, Criteria: n.Criteria, Dialect: string(n.Dialect),
		})
	}
	return tasks, nil
}

// epicText writes an epic as NewTask.Epic takes it.
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
