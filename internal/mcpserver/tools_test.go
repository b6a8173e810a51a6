package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/report"
)

func listed(t *testing.T, o Options) []*mcp.Tool {
	t.Helper()
	w := emptyWorld(t)
	r, err := w.client(newServer(w.env, o), nil).ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.Tools
}

// D52: the default sixteen and no other. The listing stays within 8 KB as it is sent, in both families of the protocol, and
// so it declares no shapes of answers; --tools all does.
func TestD52_TheListingStaysWithin8KB(t *testing.T) {
	t.Parallel()
	want := []string{
		"blocker_add", "context", "decision_add", "next", "search", "state_next", "status", "task_check", "task_claim", "task_complete",
		"task_edit", "task_list", "task_log", "task_new", "task_output", "task_show",
	}
	if diff := cmp.Diff(want, names(listed(t, Options{}))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	w := newWorld(t)
	for _, o := range []Options{{}, {NoRun: true}} {
		for name, ask := range map[string]string{
			"2026-07-28": `{"jsonrpc":"2.0","id":12345,"method":"tools/list","params":{` + modernMeta + `}}`,
			"2025-06-18": `{"jsonrpc":"2.0","id":12345,"method":"tools/list"}`,
		} {
			c := w.talk(o)
			if name != "2026-07-28" {
				greet(c)
			}
			c.say(ask)
			r := c.hear()
			size := len(c.out.Bytes()) + len("\n")
			t.Logf("%s: %d bytes", name, size)
			if list, _ := at(r, "result", "tools").([]any); size > 8<<10 || len(list) != len(want) {
				t.Errorf("%s: the listing of %d tools has %d bytes, 8 KB are allowed", name, len(list), size)
			}
			_ = c.in.Close()
			c.end()
		}
	}
	for _, tool := range listed(t, Options{}) {
		if tool.OutputSchema != nil {
			t.Errorf("%s declares the shape of its answer", tool.Name)
		}
	}
}

// agents.md 7.2: names that every client can show, hints on what a call does, an order that does not change.
func TestToolsAreDeclaredForEveryClient(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[a-z][a-z_]{0,39}$`)
	all := listed(t, Options{AllTools: true})
	for _, tool := range all {
		if !form.MatchString(tool.Name) || tool.Title == "" || len(tool.Description) < 20 || len(tool.Description) > 250 {
			t.Errorf("%s: title %q, description %q", tool.Name, tool.Title, tool.Description)
		}
		a := tool.Annotations
		if a == nil || a.OpenWorldHint == nil || *a.OpenWorldHint || a.ReadOnlyHint != (a.DestructiveHint == nil) {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
		for _, schema := range []any{tool.InputSchema, tool.OutputSchema} {
			if at(schema, "type") != "object" {
				t.Errorf("%s: schema %v", tool.Name, schema)
			}
		}
	}
	if diff := cmp.Diff(names(all), names(listed(t, Options{AllTools: true}))); diff != "" {
		t.Errorf("another order:\n%s", diff)
	}
	if len(all) != 30 {
		t.Errorf("%d tools", len(all))
	}
}

func names(tools []*mcp.Tool) []string {
	var out []string
	for _, tool := range tools {
		out = append(out, tool.Name)
	}
	return out
}

// F-1: a tool says what to merge. It does not say how a person would force it, nor the beginning of that.
func TestF1_HintsOfToolsAreWhole(t *testing.T) {
	t.Parallel()
	server := newServer(emptyWorld(t).env, Options{})
	for hint, want := range map[string]string{
		"merge it with `git merge w1`; to do it again all the same, use --force --reason TEXT": "merge it with `git merge w1`",
		"merge first: `git merge w1`, or use --force to start it anyway":                       "merge first: `git merge w1`",
		"write it: baton task output 1; or use --force --reason TEXT":                          "write it: `task_output` (id: 1)",
		"`baton task reopen 1` unblocks it; --force starts it anyway":                          "`baton task reopen 1` unblocks it",
		"to do it again all the same, use --force --reason TEXT":                               "",
		"use --force to start it anyway":                                                       "",
		"repair it; then try again":                                                            "repair it; then try again",
	} {
		if got := report.As(server.named(&report.Error{Hint: hint}, "task_claim")).Hint; got != want {
			t.Errorf("%s:\n%q, want %q", hint, got, want)
		}
	}
}

// No tool steals, forces, ends a session without a log, or sweeps a folder.
func TestNoToolForAgentsToForceWith(t *testing.T) {
	t.Parallel()
	for _, tool := range tools(Options{AllTools: true}) {
		for _, p := range tool.params {
			if slices.Contains([]string{"force", "steal", "no_log", "cleanup", "restore", "unlock"}, p.name) ||
				p.name == "apply" && tool.name != "task_split" {
				t.Errorf("%s has %s", tool.name, p.name)
			}
		}
	}
	for _, tool := range tools(Options{NoRun: true}) {
		if tool.name == "task_check" && (tool.destroys || slices.ContainsFunc(tool.params, func(p param) bool { return p.name == "run" })) {
			t.Errorf("%+v", tool.params)
		}
	}
}

// TestEveryTool calls each tool with success and with a failure; answers agree with the schema of their tool, and their
// text is the same JSON.
func TestEveryTool(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{AllTools: true}), nil)
	r, err := session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*jsonschema.Resolved{}
	for _, tool := range r.Tools {
		schemas[tool.Name] = resolved(t, tool)
	}
	called := map[string]int{}
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		code      string // of the failure, "" for a success
	}{
		{"status", nil, ""},
		{"status", map[string]any{"response_format": "detailed"}, ""},
		{"status", map[string]any{"response_format": "long"}, "arguments_invalid"},
		{"context", map[string]any{"task": "1"}, ""},
		{"context", map[string]any{"budget": 1}, "arguments_invalid"},
		{"task_list", map[string]any{"status": "ready"}, ""},
		{"task_list", map[string]any{"status": "nonsense"}, "status_unknown"},
		{"task_ready", nil, ""},
		{"task_ready", map[string]any{"limit": 51}, "arguments_invalid"},
		{"task_show", map[string]any{"id": 1}, ""},
		{"task_show", map[string]any{"id": 1, "response_format": "long"}, "arguments_invalid"},
		{"task_show", map[string]any{"id": "9"}, "task_unknown"},
		{"task_claim", map[string]any{"id": "2"}, "task_not_ready"},
		{"task_claim", map[string]any{"id": "1", "scope": "/etc/**"}, "scope_invalid"},
		{"task_claim", nil, ""},
		{"next", nil, ""},
		{"next", map[string]any{"id": "1"}, "arguments_invalid"},
		{"task_new", map[string]any{
			"title": "Rotate keys", "criteria": []any{"Keys rotate"}, "dependencies": []any{1}, "discovered_from": 1, "priority": "low",
		}, ""},
		{"task_new", map[string]any{"title": "Rotate keys", "dependencies": "77"}, "dependency_missing"},
		{"task_edit", map[string]any{"id": "3", "title": "Rotate all keys", "add_criteria": "Old keys are refused"}, ""},
		{"task_edit", map[string]any{"id": "3", "criterion": 1, "text": "Keys rotate weekly"}, ""},
		{"task_edit", map[string]any{"id": "3", "criterion": 2, "drop": "the other server refuses them"}, ""},
		{"task_edit", map[string]any{"id": "3", "remove_dependencies": "1"}, ""},
		{"task_edit", map[string]any{"id": "3", "drop": "why"}, "arguments_invalid"},
		{"task_edit", map[string]any{"id": "3", "criterion": 7, "text": "x"}, "criterion_unknown"},
		{"session_start", map[string]any{"id": "1"}, ""},
		{"session_start", map[string]any{"id": "../1"}, "id_invalid"},
		{"session_end", map[string]any{"id": "1"}, "nothing_logged"},
		{"task_log", map[string]any{"id": "1", "state": []any{"so"}}, "entry_empty"},
		{"task_log", map[string]any{"id": "1", "did": []any{"a", "b"}, "next": "c"}, ""},
		{"session_end", map[string]any{"id": "1"}, ""},
		{"task_check", map[string]any{"id": "1", "criterion": 1, "evidence": "saw it"}, ""},
		{"task_check", map[string]any{"id": "1", "criterion": "2", "run": "exit 3"}, "check_failed"},
		{"task_check", map[string]any{"id": "1", "criterion": "2", "run": "true", "evidence": "both"}, "arguments_invalid"},
		{"task_complete", map[string]any{"id": "1"}, "not_complete"},
		{"task_check", map[string]any{"id": "1", "criterion": "2", "run": "true"}, ""},
		{"task_output", map[string]any{"id": "1", "summary": "Tokens", "api": "POST /token"}, ""},
		{"task_output", map[string]any{"id": "77"}, "task_unknown"},
		{"task_complete", map[string]any{"id": "1"}, ""},
		{"task_split", map[string]any{"id": "2"}, ""},
		{"task_split", map[string]any{"id": "77"}, "task_unknown"},
		{"decision_add", map[string]any{"text": "Sign with Ed25519", "rationale": "short keys"}, ""},
		{"decision_add", map[string]any{"text": ""}, "text_empty"},
		{"decision_list", nil, ""},
		{"decision_list", map[string]any{"offset": -1}, "arguments_invalid"},
		{"blocker_add", map[string]any{"text": "No keys yet"}, ""},
		{"blocker_add", nil, "arguments_invalid"},
		{"blocker_list", nil, ""},
		{"blocker_list", map[string]any{"id": 1}, "arguments_invalid"},
		{"blocker_resolve", map[string]any{"text": 1}, ""},
		{"blocker_resolve", map[string]any{"text": "nothing like it"}, "no_match"},
		{"state_complete", nil, "phase_missing"},
		{"state_next", map[string]any{"action": "plan-phase", "phases": []any{"1"}}, ""},
		{"state_next", nil, ""},
		{"state_next", map[string]any{"phases": []any{"1"}}, "arguments_invalid"},
		{"state_begin", map[string]any{"phase": "1", "stage": "plan"}, ""},
		{"state_begin", map[string]any{"phase": "2"}, "phase_active"},
		{"state_complete", map[string]any{"phase": "1"}, ""},
		{"dir_audit", nil, ""},
		{"doctor", nil, ""},
		{"doctor", map[string]any{"fix": true}, "arguments_invalid"},
		{"lost", map[string]any{"all": true}, ""},
		{"lost", map[string]any{"accept": true}, "arguments_invalid"},
		{"lost_restore", map[string]any{"dry_run": true}, ""},
		{"lost_restore", map[string]any{"ids": "abcdef0"}, "lost_unknown"},
		{"lost_restore", map[string]any{"ids": []string{"no id"}}, "lost_invalid"},
		{"dir_audit", map[string]any{"instance": "x"}, "arguments_invalid"},
		{"search", map[string]any{"text": "Ed25519", "in": "decisions"}, ""},
		{"search", map[string]any{"text": "nowhere at all"}, ""},
		{"search", map[string]any{"text": " "}, "search_empty"},
		{"search", map[string]any{"text": "x", "in": "drawers"}, "arguments_invalid"},
		{"memory", map[string]any{"command": "create", "path": "/memories/a.md", "file_text": "hello\n"}, ""},
		{"memory", map[string]any{"command": "view", "path": "/etc/passwd"}, "memory_error"},
	} {
		t.Run(c.tool, func(t *testing.T) {
			object, result := call1(t, session, c.tool, c.arguments)
			if code, _ := at(object, "error", "code").(string); code != c.code || result.IsError != (c.code != "") {
				t.Fatalf("%v: %v, want the code %q", c.arguments, object, c.code)
			}
			if err := schemas[c.tool].Validate(object); err != nil {
				t.Errorf("%v: %v", c.arguments, err)
			}
			for name := range object {
				if at(schemas[c.tool].Schema().Properties, name) == nil && schemas[c.tool].Schema().Properties[name] == nil {
					t.Errorf("%s is not in the schema", name)
				}
			}
			var same any
			if said := result.Content[0].(*mcp.TextContent).Text; c.tool != "memory" &&
				(json.Unmarshal([]byte(said), &same) != nil || cmp.Diff(any(object), same) != "") {
				t.Errorf("the text is not the same JSON: %s", said)
			}
			if c.code != "" && (at(object, "error", "message") == nil || at(object, "error", "op") != c.tool) {
				t.Errorf("%v", object)
			}
		})
		if c.code == "" {
			called[c.tool] |= 1
		} else {
			called[c.tool] |= 2
		}
	}
	for name := range schemas {
		if called[name]|2 != 3 || called[name] != 3 && name != "status" && name != "context" {
			t.Errorf("%s was not called with success and failure: %d", name, called[name])
		}
	}
}

func resolved(t *testing.T, tool *mcp.Tool) *jsonschema.Resolved {
	t.Helper()
	data, err := json.Marshal(tool.OutputSchema)
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	out, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A claim says which files its holder works on; renewed without them, it keeps them.
func TestAClaimTakesAScope(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	for _, arguments := range []map[string]any{
		{"id": "1", "scope": []any{"src/auth/", "./docs/*.md"}},
		{"id": "1"},
		{"id": "1", "scope": "go.mod"},
	} {
		want := []any{"src/auth/**", "docs/*.md"}
		if arguments["scope"] == "go.mod" {
			want = []any{"go.mod"} // one text is a list of one
		}
		if diff := cmp.Diff(any(want), at(must(t, session, "task_claim", arguments), "claim", "scope")); diff != "" {
			t.Errorf("%v: -want +got:\n%s", arguments, diff)
		}
	}
}

// agents.md 11: what models know of the tool is the words of its answers, also for a line that no file can have.
func TestMemoryAnswersInItsOwnWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{AllTools: true}), nil)
	must(t, session, "memory", map[string]any{"command": "create", "path": "/memories/a", "file_text": "one\ntwo\n"})
	for line, want := range map[any]string{
		-1:   "Error: Invalid `insert_line` parameter: -1. It should be within the range of lines of the file: [0, 2]",
		"-7": "Error: Invalid `insert_line` parameter: -7. It should be within the range of lines of the file: [0, 2]",
		3:    "Error: Invalid `insert_line` parameter: 3. It should be within the range of lines of the file: [0, 2]",
	} {
		_, r := call1(
			t, session, "memory", map[string]any{"command": "insert", "path": "/memories/a", "insert_line": line, "insert_text": "x\n"},
		)
		if said := r.Content[0].(*mcp.TextContent).Text; !r.IsError || said != want {
			t.Errorf("%v: %q, want %q", line, said, want)
		}
	}
}

// Law 4: nobody's write is lost, also when one client calls many times at once.
func TestFiftyCallsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	const many = 50
	var calls sync.WaitGroup
	for i := range many {
		calls.Go(func() {
			r, err := session.CallTool(context.Background(), &mcp.CallToolParams{
				Name: "task_log", Arguments: map[string]any{"id": "1", "did": fmt.Sprintf("step-%d.", i)},
			})
			if err != nil || r.IsError {
				t.Errorf("%d: %v %v", i, err, r)
			}
		})
	}
	calls.Wait()
	data, err := os.ReadFile(filepath.Join(w.dir, ".baton", "tasks", "task-1-state.md"))
	if err != nil {
		t.Fatal(err)
	}
	archive, _ := os.ReadFile(filepath.Join(w.dir, ".baton", "archive", "task-1-archive.md"))
	for i := range many {
		if n := strings.Count(string(data)+string(archive), fmt.Sprintf("step-%d.", i)); n != 1 {
			t.Errorf("step %d stands there %d times", i, n)
		}
	}
}

func TestListsAreGivenInPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	var got []any
	offset := 0
	for range 5 {
		r := must(t, session, "task_list", map[string]any{"limit": 2, "offset": offset})
		if r["total"] != 3.0 {
			t.Fatalf("%v", r)
		}
		for _, row := range r["tasks"].([]any) {
			got = append(got, at(row, "id"))
		}
		next, more := r["next_offset"].(float64)
		if !more {
			break
		}
		offset = int(next)
	}
	slices.SortFunc(got, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	if diff := cmp.Diff([]any{"1", "2", "DOC-7"}, got); diff != "" {
		t.Error(diff)
	}
}

// A client that names its session in a call acts as that session.
func TestACallActsAsItsSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	r, err := session.CallTool(context.Background(), &mcp.CallToolParams{
		Name: "task_claim", Arguments: map[string]any{"id": "1"}, Meta: mcp.Meta{"threadId": "0199-abc"},
	})
	if err != nil || at(r.StructuredContent, "claim", "by") != "0199-abc" {
		t.Errorf("%v %v", err, r.StructuredContent)
	}
	for _, c := range []struct {
		meta mcp.Meta
		want string
	}{
		{nil, ""},
		{mcp.Meta{"threadId": 7}, ""},
		{mcp.Meta{"threadId": "a b"}, ""},
		{mcp.Meta{"threadId": strings.Repeat("x", 129)}, ""},
		{mcp.Meta{"threadId": "../../x"}, ""},
		{mcp.Meta{"threadId": ".."}, ""},
		{mcp.Meta{"x-codex-turn-metadata": map[string]any{"session_id": "s-1", "thread_id": "t-1"}}, "t-1"},
		{mcp.Meta{"x-codex-turn-metadata": map[string]any{"session_id": "s-1"}}, "s-1"},
		{mcp.Meta{"x-codex-turn-metadata": "s-1"}, ""},
		{mcp.Meta{"sessionId": "s-2"}, "s-2"},
	} {
		if got := sessionOf(c.meta); got != c.want {
			t.Errorf("%v: %q, want %q", c.meta, got, c.want)
		}
	}
}
