package create

import (
	"bytes"
	"strings"

	"baton/internal/markdown"
	"baton/internal/task"
)

// Lenient reads a text in which fences of three back-ticks are nested, as people often write them,
// the way it is meant and not the way CommonMark reads it (TS-D15). A fence line with an info
// string opens a fence; one without closes the innermost open fence. If a Markdown fence contains a
// whole task file, Lenient returns its content. Otherwise it lengthens the lines of outer fences
// that CommonMark would close too early. All other bytes stay, and a text without such fences is
// returned unchanged.
func Lenient(src []byte) []byte {
	lines := bytes.SplitAfter(src, []byte("\n"))
	blocks := nestedFences(lines)
	for _, b := range blocks {
		if b.close > 0 && b.holdsTask(lines) {
			return Lenient(bytes.Join(lines[b.open+1:b.close], nil))
		}
	}
	for _, b := range blocks {
		if b.close > 0 && b.inner >= b.run {
			lines[b.open] = longerFence(lines[b.open], b.inner+1)
			lines[b.close] = longerFence(lines[b.close], b.inner+1)
		}
	}
	return bytes.Join(lines, nil)
}

// fenced is an outermost fence in a text with nested fences.
type fenced struct {
	open, close int // line indexes; close is 0 while the fence is open
	run         int // length of its fence lines
	inner       int // length of the longest fence line inside, or 0
}

// nestedFences finds the outermost fences.
func nestedFences(lines [][]byte) []fenced {
	type mark struct {
		char byte
		run  int
	}
	var blocks []fenced
	var open []mark
	for i, line := range lines {
		char, run, info := fenceLine(line)
		if run == 0 {
			continue
		}
		if len(open) == 0 {
			open = append(open, mark{char, run})
			blocks = append(blocks, fenced{open: i, run: run})
			continue
		}
		b := &blocks[len(blocks)-1]
		if info != "" {
			open = append(open, mark{char, run})
			b.inner = max(b.inner, run)
			continue
		}
		// A closing line closes the innermost fence of the same length, or else the innermost
		// shorter one.
		at := -1
		for k, m := range open {
			if m.char == char && (m.run == run || m.run < run && (at < 0 || open[at].run != run)) {
				at = k
			}
		}
		switch {
		case at > 0:
			open = open[:at]
			b.inner = max(b.inner, run)
		case at == 0:
			open, b.close = nil, i
		}
	}
	return blocks
}

// fenceLine returns the character, the length and the info string of a fence line. The length of
// other lines is 0.
func fenceLine(line []byte) (char byte, run int, info string) {
	text := strings.TrimRight(string(line), "\r\n \t")
	rest := strings.TrimLeft(text, " ")
	if len(text)-len(rest) > 3 || len(rest) < 3 || rest[0] != '`' && rest[0] != '~' {
		return 0, 0, ""
	}
	for run < len(rest) && rest[run] == rest[0] {
		run++
	}
	info = strings.TrimSpace(rest[run:])
	if run < 3 || rest[0] == '`' && strings.ContainsRune(info, '`') {
		return 0, 0, ""
	}
	return rest[0], run, info
}

// holdsTask reports whether the fence is Markdown that begins with the title of a task.
func (b fenced) holdsTask(lines [][]byte) bool {
	_, _, info := fenceLine(lines[b.open])
	if word, _, _ := strings.Cut(strings.ToLower(info), " "); word != "markdown" && word != "md" {
		return false
	}
	for _, line := range lines[b.open+1 : b.close] {
		if text := strings.TrimSpace(string(line)); text != "" {
			name, heading := strings.CutPrefix(text, "# ")
			_, ok := task.TitleOf(strings.TrimSpace(name), task.V1C)
			return heading && (ok || strings.HasPrefix(name, "Task "))
		}
	}
	return false
}

// longerFence returns a fence line with a longer run.
func longerFence(line []byte, run int) []byte {
	text := string(line)
	start := strings.IndexAny(text, "`~")
	rest := strings.TrimLeft(text[start:], text[start:start+1])
	return []byte(text[:start] + strings.Repeat(text[start:start+1], run) + rest)
}

// NamedID finds a task's id in the text of its file: in the title, or else in the metadata.
func NamedID(src []byte) (task.ID, bool) {
	doc := markdown.Parse(src)
	for _, heading := range doc.Headings() {
		text := string(heading.Text.Of(src))
		if _, ok := task.TitleOf(text, task.V1C); !ok || heading.Level != 1 {
			continue
		}
		word := strings.TrimPrefix(strings.TrimLeft(text[4:], " \t"), "#")
		end := 0
		for end < len(word) && task.IDByte(word[end]) {
			end++
		}
		if id, err := task.ParseID(word[:end]); err == nil {
			return id, true
		}
	}
	id, err := task.ParseID(strings.TrimPrefix(task.Parse("0", src).Meta.TaskID, "#"))
	return id, err == nil
}
