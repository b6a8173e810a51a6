package markdown

import (
	"slices"
	"strings"
)

// HasAll reports whether lines have all of other lines. A list in one line, such as that of the
// commits, may have more items.
func HasAll(lines, others []string) bool {
	known := make(map[string]bool, len(lines))
	var lists [][]string
	for _, line := range lines {
		known[line] = true
		if items := strings.Split(line, ", "); len(items) > 1 {
			lists = append(lists, items)
		}
	}
	return !slices.ContainsFunc(others, func(line string) bool {
		items := strings.Split(line, ", ")
		return !known[line] && !slices.ContainsFunc(lists, func(list []string) bool {
			return !slices.ContainsFunc(items, func(item string) bool { return !slices.Contains(list, item) })
		})
	})
}
