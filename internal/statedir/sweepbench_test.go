package statedir

import (
	"fmt"
	"testing"
	"time"
)

// tenThousand is a folder of 10,000 entries of every bucket.
func tenThousand() Facts {
	f := holding(running())
	for i := range 10_000 {
		name := fmt.Sprintf([]string{"dump-%d.txt", "review-lane-a%d.md", ".w%d.tmp", "perf%dx.log", "impl-summary-%d.json"}[i%5], i)
		f.Entries = append(f.Entries, Entry{Name: name, Kind: File, Size: int64(i * 7919 % 5000), ModTime: moment().Add(-time.Duration(i) * time.Second)})
	}
	return f
}

// A folder of 10,000 entries (SD-21).
func BenchmarkSweeps(b *testing.B) {
	c, f := Declared(), tenThousand()
	for name, plan := range map[string]func() Plan{
		"cleanup": func() Plan { return c.Cleanup(f, CleanupOptions{StaleDays: 0}) }, "reset": func() Plan { return c.Reset(f) },
		"evict": func() Plan { return c.Evict(f) }, "begin": func() Plan { return c.Begin(f, false) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				plan()
			}
		})
	}
	b.Run("outlooks", func(b *testing.B) {
		for b.Loop() {
			c.Outlooks(f)
		}
	})
	m := NewManifest(c.Reset(f), "work", moment(), f.Record, nil)
	b.Run("settle", func(b *testing.B) {
		src := m.Encode()
		outcomes := make([]Outcome, len(m.Entries))
		for i, e := range m.Entries {
			outcomes[i] = Outcome{Name: e.Name, State: StateMoved}
		}
		for b.Loop() {
			Settle(src, outcomes)
		}
	})
}
