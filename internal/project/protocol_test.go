package project

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task/create"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
)

// The protocol is available without a project; it is the full one unless the configuration asks for the lean one.
func TestProtocolSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	out, err := w.as("agent-1").Setup.Protocol(context.Background(), setup.ProtocolRequest{})
	if err != nil || out.Setting != "full" || out.Override != "" || !strings.Contains(out.Text, "## Planning\n") || len(out.Warnings) != 0 {
		t.Fatalf("%+v, %v", out, err)
	}
	w.write(".baton/config.yaml", "protocol: {setting: lean}\n")
	out, err = w.as("agent-1").Setup.Protocol(context.Background(), setup.ProtocolRequest{Phase: "HANDOVER"})
	if err != nil || out.Setting != "lean" || out.Phase != "hand-over" || !strings.HasPrefix(out.Text, "## Hand-over\n") {
		t.Errorf("%+v, %v", out, err)
	}
	_, err = w.as("agent-1").Setup.Protocol(context.Background(), setup.ProtocolRequest{Phase: "planning"})
	wantError(t, err, report.Usage, "phase_unknown")
	_, err = w.as("agent-1").Setup.Protocol(context.Background(), setup.ProtocolRequest{Task: "7"})
	if report.As(err).Kind != report.NotFound {
		t.Errorf("%v", err)
	}
}

// The protocol of a task has the task's id, file and words.
func TestProtocolOfATask(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(tasks.NewTask{Title: "One", Criteria: []create.Criterion{{Text: "It holds"}}})
	out, err := w.as("agent-1").Setup.Protocol(context.Background(), setup.ProtocolRequest{Task: "#1"})
	if err != nil || !strings.Contains(out.Text, "`.baton/tasks/task-1-state.md`") ||
		!strings.Contains(out.Text, "`baton task log 1 --did") {
		t.Errorf("%+v, %v", out, err)
	}
	w.write(".baton/config.yaml", "tasks: {dialect: v1}\n")
	w.create(tasks.NewTask{Title: "Two", Criteria: []create.Criterion{{Text: "It holds"}}})
	if out, err = w.as("agent-1").Setup.Protocol(context.Background(), setup.ProtocolRequest{Task: "2"}); err != nil ||
		!strings.Contains(out.Text, "exactly one open feature") {
		t.Errorf("%+v, %v", out, err)
	}
}

// A project's own text replaces a phase. If the file is unusable, that is reported, and baton's text stays.
func TestProtocolOverride(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".baton/protocol.md", "## Planning\n\nAsk the map.\n\n## Elsewhere\n\nx\n")
	out, err := w.as("agent-1").Setup.Protocol(context.Background(), setup.ProtocolRequest{})
	if err != nil || out.Override != setup.ProtocolName || !strings.Contains(out.Text, "## Planning\n\nAsk the map.\n") ||
		!hasCode(out.Warnings, "protocol_heading") ||
		out.Warnings[0].Path != setup.ProtocolName ||
		out.Warnings[0].Line != 5 {
		t.Errorf("%+v, %v", out, err)
	}
	w.write(".baton/protocol.md", "## Planning\n\n"+strings.Repeat("long\n", setup.MostProtocol/5))
	out, err = w.as("agent-1").Setup.Protocol(context.Background(), setup.ProtocolRequest{})
	if err != nil || out.Override != "" || !hasCode(out.Warnings, "protocol_unreadable") || !strings.Contains(out.Text, "Plan briefly") {
		t.Errorf("%+v, %v", out.Warnings, err)
	}
}

// A file outside the project is not read as the project's protocol, because a repository could otherwise show any file
// of the machine to an agent.
func TestProtocolIsNotReadFromOutside(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	outside := filepath.Join(t.TempDir(), "private.md")
	must0(t, os.WriteFile(outside, []byte("## Planning\n\nPrivate words.\n"), 0o600))
	if err := os.Symlink(outside, w.path(setup.ProtocolName)); err != nil {
		t.Skip(err)
	}
	out, err := w.as("agent-1").Setup.Protocol(context.Background(), setup.ProtocolRequest{})
	if err != nil || out.Override != "" || strings.Contains(out.Text, "Private") || !hasCode(out.Warnings, "protocol_unreadable") {
		t.Errorf("%+v, %v", out, err)
	}
}

// A project without tasks gets the protocol for its digest (5.16). --phase also prints the text that the project wrote
// outside of phases.
func TestProtocolOfADigest(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	out, err := w.as("agent-1").Setup.Protocol(t.Context(), setup.ProtocolRequest{})
	if err != nil || strings.Contains(out.Text, "baton task") || strings.Contains(out.Text, "criteri") ||
		!strings.Contains(out.Text, "Read `.planning/STATE.md` from top") {
		t.Errorf("%s, %v", out.Text, err)
	}
	_, err = w.as("agent-1").Setup.Protocol(t.Context(), setup.ProtocolRequest{Phase: "also"})
	wantError(t, err, report.Usage, "phase_unknown")
	w.write(setup.ProtocolName, "## Also\n\nBe kind.\n")
	if out, err = w.as("agent-1").Setup.Protocol(t.Context(), setup.ProtocolRequest{Phase: "also"}); err != nil ||
		out.Text != "## Also\n\nBe kind.\n" ||
		out.Phase != "also" {
		t.Errorf("%q, %v", out.Text, err)
	}
}
