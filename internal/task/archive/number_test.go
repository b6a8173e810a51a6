package archive

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"baton/internal/task"
	"baton/internal/task/tasktest"
)

// startingFiles returns empty logs in every dialect, and an empty file.
func startingFiles() map[string][]byte {
	files := map[string][]byte{
		"empty": {}, "bare": []byte("## Progress Log\n\n(No sessions yet)\n\n## Chain Output\n\n(To be completed)\n"),
		"v2": tasktest.NewTask(task.V2).Bytes(), "v1c": tasktest.NewTask(task.V1C).Bytes(),
		"v3": []byte("# Task #7: X\n\n## 0. Metadata\n```json\n{\"task_id\": 7, \"total_sessions\": 0}\n```\n\n## 2. Progress " +
			"Log\n\n(No sessions yet)\n\n## 3. Chain Output\n"),
		"v15": []byte("# Task #7: X\n\n## 0. Metadata\n```json\n{\"task_id\": 7}\n```\n\n## 1. Static Context\n\n## 3. Feature " +
			"Checklist\n\n## 4. Progress Log\n\n## 5. Chain Output\n"),
		"v1a": []byte("# Task #7: X - State\n\n## 1. Static Context\n\n## 2. Chain Inputs\n\n## 3. Progress Log\n\n---\n\n## 4. " +
			"Chain Output\n"),
	}
	return files
}

// A log never assigns a number that a live session, an archived session or the range of the summary has, in every
// dialect and whatever was logged, archived and removed before.
func TestD7_NumbersAreGivenOnce(t *testing.T) {
	t.Parallel()
	for name, src := range startingFiles() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				s, archive := task.Parse("7", src), []byte(nil)
				for _, step := range rapid.SliceOfN(rapid.SampledFrom([]string{"log", "log", "log", "archive", "empty", "fresh"}), 1,
					16).Draw(t, "steps") {
					switch step {
					case "log":
						s = logOnce(t, s, archive)
					case "archive":
						s, archive = archiveNow(t, s, archive, rapid.IntRange(0, 3).Draw(t, "keep"))
					case "empty":
						s = task.Parse("7", nil)
					case "fresh":
						s = task.Parse("7", src)
					}
				}
				seen := map[int]bool{}
				for _, session := range task.ParseArchive(archive).Sessions {
					if seen[session.Number] || session.Number == 0 {
						t.Fatalf("session %d is in the archive twice:\n%s", session.Number, archive)
					}
					seen[session.Number] = true
				}
			})
		})
	}
}

// logOnce logs an entry and checks that its number is new.
func logOnce(t *rapid.T, s *task.State, archive []byte) *task.State {
	t.Helper()
	used := map[int]bool{}
	for _, n := range s.Numbers(factsOf(archive).Tail) {
		used[n] = true
	}
	for _, session := range task.ParseArchive(archive).Sessions {
		used[session.Number] = true
	}
	change, err := Log(s, LogRequest{
		Entry: task.Entry{Did: []string{"a"}}, Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: task.DefaultLimits(),
		ArchivePath: "a.md", Archive: factsOf(archive),
	})
	if err != nil {
		t.Fatal(err)
	}
	if used[change.Session] || s.Summary != nil && change.Session <= s.Summary.Last {
		t.Fatalf("number %d is given twice:\n%s\narchive:\n%s", change.Session, s.Bytes(), archive)
	}
	if got := change.State.Numbers(factsOf(archive).Tail); got[len(got)-1] != change.Session {
		t.Fatalf("logged as %d, counts as %d", change.Session, got[len(got)-1])
	}
	return change.State
}

func TestD7_BulletsCountFromTheArchive(t *testing.T) {
	t.Parallel()
	s := task.Parse("1", nil)
	archive := []byte("# Task #1 Archive - Full Session History\n\n## Session 3\nx\n\n---\nArchived on: x\nReason: x\nSessions " +
		"archived: 1-3\n")
	for want := 4; want <= 6; want++ {
		change, err := Log(s, LogRequest{
			Entry: task.Entry{Did: []string{"a"}}, Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: task.DefaultLimits(),
			Archive: factsOf(archive),
		})
		if err != nil || change.Session != want {
			t.Fatalf("session %d, want %d (%v)", change.Session, want, err)
		}
		s = change.State
	}
	s, archive = archiveNow(t, s, archive, 1)
	change, err := Log(s, LogRequest{
		Entry: task.Entry{Did: []string{"a"}}, Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: task.DefaultLimits(),
		Archive: factsOf(archive),
	})
	if err != nil || change.Session != 7 {
		t.Fatalf("session %d, want 7 (%v)", change.Session, err)
	}
}

func TestD7_AnOlderBatchBehindNewerOnes(t *testing.T) {
	t.Parallel()
	footer := "---\nArchived on: x\nReason: x\nSessions archived: "
	if n := task.LastArchived([]byte(footer + "1-10\n\n" + footer + "1-2\n")); n != 10 {
		t.Errorf("last archived %d", n)
	}
	if n := task.LastArchived([]byte("a quote:\nSessions archived: 99\n\n" + footer + "1-2\n")); n != 2 {
		t.Errorf("a quoted line counts: %d", n)
	}
}

func TestSessionNumbersThatAreTooHigh(t *testing.T) {
	t.Parallel()
	s := task.Parse("7", tasktest.LogFile("### Session 2 - 2026-01-01 10:00\n**Did:** x\n\n### Session 99999999999999999999 - 2026-01-02 "+
		"10:00\n**Did:** y\n"))
	if len(s.Sessions) != 2 || s.Sessions[1].Number != 0 || s.Sessions[1].Label != "99999999999999999999" || s.NextNumber(nil, 0) != 3 {
		t.Fatalf("%d sessions, next %d", len(s.Sessions), s.NextNumber(nil, 0))
	}
	if !strings.Contains(tasktest.Codes(s), "session_number_gap") {
		t.Errorf("findings %q", tasktest.Codes(s))
	}
	change, err := Sessions(s, 0, "x", tasktest.Clock(), "a.md", Facts{})
	if err != nil || !bytes.Contains(change.Batch, []byte("Sessions archived: 2, without number")) ||
		len(task.ParseArchive(change.Batch).Sessions) != 2 {
		t.Errorf("%v\n%s", err, change.Batch)
	}
	for _, top := range []string{"999999999", "999999998"} {
		s := task.Parse("7", tasktest.LogFile("### Session "+top+"\n**Did:** x\n"))
		n := s.NextNumber(nil, 0)
		if next := tasktest.Must(s.Append(n, tasktest.Clock(), task.Entry{Did: []string{"a"}})); next.Sessions[1].Number != n ||
			next.NextNumber(nil, 0) == n {
			t.Errorf("behind session %s: %d, then %d", top, n, next.NextNumber(nil, 0))
		}
	}
}

func TestMetadataCountsOutOfRangeAreAbsent(t *testing.T) {
	t.Parallel()
	for _, n := range []string{"-1", "1000000001", "9223372036854775807", "99999999999999999999", "1e5"} {
		s := task.Parse("7", bytes.Replace(tasktest.LogFile(""), []byte("\"total_sessions\": 1"),
			[]byte("\"total_sessions\": "+n+",\n  \"archived_sessions\": "+n), 1))
		if s.Meta.Total != -1 || s.KnownArchived() != 0 || s.NextNumber(nil, 0) != 1 {
			t.Errorf("%s: total %d, archived %d", n, s.Meta.Total, s.KnownArchived())
		}
	}
}
