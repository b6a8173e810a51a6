package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// link matches a Markdown link whose target is a file of the repository.
var link = regexp.MustCompile(`\]\(([^()\s:]+)\)`)

// Every link in the documentation leads to a file that exists, and to a heading of that file.
func TestLinksHaveTargets(t *testing.T) {
	t.Parallel()
	pages := markdownPages(t)
	links, headings := 0, map[string]map[string]bool{}
	for _, page := range pages {
		for _, match := range link.FindAllStringSubmatch(outsideFences(readText(t, page)), -1) {
			links++
			name, anchor, _ := strings.Cut(match[1], "#")
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(name))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", page, match[1], err)
				continue
			}
			if anchor == "" {
				continue
			}
			if headings[target] == nil {
				headings[target] = anchors(readText(t, target))
			}
			if !headings[target][anchor] {
				t.Errorf("%s links to %s, which has no such heading", page, match[1])
			}
		}
	}
	if links < 30 {
		t.Errorf("only %d links were found: the search is wrong", links)
	}
}

// markdownPages returns README, CHANGELOG and the other pages in the root, and every page below docs.
func markdownPages(t *testing.T) []string {
	t.Helper()
	pages := glob(t, "*.md")
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// glob returns the files below the root whose names match.
func glob(t *testing.T, pattern ...string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, filepath.Join(pattern...)))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func readText(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// outsideFences returns the lines of a page that are outside code blocks.
func outsideFences(page string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(page) {
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(mark) >= 3:
			fence = mark
		case fence != "" && mark == fence && strings.TrimSpace(line) == mark:
			fence = ""
		case fence == "":
			b.WriteString(line)
		}
	}
	return b.String()
}

// anchors returns the anchors of the headings of a page.
func anchors(page string) map[string]bool {
	found := map[string]bool{}
	for line := range strings.Lines(outsideFences(page)) {
		title, isHeading := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !isHeading || !strings.HasPrefix(line, "#") {
			continue
		}
		var b strings.Builder
		for _, r := range strings.ToLower(strings.TrimSpace(title)) {
			switch {
			case r == ' ':
				b.WriteByte('-')
			case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127:
				b.WriteRune(r)
			}
		}
		name := b.String()
		for n := 1; found[name]; n++ {
			name = b.String() + "-" + strconv.Itoa(n)
		}
		found[name] = true
	}
	return found
}
