package oracle

import (
	"bytes"
	"fmt"
	"sort"

	"baton/internal/markdown"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// fact describes one thing that a parser found, as text, so that differences are readable.
type fact struct {
	line int
	what string
}

func sorted(facts []fact) []string {
	sort.SliceStable(facts, func(a, b int) bool {
		if facts[a].line != facts[b].line {
			return facts[a].line < facts[b].line
		}
		return facts[a].what < facts[b].what
	})
	var out []string
	for _, f := range facts {
		out = append(out, fmt.Sprintf("%d: %s", f.line+1, f.what))
	}
	return out
}

// ours lists what package markdown finds.
func ours(src []byte) []string {
	d := markdown.Parse(src)
	all := markdown.Span{Start: 0, End: len(src)}
	var facts []fact
	add := func(line int, format string, args ...any) {
		facts = append(facts, fact{line, fmt.Sprintf(format, args...)})
	}
	for _, h := range d.Headings() {
		add(h.Line, "heading %d %q", h.Level, h.Text.Of(src))
	}
	for i, ln := range d.Lines() {
		switch {
		case ln.Depth > 0:
		case ln.Class == markdown.Rule:
			add(i, "rule")
		case ln.Class == markdown.IndentedCode:
			add(i, "code")
		}
	}
	for _, f := range d.Fences() {
		last := f.Close
		if last < 0 {
			last = d.LineAt(f.Body.End-1) + 1
			if f.Body.Len() == 0 {
				last = f.Open + 1
			}
		}
		add(f.Open, "fence %q of %d lines", f.Info, last-f.Open-1)
	}
	for _, it := range d.ListItems(all) {
		add(it.Line, "item")
	}
	for _, t := range d.TaskItems(all) {
		if !t.Variant && !setextItem(d, t.Line) {
			add(t.Line, "task %v", t.Checked)
		}
	}
	for _, t := range d.Tables(all) {
		add(t.Header, "table %d rows: %s", len(t.Rows), cells(d, t.Header, t.Cols))
		for _, r := range t.Rows {
			add(r, "row %s", cells(d, r, t.Cols))
		}
	}
	return sorted(facts)
}

// setextItem reports whether the first line of an item is a heading, because goldmark does not read boxes there.
func setextItem(d *markdown.Document, line int) bool {
	lines := d.Lines()
	for i := line + 1; i < len(lines); i++ {
		switch lines[i].Class {
		case markdown.SetextText:
		case markdown.SetextUnderline:
			return true
		default:
			return false
		}
	}
	return false
}

func cells(d *markdown.Document, line, cols int) string {
	var out []string
	for _, c := range d.Cells(line) {
		out = append(out, string(c.Of(d.Bytes())))
	}
	for len(out) < cols {
		out = append(out, "")
	}
	return fmt.Sprintf("%q", out[:cols])
}

// theirs lists what goldmark finds.
func theirs(src []byte) []string {
	d := markdown.Parse(src) // for line numbers only
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.TaskList))
	root := md.Parser().Parse(text.NewReader(src))
	var facts []fact
	add := func(pos int, format string, args ...any) {
		facts = append(facts, fact{d.LineAt(pos), fmt.Sprintf(format, args...)})
	}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Blockquote:
			return ast.WalkSkipChildren, nil
		case *ast.Heading:
			if n.Parent() == root {
				add(n.Pos(), "heading %d %q", n.Level, span(n, src))
			}
		case *ast.ThematicBreak:
			if n.Parent() == root {
				add(n.Pos(), "rule")
			}
		case *ast.CodeBlock:
			for k := range n.Lines().Len() {
				l := n.Lines().At(k)
				if n.Parent() == root && len(bytes.TrimSpace(l.Value(src))) > 0 {
					add(l.Start, "code")
				}
			}
		case *ast.FencedCodeBlock:
			info := ""
			if n.Info != nil {
				info = string(n.Info.Segment.Value(src))
			}
			add(n.Pos(), "fence %q of %d lines", info, n.Lines().Len())
		case *ast.ListItem:
			add(n.Pos(), "item")
		case *extast.TaskCheckBox:
			// goldmark also finds boxes in a heading inside an item.
			if n.Parent().Kind() != ast.KindHeading {
				add(n.Parent().Parent().Pos(), "task %v", n.IsChecked)
			}
		case *extast.Table:
			if n.Parent() == root {
				table(n, src, add)
			}
		}
		return ast.WalkContinue, nil
	})
	return sorted(facts)
}

// span returns the bytes from a heading's first text to its last.
func span(n ast.Node, src []byte) []byte {
	l := n.Lines()
	if l.Len() == 0 {
		return []byte{}
	}
	return bytes.Trim(src[l.At(0).Start:l.At(l.Len()-1).Stop], " \t\r\n")
}

func table(t *extast.Table, src []byte, add func(int, string, ...any)) {
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		var out []string
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			value := ""
			if c.Lines().Len() > 0 {
				s := c.Lines().At(0)
				value = string(s.Value(src))
			}
			out = append(out, value)
		}
		if r == t.FirstChild() {
			add(r.Pos(), "table %d rows: %q", t.ChildCount()-1, out)
		} else {
			add(r.Pos(), "row %q", out)
		}
	}
}
