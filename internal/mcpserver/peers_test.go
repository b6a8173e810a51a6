package mcpserver

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/test/programs"
)

// peers finds the programs of others that judge the server, in the folder that BATON_AGENTS_DIR names (agents.md 13).
// inner are the folders in it where the program may be.
func peers(t *testing.T, program string, inner ...string) (path string, env []string) {
	t.Helper()
	without := func(format string, about ...any) {
		t.Helper()
		if slices.ContainsFunc(inner, required) {
			t.Fatalf("BATON_AGENTS requires it, but "+format, about...)
		}
		t.Skipf("SKIPPED: "+format, about...)
	}
	dir := os.Getenv("BATON_AGENTS_DIR")
	if dir == "" {
		without("BATON_AGENTS_DIR does not name a folder with the packages that judge the server")
	}
	node := filepath.Join(dir, "node", "node_modules", ".bin")
	env = append(os.Environ(), "PATH="+node+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, folder := range inner {
		path = filepath.Join(dir, folder, "node_modules", ".bin", program)
		if _, err := os.Stat(path); err == nil {
			return path, env
		}
	}
	without("%s has no %s in %s", dir, program, strings.Join(inner, " or "))
	return "", nil
}

// required says whether BATON_AGENTS asks for what is in a folder, as in require:inspector,conformance: then its absence is
// a failure.
func required(folder string) bool {
	_, names, _ := strings.Cut(os.Getenv("BATON_AGENTS"), "require:")
	return slices.Contains(strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' }), folder)
}

// What BATON_AGENTS requires is not skipped: a run that was to judge the server fails without a judge.
func TestRequiredJudges(t *testing.T) {
	for _, c := range []struct {
		value, folder string
		want          bool
	}{
		{"", "inspector", false},
		{"require:inspector,conformance", "conformance", true},
		{"require:claude inspector", "inspector", true},
		{"require:claude,codex", "inspector", false},
		{"inspector", "inspector", false},
		{"require:inspectors", "inspector", false},
	} {
		t.Setenv("BATON_AGENTS", c.value)
		if required(c.folder) != c.want {
			t.Errorf("%q, %s: %v", c.value, c.folder, !c.want)
		}
	}
}

// built makes batond in a folder of its own.
func built(t *testing.T) string {
	t.Helper()
	out, err := programs.Make(t.TempDir(), "batond")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// agents.md 13: the inspector of the protocol's makers, in both eras, over standard input and output.
func TestInspector(t *testing.T) {
	t.Parallel()
	inspector, env := peers(t, "mcp-inspector", "inspector", "mcp")
	w, batond := newWorld(t), built(t)
	for _, c := range []struct {
		name string
		args []string
		fine bool
		says string
	}{
		{"modern", []string{"--method", "tools/list", "--protocol-era", "modern"}, true, `"task_log"`},
		{"legacy", []string{"--method", "tools/list", "--protocol-era", "legacy"}, true, `"task_log"`},
		{"auto", []string{"--method", "tools/list", "--protocol-era", "auto"}, true, `"task_log"`},
		{"schemas", []string{"--method", "tools/list", "--strict"}, true, `"task_log"`},
		{"call", []string{"--method", "tools/call", "--tool-name", "task_show", "--tool-args-json", `{"id":"1"}`}, true, "Sign tokens"},
		{"failure", []string{
			"--method", "tools/call", "--tool-name", "task_show", "--tool-args-json", `{"id":"99"}`,
		}, false, "task_unknown"},
		{"resources", []string{"--method", "resources/list"}, true, "state://task/DOC-7"},
		{"templates", []string{"--method", "resources/templates/list"}, true, "state://archive/{id}"},
		{"skills", []string{"--method", "skills/list", "--verify", "--require-digests"}, true, `"outcome":"verified"`},
		{"skill", []string{
			"--method", "skills/get", "--uri", skillURI, "--verify", "--protocol-era", "modern",
		}, true, `"outcome":"verified"`},
		{"read", []string{"--method", "resources/read", "--uri", "state://task/1"}, true, "Sign tokens"},
		{"prompts", []string{"--method", "prompts/list"}, true, "hand-off"},
		{"prompt", []string{"--method", "prompts/get", "--prompt-name", "hand-off", "--prompt-args", "task=1"}, true, "It is tested"},
		{"load", []string{
			"--method", "tools/call", "--tool-name", "status", "--load", "--load-requests", "100", "--load-concurrency", "10",
		}, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			inspect(t, inspector, w.dir, env, append([]string{batond, "mcp"}, c.args...), c.fine, c.says)
		})
	}
}

func inspect(t *testing.T, inspector, dir string, env, args []string, fine bool, says string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), inspector, append([]string{"--cli"}, args...)...)
	cmd.Dir, cmd.Env = dir, env
	said, err := cmd.CombinedOutput()
	if (err == nil) != fine || !strings.Contains(string(said), says) || strings.Contains(string(said), "Warning:") {
		t.Errorf("%v\n%s", err, said)
	}
}

// agents.md 13: the inspector over HTTP, in both eras; who does not know the token is turned away.
func TestInspectorHTTP(t *testing.T) {
	t.Parallel()
	inspector, env := peers(t, "mcp-inspector", "inspector", "mcp")
	w := newWorld(t)
	url := serving(t, w, built(t), "s3cret")
	for _, era := range []string{"modern", "legacy"} {
		for name, c := range map[string]struct {
			token string
			args  []string
			fine  bool
			says  string
		}{
			"tools": {"s3cret", []string{"--method", "tools/list"}, true, `"task_log"`},
			"call": {"s3cret", []string{
				"--method", "tools/call", "--tool-name", "task_show", "--tool-args-json", `{"id":"1"}`,
			}, true, "Sign tokens"},
			"skills":   {"s3cret", []string{"--method", "skills/list", "--verify"}, true, `"outcome":"verified"`},
			"skill":    {"s3cret", []string{"--method", "skills/get", "--uri", skillURI, "--verify"}, true, `"outcome":"verified"`},
			"no token": {"s3crets", []string{"--method", "tools/list"}, false, ""},
		} {
			t.Run(era+"/"+name, func(t *testing.T) {
				args := append([]string{
					"--server-url", url, "--transport", "http", "--header", "Authorization: Bearer " + c.token, "--protocol-era", era,
				}, c.args...)
				inspect(t, inspector, w.dir, env, args, c.fine, c.says)
			})
		}
	}
}

// failing are checks that this server cannot pass: they call fixtures that no product has.
type failing []string

// agents.md 13: the generic scenarios of the conformance suite, over HTTP, for the older and the current protocol.
func TestConformance(t *testing.T) {
	t.Parallel()
	peers(t, "conformance", "inspector", "mcp")
	url := serving(t, newWorld(t), built(t), "")
	subscribe := failing{"resources-subscribe"}
	stateless := failing{
		"sep-2575-http-server-no-independent-requests-on-stream", "sep-2575-missing-capability-http-400",
		"sep-2575-server-no-log-without-loglevel",
		"sep-2575-server-rejects-undeclared-capability",
	}
	for _, c := range []struct {
		suite    string
		name     string
		fails    failing
		revision string // of the protocol, "" for the newest that has the scenario
	}{
		{"0.1", "server-initialize", nil, ""},
		{"0.1", "ping", nil, ""},
		{"0.1", "tools-list", nil, ""},
		{"0.1", "resources-list", nil, ""},
		{"0.1", "prompts-list", nil, ""},
		{"0.1", "resources-subscribe", subscribe, ""},
		{"0.1", "dns-rebinding-protection", nil, ""},
		{"0.2", "server-initialize", nil, ""},
		{"0.2", "ping", nil, ""},
		{"0.2", "tools-list", nil, ""},
		{"0.2", "resources-list", nil, ""},
		{"0.2", "prompts-list", nil, ""},
		{"0.2", "resources-subscribe", subscribe, ""},
		{"0.2", "dns-rebinding-protection", nil, ""},
		{"0.2", "server-stateless", stateless, ""},
		{"0.2", "caching", nil, ""},
		{"0.2", "http-header-validation", nil, ""},
		{"0.2", "sep-2164-resource-not-found", nil, ""},
		{"0.2", "server-initialize", nil, "2025-11-25"},
		{"0.2", "ping", nil, "2025-11-25"},
		{"0.2", "tools-list", nil, "2025-11-25"},
		{"0.2", "resources-list", nil, "2025-11-25"},
		{"0.2", "prompts-list", nil, "2025-11-25"},
		{"0.2", "resources-subscribe", subscribe, "2025-11-25"},
		{"0.2", "dns-rebinding-protection", nil, "2025-11-25"},
	} {
		t.Run(strings.TrimRight(c.suite+"/"+c.name+"/"+c.revision, "/"), func(t *testing.T) {
			folders := map[string][]string{"0.1": {"inspector", "mcp"}, "0.2": {"conformance", "mcp2"}}[c.suite]
			suite, env := peers(t, "conformance", folders...)
			cmd := exec.CommandContext(t.Context(), suite, "server", "--url", url, "--scenario", c.name)
			if c.revision != "" {
				cmd.Args = append(cmd.Args, "--spec-version", c.revision)
			}
			cmd.Dir, cmd.Env = t.TempDir(), env
			said, _ := cmd.CombinedOutput() // the list of failures says more than the exit code
			var got failing
			for _, found := range regexp.MustCompile(`\[([a-z0-9-]+) *\] \x1b\[31mFAILURE`).FindAllStringSubmatch(string(said), -1) {
				if !slices.Contains(got, found[1]) {
					got = append(got, found[1])
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(c.fails, got); diff != "" || !strings.Contains(string(said), "Passed: ") {
				t.Errorf("failures (-expected +found):\n%s\n%s", diff, said)
			}
		})
	}
}

// agents.md 13: everything that a revision requires, of our transport with the fixtures that the scenarios call. Each revision
// has a run of its own: passing on one wire says nothing of the other.
func TestConformanceOfTheTransport(t *testing.T) {
	t.Parallel()
	suite, env := peers(t, "conformance", "conformance", "mcp2")
	for revision, baseline := range map[string]string{"2026-07-28": "", "2025-11-25": "expected-failures-2025-11-25.yml"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			args := []string{"server", "--url", fixtures(t), "--requirements", revision, "-o", t.TempDir()}
			if baseline != "" {
				path, err := filepath.Abs(filepath.Join("testdata", baseline))
				if err != nil {
					t.Fatal(err)
				}
				args = append(args, "--expected-failures", path)
			}
			cmd := exec.CommandContext(t.Context(), suite, args...)
			cmd.Dir, cmd.Env = t.TempDir(), env
			said, err := cmd.CombinedOutput()
			_, summary, found := strings.Cut(string(said), "=== SUMMARY ===")
			if err != nil || !found {
				t.Errorf("%v\n%s", err, said)
			}
			t.Log(summary)
		})
	}
}

// serving starts batond on a free port and gives its address, under the name that both suites accept; token "" lets
// everybody in.
func serving(t *testing.T, w *world, batond, token string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, batond, "mcp", "--http", "127.0.0.1:0")
	if cmd.Env = append(os.Environ(), tokenVariable+"="+token); token == "" {
		cmd.Args = append(cmd.Args, "--no-token")
	}
	cmd.Dir = w.dir
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = cmd.Wait() })
	line, err := bufio.NewReader(said).ReadString('\n')
	_, url, found := strings.Cut(strings.TrimSpace(line), " at ")
	if err != nil || !found {
		t.Fatalf("%v: %q", err, line)
	}
	return strings.Replace(url, "127.0.0.1", "localhost", 1)
}
