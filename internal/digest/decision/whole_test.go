package decision

import (
	"strings"
	"testing"
)

// SpecFlow's own program archives the whole text of a long cell under the key of its row.
func TestReadArchive_TextsOfSpecFlowsCells(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat("word ", 120) + "end"
	for name, c := range map[string]struct {
		archive         string
		date, spec, has string // of the only decision; none if has is empty
	}{
		"a decision":               {"| 2026-03-14 | 2026-01-02 (Decision): SPEC-4: " + whole + " |", "2026-01-02", "SPEC-4", whole},
		"a decision without a day": {"| 2026-03-14 | SPEC-4 (Decision): " + whole + " |", "2026-03-14", "", whole},
		"a next step":              {"| 2026-03-14 | SPEC-4 (Next Step): " + whole + " |", "", "", ""},
		"a title":                  {"| 2026-03-14 | SPEC-4 (Title): " + whole + " |", "", "", ""},
		"a person's decision":      {"| 2026-03-14 | SPEC-7 (Status): an enum |", "2026-03-14", "", "SPEC-7 (Status): an enum"},
		"a folded column":          {"| 2026-03-14 | CSV — Specification: SPEC-4 |", "2026-03-14", "SPEC-4", "CSV"},
		"another text":             {"| 2026-03-14 | CSV — Specification: see above |", "2026-03-14", "", "see above"},
		"a note in brackets":       {"| 2026-03-14 | the plan (Title): new |", "2026-03-14", "", "the plan (Title): new"},
	} {
		rows := ReadArchive([]byte("# A\n\n"+twoColumns+c.archive+"\n"), Specflow).Rows
		if c.has == "" {
			if len(rows) > 0 {
				t.Errorf("%s: %+v", name, rows)
			}
			continue
		}
		if len(rows) != 1 || !rows[0].Archived {
			t.Fatalf("%s: %+v", name, rows)
		}
		if got := rows[0]; got.Date != c.date || got.Spec != c.spec || !strings.HasSuffix(got.Text, c.has) {
			t.Errorf("%s: %+v", name, rows)
		}
	}
	low := DefaultSettings()
	low.CellCap = 20
	short := []byte(twoColumns + "| 2026-03-14 | SPEC-4 (Next Step): a story of some length |\n")
	if rows, texts := ReadArchiveOf(short, Specflow, low).Rows, Texts(short, Specflow, low); len(rows) != 0 || len(texts) != 1 ||
		texts[0].Name != "SPEC-4 Next Step" || texts[0].Text != "a story of some length" {
		t.Errorf("a low cap: %+v, %+v", rows, texts)
	}
	three := "| Date | Spec | Decision |\n|---|---|---|\n"
	digest := "## Decisions\n\n" + three + "| 2026-01-02 | SPEC-4 | " + whole[:300] + pointer + " 2026-03-14 2026-01-02] |\n"
	live := Read([]byte(digest), Specflow, DefaultSettings()).Rows
	archived := WithSpecs(ReadArchive([]byte(three+"| 2026-03-14 | 2026-01-02 (Decision) | "+whole+" |\n"), Specflow).Rows, live)
	held := HoldArchive([]byte(three+"| 2026-03-14 | 2026-01-02 (Decision) | "+whole+" |\n"), Specflow)
	if len(held) != 1 || held[0].Date != "2026-01-02" || held[0].Scope != "" {
		t.Errorf("held: %+v", held)
	}
	if len(archived) != 1 || archived[0].Spec != "SPEC-4" || archived[0].Date != "2026-01-02" || len(Whole(live, archived)) > 0 {
		t.Errorf("three columns: %+v", archived)
	}
}
