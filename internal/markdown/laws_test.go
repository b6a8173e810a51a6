package markdown

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// tb is what the laws need of a test, of rapid or not.
type tb interface {
	Helper()
	Fatalf(string, ...any)
}

// parseLaws checks what holds for every document.
func parseLaws(t tb, src []byte) {
	t.Helper()
	kept := bytes.Clone(src)
	d := Parse(src)
	if !bytes.Equal(src, kept) {
		t.Fatalf("parsing changed the bytes of %q", kept)
	}
	pos := 0
	if d.BOM() {
		pos = len(bom)
	}
	for i, ln := range d.Lines() {
		if ln.Start != pos || ln.End < ln.Start || ln.Next <= ln.Start || ln.Next < ln.End {
			t.Fatalf("line %d of %q does not tile: %+v at %d", i, src, ln, pos)
		}
		if end := string(src[ln.End:ln.Next]); end != "\n" && end != "\r\n" && (end != "" || ln.Next != len(src)) {
			t.Fatalf("line %d of %q ends in %q", i, src, end)
		}
		if bytes.IndexByte(src[ln.Start:ln.End], '\n') >= 0 {
			t.Fatalf("line %d of %q holds a line end", i, src)
		}
		if d.LineAt(ln.Start) != i || d.LineAt(ln.Next-1) != i {
			t.Fatalf("line %d of %q is not found again", i, src)
		}
		pos = ln.Next
	}
	if pos != len(src) {
		t.Fatalf("lines of %q end at %d", src, pos)
	}
	structureLaws(t, d)
	if out, err := Apply(src); err != nil || !bytes.Equal(out, src) {
		t.Fatalf("no edit changed %q to %q (%v)", src, out, err)
	}
}

// structureLaws checks that everything reported lies in the document, in order, and on lines that
// may hold it.
func structureLaws(t tb, d *Document) {
	t.Helper()
	src, all := d.Bytes(), Span{0, len(d.Bytes())}
	on := func(what string, line int, classes ...Class) {
		t.Helper()
		if line < 0 || line >= len(d.Lines()) || !slices.Contains(classes, d.Lines()[line].Class) {
			t.Fatalf("%s on line %d of %q, which is %v", what, line, src, d.Lines()[line].Class)
		}
	}
	inside := func(what string, inner, outer Span) {
		t.Helper()
		if inner.Start < outer.Start || inner.End > outer.End || inner.Len() < 0 {
			t.Fatalf("%s %v leaves %v in %q", what, inner, outer, src)
		}
	}
	last := 0
	for i, h := range d.Headings() {
		on("heading", h.Line, ATX, SetextText)
		inside("heading", h.Span, Span{last, len(src)})
		inside("heading text", h.Text, h.Span)
		inside("body", d.Body(i), d.Section(i))
		last = h.Span.End
	}
	for _, f := range d.Fences() {
		on("fence", f.Open, FenceOpen)
		inside("fence body", f.Body, Span{d.Lines()[f.Open].Next, len(src)})
		if f.Close >= 0 {
			on("fence end", f.Close, FenceClose)
		}
	}
	for _, it := range d.ListItems(all) {
		on("item", it.Line, Item, FenceOpen, IndentedCode, Comment, Quote)
		inside("item", it.Full, all)
		inside("marker", it.Marker, it.Full)
		inside("item text", it.Text, it.Full)
	}
	for _, it := range d.TaskItems(all) {
		on("task", it.Line, Item)
		if src[it.Box.Start-1] != '[' || src[it.Box.End] != ']' {
			t.Fatalf("box %v of %q", it.Box, src)
		}
	}
	last = 0
	for _, f := range d.Fields(all) {
		on("field", f.Line, Text)
		inside("field", f.Span, Span{last, len(src)})
		inside("value", f.Value, Span{f.Span.End, len(src)})
		last = f.Value.End
	}
	for _, tab := range d.Tables(all) {
		on("table", tab.Header, TableHeader)
		on("table", tab.Delimiter, TableDelimiter)
		for _, r := range tab.Rows {
			on("row", r, TableRow)
			for _, c := range d.Cells(r) {
				inside("cell", c, Span{d.Lines()[r].Start, d.Lines()[r].End})
			}
		}
	}
}

// toggleLaw checks that an open box that is ticked and unticked gives the same bytes, and that
// nothing else moves.
func toggleLaw(t tb, src []byte) {
	t.Helper()
	d := Parse(src)
	for n, it := range d.TaskItems(Span{0, len(src)}) {
		if it.Checked {
			continue
		}
		ticked, err := Apply(src, Edit{it.Box, []byte("x")})
		if err != nil {
			t.Fatalf("tick: %v", err)
		}
		items := Parse(ticked).TaskItems(Span{0, len(ticked)})
		if n >= len(items) || !items[n].Checked || items[n].Box != it.Box || len(items) != len(d.TaskItems(Span{0, len(src)})) {
			t.Fatalf("ticked box %d of %q is lost in %q", n, src, ticked)
		}
		back, err := Apply(ticked, Edit{items[n].Box, []byte(" ")})
		if err != nil || !bytes.Equal(back, src) {
			t.Fatalf("ticking twice changed %q to %q (%v)", src, back, err)
		}
	}
}

// pieces are what generated documents are made of.
var pieces = []string{
	"a", "# ", "## h ##", "```", "````", "~~~", "<!--", "-->", "<p>", "---", "===", "***", "- ", "* ", "1. ", "[ ] ", "[x] ", "[ x] ",
	"> ", "| a | b |", "|---|---|", "|", "**Did:**", "__Next__:", "\t", " ", "    ", "\n", "\n", "\n", "\r\n", "\n\n", "\r", "\xff",
	"\x00", "é", "界", "\u2028", "\xef\xbb\xbf", "---\na: 1\n---\n", "<<<<<<< a\n", ">>>>>>> b\n",
}

func anyDocument(t *rapid.T) []byte {
	return []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), ""))
}

func TestLaws_Parse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := anyDocument(t)
		parseLaws(t, src)
		toggleLaw(t, src)
	})
}

func TestLaws_NothingIsStructureInHiddenText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := Parse(anyDocument(t))
		hidden := func(line int) bool {
			switch d.Lines()[line].Class {
			case FenceBody, IndentedCode, Comment, Quote, FrontMatter:
				return true
			}
			return false
		}
		all := Span{0, len(d.Bytes())}
		for _, h := range d.Headings() {
			if hidden(h.Line) {
				t.Fatalf("heading in hidden text: %q", d.Bytes())
			}
		}
		for _, it := range d.TaskItems(all) {
			if hidden(it.Line) {
				t.Fatalf("task in hidden text: %q", d.Bytes())
			}
		}
		for _, f := range d.Fields(all) {
			if hidden(f.Line) {
				t.Fatalf("field in hidden text: %q", d.Bytes())
			}
		}
	})
}

// applyLaws checks Apply against the plain meaning of one replacement after the other, from the
// end.
func applyLaws(t tb, src []byte, edits []Edit) {
	t.Helper()
	out, err := Apply(src, edits...)
	if err != nil {
		if !bytes.Equal(out, src) {
			t.Fatalf("refused edits changed %q to %q", src, out)
		}
		return
	}
	size := len(src)
	for _, e := range edits {
		size += len(e.Text) - e.Span.Len()
	}
	if len(out) != size {
		t.Fatalf("%v of %q gave %d bytes, want %d", edits, src, len(out), size)
	}
	first, last := len(src), 0
	for _, e := range edits {
		first, last = min(first, e.Span.Start), max(last, e.Span.End)
	}
	if len(edits) > 0 && (!bytes.HasPrefix(out, src[:first]) || !bytes.HasSuffix(out, src[last:])) {
		t.Fatalf("%v of %q changed bytes outside: %q", edits, src, out)
	}
	if len(edits) == 1 {
		e := edits[0]
		if want := string(src[:e.Span.Start]) + string(e.Text) + string(src[e.Span.End:]); string(out) != want {
			t.Fatalf("%v of %q gave %q", e, src, out)
		}
	}
}

func TestLaws_Apply(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := anyDocument(t)
		var edits []Edit
		for range rapid.IntRange(0, 4).Draw(t, "edits") {
			start := rapid.IntRange(-1, len(src)+1).Draw(t, "start")
			edits = append(edits, Edit{Span{start, start + rapid.IntRange(-1, 5).Draw(t, "size")}, []byte(rapid.String().Draw(t, "text"))})
		}
		applyLaws(t, src, edits)
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("# a\n\n- [ ] b\n\n```\nc\n```\n"))
	f.Add([]byte("\xef\xbb\xbf---\r\na: 1\r\n---\r\nT\r\n===\r\n1. > - x\r\n\t<!-- y\r\n"))
	f.Add([]byte("**Did:** x\n|a|\n|-|\n|b\n-\n\n- - ~~~\n    z"))
	f.Fuzz(func(t *testing.T, src []byte) {
		parseLaws(t, src)
		toggleLaw(t, src)
		Unsafe(src)
	})
}

func FuzzApply(f *testing.F) {
	f.Add([]byte("# a\n"), 0, 1, "x", 2, 2, "y")
	f.Fuzz(func(t *testing.T, src []byte, s1, e1 int, t1 string, s2, e2 int, t2 string) {
		edits := []Edit{{Span{s1, e1}, []byte(t1)}, {Span{s2, e2}, []byte(t2)}}
		applyLaws(t, src, edits[:1])
		applyLaws(t, src, edits)
		one, err1 := Apply(src, edits[0], edits[1])
		two, err2 := Apply(src, edits[1], edits[0])
		if (err1 == nil) != (err2 == nil) || s1 != s2 && !bytes.Equal(one, two) {
			t.Fatalf("the order of edits matters: %q, %q", one, two)
		}
	})
}
