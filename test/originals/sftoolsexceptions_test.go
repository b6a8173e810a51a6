//go:build originals

package originals

import (
	"regexp"
	"strconv"
	"strings"
)

// exceptions are the values that baton and sf-tools read differently on purpose.
func (s *sftools) exceptions() []exception {
	return []exception{
		{
			"resolve.options", "SF-D37", "a specification without a file has the title of its row in the queue, not its id",
			func(d difference) bool { return s.untitled(d.original) == s.untitled(d.baton) },
		},
		{
			"decisions", "F-64", "sf-tools does not know the column Specification, and puts it at the end of the text",
			func(d difference) bool { return unfolded(d.original) == unfolded(d.baton) },
		},
	}
}

// unfolded returns decisions with the specification at the beginning of the text.
func unfolded(decisions string) string {
	text, _ := strconv.Unquote(decisions)
	return inOrder(regexp.MustCompile(`(?m)^(.{10} \| )(.*) — Specification: (.*)$`).ReplaceAllString(text, "$1$3: $2"))
}

// untitled returns options without the titles of specifications that have no file.
func (s *sftools) untitled(options string) string {
	text, _ := strconv.Unquote(options)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if cells := strings.Split(line, " | "); s.read("specs/"+cells[0]+".md") == "" {
			lines[i] = cells[0] + " | " + cells[len(cells)-1]
		}
	}
	return strings.Join(lines, "\n")
}
