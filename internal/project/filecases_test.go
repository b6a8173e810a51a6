package project

import (
	"os"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/digests"
)

// planned is a small digest in the GSD schema.
const planned = `---
gsd_state_version: '1.0'
milestone: v1.0
status: planning
---

# Project State

## Current Position

Phase: 1 of 2 (Core)
Plan: 1 of 3 in current phase
Status: Ready to execute
Last activity: 2026-02-01

## Accumulated Context

### Decisions

- [Phase 1]: Old choice

### Blockers/Concerns

None yet.
`

// GSD-73: the rules for every Markdown file also apply to the GSD schema. Each text gets a decision and a step. Every
// other line must be as before, in its place among the others.
func TestGSD73_FileCasesInTheGSDSchema(t *testing.T) {
	t.Parallel()
	odd := "\nlone\rreturn, form\ffeed, separator\u2028end\n"
	fence := "\n````\n```\n## Decisions\n\n- [Phase 9]: no decision\n```\nStatus: no status\n````\n"
	comment := "\n<!--\n## Decisions\n- [Phase 9]: no decision\nStatus: no status\n-->\n"
	for name, text := range map[string]string{
		"SF-1 CRLF":                strings.ReplaceAll(planned, "\n", "\r\n"),
		"SF-2 mixed":               strings.Replace(planned, "Core)\n", "Core)\r\n", 1),
		"SF-3 no line ends":        planned + odd,
		"SF-4 byte-order mark":     "\ufeff" + planned,
		"SF-8 no end of line":      strings.TrimSuffix(planned, "\n"),
		"SF-9 blank lines":         planned + "\n\n\n",
		"SF-10 fence":              strings.Replace(planned, "# Project State\n", "# Project State\n"+fence, 1),
		"SF-11 quote":              planned + "\n> ```\n> ## Decisions\n> ```\n\n    ## Decisions\n",
		"SF-12 unclosed fence":     planned + "\n```\n## Decisions\n- [Phase 9]: no decision\n",
		"SF-13 comment":            strings.Replace(planned, "# Project State\n", "# Project State\n"+comment, 1),
		"SF-14 other headings":     planned + "\nOther\n=====\n\n##No heading\n\n## 🚧 Próximos passos ##\n\n- texto\n",
		"SF-15 doubled section":    planned + "\n## Decisions\n\n- [Phase 1]: Newer choice\n",
		"SF-16 no sections":        "---\nstatus: planning\n---\n\n# Project State\n",
		"SF-17 two blocks":         strings.Replace(planned, "---\n\n# Project", "---\n\n---\nowner: reader\n---\n\n# Project", 1),
		"SF-20 pipes":              strings.Replace(planned, "Old choice", "a \\| b | c `|` \\", 1),
		"SF-21 long row":           strings.Replace(planned, "Old choice", strings.Repeat("long ", 5000), 1),
		"SF-23 wide":               strings.Replace(planned, "Old choice", "決定 👩‍👩‍👧 é עברית", 1),
		"SF-24 control characters": strings.Replace(planned, "Old choice", "\x1b[31mred\x1b[0m", 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(".planning/STATE.md", text)
			must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "New choice", Phase: "1"}))(t)
			must(w.as("a").Digests.Transition(t.Context(), digests.TransitionRequest{Event: "begin", Phase: "1"}))(t)
			after := w.read(".planning/STATE.md")
			if n := strings.Count(after, "[Phase 1]: New choice"); n != 1 {
				t.Errorf("the decision stands there %d times", n)
			}
			if !strings.Contains(after, `active_phase: "1"`) {
				t.Errorf("the step is not in the front matter:\n%s", after)
			}
			linesStay(t, text, after)
		})
	}
}

// linesStay checks that the lines of one text are in another, in their order, except those that the test's steps
// change.
func linesStay(t *testing.T, before, after string) {
	t.Helper()
	lines, at := strings.SplitAfter(after, "\n"), 0
	crlf := strings.Count(before, "\r\n") == strings.Count(before, "\n")
	for line := range strings.SplitAfterSeq(before, "\n") {
		if meant(line) {
			continue
		}
		from := at
		for at < len(lines) && lines[at] != line && strings.TrimSuffix(lines[at], "\n") != line {
			at++
		}
		if at == len(lines) {
			t.Errorf("%q is gone, or stands elsewhere, in:\n%q", line, after)
			at = from
			continue
		}
		at++
	}
	if crlf && strings.Count(after, "\r\n") != strings.Count(after, "\n") {
		t.Error("a line of the CRLF file ends with LF")
	}
}

func meant(line string) bool {
	line = strings.TrimSpace(line)
	for _, begin := range []string{"status: planning", "Phase:", "Plan:", "Status: Ready", "Last activity:", "None yet."} {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	return line == ""
}

// GSD-73, and SF-5 to SF-7 and SF-25: a digest that must not be written is refused, with the line, and nothing changes.
func TestGSD73_SF5_SF6_SF7_SF25_UnsafeDigests(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		kind report.Kind
	}{
		"not UTF-8":       {strings.Replace(planned, "Core", "\xff\xfe", 1), report.Corrupt},
		"NUL":             {strings.Replace(planned, "Core", "\x00", 1), report.Corrupt},
		"conflict marker": {planned + "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", report.Corrupt},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, dir := range []string{".planning", ".specflow"} {
				w := newWorld(t)
				w.write(dir+"/STATE.md", c.text)
				before := w.tracked()
				_, err := w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "New choice"})
				e := wantErrorKind(t, err, c.kind)
				if e != nil && (e.Path != dir+"/STATE.md" || e.Line == 0) {
					t.Errorf("the error names %q, line %d", e.Path, e.Line)
				}
				if got := w.tracked(); got[dir+"/STATE.md"] != before[dir+"/STATE.md"] {
					t.Error("the file changed")
				}
			}
		})
	}
	t.Run("a folder", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.mkdir(".planning/STATE.md")
		if _, err := w.as("a").Digests.State(t.Context()); err == nil || report.KindOf(err) == report.Internal {
			t.Errorf("a folder in the digest's place: %v", err)
		}
	})
	t.Run("empty", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{"", "\n \n"} {
			w := newWorld(t)
			w.write(".planning/STATE.md", text)
			must(w.as("a").Digests.State(t.Context()))(t)
			must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "First choice"}))(t)
			if after := w.read(".planning/STATE.md"); strings.Count(after, "First choice") != 1 {
				t.Errorf("the first decision of an empty digest: %q", after)
			}
		}
	})
}

func wantErrorKind(t *testing.T, err error, kind report.Kind) *report.Error {
	t.Helper()
	if err == nil || report.KindOf(err) != kind {
		t.Errorf("%v, not of kind %v", err, kind)
		return nil
	}
	return report.As(err)
}

// GSD-52: a digest is replaced as a whole. A reader that opened it before still reads the old one, and no other file is
// left.
func TestGSD52_TheDigestIsReplacedWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", planned)
	open, err := os.Open(w.path(".planning/STATE.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "New choice"}))(t)
	old := make([]byte, len(planned)+100)
	n, _ := open.Read(old)
	if string(old[:n]) != planned {
		t.Errorf("the file that was open changed under its reader: %q", old[:n])
	}
	entries, err := os.ReadDir(w.path(".planning"))
	if err != nil || len(entries) != 1 {
		t.Errorf("in the folder: %v %v", entries, err)
	}
}
