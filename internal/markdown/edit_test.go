package markdown

import "testing"

func TestApply(t *testing.T) {
	t.Parallel()
	src := []byte("abcdef")
	for _, tc := range []struct {
		name  string
		edits []Edit
		want  string // "" if the edits are refused
	}{
		{"none", nil, "abcdef"},
		{"replace", []Edit{{Span{1, 3}, []byte("X")}}, "aXdef"},
		{"any order", []Edit{{Span{4, 5}, []byte("Y")}, {Span{0, 1}, nil}}, "bcdYf"},
		{"touching", []Edit{{Span{1, 3}, []byte("X")}, {Span{3, 4}, []byte("Y")}}, "aXYef"},
		{"insertions keep their order", []Edit{{Span{2, 2}, []byte("1")}, {Span{2, 2}, []byte("2")}}, "ab12cdef"},
		{"insertion before a replacement", []Edit{{Span{2, 4}, []byte("R")}, {Span{2, 2}, []byte("I")}}, "abIRef"},
		{"insertion behind a replacement", []Edit{{Span{4, 4}, []byte("I")}, {Span{2, 4}, []byte("R")}}, "abRIef"},
		{"at both ends", []Edit{{Span{6, 6}, []byte(">")}, {Span{0, 0}, []byte("<")}}, "<abcdef>"},
		{"overlap", []Edit{{Span{1, 3}, nil}, {Span{2, 4}, nil}}, ""},
		{"insertion inside a replacement", []Edit{{Span{1, 4}, nil}, {Span{2, 2}, []byte("I")}}, ""},
		{"twice the same", []Edit{{Span{1, 3}, nil}, {Span{1, 3}, nil}}, ""},
		{"behind the end", []Edit{{Span{5, 7}, nil}}, ""},
		{"before the start", []Edit{{Span{-1, 2}, nil}}, ""},
		{"backwards", []Edit{{Span{3, 2}, nil}}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := Apply(src, tc.edits...)
			if (err != nil) != (tc.want == "") {
				t.Fatalf("error %v", err)
			}
			if tc.want == "" {
				tc.want = "abcdef"
			}
			same(t, tc.want, string(got))
		})
	}
	same(t, "abcdef", string(src))
}

func TestListItems(t *testing.T) {
	t.Parallel()
	src := "- a\n  more\n  - b\n\n    c\n\n\n3) d\nlazy\n\n> - no\n\n- - e\n"
	d := Parse([]byte(src))
	type row struct {
		Line, Indent       int
		Marker, Text, Full string
	}
	var got []row
	for _, it := range d.ListItems(Span{0, len(src)}) {
		got = append(got, row{
			it.Line, it.Indent, string(it.Marker.Of(d.Bytes())), string(it.Text.Of(d.Bytes())), string(it.Full.Of(d.Bytes())),
		})
	}
	same(t, []row{
		{0, 0, "-", "a", "- a\n  more\n  - b\n\n    c\n"},
		{2, 2, "-", "b", "  - b\n\n    c\n"},
		{7, 0, "3)", "d", "3) d\nlazy\n"},
		{12, 0, "-", "- e", "- - e\n"},
		{12, 2, "-", "e", "- e\n"},
	}, got)
}

func TestLine_ClassesAndDepth(t *testing.T) {
	t.Parallel()
	src := "text\n- a\n  b\n  - c\nlazy\n\n    code\n> q\n> q2\nlazy\n<!-- c\n\n-->\n<p>\n***\nh\n---\n"
	d := Parse([]byte(src))
	type line struct {
		Class Class
		Depth uint8
	}
	var got []line
	for _, ln := range d.Lines() {
		got = append(got, line{ln.Class, ln.Depth})
	}
	// The indented line belongs to the item two lines above, because both are indented by four columns.
	same(t, []line{
		{Text, 0},
		{Item, 1},
		{Text, 1},
		{Item, 2},
		{Text, 0},
		{Blank, 2},
		{Text, 2},
		{Quote, 0},
		{Quote, 0},
		{Quote, 0},
		{Comment, 0},
		{Comment, 0},
		{Comment, 0},
		{HTML, 0},
		{Rule, 0},
		{SetextText, 0},
		{SetextUnderline, 0},
	}, got)
}
