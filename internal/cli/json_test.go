package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// commandLines has one line for every command that answers with a result.
var commandLines = []string{
	"init", "status", "config list", "task new T", "task list", "task ready", "task show 101", "task graph",
	"task claim 101", "task release 101", "task block 101 --reason r", "task reopen 101", "session start 101", "session end 101",
	"next",
	"task log 101 --did x", "task check 101 1", "task uncheck 101 1", "task output 101", "task complete 101",
	"task archive 101", "task split 101", "task convert 101 --to v1", "version",
	"state show", "state get status", "state set status x", "state patch a=b", "state sync", "state sync --check", "state validate",
	"state rotate",
	"state advance", "state json", "state json --pick status", "config get mode", "config set mode x",
	"phase list", "phase show 4", "phase analyze",
	"state begin 4", "state plan", "state verify", "state complete", "state pause", "state resume", "state next plan-phase 4",
	"state milestone v2", "state metric 4 2 --duration 1m",
	"state active list", "state active add S-1", "state active set S-1 --status x",
	"state active remove S-1", "state active resolve", "state queue list", "state queue add S-1 --title T", "state queue remove S-1",
	"state queue move S-1 --to 1", "state queue next", "state migrate", "decision add T", "decision list", "decision rotate",
	"blocker add T",
	"blocker list", "blocker resolve T", "history", "history S-1", "history --decisions", "session end --stopped-at T",
	"dir audit", "dir cleanup", "dir reset", "dir evict", "dir begin dev T", "dir read", "dir update a=b", "dir validate", "dir lint",
	"log", "log 101", "log --check", "undo", "undo --dry-run", "dir history", "dir restore S", "dir lock", "dir unlock --stale",
	"dir slug T", "waiting",
}

func TestJSONListsAreNeverNull(t *testing.T) {
	t.Parallel()
	null := regexp.MustCompile(`"([a-z_]+)": null`)
	for _, line := range commandLines {
		got := play(t, canned{}, append(strings.Fields(line), "--json")...)
		if got.code != 0 || got.errors != "" || !json.Valid([]byte(got.out)) || !strings.HasSuffix(got.out, "}\n") {
			t.Errorf("%s: exit code %d, %q, %s", line, got.code, got.errors, got.out)
		}
		for _, match := range null.FindAllStringSubmatch(got.out, -1) {
			switch match[1] {
			case "claim", "evidence", "value", "previous", "default", "snapshot", "swapped", "record", "folder", "running", "pid",
				"goal", "depends_on", "current_phase", "next_phase":
				// documented as null if there is none
			default:
				t.Errorf("%s: %s is null", line, match[1])
			}
		}
		if !strings.HasPrefix(got.out, "{\n  \"") {
			t.Errorf("%s: not indented by two blanks:\n%s", line, got.out)
		}
	}
}

func TestFillKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	detail := tasks.TaskDetail{
		Criteria: []tasks.CriterionView{{N: 1}},
		Sessions: []workspace.SessionView{{Number: 3, Did: []string{"a"}}},
	}
	data, err := report.EncodeJSON(detail, "  ")
	if err != nil {
		t.Fatal(err)
	}
	var back tasks.TaskDetail
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if back.Criteria[0].N != 1 || back.Sessions[0].Did[0] != "a" || back.Sessions[0].Issues == nil || back.Dependencies == nil {
		t.Errorf("came back as %+v", back)
	}
	if detail.Dependencies != nil {
		t.Error("the caller's struct was changed")
	}
}

func TestD14_ErrorObject(t *testing.T) {
	t.Parallel()
	full := &report.Error{
		Op: "task.show", Kind: report.Corrupt, Code: "conflict_markers", Message: "the file holds conflict markers",
		Path: ".baton/tasks/task-101-state.md", Line: 12, Hint: "resolve them", Details: map[string]any{"lines": 3},
	}
	cases := []struct {
		name string
		err  error
		code int
		want string
	}{
		{
			"everything", full, 7,
			`{"error":{"kind":"corrupt","code":"conflict_markers","op":"task.show","message":"the file holds conflict markers",` +
				`"path":".baton/tasks/task-101-state.md","line":12,"hint":"resolve them","details":{"lines":3}}}`,
		},
		{
			"bare", &report.Error{Kind: report.NotFound, Message: "task 9 does not exist"}, 3,
			`{"error":{"kind":"not_found","code":"not_found","op":"task.show","message":"task 9 does not exist"}}`,
		},
		{
			"wrapped", fmt.Errorf("read task: %w", full), 7,
			`{"error":{"kind":"corrupt","code":"conflict_markers","op":"task.show","message":"the file holds conflict markers",` +
				`"path":".baton/tasks/task-101-state.md","line":12,"hint":"resolve them","details":{"lines":3}}}`,
		},
		{
			"not one of ours", fs.ErrInvalid, 1,
			`{"error":{"kind":"internal","code":"internal","op":"task.show","message":"invalid argument",` +
				`"hint":"this is a bug in baton: please report it, with the command that you ran"}}`,
		},
		{
			"interrupted", context.Canceled, 130,
			`{"error":{"kind":"interrupted","code":"interrupted","op":"task.show","message":"interrupted before the command was done"}}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := play(t, canned{err: c.err}, "task", "show", "101", "--json")
			if diff := cmp.Diff(outcome{c.code, "", c.want + "\n"}, got, cmp.AllowUnexported(outcome{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestD14_TextErrors(t *testing.T) {
	t.Parallel()
	f := canned{err: &report.Error{Kind: report.Conflict, Message: "task 101 is held by agent-1", Hint: "claim it with --steal"}}
	if got := play(t, f, "task", "claim", "101"); got !=
		(outcome{4, "", "baton: task 101 is held by agent-1\nhint: claim it with --steal\n"}) {
		t.Errorf("with a hint: %+v", got)
	}
	f = canned{err: &report.Error{Kind: report.Refused, Message: "the disk is full"}}
	if got := play(t, f, "task", "claim", "101"); got != (outcome{9, "", "baton: the disk is full\n"}) {
		t.Errorf("without: %+v", got)
	}
}

func TestD14_EveryKindHasItsExitCode(t *testing.T) {
	t.Parallel()
	codes := map[report.Kind]int{
		report.Internal: 1, report.Usage: 2, report.NotFound: 3, report.Conflict: 4, report.Locked: 5, report.Violation: 6,
		report.Corrupt: 7, report.Unavailable: 8, report.Refused: 9, report.NotVerified: 10, report.Interrupted: 130,
	}
	for _, kind := range report.Kinds() {
		if got := play(t, canned{err: &report.Error{Kind: kind, Message: "m"}}, "task", "ready"); got.code != codes[kind] || got.out != "" {
			t.Errorf("%s: %+v", kind, got)
		}
	}
}

func TestUsageErrorsAreObjectsToo(t *testing.T) {
	t.Parallel()
	got := play(t, canned{}, "task", "log", "--nonsense", "--json")
	var object struct{ Error report.Failure }
	if err := json.Unmarshal([]byte(got.errors), &object); err != nil || got.code != 2 || object.Error.Kind != report.Usage ||
		object.Error.Op != "task.log" {
		t.Errorf("%+v: %v", got, err)
	}
}

// TestD19_TheErrorObjectIsTheLastLine checks this if a check's command also writes to standard error.
func TestD19_TheErrorObjectIsTheLastLine(t *testing.T) {
	t.Parallel()
	s := setting{dir: taskSite(t)}
	got := s.real(t, "task", "check", "1", "1", "--run", "echo output of the command; exit 3", "--json")
	output, object, _ := strings.Cut(got.errors, "\n")
	if got.code != 10 || got.out != "" || output != "output of the command" || strings.Count(object, "\n") != 1 ||
		!strings.HasPrefix(object, `{"error":{"kind":"not_verified","code":"check_failed","op":"task.check",`) {
		t.Errorf("%+v", got)
	}
}

func TestErrorsOfOpeningCount(t *testing.T) {
	t.Parallel()
	if got := (setting{dir: t.TempDir()}).real(t, "task", "list"); got.code != 3 || got.out != "" || got.errors == "" {
		t.Errorf("%+v", got)
	}
}

// TestEveryResultIsDocumentedWithJSONNames finds fields without a tag, which would appear under their Go names.
func TestEveryResultIsDocumentedWithJSONNames(t *testing.T) {
	t.Parallel()
	capital := regexp.MustCompile(`"([A-Z][A-Za-z]*)":`)
	for name, c := range pages() {
		data, err := report.EncodeJSON(c.answer, "")
		if err != nil {
			t.Fatal(err)
		}
		if match := capital.FindString(string(data)); match != "" {
			t.Errorf("%s (%s): key %s", name, reflect.TypeOf(c.answer), match)
		}
	}
}
