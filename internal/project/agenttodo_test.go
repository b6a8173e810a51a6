package project

import (
	"slices"
	"testing"

	"baton/internal/agentsession"
	"baton/internal/workspace"
)

// Claude Code reports each of its tasks when it adds and when it closes it. Those that are open are the to-dos of a draft
// (D55).
func TestD55_TasksOfTheClientAreItsToDos(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	w.start("a", "startup")
	for _, e := range []agentsession.Event{
		{Event: agentsession.TodoAdded, Text: "Read the parser"},
		{Event: agentsession.TodoAdded, Text: "Write the tests"},
		{Event: agentsession.TodoAdded, Text: "Of a sub-agent", SubAgent: "x"},
		{Event: agentsession.TodoDone, Text: "Read the parser"},
		{Event: agentsession.TodoDone, Text: "Never added"},
	} {
		e.Client, e.Session, e.Key = "claude", "a", e.Event+e.Text
		p := w.open(workspace.Options{Session: "a"})
		if out := must(p.Agents.Agent(t.Context(), e))(t); out != (agentsession.Answer{}) {
			t.Errorf("%+v is answered with %+v", e, out)
		}
	}
	if got := w.open(workspace.Options{Session: "a"}).AgentRecordOf("a").Todos; !slices.Equal(got, []string{"Write the tests"}) {
		t.Errorf("%q", got)
	}
}
