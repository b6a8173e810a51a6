package project

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"baton/internal/task"
	"baton/internal/usecase/tasks"
)

// BenchmarkLog appends a session to a task with 10 and with 10,000 archived ones. Both cost the same, because a log
// reads only the end of the archive (D7). It also prints the number of bytes read.
func BenchmarkLog(b *testing.B) {
	for _, archived := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("archived=%d", archived), func(b *testing.B) {
			w := newWorld(b)
			live := liveAfter(archived)
			w.write(archivePath("1"), archiveOf(archived))
			w.write(statePath("1"), live)
			p := w.as("agent-1")
			before := p.Store.Counters().BytesRead.Load()
			for b.Loop() {
				b.StopTimer()
				w.write(statePath("1"), live)
				b.StartTimer()
				got, err := p.Tasks.Log(context.Background(), tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"one more step"}}})
				if err != nil || got.Session != archived+2 {
					b.Fatal(got.Session, err)
				}
			}
			b.ReportMetric(float64(p.Store.Counters().BytesRead.Load()-before)/float64(b.N), "bytes-read/op")
		})
	}
}

// liveAfter returns a task file with one live session after archived ones.
func liveAfter(archived int) string {
	return fmt.Sprintf(
		"# Task #1: Long work\n\n## 0. Metadata\n```json\n{\n  \"task_id\": 1,\n  \"status\": \"in_progress\",\n"+
			"  \"total_sessions\": %d,\n  \"archived_sessions\": %d,\n  \"archive_path\": %q\n}\n```\n\n",
		archived+1, archived, archivePath("1"),
	) +
		"## 1. Context\n\n**Repository:** demo\n\n### Requirements\nGo on.\n\n### Acceptance Criteria\n- [ ] It works\n\n" +
		"## 3. Progress Log\n\n" +
		fmt.Sprintf(
			"### Archived Summary (Sessions 1-%d)\n**Accomplishments:** a step\n[Full details: %s]\n\n"+
				"### Session %d - 2026-01-03 10:00\n**Did:** a step\n\n## 4. Chain Output\n\n(To be completed)\n",
			archived, archivePath("1"), archived+1,
		)
}

// archiveOf returns an archive of so many sessions, written in batches of five.
func archiveOf(sessions int) string {
	var b strings.Builder
	b.WriteString("# Task #1 Archive - Full Session History\n")
	for n := 1; n <= sessions; n++ {
		fmt.Fprintf(
			&b, "\n## Session %d - 2026-01-02 10:00\n**Did:** a piece of work that takes a line or two to tell\n\n**Next:** more\n", n,
		)
		if n%5 == 0 {
			fmt.Fprintf(&b, "\n---\nArchived on: 2026-01-02 11:00\nReason: File over 75 KB\nSessions archived: %d-%d\n", n-4, n)
		}
	}
	return b.String()
}
