package chain

import (
	"strconv"
	"testing"

	"baton/internal/lineartest"
	"baton/internal/task"
)

// F-81: a task that waits for many others costs time that grows with their number, not with the
// square of it.
func TestF81_WaitingIsLinear(t *testing.T) {
	lineartest.Check(t, "waiting", 1000, 32000, func(n int) func() {
		after := make([]task.ID, n)
		for i := range after {
			after[i] = task.ID(strconv.Itoa(i + 2))
		}
		g := Build([]Node{node("1", task.StatusReady, after...)})
		return func() {
			if len(g.WaitingFor("1")) != n {
				t.Fatal("it does not wait for all")
			}
		}
	})
}
