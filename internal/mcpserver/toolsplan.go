package mcpserver

import (
	"context"

	"baton/internal/task/create"
	"baton/internal/task/edit"
	"baton/internal/usecase/tasks"
)

func planningTools() []tool {
	return []tool{
		{
			name: "task_new", title: "Create a task",
			about:  "Create a task: to break work down, or for other work found on the way.",
			action: does(newTask),
		},
		{
			name: "task_edit", title: "Change a task", repeats: true,
			about:  "Change what a task says: title, requirements, criteria, dependencies, priority.",
			action: does(editTask),
		},
	}
}

// newCall is the request of task_new.
type newCall struct {
	Title        string   `json:"title" required:"true"`
	Requirements string   `json:"requirements" doc:"what to do"`
	Criteria     []string `json:"criteria" doc:"what must be true at the end"`
	Dependencies []string `json:"dependencies" doc:"ids of tasks to complete first"`
	From         string   `json:"discovered_from" doc:"task on which you found it"`
	Priority     string   `json:"priority" enum:"high,normal,low"`
}

func newTask(ctx context.Context, c *call, r newCall) (tasks.NewResult, error) {
	ask := tasks.NewTask{
		Title: r.Title, Requirements: r.Requirements, After: r.Dependencies, From: r.From, Priority: r.Priority,
	}
	for _, text := range r.Criteria {
		ask.Criteria = append(ask.Criteria, create.Criterion{Text: text})
	}
	return c.project.Tasks.NewTasks(ctx, tasks.NewRequest{Tasks: []tasks.NewTask{ask}})
}

// editCall is the request of task_edit. It changes at most one criterion, which models fill in
// better than a list of numbers with texts.
type editCall struct {
	ID           string   `json:"id" required:"true"`
	Title        *string  `json:"title"`
	Requirements *string  `json:"requirements"`
	Priority     string   `json:"priority" enum:"high,normal,low"`
	After        []string `json:"add_dependencies"`
	NotAfter     []string `json:"remove_dependencies"`
	Accept       []string `json:"add_criteria"`
	Criterion    int      `json:"criterion" doc:"number, to reword or drop" minimum:"1"`
	Text         *string  `json:"text" doc:"its new words"`
	Drop         string   `json:"drop" doc:"remove it, for this reason"`
}

func editTask(ctx context.Context, c *call, r editCall) (tasks.EditResult, error) {
	ask := tasks.EditRequest{
		ID: r.ID, Title: r.Title, Requirements: r.Requirements, Priority: r.Priority, After: r.After,
		NotAfter: r.NotAfter, Accept: r.Accept, Reason: r.Drop,
	}
	switch {
	case r.Criterion == 0 && (r.Text != nil || r.Drop != ""):
		return tasks.EditResult{}, misuse("text and drop need criterion", "give the number of the criterion")
	case r.Criterion != 0 && (r.Drop != "") == (r.Text != nil):
		return tasks.EditResult{}, misuse("criterion needs either text or drop", "give one of them")
	case r.Drop != "":
		ask.Drop = []int{r.Criterion}
	case r.Criterion != 0:
		ask.Reword = []edit.Words{{N: r.Criterion, Text: *r.Text}}
	}
	return c.project.Tasks.Edit(ctx, ask)
}
