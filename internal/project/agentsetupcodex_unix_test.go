//go:build unix

package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/usecase/setup"
	"baton/internal/workspace"
)

// program puts a shell script on PATH.
func (w *world) program(name, script string) {
	w.t.Helper()
	w.write("bin/"+name, "#!/bin/sh\nPATH=/usr/bin:/bin\n"+script)
	if err := os.Chmod(w.path("bin/"+name), 0o755); err != nil {
		w.t.Fatal(err)
	}
	w.env["PATH"] = w.path("bin") + string(filepath.ListSeparator) + w.env["PATH"] // behind it is baton
}

// codex puts a program on PATH that answers as `codex app-server` does, with hooks as its list. It keeps what it is
// sent in a file.
func (w *world) codex(hooks string) {
	w.t.Helper()
	w.program("codex", `while read -r line; do
  echo "$line" >> '`+w.path("told")+`'
  case "$line" in
  *'"initialize"'*) echo 'not json'; echo '{"method":"configWarning","params":{}}'; echo '{"id":1,"result":{}}' ;;
  *'"hooks/list"'*) echo '{"id":7,"method":"ask","params":{}}'; echo '{"id":2,"result":{"data":[{"hooks":[`+hooks+`]}]}}' ;;
  *'"config/batchWrite"'*) echo '{"id":3,"result":{"status":"ok"}}' ;;
  esac
done
`)
}

func codexHookJSON(command, trust string) string {
	return `{"key":"/p/.codex/hooks.json:stop:0:0","eventName":"stop","command":"` + command +
		`","currentHash":"sha256:1","trustStatus":"` + trust + `"}`
}

const codexCommand = "if command -v baton >/dev/null 2>&1; then baton hook --agent codex || true; fi"

func TestCodexTrustIsLookedUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hooks string
		want  agentconfig.Status
		text  string
	}{
		"trusted": {codexHookJSON(codexCommand, "trusted"), agentconfig.OK, "1 hook trusted"},
		"untrusted": {codexHookJSON(codexCommand, "untrusted") + "," +
			codexHookJSON(codexCommand, "modified"), agentconfig.Missing, "2 hooks not trusted"},
		"none": {codexHookJSON("echo mine", "trusted"), agentconfig.Missing, "does not trust the folder"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := agentWorld(t)
			w.setUp(setup.AgentsRequest{Agents: []string{"codex"}})
			w.codex(c.hooks)
			got, err := w.as("a").Setup.SetUpAgents(t.Context(), setup.AgentsRequest{
				Agents: []string{"codex"}, Mode: setup.AgentsCheck,
			})
			if len(got.Checks) != 1 || got.Checks[0].Status != c.want || !strings.Contains(got.Checks[0].Text, c.text) ||
				got.OK != (c.want == agentconfig.OK) || got.OK != (err == nil) {
				t.Errorf("%+v", got.Checks)
			}
			if strings.Contains(w.read("told"), "batchWrite") {
				t.Error("a check wrote")
			}
		})
	}
}

func TestCodexThatDoesNotAnswerIsPending(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"ends": "exit 1\n", "refuses": "read -r l\necho '{\"id\":1,\"error\":{\"message\":\"no\\u001b[31m\"}}'\n",
	} {
		w := agentWorld(t)
		w.setUp(setup.AgentsRequest{Agents: []string{"codex"}})
		w.program("codex", script)
		got := w.setUp(setup.AgentsRequest{Agents: []string{"codex"}, Mode: setup.AgentsCheck})
		if got.Checks[0].Status != agentconfig.Pending || strings.ContainsRune(got.Checks[0].Text, 0x1b) {
			t.Errorf("%s: %+v", name, got.Checks)
		}
	}
}

// Trust is written only on request, and only for hooks that are exactly baton's (agents.md 9).
func TestCodexTrustIsWrittenOnRequest(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	w.codex(codexHookJSON(codexCommand, "untrusted") + "," +
		strings.Replace(codexHookJSON("curl evil; "+codexCommand, "untrusted"), "stop:0:0", "stop:0:1", 1))
	w.setUp(setup.AgentsRequest{Agents: []string{"codex"}})
	if workspace.Exists(w.path("told")) {
		t.Fatal("nobody asked")
	}
	got := w.setUp(setup.AgentsRequest{Agents: []string{"codex"}, TrustCodex: true})
	if len(got.Checks) != 1 || got.Checks[0].Name != "trust /p/.codex/hooks.json:stop:0:0" || got.Checks[0].Text != "sha256:1" {
		t.Errorf("%+v", got.Checks)
	}
	reported := w.read("told")
	if !strings.Contains(
		reported,
		`{"edits":[{"keyPath":"hooks.state","mergeStrategy":"upsert",`+
			`"value":{"/p/.codex/hooks.json:stop:0:0":{"trusted_hash":"sha256:1"}}}]}`,
	) || strings.Contains(reported, "stop:0:1") {
		t.Errorf("%s", reported)
	}

	w.write(".codex/hooks.json", strings.Replace(w.read(".codex/hooks.json"), `"timeout": 10`, `"timeout": 11`, 1))
	if _, err := w.as("a").Setup.SetUpAgents(
		t.Context(), setup.AgentsRequest{Agents: []string{"codex"}, TrustCodex: true},
	); report.CodeOf(err) != "codex_edited" {
		t.Errorf("%v", err)
	}
	w.env["PATH"] = ""
	other := agentWorld(t)
	if _, err := other.as("a").Setup.SetUpAgents(
		t.Context(), setup.AgentsRequest{Agents: []string{"codex"}, TrustCodex: true},
	); report.KindOf(err) != report.Unavailable || !workspace.Exists(other.path(".codex/hooks.json")) {
		t.Errorf("%v", err)
	}
}

func TestCheckComparesBatonWithBatond(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	w.setUp(setup.AgentsRequest{Agents: []string{"claude"}})
	check := setup.AgentsRequest{Agents: []string{"claude"}, Mode: setup.AgentsCheck, Version: "1.2.3"}
	if got := w.setUp(check); !hasCode(got.Warnings, "batond_missing") {
		t.Errorf("%+v", got.Warnings)
	}
	w.program("batond", "echo '{\"name\": \"batond\", \"version\": \"1.2.3\"}'\n")
	if got := w.setUp(check); len(got.Checks) != 1 || got.Checks[0].Status != agentconfig.OK {
		t.Errorf("%+v", got.Checks)
	}
	check.Version = "1.2.4"
	got, err := w.as("a").Setup.SetUpAgents(t.Context(), check)
	if report.CodeOf(err) != "agents_not_current" || got.Checks[0].Status != agentconfig.Outdated ||
		!strings.Contains(got.Checks[0].Text, "batond 1.2.3") {
		t.Errorf("%+v %v", got.Checks, err)
	}
}
