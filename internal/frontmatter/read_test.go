package frontmatter

import (
	"testing"

	"baton/internal/report"
	"github.com/google/go-cmp/cmp"
)

func TestParseYAML_Config(t *testing.T) {
	t.Parallel()
	src := "# limits\ntasks: {dialect: v2, warn_kb: 50}\n\nstate:\n  max_lines: 100\nratio: 2.50\neager: false\nnames: [a, \"b\", " +
		"3]\nempty:\nday: 2026-06-01\nbig: 99999999999999999999\n"
	got, err := ParseYAML([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	want := Map{
		{"tasks", 2, Map{{"dialect", 2, "v2", "v2"}, {"warn_kb", 2, int64(50), "50"}}, ""},
		{"state", 4, Map{{"max_lines", 5, int64(100), "100"}}, ""},
		{"ratio", 6, 2.5, "2.50"},
		{"eager", 7, false, "false"},
		{"names", 8, []any{"a", "b", int64(3)}, ""},
		{"empty", 9, nil, ""},
		{"day", 10, "2026-06-01", "2026-06-01"},
		{"big", 11, 99999999999999999999.0, "99999999999999999999"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if e, ok := got.At("state.max_lines"); !ok || e.Line != 5 {
		t.Errorf("At: %v %v", e, ok)
	}
	if _, ok := got.At("state.none"); ok {
		t.Error("At found a key that is not there")
	}
}

func TestParseYAML_Refusals(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		line      int
	}{
		{"broken", "a: 1\nb: c: d\n", 2},
		{"tab", "a:\n\tb: 1\n", 2},
		{"list", "- a\n", 1},
		{"scalar", "\n\nword\n", 3},
		{"twice", "a: 1\nb: 2\na: 3\n", 3},
		{"twice below", "a:\n  b: 1\n  c: 2\n  b: 3\n", 4},
		{"two documents", "a: 1\n---\nb: 1\n", 2},
		{"aliases without end", "a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n" +
			"c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\ne: [*d, *d, *d]\n", 1},
		{"alias to itself", "a: &a [*a]\n", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseYAML([]byte(tc.src))
			e := report.As(err)
			if e == nil || e.Kind != report.Corrupt || e.Code != "yaml_invalid" || e.Line != tc.line || e.Hint == "" {
				t.Errorf("got %+v, want a corrupt document, line %d", e, tc.line)
			}
		})
	}
}

func TestParseYAML_Empty(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "\n\n", "# only a comment\n", "---\n", "\xef\xbb\xbf"} {
		m, err := ParseYAML([]byte(src))
		if err != nil || len(m) != 0 {
			t.Errorf("%q: %v, %v", src, m, err)
		}
	}
}

func TestTS17_FrontMatter(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src, body string
		found           bool
	}{
		{"present", "---\ntask_id: 7\ncreated_at: 2026-01-02\n---\ntext\n", "task_id: 7\ncreated_at: 2026-01-02\n", true},
		{"behind a byte-order mark", "\xef\xbb\xbf---\na: 1\n---\n", "a: 1\n", true},
		{"CRLF", "---\r\na: 1\r\n---\r\n", "a: 1\r\n", true},
		{"blanks behind the closing rule", "---\na: 1\n--- \nx", "a: 1\n", true},
		{"doubled: only the first", "---\na: 1\n---\n---\nb: 2\n---\n", "a: 1\n", true},
		{"no newline at the end", "---\na: 1\n---", "a: 1\n", true},
		{"not closed", "---\na: 1\n", "", false},
		{"empty", "---\n---\n", "", false},
		{"not at the first byte", "\n---\na: 1\n---\n", "", false},
		{"rule with four dashes", "----\na: 1\n---\n", "", false},
		{"separator above sections", "---\n\n# Task\n\n## Notes\n\n---\n", "", false},
		{"separator directly above a section", "---\n## Notes\n\n---\n", "", false},
		{"separator above a fence", "---\ntext\n```\n---\n```\n", "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b, ok := Find([]byte(tc.src))
			if ok != tc.found || ok && string(b.Body.Of([]byte(tc.src))) != tc.body {
				t.Errorf("found %v, body %q", ok, b.Body.Of([]byte(tc.src)))
			}
		})
	}
}
