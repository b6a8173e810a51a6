package specflow

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const spec18 = `# SPEC: Rows that move

---
id: SPEC-ROWS-001
type: refactor
complexity: small
created: 2026-01-02
---

> Move rows
> in order.

## Context

### Review of the field

Text.

## Verification plan

More.

## Audit History

### Audit v1 (2026-01-03 10:00)
**Status:** NEEDS_REVISION

1. Say when.

### Response v1 (2026-01-03 11:00)
**Applied:** all

### Audit v2 (2026-01-03 12:00)
**Status:** APPROVED

---

## Execution Summary

**Executed:** 2026-01-04

### Files Modified
- a.go

## Review History

### Review v1 (2026-01-05)
**Result:** APPROVED

## Completion

**Completed:** 2026-01-06 09:00
**Audit Cycles:** 2
`

func TestSF18_HeadingBeforeFrontMatter(t *testing.T) {
	t.Parallel()
	s := ReadSpec("rows.md", []byte(spec18))
	if s.ID != "SPEC-ROWS-001" || s.Title != "Rows that move" || s.Completed != "2026-01-06" {
		t.Errorf("%q %q %q", s.ID, s.Title, s.Completed)
	}
	if s.Audits != 2 || s.AuditPass || s.Reviews != 1 || !s.ReviewPass {
		t.Errorf("audits %d %v, reviews %d %v", s.Audits, s.AuditPass, s.Reviews, s.ReviewPass)
	}
	var kinds []string
	for _, step := range s.Sections {
		kinds = append(kinds, step.Kind+":"+itoa(step.Line))
	}
	if diff := cmp.Diff("summary:10 audit:25 response:30 audit:33 execution:38 review:47 completion:50", strings.Join(kinds, " ")); diff !=
		"" {
		t.Error(diff)
	}
	if s.Sections[0].Text != "Move rows\nin order." || s.Sections[3].Text != "**Status:** APPROVED" {
		t.Errorf("%q, %q", s.Sections[0].Text, s.Sections[3].Text)
	}
	want := SpecSummary{
		ID: "SPEC-ROWS-001", Title: "Rows that move", Completed: "2026-01-06", Type: "refactor", Complexity: "small", Audits: 2, Reviews: 1,
		Path: "p",
	}
	if diff := cmp.Diff(want, s.Summary("p")); diff != "" {
		t.Error(diff)
	}
}

func TestSF17_FrontMatterOfSpecs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, id, kind string }{
		"first byte":         {"---\nid: SPEC-1\ntype: feature\n---\n# T\n", "SPEC-1", "feature"},
		"BOM and CRLF":       {"\ufeff---\r\nid: SPEC-1\r\ntype: feature\r\n---\r\n# T\r\n", "SPEC-1", "feature"},
		"unquoted colon":     {"---\nid: SPEC-1\ntitle: a: b\ntype: feature\n---\n", "SPEC-1", "feature"},
		"none":               {"# T\n\ntext\n", "file", ""},
		"rule, no block":     {"# T\n\n---\n\n## Part\n\nid: SPEC-2\n\n---\n", "file", ""},
		"behind prose":       {"# T\n\ntext\n\n---\nid: SPEC-2\n---\n", "file", ""},
		"a list as a value":  {"---\nid: SPEC-1\ntags: [a, b]\ntype: x\n---\n", "SPEC-1", "x"},
		"doubled":            {"---\nid: SPEC-1\n---\n---\nid: SPEC-2\n---\n", "SPEC-1", ""},
		"never closed":       {"---\nid: SPEC-1\n", "file", ""},
		"nothing":            {"", "file", ""},
		"heading not first":  {"text\n\n# T\n\n---\nid: SPEC-2\n---\n", "file", ""},
		"second-rank before": {"## T\n\n---\nid: SPEC-2\n---\n", "file", ""},
	} {
		s := ReadSpec("file.md", []byte(c.src))
		if s.ID != c.id || s.Fields["type"] != c.kind {
			t.Errorf("%s: id %q, type %q, want %q, %q", name, s.ID, s.Fields["type"], c.id, c.kind)
		}
	}
}

func TestSpecTitlesAndSteps(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"# SPEC-007: Export": "Export", "# Export: the new way": "Export: the new way", "# SPEC: x": "x", "# SPEC-1:": "SPEC-1:", "": "",
	} {
		if got := ReadSpec("a.md", []byte(in)).Title; got != want {
			t.Errorf("title of %q is %q", in, got)
		}
	}
	for in, want := range map[string]string{
		"Audit v1 (2026-01-01)": "audit", "External Audit v2": "audit", "Fix Response v1": "fix", "Review v10": "review",
		"Verification v1": "verification",
		"Audit History":   "", "Review checklist": "", "Response format": "", "Audit vocabulary": "", "Execution Summary": "execution",
	} {
		if got := stepKind(in, 3); got != want {
			t.Errorf("step of %q is %q, want %q", in, got, want)
		}
	}
	s := ReadSpec("a.md", []byte("## Completion\n\n**Completed:** 2026-02-01\n**Audit Cycles:** 1\n**Review Cycles:** 3\n"))
	if s.Completed != "2026-02-01" || s.Audits != 1 || !s.AuditPass || s.Reviews != 3 || s.ReviewPass {
		t.Errorf("%+v", s)
	}
	s = ReadSpec("a.md", []byte("## Verification\n\n### Verification v1\n\nfine\n\n# End\n"))
	if len(s.Sections) != 1 || s.Sections[0].Text != "fine" {
		t.Errorf("%+v", s.Sections)
	}
}

func TestTotalsAndOrder(t *testing.T) {
	t.Parallel()
	all := []Spec{
		{
			ID: "SPEC-2", Completed: "2026-01-05", Audits: 2, Reviews: 1, ReviewPass: true,
			Fields: map[string]string{"type": "feature", "complexity": "small"},
		},
		{ID: "SPEC-1", Completed: "2026-01-05", Audits: 1, AuditPass: true, Fields: map[string]string{"type": "feature"}},
		{ID: "SPEC-3", Fields: map[string]string{}},
		{ID: "SPEC-4", Completed: "2026-02-01", Fields: map[string]string{"type": "bugfix"}},
	}
	want := HistoryTotals{
		Count: 4, AverageAudits: 0.75, AverageReviews: 0.25, FirstAuditShare: 0.5, FirstReviewShare: 1,
		ByType: map[string]int{"feature": 2, "bugfix": 1}, ByComplexity: map[string]int{"small": 1},
	}
	if diff := cmp.Diff(want, Totals(all)); diff != "" {
		t.Error(diff)
	}
	var rows []SpecSummary
	for _, s := range all {
		rows = append(rows, s.Summary(""))
	}
	Newest(rows)
	if rows[0].ID != "SPEC-4" || rows[1].ID != "SPEC-1" || rows[2].ID != "SPEC-2" || rows[3].ID != "SPEC-3" {
		t.Errorf("%v", rows)
	}
	if diff := cmp.Diff(HistoryTotals{ByType: map[string]int{}, ByComplexity: map[string]int{}}, Totals(nil)); diff != "" {
		t.Error(diff)
	}
}

func TestASpecificationsDecisions(t *testing.T) {
	t.Parallel()
	s := Spec{ID: "SPEC-007"}
	for name, c := range map[string]struct {
		column, text string
		want         bool
	}{
		"its column":            {"SPEC-007", "keep the names", true},
		"in another case":       {" spec-007 ", "keep the names", true},
		"the name of its file":  {"spec-007-export", "keep the names", true},
		"a longer id":           {"SPEC-0071", "keep the names", false},
		"another one's column":  {"SPEC-008", "SPEC-007: keep the names", false},
		"the head of its text":  {"", "SPEC-007: keep the names", true},
		"in bold":               {"", "**SPEC-007**: keep the names", true},
		"somewhere in the text": {"", "as SPEC-007: keep the names", false},
		"no colon":              {"", "SPEC-007 completed the export", true},
		"nothing else":          {"", "SPEC-007", true},
		"a longer one":          {"", "SPEC-007a completed", false},
		"a part of it":          {"", "SPEC-007-2 completed", false},
		"in brackets":           {"", "[SPEC-007] keep the names", true},
		"nothing":               {"", "", false},
	} {
		if got := s.Concerns(c.column, c.text, "SPEC-007-export"); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
