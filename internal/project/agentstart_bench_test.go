package project

import (
	"context"
	"slices"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// BenchmarkD30_AgentStart measures the start of a session in a project of 1,000 tasks, including opening the project,
// without git.
func BenchmarkD30_AgentStart(b *testing.B) {
	w := newWorld(b)
	must(w.as("agent-1").Tasks.NewTasks(
		context.Background(), tasks.NewRequest{Tasks: slices.Repeat([]tasks.NewTask{{Title: "Task"}}, 1000)},
	))(b)
	must(w.open(workspace.Options{Session: "s1"}).Sessions.StartSession(context.Background(), sessions.SessionStartRequest{ID: "7"}))(b)
	for b.Loop() {
		w.pass(time.Minute)
		p := w.open(workspace.Options{Session: "s1"})
		out, err := p.Agents.Agent(
			context.Background(), agentsession.Event{Client: "claude", Event: agentsession.Start, Session: "s1", Source: "resume"},
		)
		if err != nil || out.Context == "" || out.Log != "" {
			b.Fatal(out, err)
		}
	}
}
