package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
)

// headings lists the headings of src as "level text".
func headings(src string) []string {
	d := Parse([]byte(src))
	var out []string
	for _, h := range d.Headings() {
		out = append(out, fmt.Sprintf("%d %s", h.Level, h.Text.Of(d.Bytes())))
	}
	return out
}

// same fails if got differs from want.
func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTS1_CRLF(t *testing.T) {
	t.Parallel()
	src := "# a\r\n\r\ntext\r\n- [ ] b\r\n"
	d := Parse([]byte(src))
	same(t, []string{"1 a"}, headings(src))
	same(t, "b", string(d.TaskItems(Span{0, len(src)})[0].Text.Of(d.Bytes())))
	for pos := range len(src) + 1 {
		if eol := d.EOL(pos); eol != "\r\n" {
			t.Errorf("EOL(%d) = %q", pos, eol)
		}
	}
	same(t, "x\r\ny\r\n", string(Fold("x\ny\r\n", "\r\n")))
	same(t, "x\ny\n", string(Fold("x\ny\r\n", "\n")))
}

func TestTS2_MixedTerminators(t *testing.T) {
	t.Parallel()
	d := Parse([]byte("a\r\nb\nc\r\nd"))
	for _, tc := range []struct {
		pos  int
		want string
	}{{0, "\r\n"}, {3, "\r\n"}, {5, "\n"}, {8, "\r\n"}, {9, "\r\n"}} {
		if got := d.EOL(tc.pos); got != tc.want {
			t.Errorf("EOL(%d) = %q, want %q", tc.pos, got, tc.want)
		}
	}
	for src, want := range map[string]string{"": "\n", "a": "\n", "a\r\nb\n": "\n", "a\nb\r\nc\r\n": "\r\n", "\xef\xbb\xbfa\r\n": "\r\n"} {
		if got := Parse([]byte(src)).EOL(0); got != want {
			t.Errorf("EOL at the start of %q = %q, want %q", src, got, want)
		}
	}
}

func TestTS3_OtherSeparatorsEndNoLine(t *testing.T) {
	t.Parallel()
	for _, sep := range []string{"\r", "\u2028", "\u2029", "\u0085", "\f", "\v"} {
		src := "# a" + sep + "# b\n"
		same(t, []string{"1 a" + sep + "# b"}, headings(src))
		same(t, 1, len(Parse([]byte(src)).Lines()))
	}
}

func TestTS4_ByteOrderMark(t *testing.T) {
	t.Parallel()
	src := []byte("\xef\xbb\xbf# Task #7: t\ntext\n")
	d := Parse(src)
	same(t, true, d.BOM())
	same(t, []Heading{{1, 0, Span{3, 16}, Span{5, 15}}}, d.Headings())
	out, err := Apply(src, Edit{d.Section(0), []byte("new")})
	if err != nil || string(out) != "\xef\xbb\xbfnew" {
		t.Errorf("%q, %v", out, err)
	}
	same(t, 0, len(Parse([]byte(bom)).Lines()))
}

func TestTS5_NotUTF8(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"UTF-16 little": "\xff\xfea\x00", "UTF-16 big": "\xfe\xff\x00a", "invalid": "a\n\xc3(\n", "surrogate": "\xed\xa0\x80",
	} {
		p, bad := Unsafe([]byte(src))
		if !bad || p.Code != "not_utf8" || p.Text == "" || p.Line != 1+strings.Count(src[:1], "a") {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestTS6_NULAndSize(t *testing.T) {
	t.Parallel()
	p, bad := Unsafe([]byte("a\nb\n\x00"))
	same(t, Problem{"nul", 3, "line 3 contains a NUL byte"}, p)
	same(t, true, bad)
	big := bytes.Repeat([]byte("a\n"), report.MostBytes/2)
	if p, bad := Unsafe(big); bad {
		t.Errorf("64 MiB exactly: %+v", p)
	}
	if p, _ := Unsafe(append(big, '\n')); p.Code != "too_large" {
		t.Errorf("above 64 MiB: %+v", p)
	}
}

func TestTS7_EmptyAndBlank(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "\n", "  \n\t\n", " "} {
		d := Parse([]byte(src))
		same(t, 0, len(d.Headings())+len(d.Fields(Span{0, len(src)}))+len(d.ListItems(Span{0, len(src)})))
		same(t, 1, d.LineNumber(0))
		if _, bad := Unsafe([]byte(src)); bad {
			t.Errorf("%q is not safe", src)
		}
	}
}

func TestTS8_NoFinalNewline(t *testing.T) {
	t.Parallel()
	same(t, []string{"1 a", "2 b"}, headings("# a\n## b"))
	same(t, []string{"2 a"}, headings("a\n---"))
	src := []byte("# a\n- [ ] b")
	d := Parse(src)
	same(t, Span{4, 11}, d.Body(0))
	same(t, "b", string(d.TaskItems(d.Body(0))[0].Text.Of(src)))
	same(t, "\n", d.EOL(len(src)))
}

func TestTS9_FinalBlankLines(t *testing.T) {
	t.Parallel()
	src := "# a\n\n- b\n  c\n\n\n"
	d := Parse([]byte(src))
	same(t, len(src), d.Section(0).End)
	same(t, "- b\n  c\n", string(d.ListItems(d.Body(0))[0].Full.Of(d.Bytes())))
}

func TestTS10_FenceHidesSession(t *testing.T) {
	t.Parallel()
	src := "## 3. Progress Log\n\n```\n### Session 9\n## 4. Chain Output\n- [ ] no\n**Did:** no\n| a |\n|---|\n```\n### Session 1\n"
	d := Parse([]byte(src))
	all := Span{0, len(src)}
	same(t, []string{"2 3. Progress Log", "3 Session 1"}, headings(src))
	same(t, 0, len(d.TaskItems(all))+len(d.Fields(all))+len(d.Tables(all))+len(d.ListItems(all)))
	src = "```json\n{\"a\": 1}\n```\n"
	d = Parse([]byte(src))
	same(t, []Fence{{Open: 0, Close: 2, Info: "json", Body: Span{8, 17}}}, d.Fences())
}

func TestTS11_FenceInItemOrQuote(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		headings  []string
		fences    int
		nested    bool
	}{
		{"in an item", "- a\n  ```\n  # no\n# yes\n", []string{"1 yes"}, 1, true},
		{"on the item's own line", "- ```\n  # no\n  ```\n# yes\n", []string{"1 yes"}, 1, true},
		{"closed inside the item", "1. a\n\n   ~~~\n# yes\n", []string{"1 yes"}, 1, true},
		{"in a quote", "> ```\n> # no\n# yes\n", []string{"1 yes"}, 0, false},
		{"three blanks", "   ```\n# no\n   ```\n# yes\n", []string{"1 yes"}, 1, false},
		{"four blanks are code", "    ```\n# yes\n", []string{"1 yes"}, 0, false},
		{"closed with three blanks at most", "```\n    ```\n# no\n```\n", nil, 1, false},
		{"tab before the fence is code", "\t```\n# yes\n", []string{"1 yes"}, 0, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			same(t, tc.headings, headings(tc.src))
			f := Parse([]byte(tc.src)).Fences()
			same(t, tc.fences, len(f))
			if tc.fences > 0 {
				same(t, tc.nested, f[0].Nested)
			}
		})
	}
}

func TestTS12_FencesInFences(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		headings  []string
		open      bool
	}{
		{"tildes around backticks", "~~~\n```\n# no\n~~~\n# yes\n", []string{"1 yes"}, false},
		{"longer around shorter", "````\n```\n# no\n```\n# no\n`````\n# yes\n", []string{"1 yes"}, false},
		{"info string never closes", "```\n```go\n# no\n```\n# yes\n", []string{"1 yes"}, false},
		{"backtick in the info string", "``` a`b\n# yes\n", []string{"1 yes"}, false},
		{"tilde fence may have backticks in it", "~~~ a`b\n# no\n~~~\n", nil, false},
		{"unclosed", "# yes\n```\n# no\n", []string{"1 yes"}, true},
		{"unclosed in an item that ends", "- ```\n\ntext\n", nil, false},
		{"unclosed in an item at the end", "- ```\n  a\n", nil, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			same(t, tc.headings, headings(tc.src))
			d := Parse([]byte(tc.src))
			f, open := d.Unclosed()
			same(t, tc.open, open)
			if open && (f.Close != -1 || f.Body.End != len(tc.src)) {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestTS13_CommentsHideHeadings(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		headings  []string
		open      bool
	}{
		{"over lines", "<!-- a\n\n## no\n\n--> still\n## yes\n", []string{"2 yes"}, false},
		{"on one line", "<!-- # no -->\n# yes\n", []string{"1 yes"}, false},
		{"ends a paragraph", "text\n<!--\n# no\n-->\n# yes\n", []string{"1 yes"}, false},
		{"inside text hides nothing", "text <!--\n# yes\n-->\n", []string{"1 yes"}, false},
		{"indented by four is code", "    <!--\n# yes\n", []string{"1 yes"}, false},
		{"ends with its item", "- <!--\n# yes\n", []string{"1 yes"}, false},
		{"unclosed", "# yes\n   <!--\n# no\n", []string{"1 yes"}, true},
		{"a fence inside is no fence", "<!--\n```\n-->\n# yes\n", []string{"1 yes"}, false},
		{"inside a fence it is code", "```\n<!--\n```\n# yes\n", []string{"1 yes"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			same(t, tc.headings, headings(tc.src))
			line, open := Parse([]byte(tc.src)).UnclosedComment()
			same(t, tc.open, open)
			if open {
				same(t, 1, line)
			}
		})
	}
}

func TestTS14_Headings(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, src string
		want      []string
	}{
		{"setext", "One\n===\n\nTwo\nlines\n---\n", []string{"1 One", "2 Two\nlines"}},
		{"no blank behind the signs", "##Heading\n", nil},
		{"seven signs", "####### a\n", nil},
		{"closing signs", "## a ##\n### b #  \n# c#\n# d \\#\n## ##\n#\n", []string{"2 a", "3 b", "1 c#", "1 d \\#", "2 ", "1 "}},
		{"trailing blanks and tabs", "#\ta \t \n", []string{"1 a"}},
		{"emoji and numbers", "## 🚀 3) Log\n", []string{"2 🚀 3) Log"}},
		{"three blanks, four blanks", "   # a\n    # b\n", []string{"1 a"}},
		{"in a quote or an item", "> # a\n\n- # b\n  # c\n", nil},
		{"below an item", "- a\n # b\n", []string{"1 b"}},
		{"lazy lines are no setext heading", "- a\nb\n===\n", nil},
		{"dashes after a blank line are a rule", "a\n\n---\n", nil},
		{"dashes below a list are a rule", "- a\n---\n", nil},
		{"dashes below a field are a rule", "**Next:** a\nmore\n---\n## b\n", []string{"2 b"}},
		{"equal signs without text", "===\n", nil},
		{"inside raw HTML", "<details>\n## a\n</details>\n", []string{"2 a"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			same(t, tc.want, headings(tc.src))
		})
	}
}

func TestTS15_DuplicateHeadings(t *testing.T) {
	t.Parallel()
	src := "# t\n## Log\na\n### s\nb\n## Log\nc\n"
	d := Parse([]byte(src))
	same(t, []string{"1 t", "2 Log", "3 s", "2 Log"}, headings(src))
	var got []string
	for i := range d.Headings() {
		got = append(got, string(d.Body(i).Of(d.Bytes())))
	}
	same(t, []string{"## Log\na\n### s\nb\n## Log\nc\n", "a\n### s\nb\n", "b\n", "c\n"}, got)
	same(t, Span{4, 21}, d.Section(1))
}
