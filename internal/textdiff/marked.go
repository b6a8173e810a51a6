package textdiff

import "strings"

// diffCells limits the work for a difference. Longer texts are shown as a whole, the old one before
// the new one.
const diffCells = 4 << 20

// Marked shows how a text changed, line by line: "- " for removed lines, "+ " for added ones, " "
// for the rest (D12). It returns "" for equal texts.
func Marked(old, new string) string {
	if old == new {
		return ""
	}
	a, b := strings.Split(old, "\n"), strings.Split(new, "\n")
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out strings.Builder
	write := func(mark string, lines []string) {
		for _, line := range lines {
			out.WriteString(strings.TrimRight(mark+line, " ") + "\n")
		}
	}
	write("  ", a[:head])
	middle(a[head:len(a)-tail], b[head:len(b)-tail], write)
	write("  ", a[len(a)-tail:])
	return out.String()
}

// middle writes the part in which the texts differ, using a longest common subsequence.
func middle(a, b []string, write func(string, []string)) {
	if len(a)*len(b) > diffCells {
		write("- ", a)
		write("+ ", b)
		return
	}
	// common[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			write("  ", a[i:i+1])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			write("- ", a[i:i+1])
			i++
		default:
			write("+ ", b[j:j+1])
			j++
		}
	}
}
