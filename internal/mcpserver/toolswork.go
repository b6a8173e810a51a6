package mcpserver

import (
	"context"
	"sync"
	"time"

	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
)

func workingTools(noRun bool) []tool {
	return []tool{
		{
			name: "task_claim", title: "Claim a task", repeats: true,
			about: "Claim a ready task before working on it, or renew the claim. Without id: the next ready task.",
			params: []param{
				{name: "id", kind: text, about: "task id"},
				{name: "scope", kind: list, about: "files you will work on, as path patterns like src/auth/**"},
			},
			action: does(func(ctx context.Context, c *call) (tasks.ClaimResult, error) {
				return c.project.Tasks.Claim(ctx, tasks.ClaimRequest{ID: c.texts["id"], Next: c.texts["id"] ==
					"", Scope: c.lists["scope"]})
			}),
		},
		{
			name: "task_log", title: "Log a session",
			about: "Hand over: append a session entry to the task's progress log. At least one of did, issues, " +
				"next. Do this before stopping.",
			params: []param{
				taskID(),
				{name: "did", kind: list, about: "what was done"},
				{name: "issues", kind: list, about: "problems, and attempts that failed"},
				{name: "state", kind: list, about: "how things stand"},
				{name: "next", kind: list, about: "what the next session should do"},
			},
			action: does(func(ctx context.Context, c *call) (tasks.LogResult, error) {
				return c.project.Tasks.Log(ctx, tasks.LogRequest{ID: c.texts["id"], Entry: task.Entry{
					Did: c.lists["did"], Issues: c.lists["issues"], State: c.lists["state"], Next: c.lists["next"],
				}})
			}),
		},
		checkTool(noRun),
		outputTool(),
		{
			name: "task_complete", title: "Complete a task", repeats: true,
			about: "Finish a task whose criteria are all checked and whose output is written; hands the output " +
				"to dependent tasks and names those now ready.",
			params: []param{taskID()},
			action: does(func(ctx context.Context, c *call) (tasks.CompleteResult, error) {
				return c.project.Tasks.Complete(ctx, tasks.TaskRequest{ID: c.texts["id"]})
			}),
		},
	}
}

// checkTool checks criteria. A command that it runs is not confined by the client's sandbox, so the
// tool says that it may destroy: clients then ask before they call it. A server that was told to
// run nothing does not have the parameter.
func checkTool(noRun bool) tool {
	t := tool{
		name: "task_check", title: "Check a criterion",
		about: "Check an acceptance criterion of a task, with evidence.",
		params: []param{
			taskID(),
			{name: "criterion", kind: text, about: "its number, key or whole text", must: true},
			{name: "evidence", kind: text, about: "what you saw that shows it"},
			{name: "uncheck", kind: yesNo, about: "open it again"},
		},
		action: does(checkCriterion),
	}
	if !noRun {
		t.about = "Check an acceptance criterion of a task, with evidence: at best a shell command that is run " +
			"and must succeed."
		t.destroys = true
		t.params = append(t.params, param{
			name: "run", kind: text,
			about: "verify with this command, at most 10 minutes; it fails: the criterion opens",
		})
	}
	return t
}

func checkCriterion(ctx context.Context, c *call) (tasks.CheckResult, error) {
	r := tasks.CheckRequest{
		ID: c.texts["id"], Selector: c.texts["criterion"], Evidence: c.texts["evidence"], Run: c.texts["run"],
		Uncheck: c.yes["uncheck"],
	}
	reported := 0
	for _, name := range []string{"run", "evidence", "uncheck"} {
		if c.given(name) && (c.texts[name] != "" || c.yes[name]) {
			reported++
		}
	}
	if reported > 1 {
		return tasks.CheckResult{}, misuse("run, evidence and uncheck cannot go together", "give one of them, or none")
	}
	if r.Run == "" {
		return c.project.Tasks.Check(ctx, r)
	}
	// The client ends calls of which it hears nothing; so it hears once a second what the command
	// says.
	stream := &lastLine{}
	r.Stream = stream
	done := make(chan struct{})
	var reporter sync.WaitGroup
	reporter.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				c.progress(stream.String())
			}
		}
	})
	defer reporter.Wait()
	defer close(done)
	return c.project.Tasks.Check(ctx, r)
}

// lastLine keeps the last line that a command wrote, for messages.
type lastLine struct {
	mu   sync.Mutex
	line []byte
	over bool // the line has ended; the next byte begins a new one
}

func (l *lastLine) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range p {
		switch {
		case b == '\n':
			l.over = true
		case l.over:
			l.line, l.over = append(l.line[:0], b), false
		case len(l.line) < 200:
			l.line = append(l.line, b)
		}
	}
	return len(p), nil
}

func (l *lastLine) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.line) == 0 {
		return "running"
	}
	return safetext.Line(string(l.line))
}

// outputTool reads or writes the chain output; its parts are parameters of their own, which models
// fill in better than a map.
func outputTool() tool {
	return tool{
		name: "task_output", title: "Task output", repeats: true, long: true,
		about: "Read or write what dependent tasks receive from this one. Without a part: read.",
		params: []param{
			taskID(),
			{name: "summary", kind: text, about: "what was built, in brief"},
			{name: "api", kind: text, about: "contract for others: endpoints, signatures"},
			{name: "configuration", kind: text, about: "configuration required"},
			{name: "notes", kind: text, about: "integration notes"},
			{name: "files", kind: text, about: "files created"},
		},
		action: does(func(ctx context.Context, c *call) (tasks.OutputResult, error) {
			r := tasks.OutputRequest{ID: c.texts["id"], Set: map[task.Part]string{}}
			for _, name := range []string{"summary", "api", "configuration", "notes", "files"} {
				if part, known := tasks.ParsePart(name); known && c.given(name) {
					r.Set[part], r.Write = c.texts[name], true
				}
			}
			return c.project.Tasks.Output(ctx, r)
		}),
	}
}
