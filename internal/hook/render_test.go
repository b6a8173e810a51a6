package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"baton/internal/agentsession"
)

// everything is an answer with every word; an event takes what belongs to it.
func everything() agentsession.Answer {
	return agentsession.Answer{Context: "facts <b>", Deny: "not here", Hold: "one step is missing", Note: "keep T-7", Log: "line"}
}

// Every outcome in every client's shape, by the table of agents.md 2.4: what stands for "not possible" is the neutral output.
func TestRendering(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("Each sample of the other files, answered with every kind of text at once.\n")
	for _, s := range samples(t) {
		in, fault := decode(parseFlags(s.args), "/base", s.data)
		if fault != "" {
			t.Errorf("%s/%s: %s", s.client, s.name, fault)
		}
		if in.ignored {
			continue
		}
		out := in.render(everything())
		fmt.Fprintf(&b, "%s %s\n  %d out %q err %q\n", s.client, s.name, out.code, out.stdout, out.stderr)
		if silent := in.render(agentsession.Answer{Log: "x"}); !bytes.Equal(silent.stdout, neutral(in.client).stdout) ||
			silent.code != 0 || silent.stderr != "" {
			t.Errorf("%s/%s: no answer is %+v", s.client, s.name, silent)
		}
	}
	const path = "testdata/render.golden"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s differs; -update writes it again:\n%s", path, firstDifference(string(want), b.String()))
	}
}

// Keys that are never sent: they stop a session, go around a person's own permissions or change what a tool does (agents.md 2.4).
func TestNoAnswerDoesMoreThanItMay(t *testing.T) {
	t.Parallel()
	for _, s := range samples(t) {
		in, _ := decode(parseFlags(s.args), "/base", s.data)
		if in.ignored {
			continue
		}
		out := in.render(everything())
		for _, word := range []string{`"continue"`, "allow", `"ask"`, "updatedInput", "suppressOutput", "systemMessage"} {
			if bytes.Contains(out.stdout, []byte(word)) {
				t.Errorf("%s/%s says %s: %s", s.client, s.name, word, out.stdout)
			}
		}
		if in.event.Event == agentsession.Stop && bytes.Contains(out.stdout, []byte("dditional")) {
			t.Errorf("%s/%s: a context at a stop continues the session: %s", s.client, s.name, out.stdout)
		}
		if (out.code != 0 || out.stderr != "") && in.client.name != kiro {
			t.Errorf("%s/%s: exit code %d, %q", s.client, s.name, out.code, out.stderr)
		}
	}
}

// Codex drops an answer with one key that is not in its schema (agents.md 3.2).
func TestCodexGetsTheKeysOfItsSchemaOnly(t *testing.T) {
	t.Parallel()
	accepted := map[string][]string{
		"SessionStart":     {"hookSpecificOutput", "hookSpecificOutput.hookEventName", "hookSpecificOutput.additionalContext"},
		"UserPromptSubmit": {"hookSpecificOutput", "hookSpecificOutput.hookEventName", "hookSpecificOutput.additionalContext"},
		"SubagentStart":    {"hookSpecificOutput", "hookSpecificOutput.hookEventName", "hookSpecificOutput.additionalContext"},
		"PostToolUse":      {"hookSpecificOutput", "hookSpecificOutput.hookEventName", "hookSpecificOutput.additionalContext"},
		"PreToolUse": {
			"hookSpecificOutput", "hookSpecificOutput.hookEventName", "hookSpecificOutput.permissionDecision",
			"hookSpecificOutput.permissionDecisionReason",
		},
		"Stop":         {"decision", "reason"},
		"SubagentStop": {}, "PreCompact": {}, "PostCompact": {}, "SessionEnd": {},
	}
	for event, keys := range accepted {
		in, fault := decode(flags{agent: codex}, "/", []byte(`{"session_id":"s","turn_id":"t","hook_event_name":"`+event+
			`","agent_id":"a","tool_name":"Bash"}`))
		if fault != "" || in.ignored || in.client.name != codex {
			t.Fatalf("%s: %+v %q", event, in, fault)
		}
		out := in.render(everything())
		if len(keys) == 0 {
			if len(out.stdout) != 0 {
				t.Errorf("%s: %s", event, out.stdout)
			}
			continue
		}
		if got := keysOf(t, out.stdout); !slices.Equal(got, slices.Sorted(slices.Values(keys))) {
			t.Errorf("%s: %q", event, got)
		}
		if blank := in.render(agentsession.Answer{Context: " \n", Deny: "\t", Hold: " ", Note: "\n"}); len(blank.stdout) > 0 {
			t.Errorf("%s: a blank reason is said: %s", event, blank.stdout)
		}
	}
}

// keysOf lists the keys of an object and of the objects in it, sorted.
func keysOf(t *testing.T, data []byte) []string {
	t.Helper()
	var out []string
	var walk func(lead string, o map[string]any)
	walk = func(lead string, o map[string]any) {
		for key, v := range o {
			out = append(out, lead+key)
			if inner, is := v.(map[string]any); is {
				walk(lead+key+".", inner)
			}
		}
	}
	var top map[string]any
	if err := json.Unmarshal(data, &top); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	walk("", top)
	slices.Sort(out)
	return out
}

// Longer texts would reach the model as a preview: they are cut behind a line (agents.md 1).
func TestALongTextIsCut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		client string
		text   string
		most   int
		want   string // what it ends with
	}{
		"exactly so long":            {claude, strings.Repeat("x", 8000), 8000, "x"},
		"lines":                      {claude, strings.Repeat("twelve chars\n", 1000), 8000, "chars"},
		"one line":                   {gemini, strings.Repeat("é", 9000), 8000, "é"},
		"characters of two units":    {copilot, strings.Repeat("🙂", 8000), 8000, "🙂"},
		"Codex reckons from bytes":   {codex, strings.Repeat("語語語\n", 3000), 8000, "語"},
		"and takes plain text whole": {codex, strings.Repeat("x", 8000), 8000, "x"},
	} {
		got := fitting(client{name: c.client}, c.text)
		if n := len(utf16.Encode([]rune(got))); n > c.most || n < c.most/3 || !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %d units, ends with %q", name, n, got[len(got)-8:])
		}
		if c.client == codex && len(got) > mostCodexBytes {
			t.Errorf("%s: %d bytes", name, len(got))
		}
		if !strings.HasPrefix(c.text, got) {
			t.Errorf("%s: not the beginning of it", name)
		}
	}
}

// Plain text that begins like JSON is taken for a broken answer (agents.md 3.1, 3.2).
func TestPlainTextDoesNotBeginLikeJSON(t *testing.T) {
	t.Parallel()
	in, _ := decode(flags{agent: claude}, "/", []byte(`{"session_id":"s","hook_event_name":"PreCompact"}`))
	for _, note := range []string{"{x}", " \n[1]", "plain"} {
		if got := strings.TrimSpace(string(in.render(agentsession.Answer{Note: note}).stdout)); got == "" ||
			strings.ContainsAny(got[:1], "{[") {
			t.Errorf("%q: %q", note, got)
		}
	}
}
