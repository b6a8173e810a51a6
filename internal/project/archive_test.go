package project

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/task/create"
	"baton/internal/usecase/tasks"
)

// filled creates a task with a number of short sessions.
func filled(t *testing.T, id string, sessions int) *stage {
	t.Helper()
	s := newStage(t)
	s.plant(create.Request{ID: task.ID(id)})
	for n := range sessions {
		s.log("a", id, fmt.Sprintf("Step %d", n+1))
		s.pass(time.Hour)
	}
	return s
}

func TestArchive_KeepsTheNewest(t *testing.T) {
	t.Parallel()
	s := filled(t, "1", 7)
	live := s.task("1")
	p := s.as("a")
	got := must(p.Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Keep: -1}))(t)
	if diff := cmp.Diff([]int{1, 2}, got.Archived); diff != "" || got.Path != archivePath("1") {
		t.Errorf("at %s: %s", got.Path, diff)
	}
	st := s.task("1")
	if len(st.Sessions) != 5 || st.Summary == nil || st.Meta.Archived != 2 || st.Meta.Total != 7 || int64(len(st.Bytes())) != got.Size {
		t.Errorf("%d sessions, summary %v, metadata %+v", len(st.Sessions), st.Summary, st.Meta)
	}
	want := string(live.Sessions[1].Span.Of(live.Bytes()))
	shown := must(p.Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Show: "2"}))(t)
	if strings.TrimRight(shown.Text, "\n") != strings.TrimRight(want, "\n") {
		t.Errorf("read back %q, want the original %q", shown.Text, want)
	}
	files := s.tracked()
	if again := must(p.Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Keep: -1}))(t); len(again.Archived) != 0 {
		t.Errorf("archiving again moved %v", again.Archived)
	}
	if diff := cmp.Diff(files, s.tracked()); diff != "" {
		t.Errorf("archiving again changed something:\n%s", diff)
	}
	if got := must(p.Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Keep: 1}))(t); !cmp.Equal(got.Archived, []int{3, 4, 5, 6}) {
		t.Errorf("--keep 1 moved %v", got.Archived)
	}
}

func TestArchive_Refusals(t *testing.T) {
	t.Parallel()
	s := filled(t, "1", 1)
	before := s.tracked()
	tests := []struct {
		name string
		req  tasks.ArchiveRequest
		kind report.Kind
		code report.Code
	}{
		{"no archive yet", tasks.ArchiveRequest{ID: "1", Show: "1"}, report.NotFound, "archive_missing"},
		{"no number", tasks.ArchiveRequest{ID: "1", Show: "first"}, report.Usage, "range_invalid"},
		{"backwards", tasks.ArchiveRequest{ID: "1", Show: "5-3"}, report.Usage, "range_invalid"},
		{"nought", tasks.ArchiveRequest{ID: "1", Show: "0"}, report.Usage, "range_invalid"},
		{"two commands", tasks.ArchiveRequest{ID: "1", Show: "1", RebuildSummary: true}, report.Usage, "range_invalid"},
		{"nothing to rebuild from", tasks.ArchiveRequest{ID: "1", RebuildSummary: true}, report.NotFound, "archive_missing"},
		{"unknown task", tasks.ArchiveRequest{ID: "2"}, report.NotFound, "task_unknown"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := s.as("a").Tasks.Archive(t.Context(), tt.req)
			refused(t, err, tt.kind, tt.code)
		})
	}
	if diff := cmp.Diff(before, s.tracked()); diff != "" {
		t.Error(diff)
	}
}

// D4: the summary can be rebuilt from the archive, and is then the same.
func TestD4_RebuildSummary(t *testing.T) {
	t.Parallel()
	s := filled(t, "1", 8)
	p := s.as("a")
	must(p.Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Keep: 4}))(t)
	whole := s.read(statePath("1"))
	if got := must(p.Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", RebuildSummary: true}))(t); got.Rebuilt {
		t.Error("a summary that is right was rebuilt")
	}
	s.write(statePath("1"), strings.Replace(whole, "Step 2; ", "", 1))
	got := must(p.Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", RebuildSummary: true}))(t)
	if !got.Rebuilt || s.read(statePath("1")) != whole {
		t.Errorf("rebuilt %v:\n%s", got.Rebuilt, cmp.Diff(whole, s.read(statePath("1"))))
	}
}

// TS-40: archiving again merges the summary. It works without the archive, and never follows a path that leads outside.
func TestTS40_ArchivingAgain(t *testing.T) {
	t.Parallel()
	s := filled(t, "1", 7)
	p := s.as("a")
	must(p.Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Keep: 5}))(t)
	s.write(statePath("1"), strings.Replace(s.read(statePath("1")), "**Accomplishments:** ", "**Accomplishments:** By hand; ", 1))
	if err := os.Remove(s.path(archivePath("1"))); err != nil {
		t.Fatal(err)
	}
	must(p.Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Keep: 3}))(t)
	st := s.task("1")
	if st.Summary == nil || st.Summary.First != 1 || st.Summary.Last != 4 {
		t.Fatalf("summary %+v", st.Summary)
	}
	for _, want := range []string{"By hand", "Step 1", "Step 4"} {
		if !strings.Contains(st.Summary.Body, want) {
			t.Errorf("the summary lacks %q:\n%s", want, st.Summary.Body)
		}
	}
	if got := s.log("a", "1", "Eighth"); got.Session != 8 {
		t.Errorf("next number %d, want 8", got.Session)
	}
}

func TestTS40_ArchivePathOutside(t *testing.T) {
	t.Parallel()
	s := filled(t, "1", 7)
	text := s.read(statePath("1"))
	for _, outside := range []string{"/etc/passwd", "../../elsewhere.md"} {
		s.write(statePath("1"), strings.Replace(text, `"total_sessions": 7`, `"total_sessions": 7, "archive_path": "`+outside+`"`, 1))
		before := s.tracked()
		for _, r := range []tasks.ArchiveRequest{{ID: "1", Keep: 5}, {ID: "1", Show: "1"}, {ID: "1", RebuildSummary: true}} {
			_, err := s.as("a").Tasks.Archive(t.Context(), r)
			refused(t, err, report.Violation, "archive_path_outside")
		}
		if diff := cmp.Diff(before, s.tracked()); diff != "" {
			t.Error(diff)
		}
	}
	if got := s.log("a", "1", "Still kept"); got.Session != 8 || !hasCode(got.Warnings, "archive_path_outside") {
		t.Errorf("a hand-off was refused or not warned: %+v", got)
	}
}

// TS-49: with live sessions 3 and 5, and an archive with 1, 2 and 4 whose last footer says 4, the next number is 6.
func TestTS49_NextNumber(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	sessions := "### Archived Summary (Sessions 1-4)\n**Accomplishments:** much\n[Full details: " + archivePath("1") + "]\n\n" +
		"### Session 3 - 2026-01-03 10:00\n\n**Did:** three\n\n### Session 5 - 2026-01-05 10:00\n\n**Did:** five"
	s.write(statePath("1"), strings.Replace(s.text(create.Request{ID: "1"}), "(No sessions yet)", sessions, 1))
	s.write(archivePath(
		"1",
	), "# Task #1 Archive - Full Session History\n\n## Session 1\nx\n\n## Session 2\nx\n\n## Session 4\nx\n\n---\n"+
		"Archived on: 2026-01-04 10:00\nReason: size\nSessions archived: 1-2, 4\n")
	if got := s.log("a", "1", "six"); got.Session != 6 {
		t.Errorf("next is %d, want 6", got.Session)
	}
}

// TS-50: sessions without time stamps give a summary without a duration.
func TestTS50_NoStamps(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var sessions strings.Builder
	for n := range 6 {
		fmt.Fprintf(&sessions, "### Session %d\n\n**Did:** part %d\n\n", n+1, n+1)
	}
	s.write(statePath("1"), strings.Replace(s.text(create.Request{ID: "1"}), "(No sessions yet)", strings.TrimSpace(sessions.String()), 1))
	must(s.as("a").Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Keep: 2}))(t)
	if st := s.task("1"); st.Summary == nil || strings.Contains(st.Summary.Body, "Duration") ||
		!strings.Contains(st.Summary.Body, "part 4") {
		t.Errorf("summary %+v", st.Summary)
	}
}

// TS-32: a task file that is a link stays one, and its target is written.
func TestTS32_LinkedTaskFile(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write("shared/one.md", s.text(create.Request{ID: "1"}))
	if err := os.Chmod(s.path("shared/one.md"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../shared/one.md", s.path(statePath("1"))); err != nil {
		t.Skipf("not possible on this system: %v", err)
	}
	s.log("a", "1", "Through the link")
	info, err := os.Lstat(s.path(statePath("1")))
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info.Mode(), err)
	}
	if text := s.read("shared/one.md"); !strings.Contains(text, "Through the link") {
		t.Error("the file behind the link was not written")
	}
	if info, err := os.Stat(s.path("shared/one.md")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
}

// D5: somebody's editor saved the file as it was before sessions moved. The next write removes those that are in the
// archive with the same bytes, and keeps the others.
func TestD5_DoubledSessionsAreDropped(t *testing.T) {
	t.Parallel()
	s := filled(t, "1", 7)
	old := s.read(statePath("1"))
	must(s.as("a").Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Keep: 4}))(t)
	s.write(statePath("1"), strings.Replace(old, "**Did:** Step 2\n", "**Did:** Step 2 and a half\n", 1))
	got := s.log("a", "1", "Eighth")
	if got.Session != 8 || !hasCode(got.Warnings, "session_doubled") {
		t.Errorf("got %+v", got)
	}
	st := s.task("1")
	var numbers []int
	for _, session := range st.Sessions {
		numbers = append(numbers, session.Number)
	}
	if diff := cmp.Diff([]int{2, 4, 5, 6, 7, 8}, numbers); diff != "" {
		t.Errorf("live sessions: %s", diff)
	}
	if st.Summary == nil || st.Summary.First != 1 || st.Summary.Last != 3 || st.Meta.Archived != 3 ||
		!strings.Contains(st.Summary.Body, "Step 3") {
		t.Errorf("summary %+v, %d archived", st.Summary, st.Meta.Archived)
	}
	if again := s.log("a", "1", "Ninth"); hasCode(again.Warnings, "session_doubled") || again.Session != 9 {
		t.Errorf("the next entry: %+v", again)
	}
}

func TestD5_DoubledIsWholeLinesOnly(t *testing.T) {
	t.Parallel()
	filed := []byte("# T\n\n## Session 1 - x\n\n**Did:** one and more\n\n## Session 2\n\ntwo\n---\n")
	tests := []struct {
		session string
		want    bool
	}{
		{"### Session 1 - x\n\n**Did:** one", false},
		{"### Session 1 - x\n\n**Did:** one and more\n", true},
		{"### Session 2\n\ntwo", true},
		{"## Session 2\n\ntwo", true},
		{"### Session 3\n", false},
		{"no heading", false},
	}
	for _, tt := range tests {
		if got := archive.Contains(filed, []byte(tt.session)); got != tt.want {
			t.Errorf("Contains(%q) = %v", tt.session, got)
		}
	}
}
