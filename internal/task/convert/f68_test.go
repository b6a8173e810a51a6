package convert

import (
	"testing"

	"baton/internal/task"
	"baton/internal/task/tasktest"

	"github.com/google/go-cmp/cmp"
)

// A file that is converted to the first dialect and back has the same bytes.
func TestF68_ThereAndBackAreTheSameBytes(t *testing.T) {
	t.Parallel()
	for name, id := range tasktest.FixtureIDs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := task.Parse(id, tasktest.Fixture(t, name))
			if s.Dialect != task.V2 || !s.Meta.Valid {
				var err error
				if s, err = To(s, task.V2, tasktest.Clock()); err != nil {
					t.Fatal(err)
				}
				s = task.Parse(id, s.Bytes())
			}
			s = s.Reconcile(task.Reconciliation{Now: tasktest.Clock()})
			there, err := To(s, task.V1C, tasktest.Clock())
			if err != nil {
				t.Fatal(err)
			}
			back, err := To(task.Parse(id, there.Bytes()), task.V2, tasktest.Clock())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(s.Bytes()), string(back.Bytes())); diff != "" {
				t.Error(diff)
			}
		})
	}
}
