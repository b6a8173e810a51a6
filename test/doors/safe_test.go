package doors

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/internal/cli"
	"baton/internal/hook"
	"baton/internal/mcpserver"
	"baton/internal/report"
	"baton/internal/safetext"
)

// hostile has one character of each kind that must reach neither a terminal nor a model.
const hostile = "A \U000e0061\U000e0062\u200bB\u2062\u202e\u200f\ufeff\x1b[2JC"

// cleaned is what a model gets of it.
const cleaned = "A BC"

// TestF79_InvisibleCharactersAreLeftOutEverywhere puts a hostile text wherever an agent can put one, and reads it back
// in every way.
func TestF79_InvisibleCharactersAreLeftOutEverywhere(t *testing.T) {
	t.Parallel()
	p := place{t: t, dir: t.TempDir()}
	p.run("init")
	p.run("task", "new", hostile, "--accept", hostile, "--requirements", hostile)
	p.run("task", "claim", "1")
	p.run("task", "log", "1", "--did", hostile, "--issues", hostile, "--next", hostile)
	p.run("decision", "add", hostile, "--rationale", hostile)
	p.run("blocker", "add", hostile)

	for _, args := range [][]string{
		{"status"},
		{"task", "list"},
		{"task", "show", "1"},
		{"task", "show", "1", "--all"},
		{"context", "1"},
		{"decision", "list"},
		{"blocker", "list"},
		{"state", "show"},
		{"search", "A"},
		{"log"},
		{"protocol"},
		{"statusline"},
	} {
		out := p.run(args...)
		if at := strings.IndexFunc(out, unsafe); at >= 0 {
			t.Errorf("baton %s prints %q", strings.Join(args, " "), out[at:min(at+8, len(out))])
		}
		if strings.HasPrefix(args[0], "task") && !strings.Contains(out, "A <U+E0061><U+E0062><U+200B>B") {
			t.Errorf("baton %s does not show what is hidden: %q", strings.Join(args, " "), out)
		}
	}
	if pack := p.run("context", "1"); !strings.Contains(pack, cleaned) {
		t.Errorf("context: %q", pack)
	}
	p.jsonKeepsTheBytes()
	p.hooks()
	p.server()
}

// unsafe reports whether a character must not be in an answer of several lines.
func unsafe(r rune) bool { return r != '\n' && r != '\t' && safetext.Unsafe(r) }

// place is a project and the ways to use it.
type place struct {
	t   *testing.T
	dir string
}

func (p place) env(stdin string, args ...string) (report.Env, *bytes.Buffer) {
	var out bytes.Buffer
	return report.Env{
		Args: args, Dir: p.dir, Home: p.dir, User: "agent-1", Host: "here", PID: 1, Now: time.Now,
		Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &out,
		Getenv: func(name string) string {
			return map[string]string{"BATON_AS": "agent-1", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}[name]
		},
	}, &out
}

// run runs a command that has to succeed.
func (p place) run(args ...string) string {
	p.t.Helper()
	env, out := p.env(`{"session_id":"s","workspace":{"current_dir":"`+p.dir+`"}}`, args...)
	if code := cli.Main(context.Background(), env, cli.Doors{Hook: hook.Run}); code != 0 {
		p.t.Fatalf("baton %q: exit %d: %s", args, code, out)
	}
	return out.String()
}

// jsonKeepsTheBytes checks that programs get every character, as an escape sequence.
func (p place) jsonKeepsTheBytes() {
	p.t.Helper()
	out := p.run("task", "show", "1", "--json")
	if strings.ContainsFunc(out, unsafe) {
		p.t.Errorf("task show --json is unsafe on a terminal: %q", out)
	}
	var detail struct{ Title string }
	if err := json.Unmarshal([]byte(out), &detail); err != nil || detail.Title != hostile {
		p.t.Errorf("task show --json has the title %q, want %q (%v)", detail.Title, hostile, err)
	}
}

// hooks plays the events that put text into a model's context, for every agent.
func (p place) hooks() {
	p.t.Helper()
	for _, agent := range []string{"claude", "codex", "gemini", "cursor", "copilot", "kiro", "opencode", "vscode"} {
		for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreCompact", "Stop"} {
			payload := fmt.Sprintf(`{"session_id":"s-%s","cwd":%q,"hook_event_name":%q,"source":"startup","prompt":%q}`,
				agent, p.dir, event, "work on task 1")
			out := p.said(payload, "hook", "--agent", agent)
			if unsafeInside(out) {
				p.t.Errorf("%s, %s: %q", agent, event, out)
			}
		}
	}
}

func (p place) said(stdin string, args ...string) string {
	env, out := p.env(stdin, args...)
	cli.Main(context.Background(), env, cli.Doors{Hook: hook.Run})
	return out.String()
}

// server calls the tools and reads the resources and prompts that quote documents.
func (p place) server() {
	p.t.Helper()
	var in strings.Builder
	in.WriteString(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	asked := 1
	ask := func(method, params string) {
		asked++
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", asked, method, params)
	}
	for name, args := range map[string]string{
		"task_show": `{"id":"1"}`, "task_list": `{}`, "context": `{}`, "status": `{}`, "decision_list": `{}`,
		"blocker_list": `{}`, "search": `{"text":"A"}`, "task_claim": `{"id":"none-such"}`,
		"memory": `{"command":"view","path":"/memories/task-1-state.md"}`,
	} {
		ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, args))
	}
	ask("resources/list", `{}`)
	ask("resources/read", `{"uri":"state://task/1"}`)
	ask("resources/read", `{"uri":"state://decisions"}`)
	ask("prompts/get", `{"name":"start-session","arguments":{"task":"1"}}`)
	ask("prompts/get", `{"name":"hand-off","arguments":{"task":"1"}}`)

	env, out := p.env(in.String())
	if err := mcpserver.Run(context.Background(), env, mcpserver.Options{AllTools: true}); err != nil {
		p.t.Fatal(err)
	}
	answers := 0
	for line := range strings.Lines(out.String()) {
		answers++
		if unsafeInside(line) {
			p.t.Errorf("the server hands to a model: %s", line)
		}
		if strings.Contains(line, `\\udb40`) || strings.Contains(line, `\\u200b`) {
			p.t.Errorf("the server hands escapes to a model: %s", line)
		}
	}
	if answers < asked {
		p.t.Errorf("%d answers to %d requests: %s", answers, asked, out)
	}
	if !strings.Contains(out.String(), cleaned) {
		p.t.Errorf("the server leaves out what is harmless: %s", out)
	}
}

// unsafeInside reports whether a text has an unsafe character. If the text is JSON, its strings are checked.
func unsafeInside(out string) bool {
	var value any
	if json.Unmarshal([]byte(out), &value) != nil {
		return strings.ContainsFunc(out, unsafe)
	}
	return anyUnsafe(value)
}

func anyUnsafe(value any) bool {
	switch value := value.(type) {
	case string:
		return strings.ContainsFunc(value, unsafe)
	case []any:
		for _, v := range value {
			if anyUnsafe(v) {
				return true
			}
		}
	case map[string]any:
		for name, v := range value {
			if strings.ContainsFunc(name, unsafe) || anyUnsafe(v) {
				return true
			}
		}
	}
	return false
}
