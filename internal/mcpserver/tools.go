package mcpserver

import (
	"context"
	"fmt"

	"baton/internal/report"
	"baton/internal/usecase/find"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

// tools returns the tools that a server offers, in the order in which they are declared; clients
// list them by name. The default sixteen are those that every session needs (D52); no tool steals a
// claim, forces a rule or sweeps a folder.
func tools(o Options) []tool {
	all := append(readingTools(), planningTools()...)
	all = append(all, workingTools(o.NoRun)...)
	all = append(all, digestTools()...)
	if o.AllTools {
		all = append(all, moreTools()...)
		all = append(all, memoryTool())
	}
	for i := range all {
		all[i] = all[i].withParams()
		all[i].shaped = o.AllTools
	}
	return all
}

func readingTools() []tool {
	return []tool{
		{
			name: "status", title: "Status", reads: true, brief: true,
			about: "Where the project stands: progress, active and next tasks, blockers, who holds what.",
			action: does(func(ctx context.Context, c *call, _ struct{}) (sessions.StatusResult, error) {
				return c.project.Sessions.Status(ctx)
			}),
		},
		{
			name: "context", title: "Context", reads: true, whole: "text",
			about: "Orientation, also after compaction: active task, requirements, open criteria, next steps, " +
				"failed attempts. Claims nothing.",
			action: calls(sessionsOf, sessions.Sessions.Context),
		},
		{
			name: "task_list", title: "List tasks", reads: true, brief: true, paged: true,
			about: "Tasks with status, progress, claims and what each waits for.",
			action: does(func(ctx context.Context, c *call, r tasks.ListRequest) (tasks.TaskList, error) {
				list, err := c.project.Tasks.List(ctx, r)
				paged(c, &list.Tasks)
				return list, err
			}),
		},
		{
			name: "task_show", title: "Show a task", reads: true, long: true, newest: "sessions",
			about: "One task: requirements, acceptance criteria with evidence, dependencies, inputs, output, " +
				"progress log.",
			action: does(showTask),
		},
		{
			name: "search", title: "Search", reads: true, brief: true, paged: true,
			about:  "Find words in tasks, sessions, decisions, archives and notes of the project.",
			action: does(searchDocuments),
		},
	}
}

// mostSessions is how many sessions a concise answer shows: the newest are what a next session
// needs.
const mostSessions = 3

func showTask(ctx context.Context, c *call, ask tasks.ShowRequest) (tasks.TaskDetail, error) {
	r, err := c.project.Tasks.Show(ctx, ask)
	if c.Format == "detailed" || ask.All || len(r.Sessions) <= mostSessions {
		return r, err
	}
	older := len(r.Sessions) - mostSessions
	r.Sessions = r.Sessions[older:]
	r.Warnings = append(r.Warnings, report.CodeSessionsLeftOut.Finding("", 0,
		fmt.Sprintf("%d older sessions are left out; response_format detailed shows them", older)))
	return r, err
}

func searchDocuments(ctx context.Context, c *call, ask find.SearchRequest) (find.SearchResult, error) {
	ask.Limit = c.Offset + mostPage
	r, err := c.project.Find.Search(ctx, ask)
	found := r.Total
	paged(c, &r.Hits)
	if c.page.Total = found; c.page.Next == nil && r.More > 0 {
		next := c.Offset + len(r.Hits)
		c.page.Next = &next
	}
	r.More = 0 // total and next_offset say it
	return r, err
}
