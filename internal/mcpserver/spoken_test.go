package mcpserver

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/protocol/speech"
)

// F-40: what baton says names the tools that the server offers. What no tool does stays a command.
func TestF40_CommandsBecomeCallsOfTools(t *testing.T) {
	t.Parallel()
	byDefault, all := speechOf(tools(Options{})), speechOf(tools(Options{AllTools: true}))
	quiet := speechOf(tools(Options{NoRun: true}))
	for _, c := range []struct {
		speech spoken
		text   string
		spoken string
	}{
		{
			byDefault, "check it: baton task check 1 3 --run CMD; then go on",
			"check it: `task_check` (id: 1, criterion: 3, run: CMD); then go on",
		},
		{quiet, "check it: baton task check 1 3 --run CMD", "check it: `task_check` (id: 1, criterion: 3, evidence: TEXT)"},
		{
			byDefault, "the file proposes a command for criterion 1: baton task check 1 1 --by index --run 'go test ./...'",
			"the file proposes a command for criterion 1: `task_check` (id: 1, criterion: 1, run: go test ./...)",
		},
		{byDefault, "`baton task list` lists the tasks", "`task_list` lists the tasks"},
		{byDefault, "baton task show 1 --all lists what there is", "`task_show` (id: 1, archived: true) lists what there is"},
		{byDefault, "write it: baton task output 1 --summary TEXT; or", "write it: `task_output` (id: 1, summary: TEXT); or"},
		{
			byDefault, "leave a hand-off with `baton task log 1 --did TEXT --next TEXT`, or end with --no-log",
			"leave a hand-off with `task_log` (id: 1, did: TEXT, next: TEXT), or end with --no-log",
		},
		{byDefault, "`baton task prove 1 2 -- CMD` records one", "`task_check` (id: 1, criterion: 2, run: CMD) records one"},
		{
			byDefault, "`baton task ready` lists them, `baton session start ID` takes one.",
			"`task_list` (status: ready) lists them, `task_claim` (id: ID) takes one.",
		},
		{
			byDefault, "`baton task new TITLE --accept TEXT --from-task 7`",
			"`task_new` (title: TITLE, criteria: TEXT, discovered_from: 7)",
		},
		{byDefault, "`baton task edit 2 --not-after 1` removes it", "`task_edit` (id: 2, remove_dependencies: 1) removes it"},
		{byDefault, "`baton task reopen 1` unblocks it", "`baton task reopen 1` unblocks it"},
		{byDefault, "`baton lost --restore` puts it back", "`baton lost --restore` puts it back"},
		{all, "`baton lost --restore` puts it back", "`lost_restore` puts it back"},
		{all, "`baton lost --accept abc` drops it", "`baton lost --accept abc` drops it"},
		{all, "run `baton doctor --fix`", "run `baton doctor --fix`"},
		{all, `see them with "baton blocker list"; or`, "see them with `blocker_list`; or"},
		{byDefault, "`baton status`: the state of the project", "`status`: the state of the project"},
		{byDefault, "`baton context` prints the state again.", "`context` prints the state again."},
		{byDefault, "baton status says more", "`status` says more"},
		{byDefault, "`baton task check 1 N`", "`task_check` (id: 1, criterion: N)"},
		{byDefault, "# baton: where p stands, and baton moved it", "# baton: where p stands, and baton moved it"},
		{byDefault, "the program baton", "the program baton"},
		{byDefault, "`task edit`, `task cancel` change tasks.", "`task_edit`, `task cancel` change tasks."},
		{byDefault, "`baton", "`baton"},
		{byDefault, "`baton task list", "`baton task list"},
		{byDefault, "`.baton next` and mybaton next", "`.baton next` and mybaton next"},
		{byDefault, "baton search 'token \"refresh flow\"'", "`search` (text: token \"refresh flow\")"},
		{byDefault, "baton search 'open", "`search` 'open"},
	} {
		if got := c.speech.Say(c.text); got != c.spoken {
			t.Errorf("%s\n%s\nwant\n%s", c.text, got, c.spoken)
		}
	}
	for name, spoken := range speech.Parameters() {
		params, known := all.Speech[name]
		if !known {
			t.Errorf("there is no tool %s", name)
		}
		for _, param := range spoken {
			if !slices.Contains(params, param) {
				t.Errorf("%s has no parameter %s", name, param)
			}
		}
	}
	usual := speech.Usual()
	for name := range byDefault.Speech { // hooks name the tools that a server has in any case
		_, spoken := speech.Parameters()[name]
		if _, named := usual[name]; named != spoken {
			t.Errorf("%s: named by hooks: %t, does what a command does: %t", name, named, spoken)
		}
	}
	for name := range usual {
		if byDefault.Speech[name] == nil {
			t.Errorf("hooks name %s, which a server does not always have", name)
		}
	}
}

// F-40: no answer to an agent that has only the tools names a command that a tool does.
func TestF40_AnswersNameTools(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		hint      string
	}{
		{"task_complete", map[string]any{"id": "1"}, "; write it: `task_output` (id: 1, summary: TEXT)"},
		{"task_show", map[string]any{"id": "3"}, "`task_list` lists the tasks"},
		{"task_claim", map[string]any{"id": "2"}, "complete what it waits for"},
	} {
		said := failure(t, session, c.tool, c.arguments)
		if hint, _ := said["hint"].(string); !strings.HasSuffix(hint, c.hint) {
			t.Errorf("%s: %v", c.tool, said)
		}
	}
	text, _ := at(must(t, session, "next", nil), "text").(string)
	for _, part := range []string{"`task_check` (id: 1, criterion: N, evidence: TEXT)", "`task_log` (id: 1, did: TEXT, next: TEXT)"} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is missing in\n%s", part, text)
		}
	}
	if strings.Contains(text, "`baton task") {
		t.Errorf("%s", text)
	}
}

// A name that does not exist is answered with those that could have been meant.
func TestSimilarNamesAreProposed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	for name, want := range map[string]string{
		"task_logs": `there is no tool "task_logs"; did you mean task_log?`,
		"create":    `there is no tool "create"; the tools are blocker_add, context, `,
	} {
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
		if wire, ok := errors.AsType[*jsonrpc.Error](err); !ok || wire.Code != jsonrpc.CodeInvalidParams ||
			!strings.HasPrefix(wire.Message, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	said := failure(t, session, "task_new", map[string]any{"title": "A", "criterion": "x", "dependecies": "1"})
	if said["message"] != `there is no parameter "criterion" (did you mean criteria?); `+
		`there is no parameter "dependecies" (did you mean dependencies?)` {
		t.Errorf("%v", said)
	}
	said = failure(t, session, "task_show", map[string]any{"id": "DOC-8"})
	if hint, _ := said["hint"].(string); !strings.HasPrefix(hint, "did you mean DOC-7?") {
		t.Errorf("%v", said)
	}
}
