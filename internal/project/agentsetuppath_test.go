package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/usecase/setup"
)

// agents.md 2.1: agents do not report a missing program, so init has to.
func TestAgents21_AMissingProgramIsReported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	here, there := filepath.Join(dir, "here", "baton"), filepath.Join(dir, "there", "baton")
	for _, path := range []string{here, there} {
		must0(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must0(t, os.WriteFile(path, nil, 0o755))
	}
	link := filepath.Join(dir, "baton")
	must0(t, os.Symlink(here, link))
	for name, c := range map[string]struct {
		found, self string
		known       bool
		code, text  string
	}{
		"none":                {"", here, true, "baton_missing", "; this one is in " + filepath.Dir(here)},
		"none, by any name":   {"", filepath.Join(dir, "project.test"), true, "baton_missing", "silently do nothing"},
		"none, self unknown":  {"", "", false, "baton_missing", "silently do nothing"},
		"another":             {there, here, true, "baton_elsewhere", "is " + there + ", not this one, " + here},
		"the same":            {here, here, true, "", ""},
		"the same, by a link": {link, here, true, "", ""},
		"self unknown":        {there, "", false, "", ""},
		"self was replaced":   {there, filepath.Join(dir, "gone"), true, "", ""},
	} {
		if f := setup.Strayed(c.found, c.self, c.known); f.Code != report.Code(c.code) || !strings.HasSuffix(f.Text, c.text) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestAgents21_InitAndCheckReportIt(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	w.env["PATH"] = ""
	reported := func(text string) bool { return strings.HasPrefix(text, "baton is not on PATH: ") }
	for _, mode := range []string{setup.AgentsDryRun, setup.AgentsWrite} {
		if made := w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Mode: mode}); !slices.ContainsFunc(made.Notices, reported) {
			t.Errorf("%s: %q", mode, made.Notices)
		}
	}
	checked, err := w.as("a").Setup.SetUpAgents(t.Context(), setup.AgentsRequest{Mode: setup.AgentsCheck})
	if report.CodeOf(err) != report.CodeAgentsNotCurrent || checked.OK ||
		!slices.ContainsFunc(checked.Checks, func(i agentconfig.Item) bool { return reported(i.Text) }) {
		t.Errorf("%v %+v", err, checked.Checks)
	}
	for _, r := range []setup.AgentsRequest{{Mode: setup.AgentsRemove}, {Verification: true}} {
		if got := w.setUp(r); slices.ContainsFunc(got.Notices, reported) || hasCode(got.Warnings, "baton_missing") {
			t.Errorf("%+v: %+v", r, got)
		}
	}
}
