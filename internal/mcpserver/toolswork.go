package mcpserver

import (
	"context"
	"sync"
	"time"

	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
	"baton/internal/usecase/work"
)

func workingTools(noRun bool) []tool {
	return []tool{
		{
			name: "next", title: "What to do now", repeats: true, whole: "text",
			about: "Start here: goes on with your task or claims the next ready one, begins the session, returns the " +
				"orientation.",
			action: does(func(ctx context.Context, c *call, _ struct{}) (work.Result, error) {
				return c.project.Work.Next(ctx, work.NextRequest{})
			}),
		},
		{
			name: "task_claim", title: "Claim a task", repeats: true, whole: "text", asking: true,
			about: "Claim a ready task before working on it, or renew the claim. Begins the session and returns its " +
				"orientation.",
			action: calls(workOf, work.Work.Begin),
		},
		{
			name: "task_log", title: "Log a session",
			about: "Hand off before stopping: append an entry to the task's progress log. At least one of did, " +
				"issues, next.",
			action: calls(tasksOf, tasks.Tasks.Log),
		},
		checkTool(noRun),
		{
			name: "task_output", title: "Task output", repeats: true,
			about:  "Read or write what dependent tasks receive from this one. Without a part: read.",
			action: does(taskOutput),
		},
		{
			name: "task_complete", title: "Complete a task", repeats: true, asking: true,
			about: "Finish a task whose criteria are all checked; hands its output to dependent tasks and names " +
				"those now ready.",
			action: calls(tasksOf, tasks.Tasks.Complete),
		},
	}
}

// checkTool checks criteria. A command that it runs is not confined by the client's sandbox, so the
// tool says that it may destroy: clients then ask before they call it. A server that was told to
// run nothing does not have the parameter.
func checkTool(noRun bool) tool {
	t := tool{
		name: "task_check", title: "Check a criterion",
		about:  "Check off an acceptance criterion, with evidence.",
		action: does(checkCriterion), without: "run",
	}
	if !noRun {
		t.about = "Check off an acceptance criterion, with evidence: at best a shell command that must succeed."
		t.destroys, t.without = true, ""
	}
	return t
}

func checkCriterion(ctx context.Context, c *call, r tasks.CheckRequest) (tasks.CheckResult, error) {
	reported := 0
	for _, given := range []bool{r.Run != "", r.Evidence != "", r.Uncheck} {
		if given {
			reported++
		}
	}
	if reported > 1 {
		return tasks.CheckResult{}, misuse(
			"run, evidence and uncheck cannot be used together", "give one of them, or none",
		)
	}
	if r.Run == "" {
		return c.project.Tasks.Check(ctx, r)
	}
	// Clients end calls from which they hear nothing, so the client hears once a second what the
	// command says.
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

// outputCall is the request of task_output. The parts of the output are parameters of their own,
// which models fill in better than a map.
type outputCall struct {
	ID            string  `json:"id" required:"true"`
	Summary       *string `json:"summary"`
	API           *string `json:"api" doc:"endpoints, signatures"`
	Configuration *string `json:"configuration"`
	Notes         *string `json:"notes"`
	Files         *string `json:"files"`
}

func taskOutput(ctx context.Context, c *call, r outputCall) (tasks.OutputResult, error) {
	ask := tasks.OutputRequest{ID: r.ID, Set: map[task.Part]string{}}
	for part, value := range map[task.Part]*string{
		task.PartSummary: r.Summary, task.PartAPI: r.API, task.PartConfiguration: r.Configuration,
		task.PartNotes: r.Notes, task.PartFiles: r.Files,
	} {
		if value != nil {
			ask.Set[part], ask.Write = *value, true
		}
	}
	return c.project.Tasks.Output(ctx, ask)
}
