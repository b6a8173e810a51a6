package project

import (
	"context"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/task"
	"github.com/google/go-cmp/cmp"
)

func TestD27_DefaultsAreThoseOfTheTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as("agent-1")
	if diff := cmp.Diff(task.DefaultLimits(), p.limits()); diff != "" {
		t.Errorf("limits: %s", diff)
	}
	if p.config().lease() != 30*time.Minute || p.config().dialect() != task.V2 || p.config().repository("x") != "" {
		t.Error("lease, dialect or repositories")
	}
}

func TestD27_ValuesOfTheFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(configName, "tasks: {dialect: v1, warn_kb: 10, lease: 2h}\nstate:\nrepositories: {web: apps/web}\nlayout: {tasks: specflux}\n")
	p := w.as("agent-1")
	if err := p.config().fault(); err != nil {
		t.Fatal(err)
	}
	if p.limits().WarnKB != 10 || p.limits().ArchiveKB != 75 || p.config().lease() != 2*time.Hour || p.config().dialect() != task.V1C || p.config().repository("web") != "apps/web" {
		t.Errorf("config %+v", p.conf.values)
	}
	list, err := p.Config(context.Background())
	if err != nil || list.Path != configName {
		t.Fatal(list.Path, err)
	}
	for _, s := range list.Settings {
		if want := map[bool]string{true: "file", false: "default"}[s.Key == "tasks.dialect" || s.Key == "tasks.warn_kb" || s.Key == "tasks.lease" || s.Key == "repositories" || s.Key == "layout.tasks"]; s.Source != want {
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
		{"unknown key", "tasks:\n  leese: 30m\n", "config_key", "tasks.lease", 2},
		{"unknown section", "taks:\n  lease: 30m\n", "config_key", "config list", 1},
		{"number as text", "tasks:\n  warn_kb: many\n", "config_type", "tasks.warn_kb: 50", 2},
		{"number below its least", "tasks: {keep_sessions: 0}\n", "config_type", "5", 1},
		{"other word", "tasks: {dialect: v9}\n", "config_type", "v2", 1},
		{"no length of time", "tasks: {lease: soon}\n", "config_type", "30m", 1},
		{"list as text", "paths: {allow: /srv}\n", "config_type", "/srv/shared", 1},
		{"mapping as text", "repositories: web\n", "config_type", "name: folder", 1},
		{"mapping of numbers", "repositories: {web: 3}\n", "config_type", "name: folder", 1},
		{"section as text", "tasks: 3\n", "config_key", "config list", 1},
		{"no YAML", "tasks: [\n", "config_invalid", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(".baton/tasks/task-1-state.md", plain("1", "One"))
			w.write(configName, tt.text)
			before := w.files()
			ctx := context.Background()
			writes := map[string]func(*Project) error{
				"new": func(p *Project) error {
					_, err := p.NewTasks(ctx, NewRequest{Tasks: []NewTask{{Title: "x"}}})
					return err
				},
				"claim": func(p *Project) error { _, err := p.Claim(ctx, ClaimRequest{ID: "1"}); return err },
				"init":  func(p *Project) error { _, err := p.Init(ctx, InitRequest{Layout: "specflux"}); return err },
				"log": func(p *Project) error {
					_, err := p.Log(ctx, LogRequest{ID: "1", Entry: task.Entry{Did: []string{"x"}}})
					return err
				},
			}
			for name, write := range writes {
				e := wantError(t, write(w.as("agent-1")), report.Corrupt, tt.code)
				if e.Path != configName || tt.line > 0 && e.Line != tt.line || !strings.Contains(e.Hint, tt.hint) {
					t.Errorf("%s: %s, %s:%d, hint %q", name, e.Message, e.Path, e.Line, e.Hint)
				}
			}
			d, err := w.as("agent-1").Show(ctx, ShowRequest{ID: "1"})
			if err != nil || !hasCode(d.Warnings, tt.code) {
				t.Errorf("show: %v, %+v", err, d.Warnings)
			}
			list, err := w.as("agent-1").List(ctx, ListRequest{})
			if err != nil || !hasCode(list.Warnings, tt.code) {
				t.Errorf("list: %v, %+v", err, list.Warnings)
			}
			if diff := cmp.Diff(before, w.files()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestD27_TableIsSound holds the one table to itself: every default is a value that its own check takes.
func TestD27_TableIsSound(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range settings() {
		if seen[s.key] || s.doc == "" || s.wants() == "" || s.example() == "" {
			t.Errorf("%s stands twice or is not described", s.key)
		}
		seen[s.key] = true
		w := newWorld(t)
		section, name, nested := strings.Cut(s.key, ".")
		text := section + ": " + s.example() + "\n"
		if nested {
			text = section + ":\n  " + name + ": " + s.example() + "\n"
		}
		w.write(configName, text)
		if err := w.as("agent-1").config().fault(); err != nil {
			t.Errorf("the example of %s is refused: %v", s.key, err)
		}
	}
}
