package project

import (
	"maps"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/tasks"
)

// TestD3_TheEndOfASessionLeavesOtherClaimsOfAPerson checks which claims the end of a session releases. A session under
// its own name releases all of its claims. Under a person's name, it releases only the task that it worked on, because
// the person may hold other tasks elsewhere.
func TestD3_TheEndOfASessionLeavesOtherClaimsOfAPerson(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		as   string
		left map[task.ID]string
	}{
		{"", map[task.ID]string{}},
		{"ann", map[task.ID]string{"2": "ann"}},
	} {
		a := newAgents(t)
		if c.as != "" {
			a.env["BATON_AS"] = c.as
		}
		for _, id := range []string{"1", "2"} {
			a.plant(create.Request{ID: task.ID(id), Criteria: criteria("Works")})
		}
		must(a.hook("s-1").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "2"}))(t)
		a.pass(time.Minute)
		a.begin("s-1", "1")
		must(a.hook("s-1").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t)
		a.event("s-1", agentsession.End)
		if got := a.claims(); !maps.Equal(got, c.left) {
			t.Errorf("as %q: %v, want %v", c.as, got, c.left)
		}
	}
}
