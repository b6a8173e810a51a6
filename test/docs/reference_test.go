package docs

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The reference of the command line is one page per group, with an index of one line per command. One page explains
// exit codes, and other pages have the shapes of JSON.
func TestF91_TheReferenceIsInPages(t *testing.T) {
	t.Parallel()
	index := readText(t, filepath.Join(root, "docs", "cli", "README.md"))
	commands := map[string]int{}
	row := regexp.MustCompile("(?m)^\\| \\[`[^`]+`\\]\\(([a-z]+\\.md#[a-z-]+)\\) \\| .+ \\|$")
	for _, row := range row.FindAllStringSubmatch(index, -1) {
		commands[row[1]]++
	}
	if len(commands) < 80 {
		t.Errorf("the index has %d commands: the search is wrong", len(commands))
	}
	explained := regexp.MustCompile(`wrong usage: a flag, a value|refused by a rule: the message says which`)
	for _, name := range append(glob(t, "docs", "*.md"), append(glob(t, "docs", "cli", "*.md"), glob(t, "docs", "json", "*.md")...)...) {
		page, base := readText(t, name), filepath.Base(name)
		if base != "exit-codes.md" && explained.MatchString(page) {
			t.Errorf("%s explains exit codes, which docs/exit-codes.md does", name)
		}
		if filepath.Base(filepath.Dir(name)) != "cli" || base == "README.md" {
			continue
		}
		for _, mark := range regexp.MustCompile(`(?m)^<!-- help: (.+) -->$`).FindAllStringSubmatch(page, -1) {
			if link := base + "#" + strings.ReplaceAll(mark[1], " ", "-"); commands[link] != 1 {
				t.Errorf("the index has %s %d times", link, commands[link])
			}
		}
	}
	for _, name := range []string{"baton", "gsd", "specflow", "specflux", "devt", "glossary", "troubleshooting"} {
		if len(glob(t, "docs", name+".md")) == 0 {
			t.Errorf("docs/%s.md is missing", name)
		}
	}
	for _, name := range []string{"rules.md", "architecture.md", "dependencies.md", "adr"} {
		if len(glob(t, "docs", "dev", name)) == 0 || len(glob(t, "docs", name)) != 0 {
			t.Errorf("%s is for developers: it belongs in docs/dev", name)
		}
	}
}
