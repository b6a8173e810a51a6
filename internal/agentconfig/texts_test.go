package agentconfig

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"baton/internal/report"
)

// The entries that real clients were seen to load (agents.md 8.1), with one event of each client.
func TestEntriesAreThoseThatClientsLoaded(t *testing.T) {
	t.Parallel()
	for name, entry := range map[string]struct {
		client Client
		path   []string
		json   string
	}{
		".claude/settings.json": {
			Claude,
			[]string{"hooks", "SessionStart"},
			`[{"matcher":"startup|resume|clear|compact|fork","hooks":[{"type":"command","command":"if command -v baton >/dev/null ` +
				`2>&1; then baton hook --agent claude || true; fi","timeout":10}]}]`,
		},
		".mcp.json": {Claude, nil, `{"mcpServers":{"baton":{"type":"stdio","command":"baton","args":["mcp"]}}}`},
		".codex/hooks.json": {
			Codex,
			[]string{"hooks", "SessionStart"},
			`[{"matcher":"startup|resume|clear|compact","hooks":[{"type":"command","command":"if command -v baton >/dev/null 2>&1; ` +
				`then baton hook --agent codex || true; fi","commandWindows":"powershell -NoProfile -Command \"if (Get-Command baton ` +
				`-ErrorAction SilentlyContinue) { baton hook --agent codex }; exit 0\"","timeout":10}]}]`,
		},
		".gemini/settings.json": {
			Gemini,
			[]string{"hooks", "BeforeTool"},
			`[{"matcher":"write_file|replace","hooks":[{"type":"command","name":"baton","command":"if command -v baton >/dev/null ` +
				`2>&1; then baton hook --agent gemini || true; fi","timeout":10000}]}]`,
		},
		".qwen/settings.json": {
			Qwen,
			[]string{"hooks", "Stop"},
			`[{"hooks":[{"type":"command","name":"baton","command":"if command -v baton >/dev/null 2>&1; then baton hook --agent qwen ` +
				`|| true; fi","timeout":10}]}]`,
		},
		".github/hooks/baton.json": {
			Copilot,
			[]string{"hooks", "sessionStart"},
			`[{"type":"command","bash":"if command -v baton >/dev/null 2>&1; then baton hook --agent copilot --event sessionStart || ` +
				`true; fi","powershell":"if (Get-Command baton -ErrorAction SilentlyContinue) { baton hook --agent copilot --event ` +
				`sessionStart }; exit 0","timeoutSec":10}]`,
		},
		"opencode.json": {OpenCode, nil, `{"mcp":{"baton":{"type":"local","command":["baton","mcp"],"enabled":true}}}`},
		".cursor/hooks.json": {
			Cursor,
			[]string{"hooks", "stop"},
			`[{"command":"if command -v baton >/dev/null 2>&1; then baton hook --agent cursor || true; fi","timeout":10,"loop_limit":1}]`,
		},
		".vscode/mcp.json":   {VSCode, nil, `{"servers":{"baton":{"type":"stdio","command":"baton","args":["mcp"]}}}`},
		".amp/settings.json": {Amp, nil, `{"amp.mcpServers":{"baton":{"command":"baton","args":["mcp"]}}}`},
	} {
		_, files := planned(t, entry.client, nil, Options{})
		var got, want any
		if err := json.Unmarshal(files[name], &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := json.Unmarshal([]byte(entry.json), &want); err != nil {
			t.Fatal(err)
		}
		for _, step := range entry.path {
			got = got.(map[string]any)[step]
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is\n%v\nwant\n%v", name, got, want)
		}
	}
	_, files := planned(t, Gemini, nil, Options{})
	var gemini struct {
		Context struct{ FileName []string }
	}
	if err := json.Unmarshal(files[".gemini/settings.json"], &gemini); err != nil ||
		strings.Join(gemini.Context.FileName, " ") != "AGENTS.md GEMINI.md" {
		t.Errorf("%v %v", err, gemini)
	}
	_, files = planned(t, Kiro, nil, Options{})
	var kiro struct {
		Version string
		Hooks   []struct{ Name, Trigger string }
	}
	if err := json.Unmarshal(files[".kiro/hooks/baton.json"], &kiro); err != nil || kiro.Version != "v1" || len(kiro.Hooks) != 4 ||
		kiro.Hooks[0].Name != "baton-session-start" {
		t.Errorf("%v %v", err, kiro)
	}
}

// agents.md 2.1: the command is the same in all releases. If you change this test, you break the trust that users
// granted.
func TestCommandsNeverChange(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		posixCommand(Claude, ""): "if command -v baton >/dev/null 2>&1; then baton hook --agent claude || true; fi",
		posixCommand(Copilot, "preToolUse"): "if command -v baton >/dev/null 2>&1; then baton hook --agent copilot --event " +
			"preToolUse || true; fi",
		powershellCommand(Copilot, "sessionStart"): "if (Get-Command baton -ErrorAction SilentlyContinue) { baton hook --agent copilot " +
			"--event sessionStart }; exit 0",
		windowsCommand(
			Codex, "",
		): `powershell -NoProfile -Command "if (Get-Command baton -ErrorAction SilentlyContinue) { baton hook --agent codex }; exit 0"`,
		kiroCommand("Stop"): "if command -v baton >/dev/null 2>&1; then baton hook --agent kiro --event Stop; [ " +
			"$? -eq 42 ] && exit 2; fi; exit 0",
	} {
		if got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
		if !runsHook(got) {
			t.Errorf("%s is not known as baton's", got)
		}
	}
	for command, own := range map[string]bool{
		"baton hook --agent claude": true, "/opt/baton hook --agent x": true, `C:\bin\baton.exe hook --agent=x`: true,
		"(baton\thook   --agent x)": true,
		"baton hook":                false, "baton hook --agents": false, "notbaton hook --agent x": false, "baton statusline": false,
		"echo hook --agent baton": false,
	} {
		if runsHook(command) != own {
			t.Errorf("%q: baton's %v", command, !own)
		}
	}
}

// The guard makes a missing program and every exit code harmless (agents.md 2.1). Kiro's guard turns 42 into 2.
func TestGuardInAShell(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh on PATH: install a POSIX shell to run the guard")
	}
	run := func(command, program string) int {
		dir := t.TempDir()
		if program != "" {
			if err := os.WriteFile(filepath.Join(dir, "baton"), []byte("#!/bin/sh\n"+program+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("/bin/sh", "-c", command)
		cmd.Env = []string{"PATH=" + dir}
		if err := cmd.Run(); err != nil {
			return cmd.ProcessState.ExitCode()
		}
		return 0
	}
	for _, program := range []string{"", "exit 0", "exit 2", "exit 42", "exit 1"} {
		if code := run(posixCommand(Claude, ""), program); code != 0 {
			t.Errorf("%q: exit %d", program, code)
		}
		want := 0
		if program == "exit 42" {
			want = 2
		}
		if code := run(kiroCommand("PreToolUse"), program); code != want {
			t.Errorf("kiro, %q: exit %d, want %d", program, code, want)
		}
	}
}

// agents.md 4: requirements on the block and the skill.
func TestBlockAndSkill(t *testing.T) {
	t.Parallel()
	if n := strings.Count(fenced(agentsBlock()), "\n") + 1; n >= 25 {
		t.Errorf("the block has %d lines", n)
	}
	_, files := planned(t, Claude, nil, Options{})
	skill := string(files[".claude/skills/baton/SKILL.md"])
	if skill != string(files[".agents/skills/baton/SKILL.md"]) {
		t.Error("the two skills differ")
	}
	if strings.Count(skill, "\n") >= 500 || len(skill)/3 > 5000 {
		t.Error("the skill is too long")
	}
	front := regexp.MustCompile(`^---\nname: baton\ndescription: (.+)\nallowed-tools: (.+)\n---\n`).FindStringSubmatch(skill)
	if front == nil || len(front[1]) > 1024 || strings.Contains(front[1], ": ") || !strings.Contains(front[1], "Use it") {
		t.Fatalf("front matter of the skill:\n%.400s", skill)
	}
	// The skill is there without BATON_ALLOWED=1, too. So it names commands that read, and no flags (D56).
	for rule := range strings.SplitSeq(front[2], ", ") {
		verb, ok := strings.CutPrefix(strings.TrimSuffix(rule, ")"), "Bash(baton ")
		if !ok || !slices.Contains(AllowedVerbs(AllowReading), verb) {
			t.Errorf("the skill allows %s", rule)
		}
	}
}

// Text that a person edited stays in all cases, except by force.
func TestEditedBlockAndFiles(t *testing.T) {
	t.Parallel()
	const agents, skill = "AGENTS.md", ".agents/skills/baton/SKILL.md"
	_, fresh := planned(t, Amp, Files{agents: []byte("# A\n")}, Options{})
	edited := Files{
		agents: []byte(strings.Replace(string(fresh[agents]), "this repository", "our repository", 1)),
		skill:  append(fresh[skill][:len(fresh[skill]):len(fresh[skill])], "more\n"...),
	}
	edited[".amp/settings.json"] = fresh[".amp/settings.json"]
	edits, kept := planned(t, Amp, edited, Options{})
	wantStatus(t, edits, agents, "block", Modified)
	wantStatus(t, edits, skill, "file", Modified)
	same(t, "kept", kept, edited)
	gone, err := Remove([]Client{Amp}, Project, edited, Options{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "removed", after(edited, gone), Files{agents: edited[agents], skill: edited[skill]})
	gone, err = Remove([]Client{Amp}, Project, edited, Options{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "removed by force", after(edited, gone), Files{agents: []byte("# A\n")})
	_, forced := planned(t, Amp, edited, Options{Force: true})
	same(t, "forced", forced, fresh)

	older := Files{
		agents: []byte("# A\n\n" + fenced("an earlier text\n") + "\n\nbehind\n"),
		skill:  []byte("a\n" + htmlHeader(headerNote+hashOf("a\nb\n")) + "b\n"),
	}
	edits, renewed := planned(t, Amp, older, Options{})
	wantStatus(t, edits, agents, "block", Outdated)
	wantStatus(t, edits, skill, "file", Outdated)
	if string(renewed[agents]) != "# A\n\n"+fenced(agentsBlock())+"\n\nbehind\n" || string(renewed[skill]) != string(fresh[skill]) {
		t.Errorf("not renewed in place:\n%s", renewed[agents])
	}

	crlf := Files{
		skill:  []byte(strings.ReplaceAll(string(fresh[skill]), "\n", "\r\n")),
		agents: []byte(strings.ReplaceAll(string(fresh[agents]), "\n", "\r\n")),
	}
	edits, _ = planned(t, Amp, crlf, Options{})
	wantStatus(t, edits, agents, "block", OK)
	wantStatus(t, edits, skill, "file", OK)

	foreign := Files{skill: []byte("our own skill\n")}
	edits, kept = planned(t, Amp, foreign, Options{Force: true})
	wantStatus(t, edits, skill, "file", Foreign)
	if string(kept[skill]) != "our own skill\n" {
		t.Error("a foreign file was replaced")
	}
}

func TestBlockInTheWrongPlaces(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Status{
		"```\ncode\n":                        Conflict,
		"<!-- never closed\n":                Conflict,
		fenced("a\n") + "\n" + fenced("b\n"): Conflict,
		blockOpen + "0 -->\nx\n":             Conflict,
		blockOpen + "0 -->\nx\n" + blockEnd:  Modified,
		blockEnd + "\n":                      Missing,
		"```\n" + fenced("a\n") + "\n```":    Missing,
	} {
		edits, _ := planned(t, Amp, Files{"AGENTS.md": []byte(text)}, Options{})
		wantStatus(t, edits, "AGENTS.md", "block", want)
	}
}

func TestImportOfAgents(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Status{
		"Be brief.\n":               Missing,
		"@AGENTS.md\n":              OK,
		"See @AGENTS.md for all.\n": OK,
		"```\n@AGENTS.md\n```\n":    Missing,
		"```\n@AGENTS.md\n":         Conflict,
	} {
		files := Files{"CLAUDE.md": []byte(text)}
		edits, got := planned(t, Claude, files, Options{})
		if reported := noted(edits, "agents_not_imported") != nil; string(got["CLAUDE.md"]) != text || reported != (want != OK) {
			t.Errorf("%q, when nobody asked: %q, told %v", text, got["CLAUDE.md"], reported)
		}
		edits, got = planned(t, Claude, files, Options{Import: true})
		wantStatus(t, edits, "CLAUDE.md", importItem, want)
		if changed := string(got["CLAUDE.md"]) != text; changed != (want == Missing) {
			t.Errorf("%q became %q", text, got["CLAUDE.md"])
		}
	}
	if _, got := planned(t, Claude, nil, Options{Import: true}); got["CLAUDE.md"] != nil {
		t.Error("a CLAUDE.md was made")
	}
}

func TestSnippetsAreNewFiles(t *testing.T) {
	t.Parallel()
	for _, client := range Clients() {
		snippets, err := Snippets([]Client{client}, Project, Options{})
		if err != nil || len(snippets) < 3 {
			t.Fatal(client, err, len(snippets))
		}
		_, files := planned(t, client, nil, Options{})
		for _, s := range snippets {
			if string(files[s.Name]) != s.Text {
				t.Errorf("%s: %s differs", client, s.Name)
			}
		}
	}
	if _, err := Snippets([]Client{"x"}, Project, Options{}); report.CodeOf(err) != "agent_scope" {
		t.Error(err)
	}
}

// A JavaScript engine reads the module, if there is one.
func TestOpenCodeModuleIsJavaScript(t *testing.T) {
	t.Parallel()
	_, files := planned(t, OpenCode, nil, Options{})
	module := files[".opencode/plugin/baton.js"]
	for _, handler := range []string{
		"event:", `"chat.message"`, `"experimental.chat.system.transform"`, `"tool.execute.before"`, `"tool.execute.after"`,
		`"experimental.session.compacting"`,
	} {
		if !strings.Contains(string(module), handler) {
			t.Errorf("%s is missing", handler)
		}
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on PATH: install Node.js to run the module")
	}
	name := filepath.Join(t.TempDir(), "baton.mjs")
	if err := os.WriteFile(name, module, 0o644); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(filepath.Dir(name), "run.mjs")
	if err := os.WriteFile(script, []byte(`import { Baton } from "./baton.mjs";
const handlers = await Baton({ directory: process.cwd() });
await handlers.event({ event: { type: "session.created", properties: { info: { id: "s" } } } });
const output = { system: [], context: [] };
await handlers["experimental.chat.system.transform"]({ sessionID: "s" }, output);
await handlers["experimental.session.compacting"]({ sessionID: "s" }, output);
await handlers["tool.execute.after"]({ tool: "write", sessionID: "s" }, {});
let denied = "";
try { await handlers["tool.execute.before"]({ tool: "write", sessionID: "s" }, { args: {} }); } catch (e) { denied = e.message; }
console.log(JSON.stringify([output.system, output.context, denied]));
`), 0o644); err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]string{
		"":                        `[[],[],""]`,
		"exit 2":                  `[[],[],""]`,
		"echo '{\"cont'":          `[[],[],""]`,
		"echo null":               `[[],[],""]`,
		`echo '{"context":"C"}'`:  `[["C"],["C"],""]`,
		`echo '{"deny":"use X"}'`: `[[],[],"use X"]`,
	} {
		dir := t.TempDir()
		if program != "" {
			if err := os.WriteFile(filepath.Join(dir, "baton"), []byte("#!/bin/sh\ncat >/dev/null\n"+program+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(node, script)
		cmd.Env = []string{"PATH=" + dir + ":/bin:/usr/bin"}
		if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%q: %v\n%s\nwant %s", program, err, out, want)
		}
	}
}

// OpenCode's event after a tool names the call but not its arguments. The module adds those from the event before, uses
// each only once, and does not collect those of calls that never end (agents.md 3.5).
func TestOpenCodeModuleReportsToolInputAfterTheTool(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on PATH: install Node.js to run the module")
	}
	_, files := planned(t, OpenCode, nil, Options{})
	dir := t.TempDir()
	for name, text := range map[string]string{
		"baton.mjs": string(files[".opencode/plugin/baton.js"]),
		"baton": `#!/bin/sh
input=$(cat)
case "$input" in *'"path":"denied"'*'"tool_use_id":"d"'*) echo '{"deny":"no"}' ;; esac
case "$*" in *post-tool*) printf '%s\n' "$input" >>"$0.log" ;; esac
`,
		"run.mjs": `import { Baton } from "./baton.mjs";
const h = await Baton({ directory: process.cwd() });
const before = (id, path, sessionID = "s") => h["tool.execute.before"]({ tool: "write", sessionID, callID: id }, { args: { path } });
const after = (id, more = {}, sessionID = "s") => h["tool.execute.after"]({ tool: "write", sessionID, callID: id, ...more }, {});
await before("a", "one"); await before("b", "two"); await before("a", "other", "z");
await after("b"); await after("a"); await after("a");
await before("c", "three"); await after("c", { args: { path: "own" } });
try { await before("d", "denied"); } catch {}
await after("d");
await before("old", "oldest");
for (let i = 0; i < 64; i += 8) await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => before("n" + (i + n), "new")));
await after("old"); await after("n63");
await before(undefined, "nameless"); await after(undefined);
await h["tool.execute.after"](undefined, undefined);
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(node, filepath.Join(dir, "run.mjs"))
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + dir + ":/bin:/usr/bin"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	log, err := os.ReadFile(filepath.Join(dir, "baton.log"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(log)) {
		var said struct {
			ID    string `json:"tool_use_id"`
			Input struct {
				Path string `json:"path"`
			} `json:"tool_input"`
		}
		if err := json.Unmarshal([]byte(line), &said); err != nil {
			t.Fatal(err, line)
		}
		got = append(got, said.ID+"="+said.Input.Path)
	}
	if want := "b=two a=one a= c=own d= old= n63=new = ="; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", strings.Join(got, " "), want)
	}
}
