package chain

import (
	"strconv"
	"testing"
	"time"

	"baton/internal/task"
)

// F-81: a task that waits for many others costs time that grows with their number, not with the
// square of it.
func TestF81_WaitingIsLinear(t *testing.T) {
	cost := func(n int) time.Duration {
		after := make([]task.ID, n)
		for i := range after {
			after[i] = task.ID(strconv.Itoa(i + 2))
		}
		g, best := Build([]Node{node("1", task.StatusReady, after...)}), time.Hour
		for range 5 {
			from := time.Now()
			if len(g.WaitingFor("1")) != n {
				t.Fatal("it does not wait for all")
			}
			best = min(best, time.Since(from))
		}
		return best
	}
	if small, large := cost(1000), cost(32000); large > 256*small {
		t.Errorf("%v for 1,000, %v for 32,000", small, large)
	}
}
