package decision

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"baton/internal/markdown"
	"baton/internal/report"
)

// shapes returns the findings about tables, sections and fences.
func (sc *scan) shapes(s Settings) []report.Finding {
	var out []report.Finding
	warn := func(code report.Code, line int, text string) {
		out = append(out, code.Finding("", line, text))
	}
	sc.oversized(s, warn)
	var detached []int
	for i := range sc.items {
		if sc.items[i].detached {
			detached = append(detached, sc.items[i].line+1)
		}
	}
	if ragged := sc.ragged(); len(ragged) > 0 {
		warn(report.CodeRaggedRows, ragged[0], "decision rows with more or fewer cells than their header, in "+
			listed(ragged))
	}
	if len(detached) > 0 {
		warn(report.CodeDetachedRows, detached[0], "decision rows that are separated from their table, in "+
			listed(detached))
	}
	sc.mismatches(warn)
	if n := len(sc.regions); n > 1 {
		warn(report.CodeDuplicateSection, sc.regions[1].first, "the digest has "+strconv.Itoa(n)+
			" decision sections; they are read as one list")
	}
	for k := range sc.regions {
		if line := sc.orphan(k); line > 0 {
			warn(report.CodeBulletOrphan, line,
				"a bullet in a section whose decisions are a table does not count as a decision")
		}
	}
	if sc.hidden < len(sc.src) {
		out = append(out, report.CodeUnclosedFence.Finding("", sc.d.LineNumber(sc.hidden),
			"a code fence or comment is not closed; the text after it could be code and is not "+
				"edited").As(report.Severe))
	}
	return out
}

// oversized reports rows of any table and decision bullets that are too long for a digest.
func (sc *scan) oversized(s Settings, warn func(report.Code, int, string)) {
	cells, rows := []int{}, []int{}
	tables := columnLines{scan: sc}
	for i, ln := range sc.d.Lines() {
		size := ln.End - ln.Start
		if s.CellCap > 0 && size > s.CellCap && sc.isRow(i) {
			_, row := tables.at(i)
			for _, c := range row {
				text := markdown.UnescapeCell(string(c.Of(sc.src)))
				if len(text) > s.CellCap && utf8.RuneCountInString(text) > s.CellCap {
					cells = append(cells, i+1)
					break
				}
			}
		}
		if size > rowLimit && sc.isRow(i) {
			rows = append(rows, i+1)
		}
	}
	for i := range sc.items {
		if it := &sc.items[i]; it.bullet && it.span.Len() > rowLimit {
			rows = append(rows, it.line+1)
		}
	}
	if len(cells) > 0 {
		warn(report.CodeOversizeCell, cells[0], "cells of more than "+strconv.Itoa(s.CellCap)+" characters, in "+
			listed(cells))
	}
	if len(rows) > 0 {
		warn(report.CodeOversizeRow, rows[0], "rows of more than "+strconv.Itoa(rowLimit)+" bytes, in "+
			listed(rows))
	}
}

// isRow reports whether line i looks like a table row, in any section.
func (sc *scan) isRow(i int) bool {
	ln := sc.d.Lines()[i]
	switch ln.Class {
	case markdown.TableRow, markdown.TableHeader:
		return true
	case markdown.Text, markdown.SetextText:
		return ln.Depth == 0 && leadingPipe(sc.d.Text(i))
	}
	return false
}

// mismatches reports tables whose delimiter row and header have different numbers of cells.
func (sc *scan) mismatches(warn func(report.Code, int, string)) {
	s := rowScan{scan: sc, now: -1}
	lines := sc.d.Lines()
	for i := 0; i+1 < len(lines); i++ {
		if !sc.isRow(i) || !s.dashes(i+1) || s.dashes(i) || i > 0 && sc.isRow(i-1) {
			continue
		}
		if h, d := len(sc.d.Cells(i)), len(sc.d.Cells(i+1)); h != d {
			warn(report.CodeDelimiterMismatch, i+1, "a table has "+strconv.Itoa(h)+" header cells over "+
				strconv.Itoa(d)+
				" delimiter cells")
		}
	}
}

// orphan returns the 1-based line of the first bullet in a region whose decisions are a table, or 0
// if there is none. In a GSD digest, such a bullet is a decision.
func (sc *scan) orphan(k int) int {
	r := sc.regions[k]
	if !r.tables || sc.form == GSD || r.first >= r.last {
		return 0
	}
	lines := sc.d.Lines()
	if items := sc.d.ListItems(markdown.Span{Start: lines[r.first].Start, End: lines[r.last-1].Next}); len(items) > 0 {
		return items[0].Line + 1
	}
	return 0
}

// scar returns why the file seems to be truncated, or "": it ends inside a row, or a SpecFlow
// digest lacks Decisions, which its archive shows that it had, and another section of every digest.
// Other sections alone may never have been there, and a truncated file has lost its end.
func (sc *scan) scar(archived bool) string {
	if n := len(sc.d.Lines()); n > 0 && sc.d.Lines()[n-1].Next == sc.d.Lines()[n-1].End && sc.isRow(n-1) {
		if text := strings.TrimRight(string(sc.d.Text(n-1)), " \t"); markdown.ClosedRow(text) != text {
			return "the file ends inside a row of a table"
		}
	}
	if sc.form != Specflow || !archived || len(sc.regions) > 0 || len(sc.d.Lines()) == 0 {
		return ""
	}
	position, queue := false, false
	for _, h := range sc.d.Headings() {
		switch title := strings.ToLower(string(h.Text.Of(sc.src))); {
		case title == "current position", title == "active specification", title == "active specifications":
			position = true
		case title == "queue":
			queue = true
		}
	}
	switch {
	case !position && !queue:
		return "the sections Current Position or Active Specifications, Queue and Decisions are missing"
	case !position:
		return "the sections Current Position or Active Specifications, and Decisions are missing"
	case !queue:
		return "the sections Queue and Decisions are missing"
	}
	return ""
}
