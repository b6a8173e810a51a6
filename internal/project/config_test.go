package project

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace/config"
)

func TestD27_DefaultsAreThoseOfTheTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as("agent-1")
	if diff := cmp.Diff(task.DefaultLimits(), p.Limits()); diff != "" {
		t.Errorf("limits: %s", diff)
	}
	if p.Settings().Lease() != 30*time.Minute || p.Settings().Dialect() != task.V2 || repositoryOf(p, "x") != "" {
		t.Error("lease, dialect or repositories")
	}
}

func TestD27_ValuesOfTheFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(
		config.Name,
		"tasks: {dialect: v1, warn_kb: 10, lease: 2h}\nstate:\nrepositories: {web: apps/web}\nlayout: {tasks: specflux}\n",
	)
	p := w.as("agent-1")
	if err := p.Settings().Fault(); err != nil {
		t.Fatal(err)
	}
	if p.Limits().WarnKB != 10 || p.Limits().ArchiveKB != 75 || p.Settings().Lease() != 2*time.Hour ||
		p.Settings().Dialect() != task.V1C || repositoryOf(p, "web") != "apps/web" {
		t.Errorf("config %+v", p.Conf.Values)
	}
	list, err := p.Config(context.Background())
	if err != nil || list.Path != config.Name {
		t.Fatal(list.Path, err)
	}
	for _, s := range list.Settings {
		if want := map[bool]string{true: "file", false: "default"}[s.Key == "tasks.dialect" || s.Key == "tasks.warn_kb" ||
			s.Key == "tasks.lease" || s.Key == "repositories" || s.Key == "layout.tasks"]; s.Source != want {
			t.Errorf("%s comes from %s, want %s", s.Key, s.Source, want)
		}
		if s.Doc == "" || s.Value == nil || s.Default == nil {
			t.Errorf("%+v is not complete", s)
		}
	}
}

func TestD27_BrokenConfigurationRefusesWritesAndWarnsReads(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text, code, hint string
		line                   int
	}{
		{"number as text", "tasks:\n  warn_kb: many\n", "config_type", "tasks.warn_kb: 50", 2},
		{"number below its least", "tasks: {keep_sessions: 0}\n", "config_type", "5", 1},
		{"other word", "tasks: {dialect: v9}\n", "config_type", "v2", 1},
		{"no length of time", "tasks: {lease: soon}\n", "config_type", "30m", 1},
		{"list as text", "paths: {allow: /srv}\n", "config_type", "/srv/shared", 1},
		{"mapping as text", "repositories: web\n", "config_type", "name: folder", 1},
		{"mapping of numbers", "repositories: {web: 3}\n", "config_type", "name: folder", 1},
		{"no YAML", "tasks: [\n", "config_invalid", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(".baton/tasks/task-1-state.md", plain("1", "One"))
			w.write(config.Name, tt.text)
			before := w.files()
			ctx := context.Background()
			writes := map[string]func(*Project) error{
				"new": func(p *Project) error {
					_, err := p.Tasks.NewTasks(ctx, tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "x"}}})
					return err
				},
				"claim": func(p *Project) error { _, err := p.Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1"}); return err },
				"init":  func(p *Project) error { _, err := p.Setup.Init(ctx, setup.InitRequest{Layout: "specflux"}); return err },
				"log": func(p *Project) error {
					_, err := p.Tasks.Log(ctx, tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"x"}}})
					return err
				},
			}
			for name, write := range writes {
				e := wantError(t, write(w.as("agent-1")), report.Corrupt, report.Code(tt.code))
				if e.Path != config.Name || tt.line > 0 && e.Line != tt.line || !strings.Contains(e.Hint, tt.hint) {
					t.Errorf("%s: %s, %s:%d, hint %q", name, e.Message, e.Path, e.Line, e.Hint)
				}
			}
			d, err := w.as("agent-1").Tasks.Show(ctx, tasks.ShowRequest{ID: "1"})
			if err != nil || !hasCode(d.Warnings, report.Code(tt.code)) {
				t.Errorf("show: %v, %+v", err, d.Warnings)
			}
			list, err := w.as("agent-1").Tasks.List(ctx, tasks.ListRequest{})
			if err != nil || !hasCode(list.Warnings, report.Code(tt.code)) {
				t.Errorf("list: %v, %+v", err, list.Warnings)
			}
			if diff := cmp.Diff(before, w.files()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A setting that this version does not know is ignored with a warning, on reads and on writes (F-18, D52).
func TestF18_UnknownKeysWarnAndAreIgnored(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, key, near string }{
		{"foo: 1\n", `"foo"`, ""},
		{"protocol: lean\n", `"protocol"`, "protocol.setting"},
		{"tasks:\n  leese: 30m\n", `"tasks.leese"`, "tasks.lease"},
		{"taks:\n  lease: 30m\n", `"taks"`, "tasks.lease"},
		{"lease: 30m\n", `"lease"`, "tasks.lease"},
		{"tasks: 3\n", `"tasks"`, "tasks."},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(".baton/tasks/task-1-state.md", plain("1", "One"))
			w.write(config.Name, tt.text+"state: {max_lines: 90}\n")
			ctx := context.Background()
			is := func(name string, findings []report.Finding, err error) {
				t.Helper()
				n := 0
				for _, f := range findings {
					if f.Code != report.CodeConfigKey {
						continue
					}
					n++
					if f.Severity != report.Warning || f.Path != config.Name || f.Line == 0 || !strings.Contains(f.Text, tt.key) ||
						strings.Contains(f.Text, "did you mean "+tt.near) != (tt.near != "") {
						t.Errorf("%s: %+v", name, f)
					}
				}
				if err != nil || n != 1 {
					t.Errorf("%s: %d findings in %+v, %v", name, n, findings, err)
				}
			}
			made, err := w.as("agent-1").Tasks.NewTasks(ctx, tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "x"}}})
			is("new", made.Warnings, err)
			claimed, err := w.as("agent-1").Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1"})
			is("claim", claimed.Warnings, err)
			logged, err := w.as("agent-1").Tasks.Log(ctx, tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"x"}}})
			is("log", logged.Warnings, err)
			shown, err := w.as("agent-1").Tasks.Show(ctx, tasks.ShowRequest{ID: "1"})
			is("show", shown.Warnings, err)
			p := w.as("agent-1")
			list, err := p.Tasks.List(ctx, tasks.ListRequest{})
			is("list", list.Warnings, err)
			if n := p.Settings().Number("state.max_lines"); n != 90 {
				t.Errorf("the settings that are known do not apply: %d", n)
			}
		})
	}
}

// TestD27_EveryDefaultIsValid checks that the default of every setting is a valid value.
func TestD27_EveryDefaultIsValid(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range config.Settings() {
		if seen[s.Key] || s.Doc == "" || s.Wants() == "" || s.Example() == "" {
			t.Errorf("%s stands twice or is not described", s.Key)
		}
		seen[s.Key] = true
		w := newWorld(t)
		section, name, nested := strings.Cut(s.Key, ".")
		text := section + ": " + s.Example() + "\n"
		if nested {
			text = section + ":\n  " + name + ": " + s.Example() + "\n"
		}
		w.write(config.Name, text)
		if err := w.as("agent-1").Settings().Fault(); err != nil {
			t.Errorf("the example of %s is refused: %v", s.Key, err)
		}
	}
}

// repositoryOf returns the folder of a repository as the configuration has it.
func repositoryOf(p *Project, name string) string {
	written, _, err := p.Repository("test", name)
	if err != nil {
		return err.Error()
	}
	return written
}
