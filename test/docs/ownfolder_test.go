package docs

import (
	"slices"
	"strings"
	"testing"
)

// TestF74_YourOwnFolder plays the page's example and checks that its commands find what the page says.
func TestF74_YourOwnFolder(t *testing.T) {
	t.Parallel()
	commands := consoleCommands(t, root+"/docs/your-own-folder.md")
	answers := play(t, build(t), commands)
	for command, want := range map[string]string{
		"baton dir read":                              "phase  design",
		"baton dir audit":                             "design.md.bak",
		"baton dir contract ideas.md # exit 6":        "ad_hoc",
		"baton dir validate # exit 6":                 `review.json:1: /verdict is "fine"; allowed are good, bad`,
		"baton dir update phase=checks # exit 2":      "did you mean check?",
		"baton dir cleanup --apply":                   "ideas.md",
		`baton dir begin fix "Prices without tax"`:    "review.json",
		"baton dir history":                           "A page for prices",
		"baton dir audit --check --format github":     "",
		`baton dir begin feature "A page for prices"`: "Began feature",
	} {
		at := slices.Index(commands, command)
		if at < 0 || !strings.Contains(answers[at], want) {
			t.Errorf("%s (%d): no %q in\n%s", command, at, want, answers[max(at, 0)])
		}
	}
}
