package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// mostWhys is how many tasks the message names.
const mostWhys = 5

// Waiting is an open task that cannot start, with the reason and what would make it ready.
type Waiting struct {
	Task task.ID `json:"task"`
	Why  string  `json:"why"`
	Then string  `json:"then,omitempty"`
}

// whyNothing returns how many tasks are open, and the error err with what each of them waits for.
func (p Work) whyNothing(ctx context.Context, err error) (open int, why error) {
	list, failed := tasks.Of(p.Workspace).List(ctx, tasks.ListRequest{})
	if failed != nil {
		return 1, err // without the list, the error itself is the answer
	}
	e := *report.As(err)
	if len(list.Tasks) == 0 {
		return 0, nil
	}
	var all []Waiting
	known := map[task.ID]string{}
	for _, row := range list.Tasks {
		known[row.ID] = row.Status
	}
	for _, row := range list.Tasks {
		if !workspace.Closed(task.Status(row.Status)) {
			all = append(all, p.waiting(row, known))
		}
	}
	if len(all) == 0 {
		e.Message, e.Hint = "no task is open", "`baton task new TITLE --accept TEXT` creates one"
		return 0, &e
	}
	var whys, thens []string
	for _, w := range all {
		whys = append(whys, w.Why)
		if w.Then != "" && !slices.Contains(thens, w.Then) {
			thens = append(thens, w.Then)
		}
	}
	e.Message = "no task is ready: " + someOf(whys)
	if len(thens) > 0 {
		e.Hint = someOf(thens)
	}
	details := map[string]any{"waiting": all}
	if later, ok := e.Details["ready_once"]; ok {
		details["ready_once"] = later
	}
	e.Details = details
	return len(all), &e
}

// someOf joins the first of some texts, and says how many more there are.
func someOf(texts []string) string {
	if more := len(texts) - mostWhys; more > 0 {
		texts = append(texts[:mostWhys:mostWhys], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "; ")
}

// waiting says why a task cannot start and what would change that. known has the status of every
// task.
func (p Work) waiting(row tasks.TaskRow, known map[task.ID]string) Waiting {
	ref, id := row.ID.Ref(), string(row.ID)
	out := Waiting{Task: row.ID}
	switch {
	case row.CompleteOn != nil:
		out.Why = ref + " is " + row.CompleteOn.Words
		out.Then = mergeWords(row.CompleteOn.Command)
	case row.Claim != nil:
		until := workspace.Moment(row.Claim.Until, p.Now())
		out.Why = ref + " is held by " + safetext.Line(row.Claim.By) + " until " + until
		out.Then = ref + " is free again when its holder completes or releases it, at the latest at " + until
	case row.ReadyOnce != nil:
		out.Why, out.Then = ref+" is "+row.ReadyOnce.Words(), mergeWords(row.ReadyOnce.Command)
	case len(row.WaitingFor) > 0:
		out.Why = ref + " waits for " + workspace.Refs(row.WaitingFor)
		for _, up := range row.WaitingFor {
			status, there := known[up]
			if !there || status == string(task.StatusCancelled) {
				out.Then = fmt.Sprintf(
					"`baton task edit %s --not-after %s` removes a dependency that never completes", id, up,
				)
			}
		}
	case row.Status == string(task.StatusBlocked):
		out.Why = ref + " is blocked"
		if row.Note != "" {
			out.Why += ": " + safetext.Runes(safetext.Line(row.Note), 80)
		}
		out.Then = "`baton task reopen " + id + "` unblocks it"
	case row.Status == "unreadable":
		out.Why = ref + " cannot be read"
		out.Then = "`baton doctor` says what is wrong"
	case row.Status == string(task.StatusBacklog):
		out.Why = ref + " is in the backlog"
		out.Then = "`baton task claim " + id + " --force` starts it"
	case row.Status == string(task.StatusInReview):
		out.Why = ref + " is in review"
		out.Then = "`baton task complete " + id + "` finishes it"
	default:
		out.Why = ref + " is " + strings.ReplaceAll(row.State, "_", " ")
		out.Then = "`baton task show " + id + "` says more"
	}
	return out
}

func mergeWords(command string) string {
	if command == "" {
		return ""
	}
	return "merge first: `" + command + "`"
}
