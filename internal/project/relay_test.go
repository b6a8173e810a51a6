package project

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
)

// A whole life: three tasks, passed from session to session in a git repository.
func TestRelay_FromAnEmptyFolderToAChainOfTasks(t *testing.T) {
	t.Parallel()
	s := &stage{world: newWorld(t)}
	s.time = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	s.git("init", "-q")
	s.write("README.md", "# Accounts\n")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "Begin")
	p := func() *Project { return s.as("agent-1") }
	must(p().Setup.Init(t.Context(), setup.InitRequest{}))(t)
	epic := "Accounts (#10)"
	must(p().Tasks.NewTasks(t.Context(), tasks.NewRequest{Tasks: []tasks.NewTask{
		{ID: "100", Title: "Schema", Epic: epic, Criteria: criteria("The table is there")},
		{ID: "101", Title: "Tokens", Epic: epic, After: []string{"100"}, Criteria: criteria("Tokens are signed")},
		{ID: "102", Title: "Endpoints", Epic: epic, After: []string{"100", "101"}, Criteria: criteria("Log in works")},
	}}))(t)
	for round, id := range []string{"100", "101", "102"} {
		ready := must(p().Tasks.Ready(t.Context()))(t)
		if len(ready.Tasks) != 1 || string(ready.Tasks[0].ID) != id {
			t.Fatalf("ready before %s: %+v", id, ready.Tasks)
		}
		claim := must(p().Tasks.Claim(t.Context(), tasks.ClaimRequest{Next: true}))(t)
		started := s.start("agent-1", id)
		if string(claim.Task) != id || len(started.Inputs) != round {
			t.Fatalf("claimed %s, inputs %+v", claim.Task, started.Inputs)
		}
		for n := range 3 {
			s.pass(40 * time.Minute)
			s.git("commit", "-q", "--allow-empty", "-m", fmt.Sprintf("Work %d on %s", n+1, id))
			part := task.Entry{Did: []string{fmt.Sprintf("Part %d", n+1)}, Next: []string{"The rest"}}
			got := must(p().Tasks.Log(t.Context(), tasks.LogRequest{ID: id, New: true, Entry: part}))(t)
			if len(got.Commits) != 1 || got.Session != n+1 {
				t.Fatalf("entry %+v", got)
			}
		}
		must(p().Tasks.Check(t.Context(), tasks.CheckRequest{ID: id, Selector: "1", By: "index", Run: "test -e README.md"}))(t)
		if round < 2 { // nothing waits for the last one (F-17)
			_, err := p().Tasks.Complete(t.Context(), tasks.TaskRequest{ID: id})
			refused(t, err, report.Violation, "not_complete")
		}
		must(p().Tasks.Output(
			t.Context(), tasks.OutputRequest{ID: id, Write: true, Set: map[task.Part]string{task.PartSummary: "Result of " + id}},
		))(t)
		done := must(p().Tasks.Complete(t.Context(), tasks.TaskRequest{ID: id}))(t)
		if len(done.HandedTo) != 2-round || len(done.Ready) != min(1, 2-round) {
			t.Fatalf("completing %s: handed to %+v, ready %+v", id, done.HandedTo, done.Ready)
		}
		must(p().Sessions.EndSession(t.Context(), sessions.SessionEndRequest{Name: id}))(t)
	}
	shown := s.show("102")
	if len(shown.ChainInputs) != 2 || shown.Status != "complete" || !shown.Criteria[0].Verified || shown.TotalSessions != 3 ||
		shown.Claim != nil {
		t.Errorf("task 102 as shown: %+v", shown)
	}
	if graph := must(p().Tasks.Graph(t.Context()))(t); len(graph.Edges) != 3 || len(graph.Cycles) != 0 || graph.Nodes[2].ID != "102" ||
		graph.Nodes[2].Depth != 2 {
		t.Errorf("graph %+v", graph)
	}
	if out := s.git("status", "--porcelain", "--ignored=no", "--", ".baton/local"); out != "" {
		t.Errorf("the runtime folder is seen by git: %s", out)
	}
}

// 8.2: forty sessions in a v2 and a v1 file. From the sixth session on, the file is never above 75 KB on the disk, and
// every session can be read back with its original bytes.
func TestTS22_FortySessions(t *testing.T) {
	t.Parallel()
	for _, dialect := range []task.Dialect{task.V2, task.V1C} {
		t.Run(string(dialect), func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.plant(create.Request{ID: "1", Dialect: dialect, Criteria: criteria("Ends")})
			originals := map[int]string{}
			for n := range 40 {
				e := task.Entry{
					Did:     []string{fmt.Sprintf("Step %d: %s", n+1, strings.Repeat("detail ", 900))},
					Issues:  []string{fmt.Sprintf("Trouble %d", n%3)},
					Next:    []string{"Go on"},
					Commits: []task.Commit{{Hash: fmt.Sprintf("%07x", 0xabc0000+n), Subject: "Step"}},
				}
				got := must(s.as("a").Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: e}))(t)
				if n >= 5 && got.Size > 75*1024 {
					t.Fatalf("%d bytes after session %d", got.Size, n+1)
				}
				st := s.task("1")
				last := st.Sessions[len(st.Sessions)-1]
				originals[got.Session] = strings.TrimRight(string(last.Span.Of(st.Bytes())), "\n")
				s.pass(time.Hour)
			}
			st := s.task("1")
			live := len(st.Sessions)
			if st.Summary == nil || st.Summary.First != 1 || st.Summary.Last != 40-live || st.Dialect != dialect {
				t.Fatalf("summary %+v, %d live", st.Summary, live)
			}
			if len(st.Summary.Body) > 3*1024 {
				t.Errorf("the summary has %d bytes", len(st.Summary.Body))
			}
			for n := 1; n <= 40-live; n++ {
				got := must(s.as("a").Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Show: fmt.Sprint(n)}))(t)
				if strings.TrimRight(got.Text, "\n") != originals[n] {
					t.Errorf("session %d reads back as\n%.200s\nwant\n%.200s", n, got.Text, originals[n])
				}
			}
		})
	}
}

// TS-29, TS-28: many writers at once, each with its own Project. All entries survive with different numbers.
func TestTS29_EntriesAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	const writers, each = 6, 5
	var wg sync.WaitGroup
	var mu sync.Mutex
	var numbers []int
	for w := range writers {
		p := s.as(fmt.Sprint("writer", w))
		wg.Go(func() {
			for n := range each {
				got, err := p.Tasks.Log(
					t.Context(), tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{fmt.Sprintf("w%d-%d done", w, n)}}},
				)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				numbers = append(numbers, got.Session)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != i+1 {
			t.Fatalf("numbers %v", numbers)
		}
	}
	text := s.read(statePath("1"))
	for w := range writers {
		for n := range each {
			if strings.Count(text, fmt.Sprintf("w%d-%d done", w, n)) != 1 {
				t.Errorf("entry w%d-%d is there %d times", w, n, strings.Count(text, fmt.Sprintf("w%d-%d done", w, n)))
			}
		}
	}
}

// TS-33: a clock that goes back or another time zone does not change numbers or order.
func TestTS33_ClockAndZone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.log("a", "1", "First")
	s.pass(-48 * time.Hour)
	s.log("a", "1", "Second, two days before")
	s.time = s.time.In(time.FixedZone("far", -11*3600))
	s.log("a", "1", "Third, elsewhere")
	st := s.task("1")
	var stamps []string
	for i, session := range st.Sessions {
		stamps = append(stamps, session.Stamp)
		if session.Number != i+1 {
			t.Errorf("session %d has number %d", i+1, session.Number)
		}
	}
	if diff := cmp.Diff([]string{"2026-03-02 09:30", "2026-02-28 09:30", "2026-02-27 21:30"}, stamps); diff != "" {
		t.Error(diff)
	}
}

// TS-31: every call that changes something is made twice. The second one changes nothing, even after some time.
func TestTS31_EveryCallTwice(t *testing.T) {
	t.Parallel()
	uses := map[string]func(p *Project, t *testing.T) error{
		"claim": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"})
			return err
		},
		"release": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Release(t.Context(), tasks.TaskRequest{ID: "1"})
			return err
		},
		"check": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "1"})
			return err
		},
		"uncheck": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "1", Uncheck: true})
			return err
		},
		"word": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "1", Evidence: "seen"})
			return err
		},
		"output": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Output(t.Context(), tasks.OutputRequest{ID: "1", Write: true, Whole: "All"})
			return err
		},
		"complete": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1", Force: true, Reason: "why"})
			return err
		},
		"reopen": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Reopen(t.Context(), tasks.TaskRequest{ID: "1", Reason: "why"})
			return err
		},
		"block": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Block(t.Context(), tasks.TaskRequest{ID: "1", Reason: "why"})
			return err
		},
		"archive": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Keep: 1})
			return err
		},
		"rebuild": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", RebuildSummary: true})
			return err
		},
		"split": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Split(t.Context(), tasks.SplitRequest{ID: "1", Apply: true})
			return err
		},
		"dismiss": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Split(t.Context(), tasks.SplitRequest{ID: "1", Dismiss: true})
			return err
		},
		"convert": func(p *Project, t *testing.T) error {
			_, err := p.Tasks.Convert(t.Context(), tasks.ConvertRequest{ID: "1", To: "v1", Apply: true})
			return err
		},
		"start": func(p *Project, t *testing.T) error {
			_, err := p.Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"})
			return err
		},
		"end": func(p *Project, t *testing.T) error {
			_, err := p.Sessions.EndSession(t.Context(), sessions.SessionEndRequest{Name: "1", NoLog: true})
			return err
		},
		"init": func(p *Project, t *testing.T) error {
			_, err := p.Setup.Init(t.Context(), setup.InitRequest{})
			return err
		},
	}
	for name, use := range uses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.plant(create.Request{ID: "1", Criteria: criteria("One", "Two", "Three", "Four")})
			s.plant(create.Request{ID: "2", Dependencies: []task.ID{"1"}})
			s.log("a", "1", "First")
			s.log("a", "1", "Second")
			switch name {
			case "uncheck":
				s.check1("1")
			case "rebuild":
				must(s.as("a").Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Keep: 1}))(t)
			case "end", "release":
				s.start("a", "1")
			}
			if err := use(s.as("a"), t); err != nil {
				t.Fatal(err)
			}
			files := s.tracked()
			s.pass(time.Minute)
			err := use(s.as("a"), t)
			switch kind := report.KindOf(err); {
			case err == nil:
			case name == "split" && kind == report.Violation, name == "end" && kind == report.NotFound:
			default:
				t.Errorf("the second time: %v", err)
			}
			if diff := cmp.Diff(files, s.tracked()); diff != "" {
				t.Errorf("the second time something changed:\n%s", diff)
			}
		})
	}
}

// D31: the exact number of fsyncs of the other calls; a read has none and changes nothing.
func TestD31_SyncsOfEveryCall(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1", Criteria: criteria("One", "Two")})
	s.mkdir(".baton/archive")
	s.log("a", "1", "Makes the runtime folder")
	steps := []struct {
		name string
		want int64
		use  func(p *Project)
	}{
		{"check with a new evidence file", 7, func(p *Project) {
			must(p.Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "1", By: "index"}))(t)
		}},
		{"check", 6, func(p *Project) {
			must(p.Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "2", By: "index"}))(t)
		}},
		{"check again", 0, func(p *Project) {
			must(p.Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "2", By: "index"}))(t)
		}},
		{"output", 2, func(p *Project) {
			must(p.Tasks.Output(t.Context(), tasks.OutputRequest{ID: "1", Write: true, Whole: "All"}))(t)
		}},
		{"reading the output", 0, func(p *Project) { must(p.Tasks.Output(t.Context(), tasks.OutputRequest{ID: "1"}))(t) }},
		{"complete", 2, func(p *Project) { must(p.Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1"}))(t) }},
		{"complete again", 0, func(p *Project) { must(p.Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1"}))(t) }},
		{"show", 0, func(p *Project) { must(p.Tasks.Show(t.Context(), tasks.ShowRequest{ID: "1"}))(t) }},
		{"ready", 0, func(p *Project) { must(p.Tasks.Ready(t.Context()))(t) }},
		{"proposal to split", 0, func(p *Project) { must(p.Tasks.Split(t.Context(), tasks.SplitRequest{ID: "1"}))(t) }},
	}
	for _, step := range steps {
		if n := s.syncs(step.use); n != step.want {
			t.Errorf("%s took %d fsyncs, want %d", step.name, n, step.want)
		}
	}
}
