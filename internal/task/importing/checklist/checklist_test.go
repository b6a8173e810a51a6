package checklist

import (
	"os"
	"slices"
	"strings"
	"testing"

	"baton/internal/task/importing"
)

func parsed(t *testing.T, text string) *importing.List {
	t.Helper()
	list, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestParse(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/todo.md")
	if err != nil {
		t.Fatal(err)
	}
	if !Is(data) {
		t.Fatal("not a checklist")
	}
	items := parsed(t, string(data)).Items
	var titles []string
	for _, it := range items {
		titles = append(titles, it.Title+"|"+it.EpicTitle)
	}
	want := []string{
		"Set up the database|Backend", "Token service|Backend", "Prototype|Backend", "Guide|Docs",
		"Say what changed after lunch|Docs",
	}
	if !slices.Equal(titles, want) {
		t.Fatalf("%q", titles)
	}
	first := items[0]
	if first.Requirements != "Tables for users and keys." || len(first.Criteria) != 2 || first.Criteria[0].Verify != "go test ./db" {
		t.Errorf("%+v", first)
	}
	if items[2].State != importing.Done || !slices.Equal(items[3].After, []string{items[1].Key, items[2].Key}) ||
		!slices.Equal(items[4].After, []string{items[1].Key, items[3].Key}) {
		t.Errorf("%+v", items)
	}
}

// A key depends on the title only, so that a list may get another order and other headings.
func TestKeysStayTheSame(t *testing.T) {
	t.Parallel()
	keys := func(text string) []string {
		var out []string
		for _, it := range parsed(t, text).Items {
			out = append(out, it.Key)
		}
		slices.Sort(out)
		return out
	}
	a := keys("- [ ] A\n- [ ] B after #1\n- [ ] A\n")
	b := keys("## X\n\n- [ ] B\n  more\n## Y\n* [ ] A\n* [ ] A\n")
	if !slices.Equal(a, b) || len(slices.Compact(a)) != 3 {
		t.Errorf("%q and %q", a, b)
	}
}

func TestIs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"- [ ] a\n":                        true,
		"## h\n\n1. [x] a\n\n---\n":        true,
		"<!-- c -->\n- b\n  - [ ] a\n":     true,
		"- [ ] a\n  text\n\n  more\n":      true,
		"# h\n\n- [ ] a\n":                 false,
		"h\n===\n\n- [ ] a\n":              false,
		"words\n\n- [ ] a\n":               false,
		"- a\n":                            false,
		"":                                 false,
		"```\n- [ ] a\n```\n":              false,
		"---\na: b\n---\n- [ ] a\n":        false,
		"> - [ ] a\n":                      false,
		"- [ ] a\n\n| a |\n|---|\n| b |\n": false,
	} {
		if got := Is([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestBehind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"B after #1":                  "B|#1",
		"B, after #1, #2 and #X-3":    "B|#1 #2 #X-3",
		"B (after #1)":                "B|#1",
		"B (After: #1, #2)":           "B|#1 #2",
		"B (after: A (first), or so)": "B|A (first), or so",
		"B – after #1":                "B|#1",
		"B (after lunch)":             "B (after lunch)|",
		"B after lunch":               "B after lunch|",
		"B hereafter #1":              "B hereafter #1|",
		"B after #1 is done":          "B after #1 is done|",
		"B (after:)":                  "B (after:)|",
		"after #1":                    "|#1",
		"Clean up after #1 after #2":  "Clean up after #1|#2",
		"İ after #1":                  "İ|#1",
	} {
		title, after := Behind(text)
		if got := title + "|" + strings.Join(after, " "); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}
