package tasks

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

// ReadExport returns the list in a text that another system exported, or in a Markdown text that is
// nothing but a list of boxes. It returns nil for every other text. name is that of the file, for
// messages. The error's Kind is Usage.
func ReadExport(data []byte, name string) (*importing.List, error) {
	text, opening, err := task.InputText(data, importing.Op)
	if err != nil {
		return nil, nil // the reader of other texts says why not
	}
	if opening == 0 {
		if !checklist.Is(text) {
			return nil, nil
		}
		list, err := checklist.Parse(text)
		return list, inFileOrNil(err, name)
	}
	list, err := export(text)
	return list, inFileOrNil(err, name)
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
// Unlike ReadExport, it also reads baton's own JSON, and boxes below a title.
func ReadImport(data []byte, name string) (*importing.List, error) {
	list, err := ReadExport(data, name)
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
			return nil, inFile(err, name)
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
	return list, inFileOrNil(err, name)
}

// ReadBacklog returns the list in the files of a Backlog.md folder.
func ReadBacklog(files []backlog.File, name string) (*importing.List, error) {
	list, err := backlog.Parse(files)
	return list, inFileOrNil(err, name)
}

func inFileOrNil(err error, name string) error {
	if err == nil {
		return nil
	}
	return inFile(err, name)
}

// BacklogFolders returns where the tasks of Backlog.md may be in the folder that somebody names:
// the project, its folder backlog, or the folder of tasks.
func BacklogFolders() []string {
	return []string{
		".", "tasks", "completed", "backlog/tasks", "backlog/completed", ".backlog/tasks", ".backlog/completed",
	}
}
