package mcpserver

import (
	"context"

	"baton/internal/usecase/digests"
	"baton/internal/usecase/find"
	"baton/internal/usecase/folder"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// moreTools are those that are offered on request only: each costs every session of every client a
// piece of its context.
func moreTools() []tool {
	return append([]tool{
		{
			name: "task_ready", title: "Ready tasks", reads: true, long: true, paged: true,
			about: "Tasks that you can start now, in the recommended order.",
			action: does(func(ctx context.Context, c *call) (tasks.TaskList, error) {
				r, err := c.project.Tasks.Ready(ctx)
				paged(c, &r.Tasks)
				return r, err
			}),
		},
		{
			name: "task_split", title: "Split a task", creates: true,
			about: "Propose how to split a large task into chained parts by its open criteria; with apply, create " +
				"them.",
			params: []param{taskID(), {name: "apply", kind: yesNo, about: "create the parts"}},
			action: does(func(ctx context.Context, c *call) (tasks.SplitResult, error) {
				return c.project.Tasks.Split(ctx, tasks.SplitRequest{ID: c.texts["id"], Apply: c.yes["apply"]})
			}),
		},
		{
			name: "session_start", title: "Start a session",
			about: "Start a session on a task: claims it, brings in the outputs of tasks it depends on, returns " +
				"open criteria and next steps.",
			params: []param{taskID()},
			action: does(func(ctx context.Context, c *call) (sessions.SessionStartResult, error) {
				return c.project.Sessions.StartSession(ctx, sessions.SessionStartRequest{ID: c.texts["id"]})
			}),
		},
		{
			name: "session_end", title: "End a session",
			about:  "End a session and release its task. Refused until something was logged with task_log.",
			params: []param{{name: "id", kind: text, about: "task id, or the session's name", must: true}},
			action: does(func(ctx context.Context, c *call) (sessions.SessionEndResult, error) {
				return c.project.Sessions.EndSession(ctx, sessions.SessionEndRequest{Name: c.texts["id"]})
			}),
		},
		{
			name: "doctor", title: "Look for what is wrong", reads: true, long: true, paged: true,
			about: "Everything that is wrong with the project's files, worst first, each with the command that " +
				"repairs it. Writes nothing.",
			action: does(func(ctx context.Context, c *call) (workspace.DoctorResult, error) {
				r, err := c.project.Doctor.Doctor(ctx, workspace.DoctorRequest{})
				paged(c, &r.Findings)
				return r, err
			}),
		},
		{
			name: "lost", title: "Lost entries", reads: true, long: true, paged: true,
			about: "Decisions, sessions, criteria, blockers and outputs that an edit removed from the project's " +
				"documents.",
			params: []param{{name: "all", kind: yesNo, about: "also what is perhaps lost or was reworded"}},
			action: does(func(ctx context.Context, c *call) (loss.LostList, error) {
				r, err := c.project.Loss.Lost(ctx, loss.LostRequest{All: c.yes["all"]})
				paged(c, &r.Lost)
				return r, err
			}),
		},
		{
			name: "lost_restore", title: "Restore lost entries", long: true, repeats: true,
			about: "Restore entries that an edit removed, each where it was in its document.",
			params: []param{
				{name: "ids", kind: list, about: "ids from the tool lost; default: all lost entries"},
				{name: "dry_run", kind: yesNo, about: "only show the differences"},
			},
			action: does(func(ctx context.Context, c *call) (loss.LostRestored, error) {
				return c.project.Loss.RestoreLost(
					ctx, loss.LostRestoreRequest{IDs: c.lists["ids"], DryRun: c.yes["dry_run"]},
				)
			}),
		},
		{
			name: "dir_audit", title: "Audit the working folder", reads: true, long: true,
			about: "What is in the agents' working folder (.devt/state or .baton/work), and which names should not " +
				"be there.",
			action: does(func(ctx context.Context, c *call) (folder.DirAudit, error) {
				return c.project.Folder.DirAudit(ctx, folder.DirRequest{})
			}),
		},
		{
			name: "search", title: "Search all documents", reads: true, long: true, paged: true,
			about: "Find words in tasks, sessions, decisions, digests, archives and notes of the project. All " +
				"words must be in one session, decision or section.",
			params: []param{
				{name: "text", kind: text, about: "words, or a phrase in double quotes", must: true},
				{name: "in", kind: text, words: find.SearchScopes()},
			},
			action: does(func(ctx context.Context, c *call) (find.SearchResult, error) {
				r, err := c.project.Find.Search(ctx, find.SearchRequest{
					Text: c.texts["text"], In: c.texts["in"], Limit: c.number("offset", 0) + mostPage,
				})
				found := r.Total
				paged(c, &r.Hits)
				if c.page.Total = found; c.page.Next == nil && r.More > 0 {
					next := c.number("offset", 0) + len(r.Hits)
					c.page.Next = &next
				}
				r.More = 0 // told by total and next_offset
				return r, err
			}),
		},
	}, moreDigestTools()...)
}

func moreDigestTools() []tool {
	return []tool{
		{
			name: "decision_list", title: "List decisions", reads: true, long: true, paged: true,
			about: "Decisions of the project, oldest first; with archived also those that moved to the archive.",
			params: []param{
				{name: "archived", kind: yesNo, about: "also archived ones"},
				{name: "spec", kind: text, about: "only of this specification (SpecFlow)"},
			},
			action: does(func(ctx context.Context, c *call) (digests.DecisionList, error) {
				r, err := c.project.Digests.Decisions(
					ctx, digests.DecisionListRequest{All: c.yes["archived"], Spec: c.texts["spec"]},
				)
				paged(c, &r.Decisions)
				return r, err
			}),
		},
		{
			name: "blocker_list", title: "List blockers", reads: true, long: true, paged: true,
			about: "The blockers of the project.",
			action: does(func(ctx context.Context, c *call) (digests.BlockerList, error) {
				r, err := c.project.Digests.Blockers(ctx)
				paged(c, &r.Blockers)
				return r, err
			}),
		},
		{
			name: "blocker_resolve", title: "Resolve a blocker",
			about: "Mark a blocker as resolved.",
			params: []param{
				{name: "text", kind: text, about: "its number in blocker_list, or a part of its text", must: true},
			},
			action: does(func(ctx context.Context, c *call) (digests.BlockerChange, error) {
				return c.project.Digests.ResolveBlocker(ctx, digests.ResolveRequest{Text: c.texts["text"]})
			}),
		},
		{
			name: "state_begin", title: "Begin a phase",
			about: "Start to discuss, plan, execute or verify a phase of the project (GSD).",
			params: []param{
				{name: "phase", kind: text, must: true},
				{name: "stage", kind: text, words: []string{"discuss", "plan", "execute", "verify"}},
				{name: "name", kind: text, about: "name of the phase"},
				{name: "plans", kind: number, about: "how many plans it has"},
				{name: "done", kind: yesNo, about: "finish the stage instead of starting it"},
			},
			action: does(func(ctx context.Context, c *call) (digests.TransitionResult, error) {
				return c.project.Digests.Transition(ctx, digests.TransitionRequest{
					Event: "begin", Phase: c.texts["phase"], Stage: c.texts["stage"], Name: c.texts["name"],
					Plans: c.number("plans", 0), Done: c.yes["done"],
				})
			}),
		},
		{
			name: "state_complete", title: "Complete a phase",
			about:  "Complete the active phase of the project (GSD) and move on to the next step.",
			params: []param{{name: "phase", kind: text, about: "default: the active one"}},
			action: does(func(ctx context.Context, c *call) (digests.TransitionResult, error) {
				return c.project.Digests.Transition(
					ctx, digests.TransitionRequest{Event: "complete", Phase: c.texts["phase"]},
				)
			}),
		},
	}
}
