//go:build agents && linux

package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// client is one coding agent: where it is, how it is run, and what its tools are called (agents.md 12.1, 12.2, 12.5).
type client struct {
	name     string // as `baton init --agent` takes it; also the folder that it is installed in
	npm      string
	version  string   // that these tests were written for
	program  []string // below the client's folder; the last one is run, with node if node is the first
	dialect  dialect
	environ  func(w *world) []string
	home     func(w *world) // writes the user's settings
	args     func(w *world, prompt string) []string
	limit    time.Duration
	shell    func(command string) call
	read     func(path string) *call // nil: the client writes files that it has not read
	write    func(path, content string) call
	mcp      func(tool string, args map[string]any) call
	protocol string // first message of the client to an MCP server (agents.md 7.2)
	lands    lands
}

// lands says where in a request baton's text is found (agents.md 3, "Where text lands").
type lands struct {
	role   string // of the message with the digest
	digest string // the text before it
	denied string // the text before the reason of a refusal
	stop   string // the text before the reason of a held stop
	escape bool   // angle brackets are escaped
}

func claude() client {
	return client{
		name: "claude", npm: "@anthropic-ai/claude-code", version: "2.1.328",
		program: []string{"node_modules/@anthropic-ai/claude-code/bin/claude.exe"}, dialect: anthropic{},
		environ: func(w *world) []string {
			return []string{
				"ANTHROPIC_BASE_URL=" + w.model.url, "ANTHROPIC_API_KEY=sk-mock",
				"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
			}
		},
		home: func(*world) {},
		args: func(w *world, prompt string) []string {
			return []string{
				"-p", prompt, "--output-format", "stream-json", "--verbose", "--include-hook-events", "--permission-mode", "acceptEdits",
				"--allowedTools", "Bash(echo *)", "mcp__baton__*", "--debug-file", filepath.Join(w.dir, "debug.log"),
			}
		},
		limit: 60 * time.Second,
		shell: func(command string) call {
			return call{name: "Bash", input: map[string]any{"command": command, "description": "say hello"}}
		},
		read: func(path string) *call { return &call{name: "Read", input: map[string]any{"file_path": path}} },
		write: func(path, content string) call {
			return call{name: "Write", input: map[string]any{"file_path": path, "content": content}}
		},
		mcp:      func(tool string, args map[string]any) call { return call{name: "mcp__baton__" + tool, input: args} },
		protocol: "server/discover",
		lands: lands{
			role: "system", digest: "SessionStart hook additional context: ", denied: "PreToolUse:Write hook error: ",
			stop: "Stop hook feedback:\n",
		},
	}
}

func codex() client {
	return client{
		name: "codex", npm: "@openai/codex", version: "0.169.0",
		program: []string{"node", "node_modules/.bin/codex"}, dialect: responses{},
		environ: func(*world) []string { return nil },
		home: func(w *world) {
			w.file(filepath.Join(w.home, ".codex", "config.toml"), `model = "gpt-5.5"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.mock]
name = "mock"
base_url = "`+w.model.url+`/v1"
wire_api = "responses"
requires_openai_auth = false

[projects."`+w.project+`"]
trust_level = "trusted"
`)
		},
		args: func(_ *world, prompt string) []string {
			return []string{"exec", "--dangerously-bypass-hook-trust", "--json", prompt}
		},
		limit: 60 * time.Second,
		shell: func(command string) call { return call{name: "exec_command", input: map[string]any{"cmd": command}} },
		write: func(path, content string) call {
			return call{name: "apply_patch", patch: patchFor(path, content)}
		},
		mcp: func(tool string, args map[string]any) call {
			return call{name: tool, namespace: "mcp__baton", input: args}
		},
		protocol: "initialize",
		lands:    lands{role: "developer", denied: "Command blocked by PreToolUse hook: ", stop: "<hook_prompt"},
	}
}

func copilot() client {
	return client{
		name: "copilot", npm: "@github/copilot", version: "1.0.102",
		program: []string{"node", "node_modules/.bin/copilot"}, dialect: chat{},
		environ: func(w *world) []string {
			return []string{
				"COPILOT_PROVIDER_BASE_URL=" + w.model.url + "/v1", "COPILOT_PROVIDER_API_KEY=x", "COPILOT_MODEL=mock-model",
				"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false",
			}
		},
		home: func(*world) {},
		args: func(_ *world, prompt string) []string {
			return []string{"-p", prompt, "--trust-folder", "--allow-all-tools", "--output-format", "json"}
		},
		limit: 60 * time.Second,
		shell: func(command string) call {
			return call{name: "bash", input: map[string]any{"command": command, "description": "say hello"}}
		},
		write: func(path, content string) call {
			return call{name: "create", input: map[string]any{"path": path, "file_text": content}}
		},
		mcp:      func(tool string, args map[string]any) call { return call{name: "baton-" + tool, input: args} },
		protocol: "server/discover",
		lands:    lands{role: "user", denied: "Denied by preToolUse hook: "},
	}
}

func geminiCLI() client {
	return client{
		name: "gemini", npm: "@google/gemini-cli", version: "0.61.0",
		program: []string{"node", "node_modules/.bin/gemini"}, dialect: gemini{},
		environ: func(w *world) []string {
			return []string{"GEMINI_API_KEY=mock", "GOOGLE_GEMINI_BASE_URL=" + w.model.url, "GEMINI_CLI_TRUST_WORKSPACE=true"}
		},
		home: func(w *world) {
			w.file(filepath.Join(w.home, ".gemini", "settings.json"), quietSettings("gemini-api-key"))
		},
		args: func(_ *world, prompt string) []string {
			return []string{"-p", prompt, "-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-o", "json"}
		},
		limit: 120 * time.Second,
		shell: func(command string) call {
			return call{name: "run_shell_command", input: map[string]any{"command": command, "description": "say hello"}}
		},
		write: func(path, content string) call {
			return call{name: "write_file", input: map[string]any{"file_path": path, "content": content}}
		},
		mcp:      func(tool string, args map[string]any) call { return call{name: "mcp_baton_" + tool, input: args} },
		protocol: "initialize",
		lands:    lands{role: "user", digest: "<hook_context>", denied: "Tool execution blocked: ", escape: true},
	}
}

func qwen() client {
	return client{
		name: "qwen", npm: "@qwen-code/qwen-code", version: "0.24.4",
		program: []string{"node", "node_modules/.bin/qwen"}, dialect: chat{},
		environ: func(w *world) []string {
			return []string{"OPENAI_API_KEY=mock", "OPENAI_BASE_URL=" + w.model.url + "/v1", "OPENAI_MODEL=mock-model"}
		},
		home: func(w *world) { w.file(filepath.Join(w.home, ".qwen", "settings.json"), quietSettings("openai")) },
		args: func(_ *world, prompt string) []string {
			return []string{"-p", prompt, "--approval-mode", "yolo", "-o", "json"}
		},
		limit: 120 * time.Second,
		shell: func(command string) call {
			return call{
				name: "run_shell_command", input: map[string]any{"command": command, "description": "say hello", "is_background": false},
			}
		},
		read: func(path string) *call { return &call{name: "read_file", input: map[string]any{"file_path": path}} },
		write: func(path, content string) call {
			return call{name: "write_file", input: map[string]any{"file_path": path, "content": content}}
		},
		mcp:      func(tool string, args map[string]any) call { return call{name: "mcp__baton__" + tool, input: args} },
		protocol: "initialize",
		lands:    lands{role: "system", digest: "<qwen:session-start-context", escape: true},
	}
}

func opencode() client {
	return client{
		name: "opencode", npm: "opencode-ai", version: "1.18.33",
		program: []string{"node_modules/opencode-linux-x64/bin/opencode"}, dialect: chat{},
		environ: func(*world) []string {
			return []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1"}
		},
		home: func(w *world) {
			w.file(filepath.Join(w.home, ".config", "opencode", "opencode.json"), text(map[string]any{
				"provider": map[string]any{"mock": map[string]any{
					"npm": "@ai-sdk/openai-compatible", "options": map[string]any{"baseURL": w.model.url + "/v1", "apiKey": "x"},
					"models": map[string]any{"mock-model": map[string]any{"limit": map[string]any{"context": 200000, "output": 8000}}},
				}},
				"model": "mock/mock-model", "small_model": "mock/mock-model",
				"permission": map[string]any{"bash": "allow", "edit": "allow"}, "autoupdate": false, "share": "disabled",
			}))
		},
		args:  func(_ *world, prompt string) []string { return []string{"run", prompt, "--format", "json"} },
		limit: 180 * time.Second,
		shell: func(command string) call {
			return call{name: "bash", input: map[string]any{"command": command, "description": "say hello"}}
		},
		read: func(path string) *call { return &call{name: "read", input: map[string]any{"filePath": path}} },
		write: func(path, content string) call {
			return call{name: "write", input: map[string]any{"filePath": path, "content": content}}
		},
		mcp:      func(tool string, args map[string]any) call { return call{name: "baton_" + tool, input: args} },
		protocol: "initialize",
		lands:    lands{role: "system"},
	}
}

// quietSettings returns user settings of Gemini and Qwen with a key and without telemetry.
func quietSettings(auth string) string {
	return text(map[string]any{
		"security": map[string]any{"auth": map[string]any{"selectedType": auth}},
		"privacy":  map[string]any{"usageStatisticsEnabled": false}, "telemetry": map[string]any{"enabled": false},
		"general": map[string]any{"enableAutoUpdate": false},
	})
}

// patchFor returns the patch that replaces the file's last line by content, or creates the file.
func patchFor(path, content string) string {
	old, err := os.ReadFile(path)
	if err != nil {
		return "*** Begin Patch\n*** Add File: " + path + "\n+" + strings.TrimSuffix(content, "\n") + "\n*** End Patch"
	}
	return "*** Begin Patch\n*** Update File: " + path + "\n@@\n-" + lastLine(string(old)) + "\n+" + strings.TrimSuffix(content, "\n") +
		"\n*** End Patch"
}

// installed returns the client's program and version; why is not empty if it cannot be run.
func (c client) installed() (argv []string, version, why string) {
	dir := filepath.Join(agentsDir(), c.name)
	program := filepath.Join(dir, c.program[len(c.program)-1])
	if !exists(program) {
		return nil, "", c.npm + "@" + c.version + " is not in " + dir + " (agents.md 12.1)"
	}
	if len(c.program) > 1 {
		node := filepath.Join(nodeDir(), "node")
		if !exists(node) {
			return nil, "", "node@22 is not in " + filepath.Dir(nodeDir()) + " (agents.md 12.1)"
		}
		argv = append(argv, node)
	}
	var pkg struct{ Version string }
	if data, err := os.ReadFile(filepath.Join(dir, "node_modules", filepath.FromSlash(c.npm), "package.json")); err == nil {
		_ = json.Unmarshal(data, &pkg)
	}
	return append(argv, program), pkg.Version, ""
}

// nodeDir returns the folder of the Node that the clients run on, which has nothing else.
func nodeDir() string { return filepath.Join(agentsDir(), "node", "node_modules", "node", "bin") }
