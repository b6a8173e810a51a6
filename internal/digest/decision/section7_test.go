package decision

import (
	"strings"
	"testing"
)

// Mistakes of earlier programs (specflow.md 7) and the correct behaviour. Rows about files' attributes, crashes,
// history and the status line are tested in other packages.
func TestSection7_Conformance(t *testing.T) {
	t.Parallel()
	rows := strings.Join(dates(1, 8), "")
	three := "| Date | Specification | Decision |\n|------|---------------|----------|\n"
	var wide []string
	for _, row := range dates(1, 8) {
		wide = append(wide, strings.Replace(row, " | ", " | SPEC-1 | ", 1))
	}
	same := strings.Repeat("| 2026-01-01 | first |\n", 3) + strings.Repeat("| 2026-01-01 | last |\n", 5)
	for name, c := range map[string]struct {
		doc, archive string
		settings     func(*Settings)
		moved        int
		check        func(digest, archive string) bool
	}{
		"trigger: 101 lines without final newline": {
			doc: strings.TrimSuffix(digestOf(101, twoColumns+rows), "\n"), moved: 3,
		},
		"recognition: trailing blank, CRLF, missing blank, indentation": {
			doc: crlf(strings.Replace(digestOf(101, twoColumns+strings.ReplaceAll(rows, "| 2026", "  |2026")), "## Decisions",
				"## Decisions ", 1)),
			moved: 3,
		},
		"most recent: a newest-first table keeps its newest": {
			doc: digestOf(101, tableOf(reversed(dates(1, 8)))), moved: 3,
			check: func(digest, _ string) bool { return strings.Contains(digest, twoColumns+dates(8, 1)[0]) },
		},
		"keep 6 or 7: what is enough stays": {
			doc: digestOf(101, tableOf(dates(1, 7))), moved: 1,
		},
		"archive order: ascending from the second rotation on": {
			doc: digestOf(101, tableOf(dates(4, 8))), archive: "# A\n\n" + tableOf(dates(1, 3)), moved: 3,
			check: func(_, archive string) bool { return strings.HasSuffix(archive, strings.Join(dates(1, 6), "")) },
		},
		"undated rows, sub-tables and H3 tables stay or move, none vanishes": {
			doc: digestOf(101, twoColumns+"| soon | undated |\n"+strings.Join(dates(1, 5), "")+"\n### More\n\n"+tableOf(dates(6, 2))+
				"\n| Option | Votes |\n|---|---|\n| a | 1 |\n"),
			moved: 3,
			check: func(digest, archive string) bool {
				return strings.Contains(archive, "| soon | undated |") && strings.Contains(digest, "| a | 1 |\n")
			},
		},
		"header: three columns make a three-column archive": {
			doc: digestOf(101, three+strings.Join(wide, "")), moved: 3,
			check: func(_, archive string) bool { return strings.HasSuffix(archive, three+strings.Join(wide[:3], "")) },
		},
		"unusual archive: edited header": {
			doc: digestOf(101, tableOf(dates(1, 8))), archive: "# A\n\n| Date  | What we decided |\n|---|---|\n", moved: 3,
		},
		"unusual archive: two matching headers": {
			doc: digestOf(101, tableOf(dates(1, 8))), archive: "# A\n\n" + twoColumns + "\n" + twoColumns, moved: 3,
			check: func(_, archive string) bool { return strings.Count(archive, "| decision 1 |") == 1 },
		},
		"unusual archive: CRLF": {
			doc: digestOf(101, tableOf(dates(1, 8))), archive: crlf("# A\n\n" + twoColumns), moved: 3,
			check: func(_, archive string) bool { return strings.Count(archive, "\r\n") == strings.Count(archive, "\n") },
		},
		"fences: an example row is no decision": {
			doc: digestOf(101, "```\n| 2020-01-01 | example |\n```\n\n"+twoColumns+rows), moved: 3,
			check: func(digest, archive string) bool { return !strings.Contains(archive, "example") },
		},
		"two sections: none is rewritten from the other": {
			doc: digestOf(96, tableOf(dates(1, 4))) + "\n## Decisions\n\n" + tableOf(dates(5, 4)), moved: 3,
			check: func(digest, _ string) bool {
				return strings.Contains(digest, twoColumns+dates(4, 1)[0]+"\n## Notes") && strings.HasSuffix(digest, tableOf(dates(5, 4)))
			},
		},
		"whitespace: nothing grows": {
			doc: digestOf(101, tableOf(dates(1, 8))), moved: 3,
			check: func(digest, _ string) bool {
				return digest == strings.Replace(digestOf(101, tableOf(dates(1, 8))), strings.Join(dates(1, 3), ""), "", 1)
			},
		},
		"1.24: rotation within the limits does nothing": {
			doc: digestOf(100, tableOf(dates(1, 12))), moved: 0,
		},
		"1.24: one date only, the order was remembered": {
			doc: digestOf(101, twoColumns+same), moved: 3, settings: func(s *Settings) { s.Remembered = NewestFirst },
			check: func(_, archive string) bool { return !strings.Contains(archive, "first") },
		},
		"1.24: the column is called Specification": {
			doc: digestOf(101, three+strings.Join(wide, "")), archive: "# A\n\n| Date | Spec | Decision |\n|---|---|---|\n", moved: 3,
			check: func(_, archive string) bool { return strings.HasSuffix(archive, strings.Join(wide[:3], "")) },
		},
		"1.24: rows of a newest-first table are archived oldest first": {
			doc: digestOf(101, tableOf(reversed(dates(1, 8)))), moved: 3,
			check: func(_, archive string) bool { return strings.HasSuffix(archive, strings.Join(dates(1, 3), "")) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := DefaultSettings()
			if c.settings != nil {
				c.settings(&s)
			}
			r := mustRotate(t, c.doc, c.archive, Specflow, s)
			if r.Result.Moved != c.moved {
				t.Fatalf("moved %d, want %d", r.Result.Moved, c.moved)
			}
			if n := len(ReadArchive(r.Archive, Specflow).Rows) - len(ReadArchive([]byte(c.archive), Specflow).Rows); n != c.moved {
				t.Errorf("the archive gained %d rows", n)
			}
			if c.check != nil && !c.check(string(r.Digest), string(r.Archive)) {
				t.Errorf("digest:\n%s\narchive:\n%s", r.Digest, r.Archive)
			}
		})
	}
}

// "1.24: lengths in UTF-16 units": the limit counts characters, and an emoji is one character.
func TestSection7_LengthsAreCharacters(t *testing.T) {
	t.Parallel()
	doc := []byte(digestOf(60, tableOf(nil)))
	if _, err := Add(doc, nil, Specflow, DefaultSettings(), Entry{Date: "2026-01-01", Text: strings.Repeat("😀", 500)}); err != nil {
		t.Error(err)
	}
}
