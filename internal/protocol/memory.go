package protocol

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"baton/internal/safetext"
)

// The memory tool (agents.md 11) is a folder of notes that a model reads and writes by paths below
// /memories. Models were trained on the exact words of the answers, so the answers do not change
// them.

// MemoryRoot is the path of the folder as models see it.
const MemoryRoot = "/memories"

// Limits for the memory folder.
const (
	MemoryFileSize   = 1 << 20 // bytes per file
	MemoryFiles      = 1000    // number of files
	memoryCharacters = 16000   // characters that one view returns
	memoryLines      = 999_999 // lines of a file that can be viewed
)

// MemoryFault is an answer that is an error.
type MemoryFault string

// Error returns the answer.
func (f MemoryFault) Error() string { return string(f) }

// MemoryPath returns the slash path below the folder, or "" for the folder itself. A path that
// leads outside, or that some reader might resolve to a place outside, is a MemoryFault.
func MemoryPath(path string) (string, error) {
	rest, below := strings.CutPrefix(path, MemoryRoot)
	bad := !below || rest != "" && rest[0] != '/' || strings.ContainsAny(path, "\\\x00:") || !utf8.ValidString(path) ||
		len(path) > 1024
	lower := strings.ToLower(path)
	for _, coded := range [...]string{"%2e", "%2f", "%5c", "%00", "%25"} {
		bad = bad || strings.Contains(lower, coded)
	}
	rest = strings.Trim(rest, "/")
	if rest == "" && !bad {
		return "", nil
	}
	for segment := range strings.SplitSeq(rest, "/") {
		bad = bad || segment == "" || strings.HasPrefix(segment, ".") || len(segment) > 200 ||
			strings.ContainsFunc(segment, func(r rune) bool { return r < 0x20 || r == 0x7f })
	}
	if bad {
		return "", MemoryFault("Error: The path " + shownPath(path) + " is not a plain path below " + MemoryRoot)
	}
	return rest, nil
}

// shownPath returns a path from outside in one safe line.
func shownPath(path string) string {
	return safetext.Bytes(safetext.Visible(path), 200)
}

// MemoryMissing returns the answer for a path that does not exist, worded as for view and
// str_replace.
func MemoryMissing(path string) error {
	return MemoryFault("The path " + path + " does not exist. Please provide a valid path.")
}

// MemoryEntry is one line of a listing.
type MemoryEntry struct {
	Path string // as models see it
	Size int64  // in bytes; for a folder, the sum of everything in it
}

// MemoryListing returns the listing of a folder: the folder itself, then its content, two levels
// deep.
func MemoryListing(path string, entries []MemoryEntry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Here're the files and directories up to 2 levels deep in %s, excluding hidden items "+
		"and node_modules:", path)
	for _, e := range entries {
		b.WriteString("\n" + memorySize(e.Size) + "\t" + e.Path)
	}
	return b.String()
}

// memorySize returns a size for people: 0, 512, 1.5K, 12K, 3.1M.
func memorySize(n int64) string {
	switch {
	case n < 1<<10:
		return strconv.FormatInt(n, 10)
	case n < 1<<20:
		return memoryUnit(float64(n)/(1<<10), "K")
	}
	return memoryUnit(float64(n)/(1<<20), "M")
}

func memoryUnit(v float64, unit string) string {
	if v < 10 {
		return strconv.FormatFloat(v, 'f', 1, 64) + unit
	}
	return strconv.FormatFloat(v, 'f', 0, 64) + unit
}

// MemoryFile returns a file with numbered lines. span limits it to a range of 1-based lines, in
// which -1 as the second number means the end.
func MemoryFile(path string, data []byte, span []int) (string, error) {
	lines := memorySplit(data)
	if len(lines) > memoryLines {
		return "", MemoryFault("File " + path + " exceeds maximum line limit of 999,999 lines.")
	}
	first, last := 1, len(lines)
	if len(span) > 0 {
		if len(span) != 2 || span[0] < 1 || span[0] > max(len(lines), 1) || span[1] != -1 && span[1] < span[0] {
			return "", MemoryFault(fmt.Sprintf("Error: Invalid `view_range` parameter: %v. It should be two line "+
				"numbers within [1, %d], the second one -1 for the end", span, len(lines)))
		}
		first = span[0]
		if span[1] != -1 {
			last = min(span[1], len(lines))
		}
	}
	var b strings.Builder
	b.WriteString("Here's the content of " + path + " with line numbers:")
	count := 0
	for n := first; n <= last; n++ {
		line := fmt.Sprintf("\n%6d\t%s", n, strings.ToValidUTF8(lines[n-1], "\uFFFD"))
		if count += utf8.RuneCountInString(line); count > memoryCharacters && n > first {
			fmt.Fprintf(&b, "\n… lines %d to %d are left out; view them with view_range [%d, -1]", n, last, n)
			break
		}
		b.WriteString(line)
	}
	return b.String(), nil
}

// memorySplit returns the lines without their line ends. There is no empty line after a final line
// end.
func memorySplit(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// MemoryReplace replaces a text that occurs exactly once, and returns the answer.
func MemoryReplace(path string, data []byte, old, with string) (after []byte, answer string, err error) {
	at := bytes.Index(data, []byte(old))
	if old == "" || at < 0 {
		return nil, "", MemoryFault("No replacement was performed, old_str `" + old + "` did not appear verbatim in " +
			path + ".")
	}
	if next := bytes.Index(data[at+1:], []byte(old)); next >= 0 {
		var numbers []string
		for from := 0; ; {
			i := bytes.Index(data[from:], []byte(old))
			if i < 0 {
				break
			}
			numbers = append(numbers, strconv.Itoa(1+bytes.Count(data[:from+i], []byte("\n"))))
			from += i + 1
		}
		return nil, "", MemoryFault("No replacement was performed. Multiple occurrences of old_str `" + old +
			"` in lines: " +
			strings.Join(slices.Compact(numbers), ", ") + ". Please ensure it is unique")
	}
	after = slices.Concat(data[:at], []byte(with), data[at+len(old):])
	line := 1 + bytes.Count(data[:at], []byte("\n"))
	return after, "The memory file has been edited." + memorySnippet(after, line, line+strings.Count(with, "\n")), nil
}

// memorySnippet returns the lines around an edit.
func memorySnippet(data []byte, first, last int) string {
	lines := memorySplit(data)
	var b strings.Builder
	for n := max(first-2, 1); n <= min(last+2, len(lines)) && b.Len() < 4000; n++ {
		fmt.Fprintf(&b, "\n%6d\t%s", n, strings.ToValidUTF8(lines[n-1], "\uFFFD"))
	}
	return b.String()
}

// MemoryInsert inserts a text after a line; line 0 is the start of the file.
func MemoryInsert(data []byte, line int, text string) ([]byte, error) {
	ends := []int{0}
	for i, c := range data {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	if ends[len(ends)-1] != len(data) {
		ends = append(ends, len(data))
	}
	if line < 0 || line >= len(ends) {
		return nil, MemoryFault(fmt.Sprintf("Error: Invalid `insert_line` parameter: %d. It should be within the "+
			"range of lines of the file: [0, %d]", line, len(ends)-1))
	}
	at := ends[line]
	if at > 0 && data[at-1] != '\n' {
		text = "\n" + text
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return slices.Concat(data[:at], []byte(text), data[at:]), nil
}
