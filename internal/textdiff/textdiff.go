// Package textdiff shows how a text changes, as a unified diff.
package textdiff

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// diffAround is the number of unchanged lines that a diff shows around a change.
const diffAround = 3

// mostDiffSteps limits the search for a short diff. Beyond it, the changed part is shown as
// replaced.
const mostDiffSteps = 400

// diffLine is one line of a diff: ' ', '-' or '+'.
type diffLine struct {
	mark byte
	text string
}

// Unified returns the change of a file as a unified diff, which `git apply` and `patch` accept. If
// the file has NUL bytes, it returns only the names.
func Unified(name string, before, after []byte, existed, exists bool) string {
	var b strings.Builder
	from, to := "a/"+name, "b/"+name
	if !existed {
		from = "/dev/null"
	}
	if !exists {
		to = "/dev/null"
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", from, to)
	if bytes.IndexByte(before, 0) >= 0 || bytes.IndexByte(after, 0) >= 0 {
		return b.String() + "(not a text)\n"
	}
	lines := diffLines(splitLines(string(before)), splitLines(string(after)))
	for at := 0; at < len(lines); {
		if lines[at].mark == ' ' {
			at++
			continue
		}
		first := max(0, at-diffAround)
		last, same := at, 0
		for end := at; end < len(lines) && same <= 2*diffAround; end++ {
			if same++; lines[end].mark != ' ' {
				last, same = end, 0
			}
		}
		end := min(len(lines), last+1+diffAround)
		writeHunk(&b, lines, first, end)
		at = end
	}
	return b.String()
}

func writeHunk(b *strings.Builder, lines []diffLine, first, end int) {
	old, fresh := 0, 0
	for _, l := range lines[:first] {
		if l.mark != '+' {
			old++
		}
		if l.mark != '-' {
			fresh++
		}
	}
	olds, news := 0, 0
	for _, l := range lines[first:end] {
		if l.mark != '+' {
			olds++
		}
		if l.mark != '-' {
			news++
		}
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", hunkRange(old, olds), hunkRange(fresh, news))
	for _, l := range lines[first:end] {
		b.WriteByte(l.mark)
		b.WriteString(strings.TrimSuffix(l.text, "\n") + "\n")
		if !strings.HasSuffix(l.text, "\n") {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
}

// hunkRange returns the first line and the number of lines of a hunk. If there are none, it returns
// the line before the hunk.
func hunkRange(before, count int) string {
	if count > 0 {
		before++
	}
	return fmt.Sprintf("%d,%d", before, count)
}

func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// diffLines finds a short edit script from one list of lines to another. It uses Myers' greedy
// search, which remembers the furthest point of every diagonal at each step.
func diffLines(a, b []string) []diffLine {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []diffLine
	mark := func(lines []string, m byte) {
		for _, text := range lines {
			out = append(out, diffLine{m, text})
		}
	}
	mark(a[:head], ' ')
	out = append(out, diffMiddle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	mark(a[len(a)-tail:], ' ')
	return out
}

func diffMiddle(a, b []string) []diffLine {
	most := min(len(a)+len(b), mostDiffSteps)
	reach := map[int]int{1: 0}
	var trail []map[int]int
	for d := 0; d <= most; d++ {
		trail = append(trail, maps.Clone(reach))
		for k := -d; k <= d; k += 2 {
			x := reach[k-1] + 1
			if k == -d || k != d && reach[k-1] < reach[k+1] {
				x = reach[k+1]
			}
			for x < len(a) && x-k < len(b) && x-k >= 0 && a[x] == b[x-k] {
				x++
			}
			if reach[k] = x; x >= len(a) && x-k >= len(b) {
				return backtrack(a, b, trail)
			}
		}
	}
	var out []diffLine
	for _, text := range a {
		out = append(out, diffLine{'-', text})
	}
	for _, text := range b {
		out = append(out, diffLine{'+', text})
	}
	return out
}

// backtrack goes back from the end to the start along the points that the search remembered.
func backtrack(a, b []string, trail []map[int]int) []diffLine {
	var out []diffLine
	x, y := len(a), len(b)
	for d := len(trail) - 1; d >= 0; d-- {
		reach, k := trail[d], x-y
		previous := k - 1
		if k == -d || k != d && reach[k-1] < reach[k+1] {
			previous = k + 1
		}
		fromX := reach[previous]
		fromY := fromX - previous
		for x > fromX && y > fromY && x > 0 && y > 0 {
			x, y = x-1, y-1
			out = append(out, diffLine{' ', a[x]})
		}
		switch {
		case d == 0:
		case x == fromX:
			y--
			out = append(out, diffLine{'+', b[y]})
		default:
			x--
			out = append(out, diffLine{'-', a[x]})
		}
	}
	slices.Reverse(out)
	return out
}
