package project

import (
	"strings"
	"testing"
	"time"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/usecase/setup"
)

const myLine = "{ \"statusLine\": {\"type\": \"command\",  \"command\": \"printf mine; wc -c\", \"padding\": 0}, \"model\": \"x\" }"

// The previous status line is kept while any project uses baton's. It runs before baton's line and is restored exactly
// (agents.md 6.4).
func TestPreviousStatusLineRunsAndIsRestored(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	w.writeHome(".claude/settings.json", myLine)
	before := w.homeFiles()
	other := agentWorld(t)
	other.env["HOME"] = w.env["HOME"]
	ask := setup.AgentsRequest{Agents: []string{"claude"}, StatusLine: true}
	w.setUp(ask)
	other.setUp(ask)
	if got := w.homeFiles()[".claude/settings.json"]; !strings.Contains(got, "baton statusline") || strings.Contains(got, "mine") {
		t.Errorf("%s", got)
	}
	if !strings.Contains(w.read(".baton/config.yaml"), "sensor: true") {
		t.Error("the sensor is off")
	}
	env := report.Env{
		Getenv: func(name string) string { return w.env[name] }, Environ: []string{"PATH=/usr/bin:/bin"}, Home: w.env["HOME"], Dir: w.dir,
	}
	if got := setup.ChainedWithin(t.Context(), env, "", []byte("12345"), time.Minute); strings.Join(strings.Fields(got), "") != "mine5" {
		t.Errorf("%q", got)
	}
	gone := setup.AgentsRequest{Agents: []string{"claude"}, Mode: setup.AgentsRemove}
	w.setUp(gone)
	if got := w.homeFiles()[".claude/settings.json"]; !strings.Contains(got, "baton statusline") {
		t.Errorf("another project still asks for it: %s", got)
	}
	other.setUp(gone)
	after := w.homeFiles()
	delete(after, ".claude/settings.json"+setup.BackupEnd)
	sameFiles(t, "home", after, before)
	if got := setup.ChainedStatusLine(t.Context(), env, "", nil); got != "" {
		t.Errorf("%q", got)
	}
}

// Qwen's status line has its own note, so neither agent's previous line gets into the settings of the other.
func TestEachAgentsStatusLineIsItsOwn(t *testing.T) {
	t.Parallel()
	const qwens = "{\"ui\": {\"statusLine\": {\"type\": \"command\", \"command\": \"echo qwen; echo more\"}}, \"$version\": 4}"
	w := agentWorld(t)
	w.writeHome(".claude/settings.json", myLine)
	w.writeHome(".qwen/settings.json", qwens)
	before := w.homeFiles()
	w.setUp(setup.AgentsRequest{Agents: []string{"claude", "qwen"}, StatusLine: true})
	got := w.homeFiles()
	if !strings.Contains(got[".qwen/settings.json"], "baton statusline --agent qwen") ||
		!strings.Contains(got[".claude/settings.json"], "baton statusline ||") {
		t.Errorf("%v", got)
	}
	env := report.Env{
		Getenv: func(name string) string { return w.env[name] }, Environ: []string{"PATH=/usr/bin:/bin"}, Home: w.env["HOME"], Dir: w.dir,
	}
	if got := setup.ChainedWithin(t.Context(), env, "qwen", nil, time.Minute); got != "qwen" {
		t.Errorf("%q", got)
	}
	check := w.setUp(setup.AgentsRequest{Agents: []string{"claude", "qwen"}, Mode: setup.AgentsCheck})
	for _, name := range []string{"~/.claude/settings.json", "~/.qwen/settings.json"} {
		if itemOf(t, check, name, "status line").Status != agentconfig.OK {
			t.Errorf("%s: %+v", name, check)
		}
	}
	w.setUp(setup.AgentsRequest{Agents: []string{"qwen"}, Mode: setup.AgentsRemove})
	if got = w.homeFiles(); got[".qwen/settings.json"] != qwens || !strings.Contains(got[".claude/settings.json"], "baton statusline") {
		t.Errorf("%v", got)
	}
	w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Mode: setup.AgentsRemove})
	after := w.homeFiles()
	delete(after, ".claude/settings.json"+setup.BackupEnd)
	delete(after, ".qwen/settings.json"+setup.BackupEnd)
	sameFiles(t, "home", after, before)
}

func TestStatusLineOfTheScopeOfTheUser(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	w.writeHome(".claude/settings.json", myLine)
	before := w.homeFiles()
	ask := setup.AgentsRequest{Agents: []string{"claude"}, Scope: "user", StatusLine: true}
	w.setUp(ask)
	w.setUp(ask)
	if got := w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Scope: "user", Mode: setup.AgentsCheck}); !got.OK ||
		itemOf(t, got, "~/.claude/settings.json", "status line").Status != agentconfig.OK {
		t.Errorf("%+v", got)
	}
	w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Scope: "user", Mode: setup.AgentsRemove})
	after := w.homeFiles()
	delete(after, ".claude/settings.json"+setup.BackupEnd)
	delete(after, ".claude.json"+setup.BackupEnd)
	sameFiles(t, "home", after, before)
	if len(w.files()) > 0 {
		t.Errorf("%v", w.files())
	}
}

// If the previous status line fails, takes too long or calls baton itself, only baton's line is printed.
func TestAFailingPreviousStatusLineIsLeftOut(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"fails": "echo x; exit 1", "hangs": "echo x; exec sleep 60", "no program": "/nowhere/at-all",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := agentWorld(t)
			w.writeHome(".config/baton/statusline.json", `{"previous": "{\"command\": \"`+command+`\"}"}`)
			env := report.Env{Getenv: func(name string) string { return w.env[name] }, Environ: []string{
				"PATH=/usr/bin:/bin",
			}, Home: w.env["HOME"], Dir: w.dir}
			if got := setup.ChainedStatusLine(t.Context(), env, "", []byte("{}")); got != "" {
				t.Errorf("%q", got)
			}
		})
	}
	w := agentWorld(t)
	w.writeHome(".config/baton/statusline.json", `{"previous": "{\"command\": \"echo x\"}"}`)
	w.env[setup.ChainMark] = "1"
	env := report.Env{
		Getenv: func(name string) string { return w.env[name] }, Environ: []string{"PATH=/usr/bin:/bin"}, Home: w.env["HOME"], Dir: w.dir,
	}
	if got := setup.ChainedStatusLine(t.Context(), env, "", []byte("{}")); got != "" {
		t.Errorf("%q", got)
	}
}
