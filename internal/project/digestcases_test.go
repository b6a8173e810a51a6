package project

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/setup"
)

// SF-27: files that editors leave beside a digest are not digests, and stay as they are.
func TestSF27_FilesNextToTheDigest(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{".specflow", ".planning", ".baton"} {
		w := newWorld(t)
		w.write(dir+"/STATE.md", planned)
		nearby := map[string]string{}
		for _, name := range []string{".STATE.md.swp", "STATE.md~", "#STATE.md#", "STATE.md.bak-2026-01-01", "STATE.md.tmp.7", "4913"} {
			nearby[dir+"/"+name] = "## Decisions\n\n- [Phase 9]: of another time\n"
			w.write(dir+"/"+name, nearby[dir+"/"+name])
		}
		must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "new choice"}))(t)
		for _, row := range must(w.as("a").Digests.Decisions(t.Context(), digests.DecisionListRequest{All: true}))(t).Decisions {
			if strings.Contains(row.Text, "another time") {
				t.Errorf("%s: a decision of a backup is listed", dir)
			}
		}
		for name, text := range w.tracked() {
			if want, ok := nearby[name]; ok && text != want {
				t.Errorf("%s changed", name)
			}
			delete(nearby, name)
		}
		if len(nearby) != 0 {
			t.Errorf("gone: %v", nearby)
		}
	}
}

// SF-32, GSD-V20: if a digest is a link, its target is written and keeps its mode. Links that lead outside are only
// read.
func TestSF32_GSDV20_LinksAndModes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no links and modes without rights that tests do not have")
	}
	w := newWorld(t)
	w.write("notes/state.md", planned)
	w.mkdir(".planning")
	if err := os.Symlink("../notes/state.md", w.path(".planning/STATE.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(w.path("notes/state.md"), 0o640); err != nil {
		t.Fatal(err)
	}
	must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "new choice"}))(t)
	link, err := os.Lstat(w.path(".planning/STATE.md"))
	if err != nil || link.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link: %v %v", link, err)
	}
	file, err := os.Stat(w.path("notes/state.md"))
	if err != nil || file.Mode().Perm() != 0o640 || !strings.Contains(w.read("notes/state.md"), "new choice") {
		t.Errorf("the file: %v %v", file.Mode(), err)
	}

	outside := filepath.Join(t.TempDir(), "STATE.md")
	if err := os.WriteFile(outside, []byte(planned), 0o666); err != nil {
		t.Fatal(err)
	}
	w = newWorld(t)
	w.mkdir(".planning")
	if err := os.Symlink(outside, w.path(".planning/STATE.md")); err != nil {
		t.Fatal(err)
	}
	if out := must(w.as("a").Digests.State(t.Context()))(t); !hasCode(out.Warnings, "outside") {
		t.Errorf("no warning: %v", out.Warnings)
	}
	_, err = w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "new choice"})
	wantErrorKind(t, err, report.Violation)
	if data, _ := os.ReadFile(outside); string(data) != planned {
		t.Error("the file outside was written")
	}
}

// SF-53: archived decisions are shown in a project that has finished no specification; without an archive there are
// none.
func TestSF53_ArchivedDecisionsWithoutFinishedSpecifications(t *testing.T) {
	t.Parallel()
	w := newSpecflow(t, 100, 20)
	if out := must(w.as("a").Digests.History(t.Context(), digests.HistoryRequest{}))(t); len(out.Specs) != 0 {
		t.Errorf("finished: %v", out.Specs)
	}
	if out := must(w.as("a").Digests.Decisions(t.Context(), digests.DecisionListRequest{Archived: true}))(t); len(out.Decisions) != 0 ||
		out.Decisions == nil {
		t.Errorf("archived before the first rotation: %v", out.Decisions)
	}
	must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "choice 021"}))(t)
	if out := must(w.as("a").Digests.Decisions(t.Context(), digests.DecisionListRequest{Archived: true}))(t); len(out.Decisions) != 16 {
		t.Errorf("%d archived decisions", len(out.Decisions))
	}
}

// D39: a metric goes to the section of the template, whose totals are computed again. sync updates the count of pending
// todos if the line is the template's, but leaves a person's words as they are.
func TestD39_MetricsAndPendingTodos(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.as("a").Setup.Init(t.Context(), setup.InitRequest{Layout: "gsd"}))(t)
	must(w.as("a").Digests.Metric(t.Context(), digests.MetricRequest{Phase: "1", Plan: "2", Duration: "25min", Tasks: 3, Files: -1}))(t)
	text := w.read(".planning/STATE.md")
	if !strings.Contains(text, "| Phase 1 P2 | 25min | 3 tasks | - files |") {
		t.Errorf("the row is not there:\n%s", text)
	}
	if !strings.Contains(text, "Total plans completed: 1") {
		t.Errorf("the totals are not reckoned again:\n%s", text)
	}
	w.mkdir(".planning/phases")
	w.write(".planning/todos/pending/one.md", "# One\n")
	w.write(".planning/todos/pending/two.md", "# Two\n")
	must(w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{}))(t)
	section := must(w.as("a").Digests.StateGet(t.Context(), "section:Pending Todos"))(t)
	if !strings.Contains(section.Value, "2") || strings.Contains(section.Value, "None yet") {
		t.Errorf("pending todos: %q", section.Value)
	}
	w.write(".planning/STATE.md", strings.Replace(w.read(".planning/STATE.md"), section.Value, "Ask Kim first.", 1))
	must(w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{}))(t)
	if got := must(w.as("a").Digests.StateGet(t.Context(), "section:Pending Todos"))(t); got.Value != "Ask Kim first." {
		t.Errorf("a person's words became %q", got.Value)
	}
}

// GSD-37: missing sections are created, also in a CRLF file. In a workstream, its own digest is written.
func TestGSD37_MissingSectionsAndWorkstreams(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"LF": "---\nstatus: planning\n---\n\n# Project State\n", "CRLF": "---\r\nstatus: planning\r\n---\r\n\r\n# Project State  \r\n",
	} {
		w := newWorld(t)
		w.write(".planning/STATE.md", text)
		w.write(".planning/workstreams/foo/STATE.md", text)
		w.env["GSD_WORKSTREAM"] = "foo"
		must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "choice"}))(t)
		must(w.as("a").Digests.AddBlocker(t.Context(), digests.BlockerRequest{Text: "no key"}))(t)
		got := w.read(".planning/workstreams/foo/STATE.md")
		if strings.Count(got, "Decisions") != 1 || strings.Count(got, "Blockers") != 1 ||
			strings.Count(got, ": choice") != 1 || strings.Count(got, "no key") != 1 {
			t.Errorf("%s:\n%q", name, got)
		}
		if name == "CRLF" && strings.Count(got, "\n") != strings.Count(got, "\r\n") {
			t.Errorf("an LF in the CRLF file: %q", got)
		}
		if w.read(".planning/STATE.md") != text {
			t.Errorf("%s: the digest outside the workstream changed", name)
		}
	}
}

// GSD-53: days are local, time stamps are UTC, even around midnight.
func TestGSD53_LocalDaysAndUTCStamps(t *testing.T) {
	t.Parallel()
	for zone, day := range map[int]string{2 * 3600: "2026-03-02", -3 * 3600: "2026-03-01"} {
		w := newWorld(t)
		w.time = time.Date(2026, 3, 1, 23, 30, 0, 0, time.UTC).In(time.FixedZone("there", zone))
		must(w.as("a").Setup.Init(t.Context(), setup.InitRequest{}))(t)
		must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "choice"}))(t)
		must(w.as("a").Digests.Transition(t.Context(), digests.TransitionRequest{Event: "begin", Phase: "1"}))(t)
		text := w.read(".baton/STATE.md")
		for _, want := range []string{"| " + day + " |", "Last activity: " + day, "2026-03-01T23:30:00.000Z"} {
			if !strings.Contains(text, want) {
				t.Errorf("%+d h: %q is not in\n%s", zone/3600, want, text)
			}
		}
	}
}

// D33: GSD's digest and baton's own also stay within a hundred lines, whatever change made them too long. If moving
// decisions is not enough, the answer says so.
func TestD33_OwnAndGSDDigestsRotate(t *testing.T) {
	t.Parallel()
	for dir, text := range fullDigests(t) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(dir+"/STATE.md", text+"one more\n")
			out := must(w.as("a").Digests.StateSet(
				t.Context(), digests.StateSetRequest{Values: []digests.NameValue{{Name: "status", Value: "review"}}},
			))(t)
			if !out.Rotation.Rotated || out.Rotation.After.Lines > 100 || hasCode(out.Warnings, "decisions_exhausted") {
				t.Errorf("%+v %v", out.Rotation, out.Warnings)
			}
			long := text + strings.Repeat("more\n", 100)
			w.write(dir+"/STATE.md", long)
			out = must(w.as("a").Digests.StateSet(
				t.Context(), digests.StateSetRequest{Values: []digests.NameValue{{Name: "status", Value: "done"}}},
			))(t)
			if out.Rotation.Reason != "decisions_exhausted" || len(out.Rotation.LargestSections) == 0 ||
				!hasCode(out.Warnings, "decisions_exhausted") {
				t.Errorf("far too long: %+v %v", out.Rotation, out.Warnings)
			}
			if got := w.read(dir + "/STATE.md"); strings.Count(got, "more\n") != 100 {
				t.Error("something else than decisions moved")
			}
		})
	}
}

// Every defect of SpecFlow's own rotation (specflow.md, section 7): nothing is lost, nothing is there twice, and the
// newest stay.
func TestSection7_DefectsOfTheOriginalRotation(t *testing.T) {
	t.Parallel()
	rows := func(first, last int) string {
		var b strings.Builder
		for n := first; n <= last; n++ {
			fmt.Fprintf(&b, "| 2026-01-%02d | choice %03d |\n", n, n)
		}
		return b.String()
	}
	newestFirst := func(text string) string {
		lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
		slices.Reverse(lines)
		lines[0] += "\n"
		return strings.Join(lines, "")
	}
	const header = "| Date | Decision |\n|------|----------|\n"
	full := func(decisions string) string {
		text := "# SpecFlow State\n\n" + decisions
		for strings.Count(text, "\n") < 101 {
			text = strings.Replace(text, "# SpecFlow State\n", "# SpecFlow State\nnote\n", 1)
		}
		return text
	}
	section := "## Decisions\n\n" + header + rows(1, 20)
	cases := []struct {
		name, digest, archive string
		stay                  string // numbers of the decisions that stay in the digest
	}{
		{"no line end at the end", strings.TrimSuffix(full(section), "\n"), "", "016 017 018 019 020"},
		{"blank behind the heading", full(strings.Replace(section, "Decisions\n", "Decisions \n", 1)), "", "016 017 018 019 020"},
		{"CRLF", strings.ReplaceAll(full(section), "\n", "\r\n"), "", "016 017 018 019 020"},
		{"no blank behind the pipe", full(strings.ReplaceAll(section, "| 2026", "|2026")), "", "016 017 018 019 020"},
		{"indented rows", full(strings.ReplaceAll(section, "| 2026", "  | 2026")), "", "016 017 018 019 020"},
		{"newest first", full("## Decisions\n\n" + header + newestFirst(rows(1, 20))), "", "020 019 018 017 016"},
		{"undated rows", full(section + "| soon | choice 021 |\n|  | choice 022 |\n"), "", "018 019 020 021 022"},
		{"a sub-heading with a table", full(section + "\n### More\n\n" + header + rows(21, 22)), "", "018 019 020 021 022"},
		{"three columns", full("## Decisions\n\n| Date | Specification | Decision |\n|---|---|---|\n" +
			strings.ReplaceAll(rows(1, 20), " | choice", " | SPEC-1 | choice")), "", "016 017 018 019 020"},
		{"an edited archive header", full(
			section,
		), "# Archive\n\n## Archived Decisions\n\n| When | What we decided |\n|---|---|\n", "016 017 018 019 020"},
		{"an emptied archive", full(section), "\n", "016 017 018 019 020"},
		{"a CRLF archive", full(
			section,
		), "# SpecFlow Decisions Archive\r\n\r\n## Archived Decisions\r\n\r\n| Date | Decision |\r\n|---|---|\r\n", "016 017 018 019 020"},
		{"two tables in the archive", full(section), "# A\n\n## Archived Decisions\n\n" + header + "\n## Archived Decisions\n\n" +
			header, "016 017 018 019 020"},
		{"an example in a fence", full("```\n## Decisions\n\n" + header + "| 2020-01-01 | an example |\n```\n\n" +
			section), "", "016 017 018 019 020"},
		{"two sections", full(section + "\n## Notes\n\n## Recent Decisions\n\n" + header + rows(21, 22)), "", "018 019 020 021 022"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(specState, c.digest)
			if c.archive != "" {
				w.write(specArchive, c.archive)
			}
			must(w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{}))(t)
			state, archive := w.read(specState), w.read(specArchive)
			if got := strings.Join(choicesIn(state), " "); got != c.stay {
				t.Errorf("in the digest: %s, not %s", got, c.stay)
			}
			for n := range strings.Count(c.digest, "choice ") {
				if got := strings.Count(state+archive, fmt.Sprintf("choice %03d", n+1)); got != 1 {
					t.Errorf("choice %03d is there %d times", n+1, got)
				}
			}
			if strings.Count(state, "an example") != strings.Count(c.digest, "an example") || strings.Contains(archive, "an example") {
				t.Error("a row of an example moved")
			}
			if got, want := strings.Count(state, "\n"), strings.Count(c.digest, "\n")-strings.Count(archive, "choice "); got != want {
				t.Errorf("the digest has %d line ends, not %d: blank lines came or went", got, want)
			}
		})
	}
}
