// Package formats finds out which of the formats of the packages beside it a text is in.
package formats

import (
	"baton/internal/markdown"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/task/importing"
	"baton/internal/task/importing/backlog"
	"baton/internal/task/importing/beads"
	"baton/internal/task/importing/checklist"
	"baton/internal/task/importing/github"
	"baton/internal/task/importing/taskmaster"
)

// Read returns the list in a text that another system exported, or in a Markdown text that is
// nothing but a list of boxes. It returns nil for every other text. name is that of the file, for
// messages. The error's Kind is Usage.
func Read(data []byte, name string) (*importing.List, error) {
	text, opening, err := task.InputText(data, importing.Op)
	if err != nil {
		return nil, nil // the reader of other texts says why not
	}
	if opening == 0 {
		if !checklist.Is(text) {
			return nil, nil
		}
		list, err := checklist.Parse(text)
		return list, inFile(err, name)
	}
	list, err := export(text)
	return list, inFile(err, name)
}

// export reads a JSON text of another system, or returns nil.
func export(text []byte) (*importing.List, error) {
	first, isList, more := importing.First(text)
	switch {
	case first == nil:
		return nil, nil
	case beads.Is(first, more):
		return beads.Parse(text)
	case github.Is(first, isList):
		return github.Parse(text)
	case !isList && taskmaster.Is(first):
		return taskmaster.Parse(text)
	}
	return nil, nil
}

// ReadImport returns the list in a text for "task import", or nil if the text is a task file.
// Unlike Read, it also reads baton's own JSON, and boxes below a title.
func ReadImport(data []byte, name string) (*importing.List, error) {
	list, err := Read(data, name)
	if list != nil || err != nil {
		return list, err
	}
	text, opening, err := task.InputText(data, importing.Op)
	if err != nil {
		return nil, nil
	}
	if opening != 0 {
		requests, err := create.Parse(text)
		if err != nil {
			return nil, importing.InFile(err, name)
		}
		return listOf(requests), nil
	}
	for _, section := range task.Parse("0", text).Sections {
		if section.Kind != task.Unknown {
			return nil, nil
		}
	}
	if !checklist.Has(markdown.Parse(text)) {
		return nil, nil
	}
	list, err = checklist.Parse(text)
	return list, inFile(err, name)
}

// ReadFolder returns the list in the files of a Backlog.md folder.
func ReadFolder(files []backlog.File, name string) (*importing.List, error) {
	list, err := backlog.Parse(files)
	return list, inFile(err, name)
}

func inFile(err error, name string) error {
	if err == nil {
		return nil
	}
	return importing.InFile(err, name)
}

// Folders returns where the tasks of Backlog.md may be in the folder that somebody names:
// the project, its folder backlog, or the folder of tasks.
func Folders() []string {
	return []string{
		".", "tasks", "completed", "backlog/tasks", "backlog/completed", ".backlog/tasks", ".backlog/completed",
	}
}

// listOf returns the tasks of baton's own JSON list, which may have been imported before.
func listOf(requests []create.Request) *importing.List {
	list := &importing.List{Format: "json", Prefix: "list:", Strict: true}
	keys := map[string]bool{}
	for i, one := range requests {
		it := importing.Item{Request: one, Place: importing.Nth("task", i+1)}
		for n := 0; it.Key == "" || keys[it.Key]; n++ {
			it.Key = checklist.Key(one.Title, n)
		}
		keys[it.Key] = true
		list.Add(it)
		if one.Source != "" {
			list.Items[i].Source = one.Source
		}
	}
	return list
}
