package project

import (
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/digests"
)

// One archive has no list, and an unclosed fence hides everything from line 5 on. The other has its fence after the
// table.
const (
	hiddenArchive = "# Project Decisions Archive\n\n## Archived Decisions\n\n```\nan example\n"
	tailedArchive = "# Project Decisions Archive\n\n## Archived Decisions\n\n| Date | Decision |\n|------|----------|\n" +
		"| 2025-12-01 | long ago |\n\n```\nan example\n"
)

// D33, D34: if a rotation is not possible, the change before it is still made. The decision is there, the digest stays
// too long, the archive stays as it is, and the answer names the archive and the line that is the reason.
func TestD33_D34_AChangeIsMadeWithoutItsRotation(t *testing.T) {
	t.Parallel()
	for dir, text := range fullDigests(t) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(dir+"/STATE.md", text)
			w.write(dir+"/DECISIONS_ARCHIVE.md", hiddenArchive)
			added := must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "new choice", Date: "2026-02-01"}))(t)
			if strings.Count(w.read(dir+"/STATE.md"), "new choice") != 1 || added.Archived || added.Decision.Line == 0 {
				t.Errorf("the decision: %+v", added.Decision)
			}
			if r := added.Rotation; r.Rotated || r.Moved != 0 || !r.OverLimit {
				t.Errorf("the rotation: %+v", r)
			}
			if w.read(dir+"/DECISIONS_ARCHIVE.md") != hiddenArchive {
				t.Error("the archive changed")
			}
			found := 0
			for _, f := range added.Warnings {
				if f.Code == "not_rotated" {
					found++
					namesArchive(t, dir, 5, f.Path, f.Line, f.Text)
				}
			}
			if found != 1 {
				t.Errorf("%d findings not_rotated: %+v", found, added.Warnings)
			}
		})
	}
}

// TestD34_AnExplicitRotationOfABrokenArchiveIsRefused checks that `state rotate` fails, because there is nothing else
// that it could do.
func TestD34_AnExplicitRotationOfABrokenArchiveIsRefused(t *testing.T) {
	t.Parallel()
	keep := 3
	for dir, text := range fullDigests(t) {
		for name, r := range map[string]digests.RotateRequest{"plain": {}, "keep": {Keep: &keep}, "dry": {Keep: &keep, DryRun: true}} {
			t.Run(dir+" "+name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.write(dir+"/STATE.md", strings.Replace(text, "note 1\n", "note 1\n\nnote\n\n", 1)) // over its limits
				w.write(dir+"/DECISIONS_ARCHIVE.md", hiddenArchive)
				before := w.tracked()
				_, err := w.as("a").Digests.StateRotate(t.Context(), r)
				e := refused(t, err, report.Corrupt, "unclosed_fence")
				namesArchive(t, dir, 5, e.Path, e.Line, e.Message)
				for name, text := range w.tracked() {
					if before[name] != text {
						t.Errorf("%s changed", name)
					}
				}
			})
		}
	}
}

// A split decision needs the archive: if its text cannot be kept there, it is refused, and nothing is written.
func TestD34_ASplitDecisionNeedsTheArchive(t *testing.T) {
	t.Parallel()
	for dir, text := range fullDigests(t) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(dir+"/STATE.md", text)
			w.write(dir+"/DECISIONS_ARCHIVE.md", hiddenArchive)
			_, err := w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: strings.Repeat("word ", 150), Split: true})
			e := refused(t, err, report.Corrupt, "unclosed_fence")
			namesArchive(t, dir, 5, e.Path, e.Line, e.Message)
			if w.read(dir+"/STATE.md") != text {
				t.Error("the digest changed")
			}
		})
	}
}

// A fence after the last row of the archive does not prevent a rotation.
func TestD34_AFenceBehindTheTableDoesNotStopARotation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".specflow/STATE.md", bigDigest(t, 100, 20))
	w.write(".specflow/DECISIONS_ARCHIVE.md", tailedArchive)
	added := must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "new choice"}))(t)
	text := w.read(".specflow/DECISIONS_ARCHIVE.md")
	if !added.Rotation.Rotated || hasCode(added.Warnings, "not_rotated") || !strings.HasSuffix(text, "\n\n```\nan example\n") {
		t.Errorf("%+v\n%s", added.Rotation, text)
	}
	if strings.Count(text, "choice ") != 16 {
		t.Errorf("%d rows in the archive", strings.Count(text, "choice "))
	}
}

// namesArchive checks that a finding or an error has the archive's real path and the line, both in its fields and in
// its text.
func namesArchive(t *testing.T, dir string, wantLine int, path string, line int, text string) {
	t.Helper()
	want := dir + "/DECISIONS_ARCHIVE.md"
	if path != want || line != wantLine || !strings.Contains(text, want) {
		t.Errorf("it names %s:%d in %q, want %s:%d", path, line, text, want, wantLine)
	}
	if rest := strings.ReplaceAll(text, want, ""); strings.Contains(rest, "DECISIONS_ARCHIVE.md") || strings.Contains(rest, "STATE.md") {
		t.Errorf("it names another file: %q", text)
	}
}
