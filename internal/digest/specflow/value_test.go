package specflow

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSF35_ActiveInEveryWrittenForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value, id, title string
		none             bool
	}{
		{"none", "", "", true},
		{"None", "", "", true},
		{"(none)", "", "", true},
		{"[none]", "", "", true},
		{"_none_", "", "", true},
		{"**None**", "", "", true},
		{"`none`", "", "", true},
		{"", "", "", true},
		{"  ", "", "", true},
		{"-", "", "", true},
		{"–", "", "", true},
		{"—", "", "", true},
		{"[none | SPEC-XXX]", "", "", true},
		{"none | SPEC-001", "", "", true},
		{"None (SPEC-007 is done)", "", "", true},
		{"SPEC-001", "SPEC-001", "", false},
		{"SPEC-048c — Export of reports", "SPEC-048c", "Export of reports", false},
		{"SPEC-048c - Export – twice", "SPEC-048c", "Export – twice", false},
		{"**SPEC-SUBAGENT-B** — Core", "SPEC-SUBAGENT-B", "Core", false},
		{"`.specflow/specs/SPEC-GSD-B.md`", "SPEC-GSD-B", "", false},
		{".specflow/specs/SPEC-X.md — Title", "SPEC-X", "Title", false},
		{"SPEC-9: Title", "SPEC-9", "Title", false},
		{"nonesuch", "nonesuch", "", false},
		{"`specs/login.md`", "login", "", false},
		{"waiting for a review", "", "waiting for a review", false},
	} {
		id, title, none := parseActive(c.value)
		if id != c.id || title != c.title || none != c.none {
			t.Errorf("parseActive(%q) = %q, %q, %v; want %q, %q, %v", c.value, id, title, none, c.id, c.title, c.none)
		}
	}
}

func TestSF36_IdsBeyondDigits(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"SPEC-003a", "SPEC-132c2", "SPEC-GSD-A", "SPEC-PREDISCUSS-001", "SPEC-001", "TODO-7"} {
		if got, _, _ := parseActive("**" + id + "** — a title"); got != id {
			t.Errorf("id of %q is %q", id, got)
		}
		src := replaced(t, formA, "SPEC-003a — Export of reports", id)
		if got, _, _, ok := FirstActive([]byte(src)); !ok || got != id {
			t.Errorf("FirstActive says %q %v for %q", got, ok, id)
		}
	}
}

func TestCodes(t *testing.T) {
	t.Parallel()
	got := codes("SPEC-A, SPEC-2b and X- or lower-case, then Q-1-2.")
	if diff := cmp.Diff([]string{"SPEC-A", "SPEC-2b", "Q-1-2"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWordNormalisesForQueriesOnly(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Reviewing": "review", "draft": "drafting", "complete": "done", "Revision Requested": "revision_requested",
		"external-review": "external_review", "`running`": "running",
	} {
		if got := Word(in); got != want {
			t.Errorf("Word(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestFirstActive(t *testing.T) {
	t.Parallel()
	fenced := "# S\n\n```\n## Active Specification\n\nSPEC-1\n```\n\n" + formB
	long := formA + "\n\n## Notes\n\n" + strings.Repeat("a line of notes that nobody needs here\n", 30000)
	for name, c := range map[string]struct {
		src, id, status string
		more            int
		ok              bool
	}{
		"form A":           {formA, "SPEC-003a", "review", 0, true},
		"form B":           {formB, "SPEC-GSD-A", "running", 0, true},
		"form C":           {formC, "SPEC-010", "running", 1, true},
		"fence before":     {fenced, "SPEC-GSD-A", "running", 0, true},
		"heading in fence": {"## Active Specification\n\n```\n## x\n```\n", "", "", 0, false},
		"long":             {long, "SPEC-003a", "review", 0, true},
		"none":             {replaced(t, formA, "SPEC-003a — Export of reports", "(none)"), "", "", 0, false},
		"template":         {replaced(t, formA, "SPEC-003a — Export of reports", "[none | SPEC-XXX]"), "", "", 0, false},
		"dash status":      {replaced(t, formC, "| SPEC-010 | running |", "| SPEC-010 | — |"), "SPEC-010", "", 1, true},
		"CRLF":             {crlf(formB), "SPEC-GSD-A", "running", 0, true},
		"BOM":              {"\ufeff" + formA[len("# SpecFlow State\n\n"):], "SPEC-003a", "review", 0, true},
		"C after A":        {formA + "\n" + formC, "SPEC-010", "running", 1, true},
		"cut in the line":  {formB[:60], "SPEC-GSD-A", "", 0, true},
		"empty":            {"", "", "", 0, false},
		"comment":          {"<!--\n## Active Specification\nSPEC-1\n-->\n", "", "", 0, false},
	} {
		id, status, more, ok := FirstActive([]byte(c.src))
		if id != c.id || status != c.status || more != c.more || ok != c.ok {
			t.Errorf("%s: %q %q %d %v, want %q %q %d %v", name, id, status, more, ok, c.id, c.status, c.more, c.ok)
		}
	}
}

func TestFirstActiveAgreesWithModel(t *testing.T) {
	t.Parallel()
	for name, src := range corpus(t) {
		m := Parse([]byte(src)).Model()
		id, status, more, ok := FirstActive([]byte(src))
		if ok != (len(m.Active) > 0) {
			t.Fatalf("%s: ok %v, model %v", name, ok, m.Active)
		}
		if ok && (id != m.Active[0].ID || status != m.Active[0].Status || more != len(m.Active)-1) {
			t.Errorf("%s: %s %s %d against %v", name, id, status, more, m.Active)
		}
	}
}

// Each word of 5.4 is known, and Word leaves it unchanged.
func TestStatusesAreKnown(t *testing.T) {
	t.Parallel()
	for _, word := range Statuses() {
		if Word(word) != word || !knownStatus(word) {
			t.Errorf("%s: %s, known %v", word, Word(word), knownStatus(word))
		}
	}
	for _, word := range []string{"draft", "reviewing", "complete"} {
		if !knownStatus(Word(word)) || knownStatus(word) {
			t.Errorf("%s is another word for one of them", word)
		}
	}
}
