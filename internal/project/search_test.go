package project

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/store/disk/crashfs"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/find"
	"baton/internal/workspace"
)

// searchWorld returns a project with a document of every kind, each with the word needle in it.
func searchWorld(t *testing.T) *stage {
	t.Helper()
	s := newStage(t)
	for _, id := range []task.ID{"10", "2"} {
		s.plant(create.Request{ID: id, Title: "Piece " + string(id), Requirements: "A Needle in the requirements."})
	}
	s.log("a", "2", "Lost the needle")
	s.write(evidencePath("2"), "{\"criterion\":\"1\",\"by\":\"needle\"}\n{\"criterion\":\"2\"}\n")
	s.write(archivePath("2"), "# Task #2 Archive - Full Session History\n\n## Session 4 - 2026-01-02 10:00\n\n**Did:** the needle of old\n")
	s.write(
		".baton/STATE.md",
		"# State\n\n## Needle\n\ntext\n\n## Decisions\n\n| Date | Phase | Decision |\n|---|---|---|\n| 2026-02-01 | 1 | A needle it is |\n",
	)
	s.write(
		".baton/DECISIONS_ARCHIVE.md",
		"# Decisions Archive\n\n| Date | Phase | Decision |\n|---|---|---|\n| 2026-01-01 | 1 | no needle yet |\n",
	)
	s.write(".baton/STATE-ARCHIVE.md", "# Archive\n\n- the needle was a blocker\n")
	s.write(".baton/memory/notes/deep.md", "# Note\n\n## Where\n\nneedle in a note\n")
	s.write(".baton/memory/empty.md", "")
	s.write(".baton/local/secret.md", "needle of the runtime folder\n")
	s.write(".baton/config.yaml", "# needle\n")
	s.write("README.md", "needle of somebody else\n")
	return s
}

// hitsOf returns hits in short form: path:line, and what was found.
func hitsOf(r find.SearchResult) []string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, strings.Join([]string{h.Path, string(rune('0'+h.Line/10)) +
			string(rune('0'+h.Line%10)), h.Kind, h.Entry, h.Section}, " "))
	}
	return out
}

func TestSearchGoesThroughAllDocumentsInOrder(t *testing.T) {
	t.Parallel()
	s := searchWorld(t)
	before := s.files()
	got := must(s.as("a").Find.Search(t.Context(), find.SearchRequest{Text: "NEEDLE"}))(t)
	want := []string{
		".baton/STATE.md 03 digest  Needle",
		".baton/STATE.md 11 digest decision Decisions",
		".baton/tasks/task-2-state.md 18 task  1. Context / Requirements",
		".baton/tasks/task-2-state.md 25 task session 3. Progress Log",
		".baton/archive/task-2-evidence.jsonl 01 evidence  ",
		".baton/tasks/task-10-state.md 18 task  1. Context / Requirements",
		".baton/memory/notes/deep.md 05 document  Where",
		".baton/DECISIONS_ARCHIVE.md 05 archive decision Decisions Archive",
		".baton/archive/task-2-archive.md 05 archive session Task #2 Archive - Full Session History",
		".baton/STATE-ARCHIVE.md 03 archive  Archive",
	}
	if diff := cmp.Diff(want, hitsOf(got)); diff != "" {
		t.Error(diff)
	}
	if got.Documents != 9 || got.Matching != 8 || got.Total != len(want) || got.More != 0 || got.Root != s.dir || len(got.Warnings) != 0 {
		t.Errorf(
			"%d documents, %d matching, %d hits, %d more, root %s, warnings %v", got.Documents, got.Matching, got.Total, got.More,
			got.Root, got.Warnings,
		)
	}
	if diff := cmp.Diff(before, s.files()); diff != "" {
		t.Errorf("a search changed something:\n%s", diff)
	}
	first := got.Hits[3]
	if first.Task != "2" || first.Title != "Piece 2" || first.Session != 1 || first.Date == "" || first.Lines != 1 ||
		!strings.Contains(first.Excerpt, "Lost the needle") || len(first.Marks) != 1 {
		t.Errorf("%+v", first)
	}
}

func TestSearchScopesAndLimit(t *testing.T) {
	t.Parallel()
	s := searchWorld(t)
	for scope, want := range map[string]int{
		find.SearchTasks: 4, find.SearchDecisions: 2, find.SearchSessions: 2, find.SearchArchives: 3, find.SearchAll: 10, "": 10,
	} {
		got := must(s.as("a").Find.Search(t.Context(), find.SearchRequest{Text: "needle", In: scope}))(t)
		if len(got.Hits) != want || got.Total != want {
			t.Errorf("in %q: %d of %d hits, want %d: %v", scope, len(got.Hits), got.Total, want, hitsOf(got))
		}
	}
	all := hitsOf(must(s.as("a").Find.Search(t.Context(), find.SearchRequest{Text: "needle"}))(t))
	for limit := 1; limit <= 11; limit++ {
		got := must(s.as("a").Find.Search(t.Context(), find.SearchRequest{Text: "needle", Limit: limit}))(t)
		shown := min(limit, 10)
		if got.Total != 10 || got.More != 10-shown || !slices.Equal(hitsOf(got), all[:shown]) {
			t.Errorf("limit %d: %d hits, %d more", limit, len(got.Hits), got.More)
		}
	}
	for text, want := range map[string]int{
		"piece lost": 1, "piece needle": 3, `"the needle"`: 3, `"needle the"`: 0, "needle nowhere": 0, "session needle": 2,
	} {
		if got := must(s.as("a").Find.Search(t.Context(), find.SearchRequest{Text: text}))(t); got.Total != want {
			t.Errorf("%q: %v, want %d", text, hitsOf(got), want)
		}
	}
}

func TestSearchRefusesWhatItCannotAnswer(t *testing.T) {
	t.Parallel()
	s := searchWorld(t)
	for _, text := range []string{"", "  ", `""`} {
		_, err := s.as("a").Find.Search(t.Context(), find.SearchRequest{Text: text})
		refused(t, err, report.Usage, "search_empty")
	}
	_, err := s.as("a").Find.Search(t.Context(), find.SearchRequest{Text: "x", In: "drawers"})
	refused(t, err, report.Usage, "search_scope")
	_, err = newWorld(t).as("a").Find.Search(t.Context(), find.SearchRequest{Text: "x"})
	refused(t, err, report.NotFound, "no_project")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.as("a").Find.Search(ctx, find.SearchRequest{Text: "needle"}); err == nil {
		t.Error("a search goes on after it was called off")
	}
}

// D16: a search covers the layouts of every role, and --layout narrows it to one.
func TestD16_SearchLooksThroughEveryLayout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".git")
	w.write(".planning/STATE.md", smallDigest+"\nneedle\n")
	w.write(".planning/phases/01-first/01-PLAN.md", "# Plan\n\nneedle\n")
	w.write(".devt/state/review.md", "# Review\n\nneedle\n")
	w.write(".devt/state/.archive/20260101/plan.md", "# Old\n\nneedle\n")
	w.write(".devt/agents/x.md", "needle of an agent's text\n")
	w.write("part/.specflux/task-states/task-1-state.md", "# Task #1: One\n\nneedle\n")
	w.write("part/.specflux/worktrees/task-7/.specflux/task-states/task-7-state.md", "# Task #7: Seven\n\nneedle\n")
	w.write("part/.specflux/worktrees/task-7/README.md", "needle of the code\n")
	w.write("part/chain-outputs/1-output.md", "# One\n\nneedle\n")
	for layout, want := range map[string][]string{
		"": {
			".planning/STATE.md", "part/.specflux/task-states/task-1-state.md",
			"part/.specflux/worktrees/task-7/.specflux/task-states/task-7-state.md",
			".devt/state/review.md", ".planning/phases/01-first/01-PLAN.md", "part/chain-outputs/1-output.md",
			".devt/state/.archive/20260101/plan.md",
		},
		"gsd":  {".planning/STATE.md", ".planning/phases/01-first/01-PLAN.md"},
		"devt": {".devt/state/review.md", ".devt/state/.archive/20260101/plan.md"},
		"specflux": {
			".specflux/task-states/task-1-state.md", ".specflux/worktrees/task-7/.specflux/task-states/task-7-state.md",
			"chain-outputs/1-output.md",
		},
	} {
		got := must(
			w.open(workspace.Options{Dir: w.path("part"), Layout: layout}).Find.Search(t.Context(), find.SearchRequest{Text: "needle"}),
		)(t)
		var paths []string
		for _, h := range got.Hits {
			paths = append(paths, h.Path)
		}
		if diff := cmp.Diff(want, paths); diff != "" {
			t.Errorf("layout %q: %s", layout, diff)
		}
	}
}

func TestSearchKnowsSpecificationsAndTheirHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".specflow/STATE.md", smallSpecflow)
	w.write(
		".specflow/DECISIONS_ARCHIVE.md",
		"# A\n\n| Date | Specification | Decision |\n|---|---|---|\n| 2026-01-01 | SPEC-000 | first of all |\n",
	)
	w.write(".specflow/specs/SPEC-007.md", "# Seven\n\n## Goal\n\nfirst things\n")
	w.write(".specflow/archive/SPEC-001.md", "# One\n\n## Goal\n\nfirst\n")
	got := must(w.as("a").Find.Search(t.Context(), find.SearchRequest{Text: "first"}))(t)
	want := []string{
		".specflow/STATE.md 13 digest decision Decisions", ".specflow/specs/SPEC-007.md 05 document  Goal",
		".specflow/DECISIONS_ARCHIVE.md 05 archive decision A", ".specflow/archive/SPEC-001.md 05 archive  Goal",
	}
	if diff := cmp.Diff(want, hitsOf(got)); diff != "" {
		t.Error(diff)
	}
}

// Links are followed inside the project only. A file that is not text, is too large or cannot be read is named, and the
// rest is searched.
func TestD36_SearchNamesWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	s := searchWorld(t)
	outside := t.TempDir()
	if err := os.WriteFile(outside+"/out.md", []byte("needle outside"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{
		".baton/out.md": outside + "/out.md", ".baton/folder": outside, ".baton/circle": ".", ".baton/again.md": "tasks/task-2-state.md",
		".baton/gone.md": "nowhere", ".baton/inside": "../docs", ".baton/own": "local", ".baton/image.png": outside + "/out.md",
	} {
		if err := os.Symlink(to, s.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	s.write("docs/in.md", "a needle behind a link\n")
	s.write(".baton/nul.md", "needle\x00\n")
	s.write(".baton/large.md", "needle")
	if err := os.Truncate(s.path(".baton/large.md"), 64<<20+1); err != nil {
		t.Fatal(err)
	}
	got := must(s.as("a").Find.Search(t.Context(), find.SearchRequest{Text: "needle"}))(t)
	if got.Total != 11 || !slices.Contains(hitsOf(got), ".baton/inside/in.md 01 document  ") {
		t.Errorf("%d hits: %v", got.Total, hitsOf(got))
	}
	var reported []string
	for _, f := range got.Warnings {
		reported = append(reported, string(f.Code)+" "+f.Path)
	}
	slices.Sort(reported)
	if diff := cmp.Diff(
		[]string{"binary .baton/nul.md", "outside .baton/folder", "outside .baton/out.md", "too_large .baton/large.md"}, reported,
	); diff != "" {
		t.Error(diff)
	}
}

// Hits contain nothing that a terminal or an agent might act on.
func TestTS24_SearchGivesHarmlessText(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(".baton/notes\x1b.md", "needle\n")
	s.write(".baton/n.md", "# T\n\n## Head\x1b[31m\u202eing\n\nthe \x1b]0;x\x07needle\u202e\tin\r\n")
	got := must(s.as("a").Find.Search(t.Context(), find.SearchRequest{Text: `"the needle"`}))(t)
	if got.Total != 0 {
		t.Errorf("a phrase across an escape: %v", hitsOf(got))
	}
	got = must(s.as("a").Find.Search(t.Context(), find.SearchRequest{Text: "needle\x1b[31m \x1b[2J"}))(t)
	if strings.ContainsRune(got.Query, 0x1b) {
		t.Errorf("query %q", got.Query)
	}
	got = must(s.as("a").Find.Search(t.Context(), find.SearchRequest{Text: "needle"}))(t)
	if got.Total != 1 || got.Hits[0].Excerpt != "the needle in" || got.Hits[0].Section != "Heading" {
		t.Errorf("%+v", got.Hits)
	}
}

// D8: after a kill at any step of moving sessions to the archive, every session is found exactly once, and nothing is
// written.
func TestD8_SearchAfterACrashFindsEachSessionOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	scene := crashScenes()[0]
	scene.set(s)
	disk := s.lift()
	var images []*crashfs.FS
	disk.Hook = func(op crashfs.Op) error {
		if !reads(op.Name) {
			images = append(images, disk.Kill())
		}
		return nil
	}
	scene.act(t, s.as("a"))
	disk.Hook = nil
	for i, im := range append(images, disk) {
		foundOnce(t, i, must(s.survivor(im).Find.Search(t.Context(), find.SearchRequest{Text: "Entry", In: find.SearchSessions}))(t))
	}
}

// D8: sessions that move to the archive at any moment of a search are also found once.
func TestD8_SearchWhileSessionsMoveFindsEachOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	scene := crashScenes()[1]
	scene.set(s)
	base := s.lift()
	for gap := 1; ; gap++ {
		disk := base.Kill()
		reader := s.survivor(disk)
		s.fs = disk
		writer := s.as("a")
		var lock sync.Mutex
		steps, moved := 0, false
		disk.Hook = func(crashfs.Op) error {
			lock.Lock()
			steps++
			now := steps == gap
			moved = moved || now
			lock.Unlock()
			if now {
				scene.act(t, writer)
			}
			return nil
		}
		got := must(reader.Find.Search(t.Context(), find.SearchRequest{Text: "Entry", In: find.SearchSessions}))(t)
		if !moved {
			t.Logf("%d gaps", gap-1)
			if gap < 5 {
				t.Error("the search is not seen at work")
			}
			return
		}
		foundOnce(t, gap, got)
	}
}

// foundOnce checks that the first seven sessions, and the one that may have been added meanwhile, are found once each.
func foundOnce(t *testing.T, at int, got find.SearchResult) {
	t.Helper()
	times := map[int]int{}
	for _, h := range got.Hits {
		times[h.Session]++
	}
	for n := 1; n <= 7; n++ {
		if times[n] != 1 {
			t.Fatalf("at %d: session %d is found %d times: %v", at, n, times[n], hitsOf(got))
		}
	}
	if len(got.Hits) > 8 {
		t.Fatalf("at %d: %v", at, hitsOf(got))
	}
}

// A text that recovery left in both files is one hit; two live texts that are equal are two.
func TestSearchShowsACopyInTheArchiveOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const session = "Session 1 - 2026-01-02 10:00\n\n**Did:** the needle\n"
	s.write(archivePath("1"), "# Task #1 Archive - Full Session History\n\n## "+session)
	s.write(statePath("1"), "# Task #1: One\n\n## 3. Progress Log\n\n### "+session+"\n### "+session)
	got := must(s.as("a").Find.Search(t.Context(), find.SearchRequest{Text: "needle"}))(t)
	if got.Total != 2 || got.Hits[0].Path != statePath("1") || got.Hits[1].Path != statePath("1") {
		t.Errorf("%v", hitsOf(got))
	}
	if got := must(s.as("a").Find.Search(t.Context(), find.SearchRequest{Text: "needle", In: find.SearchArchives}))(t); got.Total != 1 {
		t.Errorf("in the archive alone: %v", hitsOf(got))
	}
}

// --tasks-dir names a folder among other people's files: only files in this folder are searched.
func TestSearchOfANamedFolderStaysInIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("work/here/task-1-state.md", "# Task #1: One\n\nneedle\n")
	w.write("work/here/below/other.md", "needle\n")
	w.write("work/other.md", "needle\n")
	got := must(w.open(workspace.Options{TasksDir: filepath.Join(w.dir, "work", "here")}).Find.Search(
		t.Context(), find.SearchRequest{Text: "needle"},
	))(t)
	if got.Total != 1 || got.Hits[0].Path != "here/task-1-state.md" {
		t.Errorf("%v", hitsOf(got))
	}
}
