package decision

import (
	"strings"
	"testing"

	"baton/internal/report"
)

// An unclosed fence hides decisions of the archive. The error says which file it is about.
func TestSF12_ErrorsNameTheArchive(t *testing.T) {
	t.Parallel()
	doc, keep := digestOf(101, tableOf(dates(1, 8))), 1
	for name, c := range map[string]struct {
		doc, archive string
		o            RotateOptions
		path         string
	}{
		"rows to come": {doc, "# A\n\n```\n" + twoColumns, RotateOptions{}, ArchivePath},
		"sorting":      {doc, "# A\n\n" + tableOf(reversed(dates(1, 3))) + "<!-- x\n", RotateOptions{SortArchive: true}, ArchivePath},
		"keep":         {doc, "# A\n\n```\n", RotateOptions{Keep: &keep}, ArchivePath},
	} {
		_, err := Rotate([]byte(c.doc), []byte(c.archive), true, Specflow, DefaultSettings(), c.o)
		if e := report.As(err); err == nil || e.Code != "unclosed_fence" || e.Path != c.path || e.Line == 0 {
			t.Errorf("%s: %+v", name, e)
		}
	}
	_, err := Add([]byte("# D\n\n```\n"), nil, Specflow, DefaultSettings(), Entry{Date: "2026-01-01", Text: "x"})
	if e := report.As(err); err == nil || e.Code != "unclosed_fence" || e.Path != "" {
		t.Errorf("the digest: %+v", e)
	}
}

// The result says whether sorting changes the archive, and counts decisions and other entries separately.
func TestSF_ResultReportsSorting(t *testing.T) {
	t.Parallel()
	doc := digestOf(60, tableOf(dates(1, 3)))
	for name, c := range map[string]struct {
		archive string
		has     bool
		sort    bool
		want    bool
	}{
		"none":         {"", false, true, false},
		"in order":     {"# A\n\n" + tableOf(dates(1, 3)), true, true, false},
		"out of order": {"# A\n\n" + tableOf(reversed(dates(1, 3))), true, true, true},
		"not asked":    {"# A\n\n" + tableOf(reversed(dates(1, 3))), true, false, false},
		"bullets":      {"# A\n\n- 2026-02-01: a\n- 2026-01-01: b\n", true, true, false},
	} {
		r, err := Rotate([]byte(doc), []byte(c.archive), c.has, Specflow, DefaultSettings(), RotateOptions{SortArchive: c.sort})
		if err != nil || r.Result.ArchiveSorted != c.want || (string(r.Archive) != c.archive) != c.want {
			t.Errorf("%s: %v, %v:\n%s", name, err, r.Result.ArchiveSorted, r.Archive)
		}
	}
}

// Bullets that begin with a date are a list with dates. The dates decide its direction, and a new bullet has one, too.
func TestSF_DatedBullets(t *testing.T) {
	t.Parallel()
	e := Entry{Date: "2026-03-03", Text: "three"}
	for name, c := range map[string]struct {
		form    Form
		in, out string
	}{
		"newest first": {Specflow, "- 2026-05-03: c\n- 2026-05-02: b\n", "- 2026-03-03: three\n- 2026-05-03: c\n- 2026-05-02: b\n"},
		"oldest first": {Specflow, "- 2026-05-02: b\n- 2026-05-03: c\n", "- 2026-05-02: b\n- 2026-05-03: c\n- 2026-03-03: three\n"},
		"bold":         {Specflow, "* **2026-05-02** — **b** it is\n", "* **2026-05-02** — **b** it is\n* **2026-03-03** — three\n"},
		"bold colon":   {Specflow, "- **2026-05-02:** b\n", "- **2026-05-02:** b\n- **2026-03-03:** three\n"},
		"brackets":     {Specflow, "- [2026-05-02] b\n", "- [2026-05-02] b\n- [2026-03-03] three\n"},
		"most of them": {
			Specflow, "- 2026-05-01: a\n- 2026-05-02: b\n- c\n", "- 2026-05-01: a\n- 2026-05-02: b\n- c\n- 2026-03-03: three\n",
		},
		"few of them": {Specflow, "- 2026-05-02: b\n- c\n", "- 2026-05-02: b\n- c\n- three\n"},
		"none":        {Specflow, "- b\n- c\n", "- b\n- c\n- three\n"},
		"a file name": {Specflow, "- 2026-05-02-plan.md is kept\n", "- 2026-05-02-plan.md is kept\n- three\n"},
		"numbered":    {Specflow, "1. 2026-05-02 - b\n", "1. 2026-05-02 - b\n2. 2026-03-03 - three\n"},
		"GSD":         {GSD, "- 2026-05-02: [Phase 1]: b\n", "- 2026-05-02: [Phase 1]: b\n- 2026-03-03: [Phase ?]: three\n"},
	} {
		got, err := Add([]byte("## Decisions\n\n"+c.in), nil, c.form, DefaultSettings(), e)
		if err != nil || string(got.Digest) != "## Decisions\n\n"+c.out {
			t.Errorf("%s: %v\n%s", name, err, got.Digest)
			continue
		}
		if dated := strings.Contains(c.out, "2026-03-03"); got.Row.Text != "three" || (got.Row.Date == "2026-03-03") != dated {
			t.Errorf("%s: %+v", name, got.Row)
		}
	}
	r := mustRotateWith(t, "## Decisions\n\n- 2026-05-03: c\n- 2026-05-01: a\n- 2026-05-02: b\n", "", Specflow, DefaultSettings(),
		RotateOptions{Keep: new(int)})
	if !strings.HasSuffix(string(r.Archive), "- 2026-05-01: a\n- 2026-05-02: b\n- 2026-05-03: c\n") {
		t.Errorf("%+v\n%s", r.Result, r.Archive)
	}
}
