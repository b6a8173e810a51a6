package decision

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSF40_ArchivesAsTheyAre(t *testing.T) {
	t.Parallel()
	old := "| 2025-01-01 | old |\n"
	rows := strings.Join(dates(1, 3), "") // the rows that move
	fresh := "## Archived Decisions\n\n" + twoColumns + rows
	for name, c := range map[string]struct{ archive, want string }{
		"in order": {"# A\n\n" + twoColumns + old, "# A\n\n" + twoColumns + old + rows},
		"footer in the end": {
			"# A\n\n" + twoColumns + old + "\n---\n*Rotated*\n", "# A\n\n" + twoColumns + old + rows + "\n---\n*Rotated*\n",
		},
		"rows after a footer": {
			"# A\n\n" + twoColumns + "\n---\n*Rotated*\n\n" + old, "# A\n\n" + twoColumns + "\n---\n*Rotated*\n\n" + old + rows,
		},
		"two tables": {
			"# A\n\n" + twoColumns + old + "\n## More\n\n" + twoColumns + "| 2025-02-02 | b |\n",
			"# A\n\n" + twoColumns + old + "\n## More\n\n" + twoColumns + "| 2025-02-02 | b |\n" + rows,
		},
		"header without rows": {"# A\n\n" + twoColumns, "# A\n\n" + twoColumns + rows},
		"another H1":          {"# Whatever\n" + twoColumns + old, "# Whatever\n" + twoColumns + old + rows},
		"no H1":               {twoColumns + old, twoColumns + old + rows},
		"bullets":             {"# A\n\n- old one\n", "# A\n\n- old one\n\n" + fresh},
		"header edited": {
			"# A\n\n| Datum | Beschluss |\n|---|---|\n" + old, "# A\n\n| Datum | Beschluss |\n|---|---|\n" + old + "\n" + fresh,
		},
		"header missing":        {"# A\n\n" + old, "# A\n\n" + old + "\n" + fresh},
		"prose only":            {"# A\n\nNothing here.", "# A\n\nNothing here.\n\n" + fresh},
		"blank":                 {"\n\n", "\n\n" + newArchive(Specflow) + "\n" + fresh},
		"heading without table": {"# A\n\n## Archived Decisions\n", "# A\n\n" + fresh},
		"in a fence":            {"# A\n\n```\n" + twoColumns + old + "```\n", "# A\n\n```\n" + twoColumns + old + "```\n\n" + fresh},
		"blank in the table": {
			"# A\n\n" + twoColumns + old + "\n| 2025-02-02 | b |\n\nend\n", "# A\n\n" + twoColumns + old + "\n| 2025-02-02 | b |\n" + rows +
				"\nend\n",
		},
		"placeholder":             {"# A\n\n" + twoColumns + "| — | — |\n", "# A\n\n" + twoColumns + rows},
		"placeholder without end": {"# A\n\n" + twoColumns + "| — | — |", "# A\n\n" + twoColumns + strings.TrimSuffix(rows, "\n")},
		"placeholder beside rows": {"# A\n\n" + twoColumns + old + "| — | — |\n", "# A\n\n" + twoColumns + old + rows + "| — | — |\n"},
		"CRLF":                    {crlf("# A\n\n" + twoColumns + old), crlf("# A\n\n" + twoColumns + old + rows)},
		"younger rows in it": {
			"# A\n\n" + twoColumns + "| 2026-01-02 | x |\n| 2026-05-01 | y |\n",
			"# A\n\n" + twoColumns + dates(1, 1)[0] + "| 2026-01-02 | x |\n" + strings.Join(dates(2, 2), "") + "| 2026-05-01 | y |\n",
		},
		"not in order": {
			"# A\n\n" + twoColumns + "| 2026-05-01 | y |\n" + old + "\nend\n",
			"# A\n\n" + twoColumns + "| 2026-05-01 | y |\n" + old + rows + "\nend\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := mustRotate(t, digestOf(101, tableOf(dates(1, 8))), c.archive, Specflow, DefaultSettings())
			if string(r.Archive) != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", r.Archive, c.want)
			}
			if unsorted := name == "not in order"; r.Result.ArchiveUnsorted != unsorted {
				t.Errorf("unsorted: %v", r.Result.ArchiveUnsorted)
			}
			before, after := ReadArchive([]byte(c.archive), Specflow), ReadArchive(r.Archive, Specflow)
			if len(after.Rows) != len(before.Rows)+3 {
				t.Errorf("%d rows, then %d", len(before.Rows), len(after.Rows))
			}
		})
	}
}

// An archive that was emptied is started again.
func TestSF40_EmptiedArchive(t *testing.T) {
	t.Parallel()
	r, err := Rotate([]byte(digestOf(101, tableOf(dates(1, 8)))), []byte{}, true, Specflow, DefaultSettings(), RotateOptions{})
	if err != nil || !strings.HasPrefix(string(r.Archive), "# SpecFlow Decisions Archive\n") {
		t.Errorf("%v:\n%s", err, r.Archive)
	}
}

func TestSFD15_ColumnsAreMappedByName(t *testing.T) {
	t.Parallel()
	three := "| Date | Specification | Decision |\n|---|---|---|\n"
	rest := "| 2026-02-02 | SPEC-2 | b |\n| 2026-02-03 | SPEC-2 | c |\n| 2026-02-04 | SPEC-2 | d |\n| 2026-02-05 | SPEC-2 | e |\n| " +
		"2026-02-06 | SPEC-2 | f |\n"
	for name, c := range map[string]struct{ digest, archive, want string }{
		"equal": {three + "| 2026-01-01 |SPEC-1| a |\n" + rest, three, "| 2026-01-01 |SPEC-1| a |\n"},
		"equal by aliases": {
			three + "| 2026-01-01 | SPEC-1 | a |\n" + rest, "| When | Spec ID | Summary |\n|---|---|---|\n",
			"| 2026-01-01 | SPEC-1 | a |\n",
		},
		"three to two":     {three + "| 2026-01-01 | SPEC-1 | a \\| b |\n" + rest, twoColumns, "| 2026-01-01 | SPEC-1: a \\| b |\n"},
		"no specification": {three + "| 2026-01-01 | — | a |\n" + rest, twoColumns, "| 2026-01-01 | a |\n"},
		"two to three": {
			tableOf(append([]string{"| 2026-01-01 | SPEC-1: a |\n"}, dates(30, 5)...)), three, "| 2026-01-01 | SPEC-1 | a |\n",
		},
		"nothing to split": {tableOf(append([]string{"| 2026-01-01 | a: b |\n"}, dates(30, 5)...)), three, "| 2026-01-01 | — | a: b |\n"},
		"another order": {
			tableOf(append([]string{"| 2026-01-01 | a |\n"}, dates(30, 5)...)), "| Decision | Date |\n|---|---|\n", "| a | 2026-01-01 |\n",
		},
		"extra column": {
			"| Date | Owner | Decision |\n|---|---|---|\n" + strings.ReplaceAll("| 2026-01-01 | Eve | a |\n"+rest, "SPEC-2", "Bob"),
			twoColumns, "| 2026-01-01 | a — Owner: Eve |\n",
		},
		"ragged, verbatim":  {three + "| 2026-01-01 | a |\n" + rest, twoColumns, "| 2026-01-01 | a |\n"},
		"surplus, verbatim": {three + "| 2026-01-01 | SPEC-1 | a | b |\n" + rest, twoColumns, "| 2026-01-01 | SPEC-1 | a | b |\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := mustRotate(t, digestOf(101, c.digest), "# A\n\n"+c.archive, Specflow, DefaultSettings())
			if r.Result.Moved != 1 || !strings.HasSuffix(string(r.Archive), c.archive+c.want) {
				t.Errorf("moved %d:\n%s", r.Result.Moved, r.Archive)
			}
			if string(r.Moves[0].Gained) != c.want {
				t.Errorf("gained %q", r.Moves[0].Gained)
			}
		})
	}
	// A new archive gets the digest's columns, with header and delimiter as they are written.
	odd := "| When |  Spec | Summary|\n|:--|--|--:|\n"
	r := mustRotate(t, digestOf(101, odd+"| 2026-01-01 | SPEC-1 | a |\n"+rest), "", Specflow, DefaultSettings())
	if want := newArchive(Specflow) + "\n## Archived Decisions\n\n" + odd + "| 2026-01-01 | SPEC-1 | a |\n"; string(r.Archive) != want {
		t.Errorf("got:\n%s", r.Archive)
	}
}

func TestSFD17_UnsortedArchiveIsNotReordered(t *testing.T) {
	t.Parallel()
	archive := "# A\n\n" + tableOf(reversed(dates(1, 4))) + "\n---\n*Rotated*\n\n" + strings.Join(dates(5, 2), "")
	r := mustRotate(t, digestOf(101, tableOf(dates(7, 8))), archive, Specflow, DefaultSettings())
	if want := archive + strings.Join(dates(7, 3), ""); string(r.Archive) != want || !r.Result.ArchiveUnsorted {
		t.Errorf("got:\n%s", r.Archive)
	}
	if got := texts(ReadArchive(r.Archive, Specflow).Chronological()); got[0] != "decision 1" || got[8] != "decision 9" {
		t.Errorf("shown as %q", got)
	}
}

func TestSFD17_SortArchive(t *testing.T) {
	t.Parallel()
	three := "| Date | Specification | Decision |\n|---|---|---|\n"
	archive := "# A\n\nIntro.\n\n" + tableOf(reversed(dates(3, 2))) + "\n## Later\n\n" + three +
		"| 2026-01-06 | SPEC-1 | decision 6 |\n| soon | SPEC-1 | undated |\n| 2026-01-01 | SPEC-1 | decision 1 |\n\n---\n*Rotated*\n"
	o := RotateOptions{SortArchive: true}
	r, err := Rotate([]byte(digestOf(50, tableOf(nil))), []byte(archive), true, Specflow, DefaultSettings(), o)
	if err != nil {
		t.Fatal(err)
	}
	want := "# A\n\nIntro.\n\n\n## Later\n\n" + three + "| 2026-01-01 | SPEC-1 | decision 1 |\n| 2026-01-03 | — | decision 3 |\n" +
		"| 2026-01-04 | — | decision 4 |\n| 2026-01-06 | SPEC-1 | decision 6 |\n| soon | SPEC-1 | undated |\n\n---\n*Rotated*\n"
	if string(r.Archive) != want || r.Result.Rotated {
		t.Errorf("got:\n%s", r.Archive)
	}
	again, err := Rotate([]byte(digestOf(50, tableOf(nil))), r.Archive, true, Specflow, DefaultSettings(), o)
	if err != nil || string(again.Archive) != want {
		t.Errorf("sorting twice: %v\n%s", err, again.Archive)
	}
	// Rows that rotate at the same time are merged in.
	both := mustRotateWith(t, digestOf(101, tableOf(dates(7, 8))), want, Specflow, DefaultSettings(), o)
	if l := ReadArchive(both.Archive, Specflow); !l.Sorted || len(l.Rows) != 8 {
		t.Errorf("got:\n%s", both.Archive)
	}
}

// D34: a row older than the archive's last one is inserted by its date; all others go to the end.
func TestD34_OlderRowsFindTheirPlace(t *testing.T) {
	t.Parallel()
	archive := "# A\n\n" + tableOf(append(dates(1, 3), dates(10, 2)...)) + "\nend\n"
	rows := append(dates(4, 2), dates(20, 6)...)
	r := mustRotate(t, digestOf(101, tableOf(rows)), archive, Specflow, DefaultSettings())
	want := "# A\n\n" + tableOf(slices.Concat(dates(1, 3), dates(4, 2), dates(10, 2), dates(20, 1))) + "\nend\n"
	if string(r.Archive) != want {
		t.Errorf("got:\n%s", r.Archive)
	}
}

func TestSFD18_ArchiveIsReadBack(t *testing.T) {
	t.Parallel()
	rows := []dated{{index: 0}}
	doc := []byte(digestOf(101, tableOf(dates(1, 1))))
	sc := scanDigest(doc, Specflow, nil)
	r := rotation{form: Specflow, s: DefaultSettings(), digest: sc, archive: []byte("# A\n")}
	left, err := sc.without(rows)
	if err != nil {
		t.Fatal(err)
	}
	good := []byte("# A\n\n" + tableOf(dates(1, 1)))
	if err := r.verify(rows, [][]byte{[]byte(dates(1, 1)[0])}, left, good); err != nil {
		t.Errorf("a good result: %v", err)
	}
	for name, c := range map[string]struct{ digest, archive []byte }{
		"row missing in the archive": {left, []byte("# A\n\n" + tableOf(nil))},
		"row doubled in the archive": {left, []byte("# A\n\n" + tableOf(append(dates(1, 1), dates(1, 1)...)))},
		"row hidden in a fence":      {left, []byte("# A\n\n```\n" + tableOf(dates(1, 1)))},
		"row still in the digest":    {doc, good},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refused(t, r.verify(rows, [][]byte{[]byte(dates(1, 1)[0])}, c.digest, c.archive), "internal", "verify_failed")
		})
	}
}

func TestSFD22_TemplateOfNewArchives(t *testing.T) {
	t.Parallel()
	doc := digestOf(101, tableOf(dates(1, 8)))
	for name, c := range map[string]struct{ template, want string }{
		"heading and table": {
			"# Ours\n\n## Archived Decisions\n\n| Date | Decision |\n|--|--|\n",
			"# Ours\n\n## Archived Decisions\n\n| Date | Decision |\n|--|--|\n" + strings.Join(dates(1, 3), ""),
		},
		"heading only": {"# Ours\n\n## Archived Decisions", "# Ours\n\n## Archived Decisions\n\n" + tableOf(dates(1, 3))},
		"title only":   {"# Ours\n", "# Ours\n\n## Archived Decisions\n\n" + tableOf(dates(1, 3))},
		"nothing":      {"", "## Archived Decisions\n\n" + tableOf(dates(1, 3))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := mustRotateWith(t, doc, "", Specflow, DefaultSettings(), RotateOptions{Template: []byte(c.template)})
			if string(r.Archive) != c.want {
				t.Errorf("got %q", r.Archive)
			}
			r = mustRotateWith(t, doc, "# There\n", Specflow, DefaultSettings(), RotateOptions{Template: []byte(c.template)})
			if !strings.HasPrefix(string(r.Archive), "# There\n\n## Archived") {
				t.Errorf("the template was used for an archive that is there: %q", r.Archive)
			}
		})
	}
}

// One digest may have bullets and rows. Each kind goes to its own section.
func TestTableAndBulletSectionsRotateTogether(t *testing.T) {
	t.Parallel()
	bullets := ""
	for i := range 6 {
		bullets += fmt.Sprintf("- bullet %d\n  with more\n", i)
	}
	doc := "## Decisions\n\n" + bullets + "\n" + "## Recent Decisions\n\n" + tableOf(dates(1, 6)) + strings.Repeat("x\n", 90)
	r := mustRotate(t, doc, "", Specflow, DefaultSettings())
	l := ReadArchive(r.Archive, Specflow)
	if r.Result.Moved != 7 || len(l.Rows) != 7 || !strings.Contains(string(r.Archive), bullets) {
		t.Errorf("moved %d, %d in the archive:\n%s", r.Result.Moved, len(l.Rows), r.Archive)
	}
}

// SF-48: if a table without outer pipes rotates into an archive whose table has them, the rows get outer pipes.
func TestSF48_RowsWithoutOuterPipesJoinATableThatHasThem(t *testing.T) {
	t.Parallel()
	doc := "# P\n\n## Decisions\n\nDate | Decision\n--- | ---\n2026-02-04 | b1\n2026-02-05 | b2\n"
	archive := "# A\n\n## Archived Decisions\n\n| Date | Decision |\n|---|---|\n| 2026-02-01 | c |\n"
	keep := 1
	r, err := Rotate([]byte(doc), []byte(archive), true, GSD, DefaultSettings(), RotateOptions{Keep: &keep})
	if err != nil {
		t.Fatal(err)
	}
	if want := archive + "| 2026-02-04 | b1 |\n"; string(r.Archive) != want {
		t.Errorf("the archive:\n%s", r.Archive)
	}
}

// A decision that cannot be next to the newest one, which is below an item without text, is added after everything
// else.
func TestAddBelowAnItemWithoutText(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"1.\n*r*\n", "2. \n*r*\n", "- \n2. \n*r*\n", "1.\n- \n*r*\n", "*\n*r*\n"} {
		doc := "# P\n\n### Decisions\n" + list
		a, err := Add([]byte(doc), nil, GSD, DefaultSettings(), Entry{Text: "1. foo", Phase: "1"})
		if err != nil {
			t.Errorf("%q: %v", list, err)
			continue
		}
		for line := range strings.Lines(doc) {
			if !strings.Contains(string(a.Digest), line) {
				t.Errorf("%q: %q is gone from\n%s", list, line, a.Digest)
			}
		}
	}
}

// If there was nothing to sort, sorting gives the reason for the archive as it was (specflow.md 5.7.6).
func TestSFD17_WhyAnArchiveWasNotSorted(t *testing.T) {
	t.Parallel()
	const head = "# A\n\n## Archived Decisions\n\n"
	for name, c := range map[string]struct {
		archive string
		has     bool
		sort    bool
		want    string
	}{
		"no archive":    {"", false, true, SortNoneYet},
		"an empty one":  {"", true, true, SortNoneYet},
		"no rows":       {head, true, true, SortNoneYet},
		"in order":      {head + tableOf(dates(1, 3)), true, true, SortInOrder},
		"out of order":  {head + tableOf(reversed(dates(1, 3))), true, true, ""},
		"bullets":       {head + "- 2025-02-01: b\n- 2025-01-01: a\n", true, true, SortUnsortable},
		"not asked for": {head + tableOf(dates(1, 3)), true, false, ""},
	} {
		r, err := Rotate([]byte(digestOf(50, tableOf(nil))), []byte(c.archive), c.has, Specflow, DefaultSettings(),
			RotateOptions{SortArchive: c.sort})
		if err != nil || r.Result.SortReason != c.want {
			t.Errorf("%s: reason %q, want %q (%v)", name, r.Result.SortReason, c.want, err)
		}
		if sorts := name == "out of order"; r.Result.ArchiveSorted != sorts {
			t.Errorf("%s: sorted %v", name, r.Result.ArchiveSorted)
		}
	}
}
