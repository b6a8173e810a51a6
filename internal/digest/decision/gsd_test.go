package decision

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// gsdDigest returns a GSD digest of n lines with the given decisions.
func gsdDigest(n int, heading, decisions string) string {
	text := "---\nmilestone: v1.0\n---\n\n# Project State\n\n## Accumulated Context\n\n" + heading + "\n\n" + decisions +
		"\n### Pending Todos\n\nNone yet.\n\n### Blockers/Concerns\n\nNone yet.\n\n## Session Continuity\n\nLast session: today\n"
	for i := len(lines([]byte(text))); i < n; i++ {
		text += fmt.Sprintf("line %d\n", i)
	}
	return text
}

func phaseBullets(phases ...int) string {
	out := ""
	for i, p := range phases {
		out += fmt.Sprintf("- [Phase %d]: choice %d\n", p, i+1)
	}
	return out
}

func TestGSD67_RotationOfBullets(t *testing.T) {
	t.Parallel()
	s := DefaultSettings()
	s.Titles = []string{"Decisões"}
	prose := "Decisions are kept elsewhere too.\nRecent ones:\n\n"
	template := "- [Phase X]: [Decision summary]\n- [Phase Y]: [Decision summary]\n"
	blocks := ""
	for i := range 8 {
		blocks += fmt.Sprintf("- [Phase 1]: choice %d\n  because of that\n\n      code\n", i+1)
	}
	for name, c := range map[string]struct {
		heading, text string
		moved         int
		archived      string
		dir           Direction
		source        string
	}{
		"template bullets": {
			"### Decisions", prose + template + phaseBullets(1, 1, 1, 1, 1, 1, 2, 2), 3, phaseBullets(1, 1, 1), OldestFirst, "phases",
		},
		"continuation lines": {
			"### Decisions", prose + blocks, 3, strings.Join(strings.SplitAfter(blocks, "code\n")[:3], ""), OldestFirst, "default",
		},
		"localised heading": {
			"### Decisões", prose + phaseBullets(1, 1, 1, 1, 2, 2, 2, 3), 3, phaseBullets(1, 1, 1), OldestFirst, "phases",
		},
		"newest first": {
			"### Decisions", prose + phaseBullets(12, 10, 9, 3, 2, 1, 1, 0), 3,
			"- [Phase 0]: choice 8\n- [Phase 1]: choice 7\n- [Phase 1]: choice 6\n", NewestFirst, "phases",
		},
		"made": {
			"## Decisions Made", phaseBullets(1, 2, 3, 4, 5, 6, 7, 8), 3, phaseBullets(1, 2, 3), OldestFirst, "phases",
		},
		"accumulated": {
			"## Accumulated Key Decisions", phaseBullets(1, 2, 3, 4, 5, 6, 7, 8), 3, phaseBullets(1, 2, 3), OldestFirst, "phases",
		},
		"decimal phases": {
			"### Decisions", "- [Phase 2.10]: a\n- [Phase 2.9]: b\n- [Phase 2.1]: c\n" + strings.Repeat("- [Phase 1]: d\n", 5), 3,
			strings.Repeat("- [Phase 1]: d\n", 3), NewestFirst, "phases",
		},
		"phase and plan": {
			"### Decisions", "- [01-02]: a\n- [02-01]: b\n" + strings.Repeat("- [Init]: c\n", 6), 3,
			"- [01-02]: a\n- [02-01]: b\n- [Init]: c\n", OldestFirst, "phases",
		},
		"six, one is too many": {"### Decisions", phaseBullets(1, 2, 3, 4, 5, 6), 1, phaseBullets(1), OldestFirst, "phases"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := gsdDigest(101, c.heading, c.text)
			r := mustRotate(t, doc, "", GSD, s)
			if r.Result.Moved != c.moved || r.Result.Direction != c.dir || r.Result.DirectionSource != c.source {
				t.Errorf("%+v", r.Result)
			}
			if want := newArchive(GSD) + "\n## Archived Decisions\n\n" + c.archived; string(r.Archive) != want {
				t.Errorf("got:\n%s\nwant:\n%s", r.Archive, want)
			}
			if !strings.HasPrefix(string(r.Archive), "# Project Decisions Archive\n") {
				t.Error("another H1")
			}
			for _, stays := range []string{"### Pending Todos\n\nNone yet.\n", "### Blockers/Concerns\n\nNone yet.\n"} {
				if !strings.Contains(string(r.Digest), stays) {
					t.Errorf("%q is gone", stays)
				}
			}
		})
	}
}

func TestGSD68_ExhaustedWithFiveDecisions(t *testing.T) {
	t.Parallel()
	doc := gsdDigest(101, "### Decisions", "- [Phase X]: [Decision summary]\n"+phaseBullets(1, 1, 1, 2, 2))
	r := mustRotate(t, doc, "", GSD, DefaultSettings())
	if r.Result.Rotated || r.Result.Reason != DecisionsExhausted || r.Result.DecisionRows != 5 || len(r.Result.LargestSections) == 0 {
		t.Errorf("%+v", r.Result)
	}
}

func TestD33_OwnDigestsRotateTheirTable(t *testing.T) {
	t.Parallel()
	head := "| Date | Phase | Decision |\n|------|-------|----------|\n"
	var rows []string
	for i := range 9 {
		rows = append(rows, fmt.Sprintf("| 2026-01-%02d | %d | choice %d |\n", i+1, i/3, i+1))
	}
	r := mustRotate(t, gsdDigest(101, "### Decisions", head+strings.Join(rows, "")), "", Own, DefaultSettings())
	if want := newArchive(Own) + "\n## Archived Decisions\n\n" + head + strings.Join(rows[:4], ""); string(r.Archive) != want ||
		r.Result.After.Lines != 97 {
		t.Errorf("%+v\n%s", r.Result, r.Archive)
	}
	// A table in a GSD digest keeps its own columns.
	made := "| Phase | Summary | Rationale |\n|---|---|---|\n"
	doc := gsdDigest(101, "## Decisions Made", made+strings.Repeat("| 1 | a | b |\n", 4)+strings.Repeat("| 2 | c | d |\n", 4))
	r = mustRotate(t, doc, "", GSD, DefaultSettings())
	if !strings.HasSuffix(string(r.Archive), made+strings.Repeat("| 1 | a | b |\n", 3)) || r.Result.DirectionSource != "phases" {
		t.Errorf("%+v\n%s", r.Result, r.Archive)
	}
	a := mustAdd(t, doc, "", GSD, DefaultSettings(), Entry{Date: "2026-01-01", Phase: "3", Text: "e", Rationale: "f"})
	if !strings.Contains(string(a.Digest), "| 3 | e | f |\n") || a.Row.Rationale != "f" || a.Row.Phase != "3" {
		t.Errorf("%+v", a.Row)
	}
}

func TestGSD_AddFindsThePlace(t *testing.T) {
	t.Parallel()
	own := "| Date | Phase | Decision |\n|------|-------|----------|\n| 2026-01-01 | 2 | x — why |\n"
	for name, c := range map[string]struct {
		form      Form
		doc, want string
		gone      []string
	}{
		"below the last bullet": {
			GSD, "### Decisions\n\n- [Phase 1]: a\n\n### Next\n", "### Decisions\n\n- [Phase 1]: a\n- [Phase 2]: x — why\n\n### Next\n",
			nil,
		},
		"for the template": {
			GSD, "### Decisions\n\n- [Phase X]: [Decision summary]\n- [Phase Y]: [Decision summary]\n\n### Next\n",
			"### Decisions\n\n- [Phase 2]: x — why\n\n### Next\n",
			[]string{"- [Phase X]: [Decision summary]", "- [Phase Y]: [Decision summary]"},
		},
		"for none yet": {
			GSD, "### Decisions\n\nNone yet.\n\n### Next\n", "### Decisions\n\n- [Phase 2]: x — why\n\n### Next\n", []string{"None yet."},
		},
		"for a bullet None": {GSD, "### Decisions\n\n* None\n", "### Decisions\n\n* [Phase 2]: x — why\n", []string{"* None"}},
		"prose that mentions none": {
			GSD, "### Decisions\n\nNone yet of the big ones.\n\n### Next\n",
			"### Decisions\n\nNone yet of the big ones.\n\n- [Phase 2]: x — why\n\n### Next\n", nil,
		},
		"below prose": {
			GSD, "### Decisions\n\nSee the log.\n### Next\n", "### Decisions\n\nSee the log.\n\n- [Phase 2]: x — why\n\n### Next\n", nil,
		},
		"empty section":        {GSD, "### Decisions\n### Next\n", "### Decisions\n\n- [Phase 2]: x — why\n\n### Next\n", nil},
		"section above a rule": {GSD, "## Decisions\n\n---\n*foot*\n", "## Decisions\n\n- [Phase 2]: x — why\n\n---\n*foot*\n", nil},
		"under accumulated context": {
			GSD, "## Accumulated Context\n\n### Todos\n\n- t\n\n## Session\n",
			"## Accumulated Context\n\n### Todos\n\n- t\n\n### Decisions\n\n- [Phase 2]: x — why\n\n## Session\n", nil,
		},
		"at the end":       {GSD, "# State\n", "# State\n\n## Decisions\n\n- [Phase 2]: x — why\n", nil},
		"indented bullets": {GSD, "### Decisions\n\n  * a\n", "### Decisions\n\n  * a\n  * [Phase 2]: x — why\n", nil},
		"own, at the end":  {Own, "# State\n", "# State\n\n## Decisions\n\n" + own, nil},
		"own, for none yet": {
			Own, "### Decisions\n\nNone yet.\n\n### Next\n", "### Decisions\n\n" + own + "\n### Next\n", []string{"None yet."},
		},
		"own, for none yet, cramped": {
			Own, "### Decisions\nNone yet.\n### Next\n", "### Decisions\n\n" + own + "\n### Next\n", []string{"None yet."},
		},
		"own, bullets stay bullets": {
			Own, "### Decisions\n\n- [Phase 1]: a\n", "### Decisions\n\n- [Phase 1]: a\n- [Phase 2]: x — why\n", nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := mustAdd(t, c.doc, "", c.form, DefaultSettings(), Entry{Date: "2026-01-01", Phase: "2", Text: "x", Rationale: "why"},
				c.gone...)
			if string(a.Digest) != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", a.Digest, c.want)
			}
			if a.Row.Phase != "2" || !strings.HasPrefix(a.Row.Text, "x") {
				t.Errorf("row %+v", a.Row)
			}
		})
	}
	a := mustAdd(t, "# State\n", "", GSD, DefaultSettings(), Entry{Text: "x"})
	if !slices.Contains(lines(a.Digest), "- [Phase ?]: x") {
		t.Errorf("got:\n%s", a.Digest)
	}
}

// GSD-67: lines below a numbered decision belong to it, even where Markdown would begin a new list: three blanks are
// one too few below "10.". The block moves as a whole, byte for byte.
func TestGSD67_LinesBelowANumberedDecisionMoveWithIt(t *testing.T) {
	t.Parallel()
	text := "# P\n\n## Decisions\n\n"
	for i := 7; i < 19; i++ {
		text += strconv.Itoa(i) + ". **Decision**\n   - Rationale: so\n   - Impact: small\n"
	}
	list := Read([]byte(text), GSD, DefaultSettings())
	if len(list.Rows) != 12 {
		t.Fatalf("%d decisions, want 12", len(list.Rows))
	}
	keep := 5
	done, err := Rotate([]byte(text), nil, false, GSD, DefaultSettings(), RotateOptions{Keep: &keep})
	if err != nil {
		t.Fatal(err)
	}
	if want := "10. **Decision**\n   - Rationale: so\n   - Impact: small\n"; !strings.Contains(string(done.Archive), want) {
		t.Errorf("the archive has other bytes:\n%s", done.Archive)
	}
}
