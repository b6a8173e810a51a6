package mcpserver

import (
	"context"

	"baton/internal/usecase/digests"
	"baton/internal/usecase/folder"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// moreTools returns the tools that are only offered on request: each costs every session of every
// client a piece of its context.
func moreTools() []tool {
	return append([]tool{
		{
			name: "task_ready", title: "Ready tasks", reads: true, long: true, paged: true,
			about: "Tasks that you can start now, in the recommended order.",
			action: does(func(ctx context.Context, c *call, _ struct{}) (tasks.TaskList, error) {
				r, err := c.project.Tasks.Ready(ctx)
				paged(c, &r.Tasks)
				return r, err
			}),
		},
		{
			name: "task_split", title: "Split a task",
			about: "Propose how to split a large task into chained parts by its open criteria; with apply, create " +
				"them.",
			action: calls(tasksOf, tasks.Tasks.Split),
		},
		{
			name: "session_start", title: "Start a session",
			about: "Start a session on a task: claims it, brings in the outputs of tasks it depends on, returns " +
				"open criteria and next steps.",
			action: calls(sessionsOf, sessions.Sessions.StartSession),
		},
		{
			name: "session_end", title: "End a session",
			about:  "End a session and release its task. Refused until something was logged with task_log.",
			action: calls(sessionsOf, sessions.Sessions.EndSession),
		},
		{
			name: "doctor", title: "Find problems", reads: true, long: true, paged: true,
			about: "Everything that is wrong with the project's files, worst first, each with the command that " +
				"repairs it. Writes nothing.",
			action: does(func(ctx context.Context, c *call, _ struct{}) (workspace.DoctorResult, error) {
				r, err := c.project.Doctor.Doctor(ctx, workspace.DoctorRequest{})
				paged(c, &r.Findings)
				return r, err
			}),
		},
		{
			name: "lost", title: "Lost entries", reads: true, long: true, paged: true,
			about: "Decisions, sessions, criteria, blockers and outputs that an edit removed from the project's " +
				"documents.",
			action: does(func(ctx context.Context, c *call, ask loss.LostRequest) (loss.LostList, error) {
				r, err := c.project.Loss.Lost(ctx, ask)
				paged(c, &r.Lost)
				return r, err
			}),
		},
		{
			name: "lost_restore", title: "Restore lost entries", long: true, repeats: true,
			about: "Restore entries that an edit removed, each where it was in its document.",
			action: does(func(ctx context.Context, c *call, r loss.LostRestoreRequest) (loss.LostRestored, error) {
				return c.project.Loss.RestoreLost(ctx, r)
			}),
		},
		{
			name: "dir_audit", title: "Audit the working folder", reads: true, long: true,
			about: "What is in the agents' working folder (.devt/state or .baton/work), and which names should not " +
				"be there.",
			action: does(func(ctx context.Context, c *call, _ struct{}) (folder.DirAudit, error) {
				return c.project.Folder.DirAudit(ctx, folder.DirRequest{})
			}),
		},
	}, moreDigestTools()...)
}

func moreDigestTools() []tool {
	return []tool{
		{
			name: "decision_list", title: "List decisions", reads: true, long: true, paged: true,
			about:  "Decisions of the project, oldest first; with archived also those that moved to the archive.",
			action: does(listDecisions),
		},
		{
			name: "blocker_list", title: "List blockers", reads: true, long: true, paged: true,
			about: "The blockers of the project.",
			action: does(func(ctx context.Context, c *call, _ struct{}) (digests.BlockerList, error) {
				r, err := c.project.Digests.Blockers(ctx)
				paged(c, &r.Blockers)
				return r, err
			}),
		},
		{
			name: "blocker_resolve", title: "Resolve a blocker",
			about:  "Mark a blocker as resolved.",
			action: calls(digestsOf, digests.Digests.ResolveBlocker),
		},
		{
			name: "state_begin", title: "Begin a phase",
			about: "Start to discuss, plan, execute or verify a phase of the project (GSD).",
			action: does(func(ctx context.Context, c *call, r beginCall) (digests.TransitionResult, error) {
				return c.project.Digests.Transition(ctx, digests.TransitionRequest{
					Event: "begin", Phase: r.Phase, Stage: r.Stage, Name: r.Name, Plans: r.Plans, Done: r.Done,
				})
			}),
		},
		{
			name: "state_complete", title: "Complete a phase",
			about: "Complete the active phase of the project (GSD) and move on to the next step.",
			action: does(func(ctx context.Context, c *call, r completeCall) (digests.TransitionResult, error) {
				return c.project.Digests.Transition(ctx, digests.TransitionRequest{Event: "complete", Phase: r.Phase})
			}),
		},
	}
}

func listDecisions(ctx context.Context, c *call, r digests.DecisionListRequest) (digests.DecisionList, error) {
	list, err := c.project.Digests.Decisions(ctx, r)
	paged(c, &list.Decisions)
	return list, err
}

// beginCall and completeCall are the requests of state_begin and state_complete: of a step in the
// life of a phase, what each event takes.
type beginCall struct {
	Phase string `json:"phase" required:"true"`
	Stage string `json:"stage" enum:"discuss,plan,execute,verify"`
	Name  string `json:"name" doc:"name of the phase"`
	Plans int    `json:"plans" doc:"how many plans it has" minimum:"0"`
	Done  bool   `json:"done" doc:"finish the stage instead of starting it"`
}

type completeCall struct {
	Phase string `json:"phase" doc:"default: the active one"`
}
