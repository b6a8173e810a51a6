package hook

import (
	"reflect"
	"strings"
	"testing"

	"baton/internal/agentsession"
)

// written are the files that a call writes.
type written = []agentsession.FileEdit

func text(s string) *string { return &s }

// Where clients keep the path, and what becomes of the file (agents.md 2.8).
func TestEditsOfOtherTools(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		payload string
		want    []agentsession.FileEdit
	}{
		"a reader has a path too":   {`{"tool_name":"Read","tool_input":{"file_path":"/a"}}`, nil},
		"another server's tool":     {`{"tool_name":"mcp__fs__write_file","tool_input":{"path":"/a","content":"x"}}`, nil},
		"looking through an editor": {`{"tool_name":"str_replace_editor","tool_input":{"command":"view","path":"/a"}}`, nil},
		"inserting through an editor": {
			`{"tool_name":"str_replace_editor","tool_input":{"command":"insert","path":"/a","new_str":"x\ny"}}`,
			written{{Path: "/a", Added: []string{"x", "y"}}},
		},
		"several edits of one file": {
			`{"tool_name":"MultiEdit","tool_input":{"file_path":"/a","edits":[{"old_string":"1","new_string":"2"},{"old_string":"3",` +
				`"new_string":"4","replace_all":true}]}}`,
			written{{Path: "/a", Old: "1", New: "2"}, {Path: "/a", Old: "3", New: "4", All: true}},
		},
		"every occurrence, by a number": {
			`{"tool_name":"replace","tool_input":{"file_path":"/a","old_string":"1","new_string":"2","expected_replacements":3}}`,
			written{{Path: "/a", Old: "1", New: "2", All: true}},
		},
		"an empty file": {
			`{"tool_name":"Write","tool_input":{"file_path":"/a","content":""}}`, written{{Path: "/a", Content: text("")}},
		},
		"wrong types": {
			`{"tool_name":"Write","tool_input":{"file_path":"/a","content":{"x":1}}}`, written{{Path: "/a"}},
		},
		"a path of a wrong type": {`{"tool_name":"Write","tool_input":{"file_path":["/a"]}}`, nil},
		"no input":               {`{"tool_name":"Write"}`, nil},
		"a deletion":             {`{"tool_name":"Delete","tool_input":{"path":"/a"}}`, written{{Path: "/a", Delete: true}}},
		"Windows": {`{"tool_name":"Write","tool_input":{"file_path":"C:\\p\\a","content":"x"}}`, written{
			{Path: `C:\p\a`, Content: text("x")},
		}},
		"input as text": {`{"tool_name":"edit","tool_input":"{\"path\":\"/a\",\"old_str\":\"1\",\"new_str\":\"2\"}"}`, written{
			{Path: "/a", Old: "1", New: "2"},
		}},
	} {
		got := calls(client{name: claude}, "PreToolUse", parse([]byte(c.payload)))
		if len(got) != 1 || !reflect.DeepEqual(got[0].Edits, c.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestPatches(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		patch string
		want  []agentsession.FileEdit
	}{
		"with line ends of Windows": {
			"*** Begin Patch\r\n*** Update File: a b.txt\r\n@@\r\n-x\r\n+y\r\n*** End Patch\r\n",
			written{{Path: "a b.txt", Removed: []string{"x"}, Added: []string{"y"}}},
		},
		"without an end":    {"*** Update File: a\n+y", written{{Path: "a", Added: []string{"y"}}}},
		"an empty new file": {"*** Add File: a\n*** End Patch", written{{Path: "a", Content: text("")}}},
		"no name":           {"*** Update File:\n+y\n", nil},
		"after its end":     {"*** Update File: a\n*** End Patch\n+y\n", written{{Path: "a"}}},
		"nothing":           {"", nil},
	} {
		if got := patchEdits(c.patch); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A patch in a here-document reaches baton as a shell command, and no event reports it afterwards (agents.md 2.8).
func TestPatchesInShellCommands(t *testing.T) {
	t.Parallel()
	const patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF"
	for command, want := range map[string]string{patch: "a", "cd 'x y' && " +
		patch: "x y/a", "cd /abs && " + patch: "/abs/a", "echo hello": ""} {
		got := ""
		for _, e := range shellPatch(command) {
			got = e.Path
		}
		if got != want {
			t.Errorf("%q: %q", command, got)
		}
	}
	in := parse([]byte(`{"tool_name":"Bash","tool_input":{"command":"*** Begin Patch\n*** Delete File: a\n"}}`))
	if got := calls(client{name: claude}, "PreToolUse", in); got[0].Edits != nil {
		t.Errorf("shells of other clients run no patches: %+v", got)
	}
}

// A batch, a call and a list of files are bounded, whatever a client sends.
func TestCallsAreBounded(t *testing.T) {
	t.Parallel()
	p := parse([]byte(`{"tool_calls":[` + strings.Repeat(`{"tool_name":"x"},`, 5000) + `{}]}`))
	if got := calls(client{name: claude}, "PostToolBatch", p); len(got) != mostCalls {
		t.Errorf("%d calls", len(got))
	}
	if got := patchEdits(strings.Repeat("*** Delete File: a\n", 5000)); len(got) != mostEdits {
		t.Errorf("%d edits", len(got))
	}
}
