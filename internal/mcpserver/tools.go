package mcpserver

import (
	"context"
	"fmt"

	"baton/internal/report"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

// tools returns the tools that a server offers, in the order in which they are declared; clients
// list them by name. The default twelve are those that every session needs (D40); no tool steals a
// claim, forces a rule or sweeps a folder.
func tools(o Options) []tool {
	all := append(readingTools(), workingTools(o.NoRun)...)
	all = append(all, digestTools()...)
	if o.AllTools {
		all = append(all, moreTools()...)
		all = append(all, memoryTool())
	}
	for i := range all {
		all[i] = all[i].withParams()
	}
	return all
}

func readingTools() []tool {
	return []tool{
		{
			name: "status", title: "Project status", reads: true, long: true,
			about: "Where the project stands: progress, active and next tasks, blockers, " +
				"who holds what, size warnings.",
			action: does(func(ctx context.Context, c *call, _ struct{}) (sessions.StatusResult, error) {
				return c.project.Sessions.Status(ctx)
			}),
		},
		{
			name: "context", title: "Session context", reads: true, whole: "text",
			about: "Orientation for a session, also after compaction: the active task with requirements, open " +
				"criteria, last session's next steps, failed attempts, inputs. What is left out is named.",
			action: calls(sessionsOf, sessions.Sessions.Context),
		},
		{
			name: "task_list", title: "List tasks", reads: true, long: true, paged: true,
			about: "Tasks with status, progress, claims and what each waits for, in the order of their dependencies.",
			action: does(func(ctx context.Context, c *call, r tasks.ListRequest) (tasks.TaskList, error) {
				list, err := c.project.Tasks.List(ctx, r)
				paged(c, &list.Tasks)
				return list, err
			}),
		},
		{
			name: "task_show", title: "Show a task", reads: true, long: true, newest: "sessions",
			about: "One task: requirements, acceptance criteria with evidence, dependencies, chain inputs and " +
				"output, progress log of its sessions.",
			action: does(showTask),
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
