package cleanup

import (
	"fmt"
	"testing"
	"time"

	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
)

// tenThousand returns a folder of 10,000 entries of every bucket.
func tenThousand() declaration.Facts {
	f := holding(running())
	for i := range 10_000 {
		name := fmt.Sprintf([]string{"dump-%d.txt", "review-lane-a%d.md", ".w%d.tmp", "perf%dx.log", "impl-summary-%d.json"}[i%5], i)
		f.Entries = append(f.Entries, statedir.Entry{
			Name: name, Kind: statedir.File, Size: int64(i * 7919 % 5000), ModTime: moment().Add(-time.Duration(i) * time.Second),
		})
	}
	return f
}

// A folder of 10,000 entries (SD-21).
func BenchmarkSweeps(b *testing.B) {
	c, f := declaration.Declared(), tenThousand()
	for name, plan := range map[string]func() Plan{
		"cleanup": func() Plan { return PlanCleanup(c, f, CleanupOptions{StaleDays: 0}) }, "reset": func() Plan { return PlanReset(c, f) },
		"evict": func() Plan { return PlanEvict(c, f) }, "begin": func() Plan { return PlanBegin(c, f, false) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				plan()
			}
		})
	}
	b.Run("outlooks", func(b *testing.B) {
		for b.Loop() {
			Outlooks(c, f)
		}
	})
	m := NewManifest(PlanReset(c, f), "work", moment(), f.Record, nil)
	b.Run("settle", func(b *testing.B) {
		src := m.Encode()
		outcomes := make([]Outcome, len(m.Entries))
		for i, e := range m.Entries {
			outcomes[i] = Outcome{Name: e.Name, State: StateMoved}
		}
		for b.Loop() {
			CompleteManifest(src, outcomes)
		}
	})
}
