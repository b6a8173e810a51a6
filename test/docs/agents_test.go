package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each cell in the table of agents and features names a test, or says that it is documented only. Each test that is
// named exists.
func TestAgentsPageNamesTestsThatExist(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root, "docs", "agents.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	there := map[string]bool{}
	names := testNames(t)
	for _, name := range names {
		there[name] = true
	}
	for _, name := range regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(page, -1) {
		if !there[name[1]] {
			t.Errorf("docs/agents.md names %s, which is no test", name[1])
		}
	}
	letters := map[string]bool{"–": true}
	for _, row := range regexp.MustCompile(`(?m)^\| (\w+) \| .*$`).FindAllStringSubmatch(page, -1) {
		if strings.Contains(row[0], "`Test") {
			letters[row[1]] = true
		}
	}
	_, table, found := strings.Cut(page, "| | Claude Code |")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	if !found || len(rows) < 10 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	for _, row := range rows[2:] {
		cells := strings.Split(strings.Trim(row, "|"), "|")
		if len(cells) != 11 {
			t.Errorf("%d cells: %s", len(cells), row)
		}
		for _, cell := range cells[1:] {
			if mark, _, _ := strings.Cut(strings.TrimSpace(cell), ","); !letters[mark] {
				t.Errorf("%q is no mark: %s", mark, row)
			}
		}
	}
}
