package threeway

import (
	"strings"
	"testing"

	"baton/internal/threeway/laws"
)

const page = `# Page

Some words.
More words.

## List

- one
- two

## Table

| Date | What |
|---|---|
| 2026-01-01 | a |
| 2026-01-02 | b |

Behind the table.

## Empty
## Tail

The end.
`

func merged(form Form) laws.Merge {
	return func(o, a, b []byte) ([]byte, int) {
		r := Merge(form, o, a, b)
		return r.Text, r.Conflicts
	}
}

func TestMergeKeepsItsLaws(t *testing.T) {
	t.Parallel()
	laws.Check(t, merged(Form{}), page, nil,
		laws.Behind(`^- `, "- %s"), laws.Before(`^- `, "- %s"), laws.Remove(`^- (one|two)$`),
		laws.Behind(`^\|`, "| 2026-02-03 | %s |"), laws.Remove(`^\| 2026-01`), laws.Replace(`^(Some|More|Behind|The) .*$`, "$1 %s"),
		laws.Behind(`^(Some|The) `, "", "A paragraph %s."), laws.Behind(`^## (Empty|Tail)$`, "### %s", "", "- under %s"),
		laws.Remove(`^The end`),
	)
}

// Text that is not Markdown obeys the laws, too.
func TestMergeOfPlainTextKeepsItsLaws(t *testing.T) {
	t.Parallel()
	laws.Check(t, merged(Form{Text: true}), page, nil,
		laws.Behind(`.`, "%s"), laws.Remove(`words`), laws.Replace(`^.*words.*$`, "%s"))
}

func TestMergeTakesWhatEitherSideDid(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, ours, theirs, want string }{
		"both append to a list": {"- a\n", "- a\n- b\n", "- a\n- c\n", "- a\n- b\n- c\n"},
		"both append the same":  {"- a\n", "- a\n- b\n- c\n", "- a\n- b\n", "- a\n- b\n- c\n"},
		"one removes":           {"- a\n- b\n", "- a\n", "- a\n- b\n- c\n", "- a\n- c\n"},
		"removed and edited":    {"- [ ] a\n- [ ] b\n", "- [ ] a\n", "- [ ] a\n- [x] b\n", "- [ ] a\n- [x] b\n"},
		"checked on both sides": {"- [ ] a\n- [ ] b\n", "- [x] a\n- [ ] b\n", "- [ ] a\n- [x] b\n", "- [x] a\n- [x] b\n"},
		"both fill a section":   {"## D\nNone yet.\n", "## D\n- x\n", "## D\n- y\n", "## D\n- x\n- y\n"},
		"lines beside another":  {"one\ntwo\n", "ONE\ntwo\n", "one\nTWO\n", "ONE\nTWO\n"},
		"conflict": {
			"one\ntwo\n", "ours\ntwo\n", "theirs\ntwo\n", "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\ntwo\n",
		},
		"no last line end": {"- a", "- a\n- b", "- a\n- c", "- a\n- b\n- c"},
		"line ends change": {"- a\n", "- a\r\n", "- a\n- c\n", "- a\r\n- c\r\n"},
		"most line ends change": {
			"- a\n- b\n- c\n", "- a\r\n- b\r\n- c\r\n- d\n", "- b\n- c\n", "- b\r\n- c\r\n- d\r\n",
		},
		"newest first": {
			"- 2026-02-02 x\n- 2026-01-01 y\n", "- 2026-03-01 a\n- 2026-02-02 x\n- 2026-01-01 y\n",
			"- 2026-03-05 b\n- 2026-02-02 x\n- 2026-01-01 y\n", "- 2026-03-05 b\n- 2026-03-01 a\n- 2026-02-02 x\n- 2026-01-01 y\n",
		},
		"sections": {"# A\n", "# A\n\n## B\n\nb\n", "# A\n\n## C\n\nc\n", "# A\n\n## B\n\nb\n\n## C\n\nc\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Merge(Form{}, []byte(c.base), []byte(c.ours), []byte(c.theirs))
			if string(r.Text) != c.want || (r.Conflicts > 0) != strings.Contains(c.want, "<<<<<<<") {
				t.Errorf("%d conflicts:\n%q\nwant\n%q", r.Conflicts, r.Text, c.want)
			}
		})
	}
}

// A row whose closing pipe was removed by one side has as many cells as before.
func TestMergeRowsWithAndWithoutClosingPipe(t *testing.T) {
	t.Parallel()
	const head = "| Date | What | Who |\n|---|---|---|\n"
	o, a, b := head+"| 2026-01-01 | a | x |\n", head+"| 2026-01-01 | a | y\n", head+"| 2026-01-01 | b | x |\n"
	first := Form{Key: func([]string) int { return 0 }}
	for _, r := range []Result{
		Merge(first, []byte(o), []byte(a), []byte(b)), Merge(first, []byte(o), []byte(b), []byte(a)),
	} {
		if cells := strings.Fields(strings.TrimPrefix(string(r.Text), head)); r.Conflicts > 0 ||
			strings.Join(cells[:6], " ") != "| 2026-01-01 | b | y" {
			t.Errorf("%d conflicts:\n%s", r.Conflicts, r.Text)
		}
	}
}

// Archives only grow, so an entry that one side removed was lost by mistake.
func TestUnionKeepsEverything(t *testing.T) {
	t.Parallel()
	r := Merge(Form{Union: true}, []byte("# A\n\n- a\n- b\n"), []byte("# A\n\n- b\n- c\n"), []byte("# A\n\n- a\n- b\n- d\n"))
	if want := "# A\n\n- a\n- b\n- c\n- d\n"; string(r.Text) != want {
		t.Errorf("%s", r.Text)
	}
}

func FuzzMerge(f *testing.F) {
	f.Add(page, strings.Replace(page, "- one", "- one\n- x", 1), strings.Replace(page, "Some", "<!-- Any", 1))
	f.Add("", "---\na: 1\n---\n", "```\n- x\n")
	f.Fuzz(func(t *testing.T, o, a, b string) {
		for _, form := range []Form{{}, {Union: true}, {Text: true}, {Lines: true, Union: true}, keeping()} {
			if got := Merge(form, []byte(o), []byte(a), []byte(o)); string(got.Text) != a {
				t.Fatalf("a side that did nothing does not give way: %q", got.Text)
			}
			Merge(form, []byte(o), []byte(a), []byte(b))
		}
	})
}
