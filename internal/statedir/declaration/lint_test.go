package declaration

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"baton/internal/statedir"
)

// linted returns the findings of a text in the form "line reference > suggestion".
func linted(src string) []string {
	found := []string{}
	for _, r := range lintOf(Declared(), []byte(src)) {
		text := strconv.Itoa(r.Line) + " " + r.Reference
		if r.Suggestion != nil {
			text += " > " + *r.Suggestion
		}
		found = append(found, text)
	}
	return found
}

func TestSD57_References(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		src  string
		want []string
	}{
		"known":   {"Write .devt/state/review.md and `.baton/work/review.json`, read .devt/state/slice-A.md", nil},
		"unknown": {"Write to .devt/state/my-notes.md!", []string{"1 .devt/state/my-notes.md"}},
		"near":    {"x\n.baton/work/Review_API.md\n", []string{"2 .baton/work/Review_API.md > review-api.md"}},
		"final punctuation": {
			"See .devt/state/plan.md. (.devt/state/spec.md), <.devt/state/scope.md>; .devt/state/plan.md... `.devt/state/plan.md`: " +
				"\".devt/state/plan.md\".", nil,
		},
		"punctuation of findings": {"(See .devt/state/qqq.md.)", []string{"1 .devt/state/qqq.md"}},
		"brackets not its own": {
			"{.devt/state/plan.md} ${X:-.devt/state/plan.md} <!-- .devt/state/plan.md--> <td>.devt/state/plan.md</td> " +
				".devt/state/plan.md<br>x .devt/state/plan.md<br/>", nil,
		},
		"emphasis": {
			"**.devt/state/plan.md** _.devt/state/plan.md_ *.devt/state/qqqq.md* **See .devt/state/spec.md.**",
			[]string{"1 .devt/state/qqqq.md"},
		},
		"code fence": {"```sh\ncat .devt/state/qqqq.md\n```\n", []string{"2 .devt/state/qqqq.md"}},
		"in a URL": {
			"https://example.org/tree/main/.devt/state/qqqq.md [x](http://a/.devt/state/wwww.md) but .devt/state/zzzz.md",
			[]string{"1 .devt/state/zzzz.md"},
		},
		"behind a URL": {"<https://example.org>.devt/state/qqqq.md", []string{"1 .devt/state/qqqq.md"}},
		"twice in a line": {
			".devt/state/qqqq.md .devt/state/qqqq.md\n.devt/state/qqqq.md", []string{"1 .devt/state/qqqq.md", "2 .devt/state/qqqq.md"},
		},
		"both folders": {".devt/state/qqqq.md .baton/work/qqqq.md", []string{"1 .devt/state/qqqq.md", "1 .baton/work/qqqq.md"}},
		"with a path before it": {
			"$ROOT/.devt/state/qqqq.md ./.devt/state/plan.md ~/x/.baton/work/plan.md", []string{"1 .devt/state/qqqq.md"},
		},
		"of another folder": {"my.devt/state/qqqq.md x..devt/state/qqqq.md", nil},
		"the folder itself": {".devt/state/ .devt/state/. .devt/state/... .baton/work/\n", nil},
		"no slash":          {".devt/state .devt/state-x .baton/workings/x", nil},
		"JSON and shell": {
			`{"file":".devt/state/plan.md","x":".devt/state/qqqq.md\n"} > .devt/state/spec.md; cat<.devt/state/plan.md|sh`,
			[]string{"1 .devt/state/qqqq.md"},
		},
		"CRLF":                    {"x\r\n.devt/state/qqqq.md\r\n", []string{"2 .devt/state/qqqq.md"}},
		"left-overs have a place": {"rm .devt/state/x.tmp .devt/state/.y.tmp", nil},
		"end of the text":         {".devt/state/qqqq", []string{"1 .devt/state/qqqq"}},
	} {
		if got := linted(test.src); !slices.Equal(got, append([]string{}, test.want...)) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestSD57_Placeholders(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		".devt/state/review-{slug}.md":              "",
		".devt/state/review-<slug>.md":              "",
		".devt/state/review-$SLUG.md":               "",
		".devt/state/review-${SLUG}.md":             "",
		".devt/state/review-*.md":                   "",
		".devt/state/review-{{lane.slug}}.md":       "",
		".devt/state/review-<slug>":                 "", // as a.md
		".devt/state/debug-{what}.md":               "", // a declared name
		".devt/state/{role}-summary.json":           "",
		".devt/state/graph*":                        "",
		".devt/state/*-<x>-required.*":              "",
		".devt/state/threa<x>":                      "",
		".devt/state/*.md":                          "", // only a placeholder, with an ending
		".devt/state/{lane}.md":                     "",
		".devt/state/${NAME}.txt":                   "",
		".devt/state/{qqqq,plan}.md":                "1 .devt/state/{qqqq,plan}.md",
		".devt/state/*.md.old":                      "1 .devt/state/*.md.old",
		".devt/state/plan.md*":                      "", // the end of an emphasis
		".devt/state/qqqq*":                         "1 .devt/state/qqqq*",
		".devt/state/review.md{x}":                  "1 .devt/state/review.md{x}",
		".devt/state/impl-summary-$X.json":          "",
		".devt/state/review-lane-$1":                "",
		".devt/state/{topic}-summary.md":            "",
		".devt/state/<a>-<b>-summary.md":            "",
		".devt/state/{file}":                        "",
		".devt/state/<file>":                        "",
		".devt/state/$FILE":                         "",
		".devt/state/${FILE}":                       "",
		".devt/state/*":                             "",
		".devt/state/**":                            "",
		".devt/state/{a}{b}.":                       "",
		".devt/state/$DEVT_WORKFLOW_ID/review.md":   "",
		".devt/state/review-<lane slug>.md":         "",
		".devt/state/review-$(date).md":             "",
		".devt/state/verification.{md,json}":        "",
		".devt/state/{plan,spec}.md":                "",
		".devt/state/{impl,test}-summary.{md|json}": "",
		".devt/state/review-lane-*.{md,json}":       "",
		".devt/state/review.<md|json>":              "",
		".devt/state/{plan,qqqqqq}.md":              "1 .devt/state/{plan,qqqqqq}.md",
		".devt/state/survey-{topic}.md":             "1 .devt/state/survey-{topic}.md",
		".devt/state/qqqq-<x>.md":                   "1 .devt/state/qqqq-<x>.md",
		".devt/state/Review-<slug>.md":              "1 .devt/state/Review-<slug>.md > review-<slug>.md",
		".devt/state/review-<lane":                  "1 .devt/state/review-<lane",
		".devt/state/review-<a\nb>.md":              "1 .devt/state/review-<a",
	} {
		got := strings.Join(linted(src), "; ")
		if cut, _, _ := strings.Cut(got, " > "); got != want && (strings.Contains(want, " > ") || cut != want) {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}

func TestLintFollowsCanonicalFoldersOnly(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		".devt/state/threads/x.md":         "",
		".devt/state/threads":              "",
		".devt/state/.archive/any/x.md":    "",
		".devt/state/notes/a b":            "",
		".devt/state/thread/x.md":          "1 .devt/state/thread/ > threads/",
		".devt/state/qqqqqqqq/x.md":        "1 .devt/state/qqqqqqqq/",
		".devt/state/plan.md/.devt/state/": "1 .devt/state/plan.md/ > plan.md", // there is nothing below a file
		".devt/state/review.md/abc.txt":    "1 .devt/state/review.md/ > review.md",
		".devt/state/review-a.md/abc.txt":  "1 .devt/state/review-a.md/ > review-a.md",
		".devt/state/review-{x}.md/":       "1 .devt/state/review-{x}.md/ > review-{x}.md",
		".devt/state/plan.md/.":            "1 .devt/state/plan.md/ > plan.md",
		".devt/state/x.tmp/":               "1 .devt/state/x.tmp/ > x.tmp",
		".devt/state//plan.md":             "",
		".devt/state//qqqq.md":             "1 .devt/state//qqqq.md",
		".devt/state/threads//x":           "",
		".devt/state/{folder}/x":           "",
		".devt/state/thr*/x":               "",
		".devt/state/*.md/x":               "1 .devt/state/*.md/ > *.md",
	} {
		if got := strings.Join(linted(src), "; "); got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}

// A project's own names pass once its contract has them.
func TestSDD22_SDD23_LintKnowsTheProjectsNames(t *testing.T) {
	t.Parallel()
	c, err := Declared().Extend("contract.yaml",
		[]byte("version: 1\npatterns:\n  - {pattern: '^map-[A-Za-z0-9_.-]+\\.md$', purpose: maps}\n"))
	if err != nil {
		t.Fatal(err)
	}
	src := []byte(".devt/state/map-<slice>.md")
	if got := lintOf(c, src); len(got) > 0 {
		t.Errorf("%+v", got)
	}
	if got := lintOf(Declared(), src); len(got) != 1 {
		t.Errorf("without the contract: %+v", got)
	}
}

// The time for a text does not depend on the positions of its references. If it did, each of these would take minutes.
func TestLintIsLinear(t *testing.T) {
	t.Parallel()
	const size = 2 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, src := range map[string]string{
		"one line":         fill(".devt/state/qqqqqqqq.md "),
		"no blanks":        fill("x/.devt/state/qqqqqqqq.md/"),
		"one name":         ".devt/state/" + fill("q"),
		"brackets":         ".devt/state/" + fill("{"),
		"groups":           ".devt/state/" + fill("{a,}"),
		"many groups":      fill(".devt/state/{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n} "),
		"stops":            ".devt/state/" + fill(".**"),
		"dollars":          ".devt/state/" + fill("$"),
		"folders":          fill(".devt/state/"),
		"one folder apart": ".baton/work/x" + fill(".devt/state/plan.md\n"),
		"URL":              "https://" + fill("x/.devt/state/qqqqqqqq.md"),
	} {
		for _, r := range lintOf(Declared(), []byte(src)) {
			if len(r.Reference) > 600 {
				t.Errorf("%s: a reference of %d bytes", name, len(r.Reference))
			}
		}
	}
	var many strings.Builder
	for i := range 50_000 {
		many.WriteString(".devt/state/unknown-" + strconv.Itoa(i) + ".txt\n")
	}
	if got := len(lintOf(Declared(), []byte(many.String()))); got != 50_000 {
		t.Errorf("%d findings", got)
	}
}

func FuzzLint(f *testing.F) {
	f.Add([]byte("see .devt/state/review-<x>.md, .baton/work/qqqq.{md,json}. https://x/.devt/state/y"))
	f.Add([]byte(".devt/state/$(x)${y}$\n**.devt/state/a.md**\n.devt/state/threads/x"))
	f.Add([]byte(".devt/state/<{a|b},c>.md\xff.baton/work/{\x00}"))
	c := Declared()
	f.Fuzz(func(t *testing.T, src []byte) {
		lines := strings.Split(string(src), "\n")
		last := 0
		for _, r := range lintOf(c, src) {
			if r.Line < last || r.Line > len(lines) {
				t.Fatalf("%q: line %d behind %d", src, r.Line, last)
			}
			last = r.Line
			name := strings.TrimPrefix(strings.TrimPrefix(r.Reference, ".devt/state/"), ".baton/work/")
			if name == "" || name == r.Reference {
				t.Fatalf("%q: reference %q", src, r.Reference)
			}
			if whole := strings.ToValidUTF8(lines[r.Line-1], "\uFFFD"); len(name) < mostReference &&
				!strings.Contains(whole, strings.TrimSuffix(r.Reference, "/")) {
				t.Fatalf("%q: line %d does not hold %q", src, r.Line, r.Reference)
			}
			if c.Classify(name, false, false).Bucket != statedir.AdHoc {
				t.Fatalf("%q: %q is allowed", src, r.Reference)
			}
		}
	})
}

func BenchmarkLint(b *testing.B) {
	src := []byte(strings.Repeat("Write the result to `.devt/state/review-<slug>.md`, then read .devt/state/plan.md and "+
		"https://example.org/x.\n", 10_000))
	c := Declared()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		lintOf(c, src)
	}
}

// lintOf is Lint for a command with one text.
func lintOf(c *Contract, src []byte) []Reference {
	return c.Lint(src, NewVerdicts())
}
