package decision

import (
	"slices"
	"strings"
	"testing"

	"baton/internal/report"
)

// codesOf returns the codes of findings in their order.
func codesOf(findings []report.Finding) []string {
	out := []string{}
	for _, f := range findings {
		out = append(out, string(f.Code))
	}
	return out
}

func TestFindings_EachCodeForItsCause(t *testing.T) {
	t.Parallel()
	good := tableOf(dates(1, 6))
	archive := "# A\n\n" + tableOf(dates(1, 3))
	for name, c := range map[string]struct {
		doc, archive string
		form         Form
		code         report.Code
		severity     report.Severity
		line         int
		path, repair string
	}{
		"over lines":      {doc: digestOf(120, good), code: "over_lines", severity: report.Severe},
		"nothing to move": {doc: digestOf(120, tableOf(dates(1, 5))), code: "over_lines", severity: report.Warning},
		"exhausted":       {doc: digestOf(120, tableOf(dates(1, 5))), code: "decisions_exhausted", severity: report.Warning},
		"over bytes":      {doc: digestOf(80, good) + strings.Repeat("x", 40_000) + "\n", code: "over_bytes", severity: report.Severe},
		"at the limit":    {doc: digestOf(100, good), code: "at_limit", severity: report.Info},
		"cell": {
			doc: digestOf(60, twoColumns+"| 2026-01-01 | "+strings.Repeat("é", 501)+" |\n"), code: "oversize_cell",
			severity: report.Warning, line: 13,
		},
		"row": {
			doc: digestOf(60, twoColumns+"| 2026-01-01 | "+strings.Repeat("é", 1100)+" |\n"), code: "oversize_row",
			severity: report.Warning, line: 13,
		},
		"wide bullet": {
			doc: "## Decisions\n\n- " + strings.Repeat("x", 2100) + "\n", form: GSD, code: "oversize_row", severity: report.Warning,
			line: 3,
		},
		"cut off in a row": {
			doc: digestOf(60, good) + "| 2026-01-09 | half a sent", code: "truncation_scar", severity: report.Severe, line: 61,
		},
		"two sections gone": {
			doc: "# S\n\n## Queue\n", archive: archive, code: "truncation_scar", severity: report.Severe, line: 3,
		},
		"sections missing": {
			doc: "# SpecFlow State\n\n## Notes\n", archive: archive, code: "truncation_scar", severity: report.Severe, line: 3,
		},
		"ragged": {
			doc: digestOf(60, twoColumns+"| 2026-01-01 | a | b |\n"), code: "ragged_rows", severity: report.Warning, line: 13,
		},
		"detached": {
			doc: digestOf(60, tableOf(dates(1, 1))+"\n"+dates(2, 1)[0]), code: "detached_rows", severity: report.Warning, line: 15,
		},
		"delimiter": {
			doc: digestOf(60, "| Date | Decision |\n|---|\n"+dates(1, 1)[0]), code: "delimiter_mismatch", severity: report.Warning,
			line: 11,
		},
		"two sections": {
			doc: digestOf(60, good) + "\n## Decisions\n", code: "duplicate_section", severity: report.Warning, line: 62,
		},
		"archive": {
			doc: digestOf(60, good), archive: "# A\n\n" + tableOf(reversed(dates(1, 3))), code: "archive_unsorted", severity: report.Info,
			line: 6, path: ArchivePath, repair: "decision rotate --sort-archive",
		},
		"archived bullets": {
			doc: digestOf(60, good), archive: "# A\n\n- 2026-02-01: a\n- 2026-01-01: b\n", code: "archive_unsorted", severity: report.Info,
			line: 4, path: ArchivePath,
		},
		"archived fence": {
			doc: digestOf(60, good), archive: archive + "```\n| 2026-01-09 | x |\n", code: "unclosed_fence", severity: report.Severe,
			line: 8, path: ArchivePath,
		},
		"archived comment": {
			doc: digestOf(60, good), archive: archive + "<!-- a\n| 2026-01-09 | x |\n", code: "unclosed_fence", severity: report.Severe,
			line: 8, path: ArchivePath,
		},
		"fence":   {doc: digestOf(60, good) + "```\n", code: "unclosed_fence", severity: report.Severe, line: 61},
		"comment": {doc: digestOf(60, good) + "<!-- a\n", code: "unclosed_fence", severity: report.Severe, line: 61},
		"bullet at the table": {
			doc: "## Decisions Made\n\n| Phase | Summary | Rationale |\n|---|---|---|\n| 1 | a | b |\n\n- [Phase 2]: c\n", form: Own,
			code: "bullet_orphan", severity: report.Warning, line: 7,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var given []byte
			if c.archive != "" {
				given = []byte(c.archive)
			}
			findings := Findings([]byte(c.doc), given, c.form, DefaultSettings())
			i := slices.IndexFunc(findings, func(f report.Finding) bool { return f.Code == c.code })
			if i < 0 {
				t.Fatalf("codes %q", codesOf(findings))
			}
			if f := findings[i]; f.Severity != c.severity || f.Line != c.line || f.Path != c.path || f.Text == "" ||
				f.Repair != c.repair {
				t.Errorf("got %+v", f)
			}
		})
	}
	for name, doc := range map[string]string{
		"a sound digest":                     digestOf(60, good) + "\n## Queue\n",
		"one without a queue and a position": "# S\n\n## Decisions\n\n" + good,
		"no text":                            "",
	} {
		if f := Findings([]byte(doc), []byte(archive), Specflow, DefaultSettings()); len(f) != 0 {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
