package project

import (
	"testing"

	"baton/internal/agentsession"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// A session that gets its first task is named after it, once. A title that the session has already stays.
func TestASessionIsNamedAfterItsFirstTask(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	prompt := func(session, text string, titled bool) agentsession.Answer {
		t.Helper()
		p := w.open(workspace.Options{Session: session})
		return must(p.Agents.Agent(t.Context(), agentsession.Event{
			Client: "claude", Event: agentsession.Prompt, Session: session, Text: text, Key: text, Titled: titled,
		}))(t)
	}
	title := "#1 " + w.show("1").Title
	if _, out := w.start("a", "startup"); out.Title != "" {
		t.Errorf("no task, and named %q", out.Title)
	}
	if out := prompt("a", "go on with #1", false); out.Title != title {
		t.Errorf("named %q by the prompt, want %q", out.Title, title)
	}
	if out := prompt("a", "and on", false); out.Title != "" {
		t.Errorf("named again: %q", out.Title)
	}
	if _, out := w.start("a", "resume"); out.Title != "" {
		t.Errorf("named again: %q", out.Title)
	}
	w.start("b", "startup")
	if out := prompt("b", "go on with #2", true); out.Title != "" {
		t.Errorf("the title of a person is replaced by %q", out.Title)
	}
}

func TestASessionThatStartsWithATaskIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	must(w.as("a").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t)
	if _, out := w.start("a", "startup"); out.Title != "#1 "+w.show("1").Title {
		t.Errorf("named %q", out.Title)
	}
}
