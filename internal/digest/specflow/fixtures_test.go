package specflow

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
)

// One digest in the three forms (5.3).
const (
	formA = `# SpecFlow State

## Current Position

- **Active Specification:** SPEC-003a — Export of reports
- **Status:** review
- **Next Step:** ` + "`/sf:review`" + `
- **TODO Items:** 4

## Queue

| # | ID | Title | Priority | Status |
|---|----|-------|----------|--------|
| 1 | SPEC-003a | Export of reports | high | review |
| 2 | SPEC-004 | Import | low | draft |

## Decisions

| Date | Specification | Decision |
|------|---------------|----------|
| 2026-01-05 | SPEC-003a | Keep the old names |

---
*Last updated: 2026-01-05 (export)*
`
	formB = `# SpecFlow State

## Active Specification

SPEC-GSD-A

**Status:** running
**Next Step:** (in progress)

Some prose that stays.

## Queue

| Priority | ID | Title | Status | Complexity | Depends On |
|----------|-----|-------|--------|------------|------------|
| 1 | SPEC-GSD-A | Goals | running | medium | - |
| 2 | SPEC-GSD-C | Thresholds | draft | small | SPEC-GSD-A |

## Decisions

| Date | Decision |
|------|----------|
| 2026-01-05 | SPEC-GSD-A: keep the old names |
`
	formC = `# SpecFlow State

## Active Specifications

| SPEC-ID | Status | Next Step |
|---------|--------|-----------|
| SPEC-010 | running | /sf:run |
| SPEC-011 | review | /sf:review |

## Current Position

- **Project Phase:** Foundation

## Queue

| # | ID | Title | Priority | Status |
|---|----|-------|----------|--------|
| — | — | — | — | — |

## Decisions

| Date | Specification | Decision |
|------|---------------|----------|
`
)

// noon returns the time of all tests.
func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// must returns the text of an edit that must succeed.
func must(t testing.TB, e Edited, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return string(e.Text)
}

// refused checks the kind and code of an error, and that nothing was edited.
func refused(t testing.TB, before string, e Edited, err error, kind report.Kind, code report.Code) {
	t.Helper()
	var r *report.Error
	if !errors.As(err, &r) || r.Kind != kind || r.Code != code {
		t.Fatalf("error %v, want %s %s", err, kind, code)
	}
	if r.Message == "" || r.Hint == "" || strings.Contains(r.Message, "\n") {
		t.Errorf("message %q, hint %q", r.Message, r.Hint)
	}
	if string(e.Text) != before {
		t.Errorf("text changed although it was refused:\n%s", e.Text)
	}
}

// replaced returns text with each old line replaced by the new one, to write down the expected result of an edit.
func replaced(t testing.TB, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%q stands %d times in the text", pairs[i], strings.Count(text, pairs[i]))
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// corpus returns the digests of real projects, from the folder in BATON_CORPUS or next to the repository.
func corpus(t testing.TB) map[string]string {
	t.Helper()
	dir := os.Getenv("BATON_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	names, err := filepath.Glob(filepath.Join(dir, "specflow", "*STATE.md*"))
	if err != nil || len(names) == 0 {
		t.Skipf("no corpus at %s: set BATON_CORPUS to the folder of real files", dir)
	}
	out := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = string(data)
	}
	return out
}
