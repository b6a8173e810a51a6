package project

import (
	"context"
	"os"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/history"
	"baton/internal/usecase/setup"
	"baton/internal/workspace"
)

// TestUndoNamesTheFirstBlockingChange checks that the error names the first later change that was not undone, or says
// that somebody else made it. It never names an undo or an undone change.
func TestUndoNamesTheFirstBlockingChange(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	w.write(".planning/STATE.md", "# State\n\n### Decisions\nNone yet.\n")
	w.decides("first")
	w.decides("second")
	w.undo(1)
	w.write(".planning/STATE.md", w.read(".planning/STATE.md")+"by hand\n")
	_, err := w.as("agent-1").History.Undo(ctx, history.UndoRequest{})
	if e := wantError(t, err, report.Conflict, "undo_blocked"); !strings.HasPrefix(e.Message, "change 1 ") ||
		!strings.HasSuffix(e.Message, "by somebody else, not by baton") {
		t.Error(e.Message)
	}
}

// TestUndoSaysHowToRedo checks that the revision in the answer is what the file contained before.
func TestUndoSaysHowToRedo(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	w.write(".planning/STATE.md", "# State\n\n### Decisions\nNone yet.\n")
	w.decides("first")
	before := w.read(".planning/STATE.md")
	out, err := w.as("agent-1").History.Undo(ctx, history.UndoRequest{})
	if err != nil || out.Redo == "" {
		t.Fatalf("%+v %v", out, err)
	}
	if _, err := w.as("agent-1").History.RestoreVersion(ctx, history.VersionRestoreRequest{Revision: out.Redo, Apply: true}); err != nil {
		t.Fatal(err)
	}
	if got := w.read(".planning/STATE.md"); got != before {
		t.Error(got)
	}
}

// TestUndoOutsideOfAProject checks that neither log nor undo creates a project.
func TestUndoOutsideOfAProject(t *testing.T) {
	t.Parallel()
	p := newWorld(t).as("agent-1")
	_, err := p.History.Undo(t.Context(), history.UndoRequest{})
	wantError(t, err, report.NotFound, "no_project")
	_, err = p.History.ChangeLog(t.Context(), history.ChangeLogRequest{})
	wantError(t, err, report.NotFound, "no_project")
}

// TestADigestThatUndoRemovedIsNotMissing checks that nothing is reported as missing after an undo of the change that
// created the digest.
func TestADigestThatUndoRemovedIsNotMissing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.does("init", func(p *Project) error { _, err := p.Setup.Init(t.Context(), setup.InitRequest{}); return err })
	name := w.path(".baton/STATE.md")
	if err := os.Rename(name, name+".away"); err != nil {
		t.Fatal(err)
	}
	if f, found := diagnosed(w.doctor(workspace.DoctorRequest{}), "digest_missing"); !found || f.Severity != report.Severe ||
		!strings.HasPrefix(f.Command, "baton snapshot restore ") {
		t.Errorf("%+v", f)
	}
	if err := os.Rename(name+".away", name); err != nil {
		t.Fatal(err)
	}
	w.undo(1)
	w.mkdir(".baton/tasks")
	if r := w.doctor(workspace.DoctorRequest{}); !r.OK {
		t.Errorf("%+v", r.Findings)
	}
}

// TestUndoCount checks that the command line and the use case accept the same numbers of changes, and that the error
// says what to do.
func TestUndoCount(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"1": 1, "12": 12, "0": 0, "-1": 0, "": 0, "one": 0, "1.5": 0, "99999999999999999999": 0} {
		n, err := history.UndoCount(text)
		if n != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d %v", text, n, err)
		}
		if err != nil && wantError(t, err, report.Usage, "usage").Hint == "" {
			t.Errorf("%q: no hint", text)
		}
	}
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	_, err := w.as("agent-1").History.Undo(t.Context(), history.UndoRequest{Count: -1})
	if e := wantError(t, err, report.Usage, "usage"); e.Hint == "" || e.Op != "undo" || !strings.Contains(e.Message, `"-1"`) {
		t.Errorf("%+v", e)
	}
}
