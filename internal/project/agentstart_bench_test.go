package project

import (
	"context"
	"slices"
	"testing"
	"time"
)

// BenchmarkD30_AgentStart is the start of a session in a project of 1,000 tasks, from opening the project on, git apart.
func BenchmarkD30_AgentStart(b *testing.B) {
	w := newWorld(b)
	must(w.as("agent-1").NewTasks(context.Background(), NewRequest{Tasks: slices.Repeat([]NewTask{{Title: "Task"}}, 1000)}))(b)
	must(w.open(Options{Session: "s1"}).StartSession(context.Background(), SessionStartRequest{ID: "7"}))(b)
	for b.Loop() {
		w.pass(time.Minute)
		p := w.open(Options{Session: "s1"})
		out, err := p.Agent(context.Background(), AgentEvent{Client: "claude", Event: AgentStart, Session: "s1", Source: "resume"})
		if err != nil || out.Context == "" || out.Log != "" {
			b.Fatal(out, err)
		}
	}
}
