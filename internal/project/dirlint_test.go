package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/usecase/folder"
)

// lintedWorld has agents' texts in every usual place, each with one reference that is not in the contract.
func lintedWorld(t *testing.T) *stateWorld {
	w := newStateWorld(t)
	bad := "Write `.devt/state/review.md`.\nThen .devt/state/final-notes.md, please.\n"
	for _, name := range []string{
		"agents/tester.md", "workflows/dev.yaml", "commands/run.sh", "skills/a/SKILL.md", ".claude/agents/x.md", "CLAUDE.md", "AGENTS.md",
	} {
		w.write(name, bad)
	}
	for _, name := range []string{"agents/readme.txt", "src/code.md", "agents/.git/x.md", "skills/node_modules/x.md", "README.md"} {
		w.write(name, bad)
	}
	return w
}

func lintedFiles(r folder.LintResult) []string {
	out := []string{}
	for _, f := range r.Findings {
		out = append(out, f.File)
	}
	return out
}

// TestLintPlaces checks that without paths, the usual places are read in order, and that each finding has file, line,
// reference and suggestion.
func TestLintPlaces(t *testing.T) {
	t.Parallel()
	w := lintedWorld(t)
	got := must(w.p().Folder.DirLint(t.Context(), folder.LintRequest{}))(t)
	want := []string{
		"agents/tester.md", "workflows/dev.yaml", "commands/run.sh", "skills/a/SKILL.md", ".claude/agents/x.md", "CLAUDE.md", "AGENTS.md",
	}
	if diff := cmp.Diff(want, lintedFiles(got)); diff != "" || got.OK || got.Files != 7 {
		t.Error(diff)
	}
	if f := got.Findings[0]; f.Line != 2 || f.Reference.Reference != ".devt/state/final-notes.md" {
		t.Errorf("%+v", f)
	}
	w = newStateWorld(t)
	if got := must(w.p().Folder.DirLint(t.Context(), folder.LintRequest{}))(t); !got.OK || got.Files != 0 {
		t.Errorf("%+v", got)
	}
}

// TestLintPaths checks files of any name and folders, relative or absolute; a path given twice is read once.
func TestLintPaths(t *testing.T) {
	t.Parallel()
	w := lintedWorld(t)
	got := must(w.p().Folder.DirLint(
		t.Context(), folder.LintRequest{Paths: []string{"agents/readme.txt", "src", w.path("README.md"), "./src/code.md"}},
	))(t)
	if diff := cmp.Diff([]string{"agents/readme.txt", "src/code.md", "README.md"}, lintedFiles(got)); diff != "" {
		t.Error(diff)
	}
	_, err := w.p().Folder.DirLint(t.Context(), folder.LintRequest{Paths: []string{"nowhere.md"}})
	refused(t, err, report.NotFound, "path_unknown")
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "x.md"), []byte(".devt/state/x"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.linkTo(outside, "agents/link")
	w.linkTo(filepath.Join(outside, "x.md"), "agents/link.md")
	for _, path := range []string{outside, "..", "../", "agents/link", "agents/link.md"} {
		_, err := w.p().Folder.DirLint(t.Context(), folder.LintRequest{Paths: []string{path}})
		refused(t, err, report.Violation, "path_outside")
	}
	if got := must(w.p().Folder.DirLint(t.Context(), folder.LintRequest{Paths: []string{"agents"}}))(t); len(got.Findings) != 1 ||
		len(got.Warnings) != 2 || !hasCode(got.Warnings, "outside") {
		t.Errorf("%+v", got)
	}
}

// TestLintLinks checks that links inside the project are followed once, even in a loop.
func TestLintLinks(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.write("prompts/a.md", ".devt/state/odd")
	w.mkdir("agents")
	w.linkTo("../prompts", "agents/more")
	w.linkTo("..", "prompts/up")
	w.linkTo("nowhere", "agents/dangling.md")
	got := must(w.p().Folder.DirLint(t.Context(), folder.LintRequest{}))(t)
	if diff := cmp.Diff([]string{"agents/more/a.md"}, lintedFiles(got)); diff != "" || len(got.Warnings) != 0 {
		t.Error(diff, got.Warnings)
	}
}

// TestLintSkips checks that files that are not text or are too large are skipped with a warning.
func TestLintSkips(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.write("agents/a.md", ".devt/state/odd\x00")
	w.write("agents/b.md", strings.Repeat("x", folder.MostLint+1))
	w.write("agents/c.md", ".devt/state/odd")
	got := must(w.p().Folder.DirLint(t.Context(), folder.LintRequest{}))(t)
	if len(got.Findings) != 1 || got.Files != 1 || !hasCode(got.Warnings, "binary") || !hasCode(got.Warnings, "too_large") {
		t.Errorf("%+v", got)
	}
}

// TestContractWithoutAProject checks that contract, lint and slug work anywhere.
func TestContractWithoutAProject(t *testing.T) {
	t.Parallel()
	w := &stateWorld{world: newWorld(t)}
	w.write("agents/a.md", ".baton/work/odd")
	w.unchanged(func() {
		if got := must(w.p().Folder.DirContract(t.Context(), folder.ContractRequest{Name: "review-api.md"}))(t); got.Name.Bucket !=
			"pattern_allowed" {
			t.Errorf("%+v", got.Name)
		}
		if got := must(w.p().Folder.DirContract(t.Context(), folder.ContractRequest{}))(t); got.Contract == nil ||
			len(got.Contract.Canonical) == 0 {
			t.Errorf("%+v", got)
		}
		if got := must(w.p().Folder.DirContract(t.Context(), folder.ContractRequest{Schema: "review.json"}))(
			t,
		); !strings.Contains(string(got.Schema), "2020-12") {
			t.Errorf("%s", got.Schema)
		}
		_, err := w.p().Folder.DirContract(t.Context(), folder.ContractRequest{Schema: "plan.md"})
		refused(t, err, report.NotFound, "schema_unknown")
		_, err = w.p().Folder.DirContract(t.Context(), folder.ContractRequest{Schema: "review"})
		if e := refused(t, err, report.NotFound, "schema_unknown"); !strings.HasPrefix(e.Hint, "did you mean review.json?") {
			t.Error(e.Hint)
		}
		for _, name := range []string{"/etc/passwd", "../x", ".."} { // SD-9
			_, err = w.p().Folder.DirContract(t.Context(), folder.ContractRequest{Name: name})
			refused(t, err, report.Violation, "path_outside")
		}
		_, err = w.p().Folder.DirContract(t.Context(), folder.ContractRequest{Name: "./"})
		refused(t, err, report.Usage, "name_invalid")
		if got := must(w.p().Folder.DirLint(t.Context(), folder.LintRequest{}))(t); len(got.Findings) != 1 {
			t.Errorf("%+v", got)
		}
		if got := must(w.p().Folder.DirSlugs(t.Context(), []string{"API v1", "Web"}, folder.DirRequest{}))(t); got.Lanes[0].File !=
			"review-lane-api_v1.md" || got.Lanes[1].Slug != "web" {
			t.Errorf("%+v", got)
		}
	})
}

// TestSDD17_SD55_SlugsOfLanes checks that a slug is refused if its file belongs to another lane of the record, but not
// for the lane's own title.
func TestSDD17_SD55_SlugsOfLanes(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.write(stateDir+
		"/workflow.yaml", "active: true\nlanes:\n  - id: L1\n    community: API v1\n    review_file: .devt/state/review-lane-api_v1.md\n")
	if got := must(w.p().Folder.DirSlugs(t.Context(), []string{"API v1"}, folder.DirRequest{}))(t); got.Lanes[0].Slug != "api_v1" {
		t.Errorf("%+v", got)
	}
	_, err := w.p().Folder.DirSlugs(t.Context(), []string{"api-v1"}, folder.DirRequest{})
	if e := refused(t, err, report.Conflict, "slug_taken"); !strings.Contains(e.Hint+e.Message, "api_v1_2") {
		t.Errorf("%v, hint %s", e, e.Hint)
	}
	_, err = w.p().Folder.DirSlugs(t.Context(), []string{"日本", "中国"}, folder.DirRequest{})
	refused(t, err, report.Conflict, "slug_taken")
}
