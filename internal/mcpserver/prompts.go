package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
)

// The prompts.
const (
	promptStart = "start-session"
	promptEnd   = "hand-off"
	promptSplit = "plan-split"
)

func (s *server) addPrompts() {
	optional := []*mcp.PromptArgument{{Name: "task", Title: "Task", Description: "task id; default: the active task"}}
	s.mcp.AddPrompt(&mcp.Prompt{
		Name: promptStart, Title: "Start a session", Arguments: optional,
		Description: "Orientation for a session: where the task stands and how to work on it.",
	}, s.prompt(startPrompt))
	s.mcp.AddPrompt(&mcp.Prompt{
		Name: promptEnd, Title: "Hand off", Arguments: optional,
		Description: "Leave a hand-off for the next session.",
	}, s.prompt(endPrompt))
	s.mcp.AddPrompt(&mcp.Prompt{
		Name: promptSplit, Title: "Plan a split", Arguments: optional,
		Description: "Split a task that has grown too large into chained parts.",
	}, s.prompt(splitPrompt))
}

// prompt returns the handler of a prompt whose text a function writes.
func (s *server) prompt(write func(context.Context, *project.Project, string) (string, error)) mcp.PromptHandler {
	return func(ctx context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		said, err := opened(ctx, s, r.Params.Name, func(p *project.Project) (string, error) {
			return write(ctx, p, strings.TrimSpace(r.Params.Arguments["task"]))
		})
		if err != nil {
			return nil, protocolError(err)
		}
		return &mcp.GetPromptResult{
			Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: s.speech.Say(said)}}},
		}, nil
	}
}

func startPrompt(ctx context.Context, p *project.Project, id string) (string, error) {
	pack, err := p.Sessions.Context(ctx, sessions.ContextRequest{Task: id})
	if err != nil {
		return "", err
	}
	if id == "" {
		id = string(pack.Task)
	}
	rules, err := p.Setup.Protocol(ctx, setup.ProtocolRequest{Task: id})
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(pack.Text) + "\n\n" + strings.TrimSpace(rules.Text) + "\n\nBegin the session now.\n", nil
}

func endPrompt(ctx context.Context, p *project.Project, id string) (string, error) {
	id, err := namedOrActive(ctx, p, id)
	if err != nil {
		return "", err
	}
	t, err := p.Tasks.Show(ctx, tasks.ShowRequest{ID: id})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Hand off task %s, %s.\n\n", t.ID, safetext.Line(t.Title))
	b.WriteString("1. Check off what now holds with task_check, each criterion with its evidence. Open criteria:\n")
	open := 0
	for _, c := range t.Criteria {
		if !c.Checked {
			open++
			fmt.Fprintf(&b, "   - %d: %s\n", c.N, safetext.Line(c.Text))
		}
	}
	if open == 0 {
		b.WriteString("   - none\n")
	}
	fmt.Fprintf(
		&b,
		"2. Call task_log with id %s: did, issues (also what was tried and failed), state, next. Write for "+
			"somebody who knows nothing of this session.\n",
		t.ID,
	)
	b.WriteString("3. Record decisions with decision_add, and what is in the way with blocker_add.\n")
	if open == 0 {
		fmt.Fprintf(
			&b, "4. Write task_output for the tasks that depend on it, then call task_complete with id %s.\n", t.ID,
		)
	}
	return b.String(), nil
}

// namedOrActive returns the task that a prompt is about: the named one, or else the active one.
func namedOrActive(ctx context.Context, p *project.Project, id string) (string, error) {
	if id != "" {
		return id, nil
	}
	pack, err := p.Sessions.Context(ctx, sessions.ContextRequest{})
	if err != nil {
		return "", err
	}
	if pack.Task == "" {
		return "", &report.Error{
			Kind: report.NotFound, Code: report.CodeNoActiveTask,
			Message: "no task is active, so the prompt needs the id of one", Hint: "task_list lists the tasks",
		}
	}
	return string(pack.Task), nil
}

func splitPrompt(ctx context.Context, p *project.Project, id string) (string, error) {
	id, err := namedOrActive(ctx, p, id)
	if err != nil {
		return "", err
	}
	r, err := p.Tasks.Split(ctx, tasks.SplitRequest{ID: id})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"Plan how to split task %s into parts that can each be finished in a few sessions. It has %d sessions, %d "+
			"KB and %d open criteria.\n\n",
		r.Task, r.Sessions, r.SizeBytes>>10, r.Open,
	)
	if len(r.Suggested) == 0 {
		b.WriteString(
			"Its open criteria make fewer than two parts, so baton proposes nothing. Say whether the criteria " +
				"should be made finer first.\n",
		)
		return b.String(), nil
	}
	b.WriteString("Proposed from its open criteria:\n")
	for _, part := range r.Suggested {
		fmt.Fprintf(&b, "\n- %s, about %d sessions\n", safetext.Line(part.Title), part.Estimate)
		for _, c := range part.Criteria {
			fmt.Fprintf(&b, "  - %s\n", safetext.Line(c))
		}
	}
	fmt.Fprintf(
		&b,
		"\nLook at the task with task_show, judge whether each part can be verified by itself and whether their "+
			"order is right, and say what you would change. `baton task split %s --apply` creates the parts.\n",
		r.Task,
	)
	return b.String(), nil
}

// mostCompletions is what the protocol allows in one answer.
const mostCompletions = 100

// complete proposes ids of tasks, for the arguments of prompts and of addresses.
func (s *server) complete(ctx context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	out := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	ref, argument := r.Params.Ref, r.Params.Argument
	isPrompt := ref.Type == "ref/prompt" && slices.Contains([]string{promptStart, promptEnd, promptSplit}, ref.Name) &&
		argument.Name == "task"
	isResource := ref.Type == "ref/resource" &&
		slices.Contains([]string{taskURI + "{id}", archiveURI + "{id}"}, ref.URI) && argument.Name == "id"
	if !isPrompt && !isResource {
		return out, nil
	}
	list, err := s.tasks(ctx, "complete")
	if err != nil {
		return out, nil // nothing to propose is no failure
	}
	values := []string{}
	for _, t := range list {
		if strings.HasPrefix(string(t.ID), argument.Value) {
			values = append(values, string(t.ID))
		}
	}
	out.Completion.Total = len(values)
	out.Completion.HasMore = len(values) > mostCompletions
	out.Completion.Values = values[:min(len(values), mostCompletions)]
	return out, nil
}
