//go:build agents && linux

package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// habits is how a person uses a client every day. Nothing here allows the client to run a command of baton, and the
// only settings in the project are those that `baton init` wrote.
type habits struct {
	client
	setUp     func(w *world) // what docs/agents.md says a person does once after `baton init`
	edit      []string       // the smallest mode in which a session without a terminal may edit files
	commit    []string       // also allows git; nil if the client's sandbox protects git's folder
	forbidden []string       // files that the client does not change in default settings
	check     []string       // checkCommand in edit mode, as entries name it; nil if the client does not report it
	repeats   bool           // its last message includes the one before the held stop
	mute      bool           // it does not report its last message
	halts     bool           // a refusal ends its session

	// line returns the arguments before the prompt. Without a mode they mean default settings; goOn is the id of a session
	// that goes on, or "".
	line func(w *world, goOn string, mode ...string) []string
	// change replaces whole lines of a file.
	change func(path, old, new string) call
}

// checkCommand is a command of the project that exits with 3. A mode that allows edits does not allow it, but Codex runs it
// in its sandbox.
const checkCommand = "sh check.sh"

// daily returns the habits of every client; those of OpenCode, which takes minutes, only on request.
func daily() []habits {
	all := []habits{dailyClaude(), dailyCodex(), dailyCopilot(), dailyGemini(), dailyQwen()}
	if os.Getenv("BATON_AGENTS_SLOW") != "" {
		all = append(all, dailyOpencode())
	}
	return all
}

// words joins lists of arguments.
func words(lists ...[]string) []string { return slices.Concat(lists...) }

// only returns the arguments if a condition is true.
func only(when bool, args ...string) []string {
	if !when {
		return nil
	}
	return args
}

func dailyClaude() habits {
	return habits{
		client: claude(), setUp: func(*world) {},
		line: func(_ *world, goOn string, mode ...string) []string {
			return words(only(goOn != "", "--resume", goOn), mode, []string{"-p", "--output-format", "stream-json", "--verbose"})
		},
		forbidden: []string{"refused.txt", "parser.go"},
		edit:      []string{"--permission-mode", "acceptEdits"}, // `claude -p` refuses every edit without it
		commit:    []string{"--allowedTools=Bash(git commit *)"},
		change: func(path, old, new string) call {
			return call{name: "Edit", input: map[string]any{"file_path": path, "old_string": old, "new_string": new}}
		},
		check: []string{checkCommand + " (refused)"},
	}
}

func dailyCodex() habits {
	c := codex()
	c.home = func(w *world) {
		if path := filepath.Join(w.home, ".codex", "config.toml"); !exists(path) {
			w.file(path, `model = "gpt-5.5"
model_provider = "mock"

[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:1/v1"
wire_api = "responses"
requires_openai_auth = false

[projects."`+w.project+`"]
trust_level = "trusted"
`)
		}
	}
	return habits{
		client: c, setUp: func(w *world) { w.setUp("--trust-codex") },
		line: func(w *world, goOn string, mode ...string) []string {
			url := []string{"--json", "-c", `model_providers.mock.base_url="` + w.model.url + `/v1"`}
			return words([]string{"exec"}, only(goOn != "", "resume", goOn), url, mode)
		},
		// In a trusted project, Codex edits without a question all but its own settings and git's folder.
		forbidden: []string{".codex/refused.txt", ".git/refused.txt"},
		change: func(path, old, new string) call {
			lines := func(mark, text string) string {
				return mark + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+mark) + "\n"
			}
			patch := "*** Begin Patch\n*** Update File: " + path + "\n@@\n" + lines("-", old)
			if new != "" {
				patch += lines("+", new)
			}
			return call{name: "apply_patch", patch: patch + "*** End Patch"}
		},
		check: []string{checkCommand},
	}
}

func dailyCopilot() habits {
	return habits{
		client: copilot(), setUp: func(w *world) {
			// A person's answer to the question about the folder; --trust-folder does not go together with --resume.
			trust := text(map[string]any{"trusted_folders": []string{w.project}})
			w.file(filepath.Join(w.home, ".copilot", "config.json"), trust)
		},
		line: func(_ *world, goOn string, mode ...string) []string {
			return words(only(goOn != "", "--resume="+goOn), mode, []string{"--output-format", "json", "-p"})
		},
		forbidden: []string{"refused.txt", "parser.go"},
		edit:      []string{"--allow-tool=write"},
		commit:    []string{"--allow-tool=shell(git:*)"},
		change: func(path, old, new string) call {
			return call{name: "edit", input: map[string]any{"path": path, "old_str": old, "new_str": new}}
		},
		mute: true,
	}
}

func dailyGemini() habits {
	return habits{
		client: geminiCLI(), setUp: func(*world) {},
		line: func(_ *world, goOn string, mode ...string) []string {
			return words(only(goOn != "", "--resume", goOn), mode, []string{"-m", "gemini-2.5-flash", "-o", "json", "-p"})
		},
		forbidden: []string{"refused.txt", "parser.go"},
		repeats:   true,
		edit:      []string{"--approval-mode=auto_edit"},
		commit:    []string{"--allowed-tools=run_shell_command(git)"},
		change: func(path, old, new string) call {
			return call{name: "replace", input: map[string]any{
				"file_path": path, "instruction": "Change it", "old_string": old, "new_string": new,
			}}
		},
	}
}

func dailyQwen() habits {
	return habits{
		client: qwen(), setUp: func(*world) {},
		line: func(_ *world, goOn string, mode ...string) []string {
			return words(only(goOn != "", "--resume", goOn), mode, []string{"-o", "json", "-p"})
		},
		forbidden: []string{"refused.txt", "parser.go"},
		edit:      []string{"--approval-mode=auto-edit"},
		commit:    []string{"--allowed-tools=run_shell_command(git)"},
		change: func(path, old, new string) call {
			return call{name: "edit", input: map[string]any{"file_path": path, "old_string": old, "new_string": new}}
		},
		check: []string{checkCommand + " (refused)"},
	}
}

func dailyOpencode() habits {
	c := opencode()
	config := c.home
	c.home = func(w *world) { // without the permissions, because it allows all of that by itself
		config(w)
		path := filepath.Join(w.home, ".config", "opencode", "opencode.json")
		var settings map[string]any
		data, err := os.ReadFile(path)
		w.must(err)
		w.must(json.Unmarshal(data, &settings))
		delete(settings, "permission")
		w.file(path, text(settings))
	}
	return habits{
		client: c, setUp: func(*world) {},
		line: func(_ *world, goOn string, mode ...string) []string {
			return words([]string{"run"}, only(goOn != "", "--session", goOn), mode, []string{"--format", "json"})
		},
		forbidden: []string{"../refused.txt"}, // outside the project
		commit:    []string{},
		change: func(path, old, new string) call {
			return call{name: "edit", input: map[string]any{"filePath": path, "oldString": old, "newString": new}}
		},
		check: []string{checkCommand},
		mute:  true,
		halts: true,
	}
}
