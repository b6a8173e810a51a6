package project

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

func TestLog_AppendsAndSetsInProgress(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	got := must(s.as("a").Tasks.Log(t.Context(), tasks.LogRequest{ID: "#1", Entry: task.Entry{
		Did: []string{
			"Wrote the schema",
		}, Issues: []string{"Slow tests"}, Next: []string{"Index it"}, Commits: []task.Commit{{Hash: "abc1234"}},
	}}))(t)
	if got.Session != 1 || got.Path != statePath("1") || len(got.Archived) != 0 {
		t.Errorf("got %+v", got)
	}
	st := s.task("1")
	if st.Status() != task.StatusInProgress || st.Meta.Total != 1 || len(st.Sessions) != 1 {
		t.Fatalf("status %s, total %d, %d sessions", st.Status(), st.Meta.Total, len(st.Sessions))
	}
	one := st.Sessions[0]
	if one.Stamp != "2026-03-02 09:30" {
		t.Errorf("stamp %q, want the local time", one.Stamp)
	}
	if diff := cmp.Diff([]string{"abc1234"}, one.Commits); diff != "" {
		t.Error(diff)
	}
	if int64(len(s.read(statePath("1")))) != got.Size {
		t.Errorf("size %d is not that of the file", got.Size)
	}
}

// The answer has the first open criterion if the file alone shows it, because the criteria of parts count too (5.9).
func TestLog_ReportsTheFirstOpenCriterion(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	whole := string(s.create(tasks.NewTask{Title: "Whole", Criteria: criteria("one", "two")}))
	open := func() tasks.LogResult {
		return must(s.as("a").Tasks.Log(t.Context(), tasks.LogRequest{ID: whole, Entry: task.Entry{Did: []string{"x"}}}))(t)
	}
	if got := open(); got.Open != 1 || got.Held {
		t.Errorf("%+v", got)
	}
	must(s.as("a").Tasks.Check(t.Context(), tasks.CheckRequest{ID: whole, Selector: "1", By: "index", Evidence: "seen"}))(t)
	must(s.as("a").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: whole}))(t)
	if got := open(); got.Open != 2 || !got.Held {
		t.Errorf("%+v", got)
	}
	text := s.read(statePath(whole))
	s.write(statePath(whole), strings.Replace(text, `"task_id"`, `"children": [77], "task_id"`, 1))
	if got := open(); got.Open != 0 {
		t.Errorf("%+v", got)
	}
}

func TestLog_Refusals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "101"})
	s.write(statePath("102"), "# Task #102: Torn\n\n<<<<<<< ours\n## 3. Progress Log\n=======\n>>>>>>> theirs\n")
	s.write(statePath("103"), "# Task #103: Bytes\n\n## 3. Progress Log\n\n\xff\xfe\n")
	entry := task.Entry{Did: []string{"x"}}
	before := s.tracked()
	p := s.as("a")
	tests := []struct {
		name string
		req  tasks.LogRequest
		kind report.Kind
		code report.Code
	}{
		{"empty entry", tasks.LogRequest{ID: "101", Entry: task.Entry{State: []string{"only a state"}}}, report.Usage, "entry_empty"},
		{"bad id", tasks.LogRequest{ID: "../101", Entry: entry}, report.Usage, "id_invalid"},
		{"unknown task", tasks.LogRequest{ID: "111", Entry: entry}, report.NotFound, "task_unknown"},
		{"TS-25 conflict markers", tasks.LogRequest{ID: "102", Entry: entry}, report.Corrupt, "conflict_markers"},
		{"TS-5 not UTF-8", tasks.LogRequest{ID: "103", Entry: entry}, report.Corrupt, "not_utf8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := p.Tasks.Log(t.Context(), tt.req)
			refused(t, err, tt.kind, tt.code)
		})
	}
	if diff := cmp.Diff(before, s.tracked()); diff != "" {
		t.Errorf("a refused entry changed something:\n%s", diff)
	}
}

// TS-29, TS-31: entries are the exception to "twice is once": each is there, with its own number.
func TestTS31_LogTwiceIsTwoEntries(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	first, second := s.log("a", "1", "Same words"), s.log("b", "1", "Same words")
	if first.Session != 1 || second.Session != 2 {
		t.Errorf("numbers %d and %d", first.Session, second.Session)
	}
	if n := len(s.task("1").Sessions); n != 2 {
		t.Errorf("%d sessions in the file, want 2", n)
	}
}

func TestD3_LogOfANonHolderIsKept(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	must(s.as("holder").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t)
	got := s.log("stranger", "1", "Found the cause")
	if !hasCode(got.Warnings, "claimed_by_other") {
		t.Errorf("no warning: %v", got.Warnings)
	}
	one := s.task("1").Sessions[0]
	if len(one.Issues) != 1 || !strings.Contains(one.Issues[0], "stranger") || !strings.Contains(one.Issues[0], "holder") {
		t.Errorf("the entry does not name its writer: %q", one.Issues)
	}
}

func TestD3_LogRenewsTheLease(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	must(s.as("holder").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t)
	s.pass(20 * time.Minute)
	s.log("holder", "1", "Half way")
	s.pass(20 * time.Minute)
	_, err := s.as("other").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"})
	refused(t, err, report.Conflict, "claim_held")
	s.pass(11 * time.Minute)
	must(s.as("other").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t)
}

// The reason for a block or reopen becomes an issue of the next entry, once (5.12.1).
func TestD17_ReasonGoesToTheNextEntry(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	must(s.as("a").Tasks.Block(t.Context(), tasks.TaskRequest{ID: "1", Reason: "waits for the\nkeys"}))(t)
	must(s.as("a").Tasks.Reopen(t.Context(), tasks.TaskRequest{ID: "1", Reason: "keys are here"}))(t)
	s.log("a", "1", "Went on")
	s.log("a", "1", "And on")
	st := s.task("1")
	if diff := cmp.Diff([]string{"waits for the keys", "keys are here"}, st.Sessions[0].Issues); diff != "" {
		t.Error(diff)
	}
	if len(st.Sessions[1].Issues) != 0 {
		t.Errorf("the reason came twice: %q", st.Sessions[1].Issues)
	}
	if strings.Contains(s.read(statePath("1")), "_reason") {
		t.Error("the reason is still kept in the metadata")
	}
}

func TestD18_LogTakesStampAndCommits(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.git("init", "-q")
	s.git("commit", "-q", "--allow-empty", "-m", "Before")
	p := s.as("a")
	must(p.Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
	s.git("commit", "-q", "--allow-empty", "-m", "Add the table")
	s.git("commit", "-q", "--allow-empty", "-m", "Add the index")
	head := s.git("rev-parse", "HEAD")
	s.pass(25 * time.Minute)
	got := s.log("a", "1", "Made the table")
	if len(got.Commits) != 2 || got.Commits[0].Subject != "Add the table" || got.Commits[1].Subject != "Add the index" ||
		!strings.HasPrefix(head, got.Commits[1].Hash) {
		t.Errorf("commits %+v", got.Commits)
	}
	one := s.task("1").Sessions[0]
	if one.Stamp != "2026-03-02 09:30" || len(one.Commits) != 2 {
		t.Errorf("stamp %q, commits %q: want the start of the session and both commits", one.Stamp, one.Commits)
	}
	// The second entry of the same session has only what came after the first.
	s.git("commit", "-q", "--allow-empty", "-m", "Third")
	second := must(p.Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", New: true, Entry: task.Entry{Did: []string{"One more"}}}))(t)
	if len(second.Commits) != 1 || second.Commits[0].Subject != "Third" {
		t.Errorf("second entry has commits %+v", second.Commits)
	}
	if stamp := s.task("1").Sessions[1].Stamp; stamp != "2026-03-02 09:55" {
		t.Errorf("second entry has stamp %q, want when it was written", stamp)
	}
	if hasCode(got.Warnings, "commits_unknown") || hasCode(second.Warnings, "commits_unknown") {
		t.Error("commits_unknown although they are known")
	}
	if third := s.log("stranger", "1", "From outside"); !hasCode(third.Warnings, "commits_unknown") || len(third.Commits) != 0 {
		t.Errorf("an entry without a session: %+v", third)
	}
}

func TestD18_NamedCommitsAreNotRepeated(t *testing.T) {
	t.Parallel()
	got := workspace.Union([]task.Commit{{Hash: "abc1234"}}, []task.Commit{{Hash: "abc1234def00"}, {Hash: "ffff00000000"}})
	want := []task.Commit{{Hash: "abc1234"}, {Hash: "ffff00000000"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// entry returns an entry of about so many KB.
func entry(n, kb int) task.Entry {
	var did []string
	for range kb {
		did = append(did, strings.Repeat("word ", 200))
	}
	return task.Entry{Did: append([]string{"Entry " + string(rune('a'+n))}, did...)}
}

// 5.13, TS-41: the file on disk is never above 75 KB if there is something to archive, and nothing is lost.
func TestTS41_ArchivesInTheSameTransaction(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	p := s.as("a")
	archived := 0
	for n := range 16 {
		got := must(p.Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: entry(n, 9)}))(t)
		archived += len(got.Archived)
		if n >= 6 && got.Size > 75*1024 {
			t.Fatalf("after entry %d the file has %d bytes", n+1, got.Size)
		}
		if got.Session != n+1 {
			t.Fatalf("entry %d got number %d", n+1, got.Session)
		}
		s.pass(time.Hour)
	}
	if archived == 0 {
		t.Fatal("nothing was archived")
	}
	st := s.task("1")
	if st.Meta.Archived != archived || st.Meta.Total != 16 || st.Meta.ArchivePath != archivePath("1") {
		t.Errorf("metadata says %d archived, %d in all, at %q", st.Meta.Archived, st.Meta.Total, st.Meta.ArchivePath)
	}
	if archived+len(st.Sessions) != 16 {
		t.Errorf("%d archived and %d live sessions", archived, len(st.Sessions))
	}
	shown := must(p.Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Show: "1-16"}))(t)
	for n := range archived {
		if !strings.Contains(shown.Text, "Entry "+string(rune('a'+n))) {
			t.Errorf("archived session %d cannot be read back", n+1)
		}
	}
}

// D7, D31: whatever the size of the archive, a log reads less than 256 KB, and syncs a fixed number of times.
func TestD7_CostDoesNotDependOnTheArchive(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	p := s.as("a")
	for n := range 9 {
		must(p.Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: entry(n, 9)}))(t)
	}
	old := s.read(archivePath("1"))
	s.write(archivePath("1"), old+strings.Repeat(old[strings.Index(old, "## Session"):], 200))
	if info, err := os.Stat(s.path(archivePath("1"))); err != nil || info.Size() < 4<<20 {
		t.Fatalf("the archive is too small for the test: %v %v", info, err)
	}
	p = s.as("a")
	must(p.Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: entry(9, 1)}))(t)
	if read := p.Store.Counters().BytesRead.Load(); read > 256<<10 {
		t.Errorf("a log read %d bytes", read)
	}
}

// syncs counts the fsyncs of one call, in both stores.
func (s *stage) syncs(use func(p *Project)) int64 {
	p := s.as("a")
	use(p)
	return p.Store.Counters().Syncs.Load() + p.Shared.Counters().Syncs.Load()
}

func TestD31_LogSyncs(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	log := func(kb int) func(p *Project) {
		return func(p *Project) { must(p.Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: entry(0, kb)}))(t) }
	}
	s.mkdir(".baton/archive")
	s.log("a", "1", "First") // makes the runtime folder
	for range 8 {
		var held int64
		n := s.syncs(func(p *Project) {
			log(9)(p)
			held = p.Store.Counters().Held.Load() + p.Shared.Counters().Held.Load()
		})
		if n != 2 || held > 20 {
			t.Errorf("an entry took %d fsyncs, want 2, and %d folders to be held, at most 20", n, held)
		}
	}
	if n := s.syncs(log(9)); n != 7 {
		t.Errorf("the first archiving took %d fsyncs, want 7", n)
	}
	again := int64(0)
	for range 12 {
		if n := s.syncs(log(14)); n != 2 {
			again = n
			break
		}
	}
	if again != 6 {
		t.Errorf("a later archiving took %d fsyncs, want 6", again)
	}
}

// Metadata that cannot be read stays as it is and is named in the warnings.
func TestTS35_LogIntoAFileWithBrokenMetadata(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	broken := strings.Replace(s.text(create.Request{ID: "1"}), `"status": "ready"`, `"status" = "ready"`, 1)
	s.write(statePath("1"), broken)
	got := s.log("a", "1", "All the same")
	if !hasCode(got.Warnings, "metadata_invalid") {
		t.Errorf("warnings %v", got.Warnings)
	}
	before, _, _ := strings.Cut(broken, "(No sessions yet)")
	if text := s.read(statePath("1")); !strings.HasPrefix(text, before) || !strings.Contains(text, "All the same") {
		t.Errorf("the file is now:\n%s", text)
	}
}

func TestLog_SetsStartedAt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write(statePath("1"), strings.Replace(
		s.text(create.Request{ID: "1"}), `"status": "ready"`, `"status": "ready", "started_at": null, "updated_at": null`, 1,
	))
	s.log("a", "1", "First")
	s.pass(time.Hour)
	s.log("a", "1", "Second")
	text := s.read(statePath("1"))
	if !strings.Contains(text, `"started_at": "2026-03-02T08:30:00Z", "updated_at": "2026-03-02T09:30:00Z"`) {
		t.Errorf("the file is now:\n%s", text)
	}
}

// A session that begins before the first commit of a repository has all of its commits.
func TestD18_SessionBeforeTheFirstCommit(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.git("init", "-q")
	s.start("a", "1")
	if got := s.log("a", "1", "Thought about it"); len(got.Commits) != 0 || hasCode(got.Warnings, "commits_unknown") {
		t.Errorf("before the first commit: %+v", got)
	}
	s.git("commit", "-q", "--allow-empty", "-m", "First")
	if got := s.log("a", "1", "Began"); len(got.Commits) != 1 || got.Commits[0].Subject != "First" {
		t.Errorf("after the first commit: %+v", got.Commits)
	}
	s.git("commit", "-q", "--allow-empty", "-m", "Second")
	if got := s.log("a", "1", "Went on"); len(got.Commits) != 1 || got.Commits[0].Subject != "Second" {
		t.Errorf("after the second: %+v", got.Commits)
	}
}
