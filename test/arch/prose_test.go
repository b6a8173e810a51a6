package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// unplain matches words and phrases that make a sentence hard to read.
var unplain = regexp.MustCompile(
	`(?i)\b(mend(s|ed|ing)?|anew|whoever|astray|laps(e|es|ed|ing)|(tells?|told) of|stands? in|stood in)\b`)

// lists are the tests that contain these words as data.
var lists = []string{"test/arch/limits_test.go", "test/arch/prose_test.go", "test/docs/words_test.go"}

// TestProseIsPlain checks that comments, messages and documents contain none of these words. Names of JSON fields may.
func TestProseIsPlain(t *testing.T) {
	t.Parallel()
	for _, file := range goFiles(t) {
		if slices.Contains(lists, file) {
			continue
		}
		for _, text := range proseOf(t, file) {
			findUnplain(t, file, text)
		}
	}
	for _, name := range documents(t) {
		var prose strings.Builder
		for line := range strings.Lines(string(readSource(t, name))) {
			if filepath.Ext(name) == ".md" || strings.HasPrefix(strings.TrimSpace(line), "#") {
				prose.WriteString(line)
			}
		}
		findUnplain(t, name, regexp.MustCompile("`[^`\n]*`").ReplaceAllString(prose.String(), "``"))
	}
}

// findUnplain fails for each of these words in a text.
func findUnplain(t *testing.T, name, text string) {
	t.Helper()
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), `"anew":`, "")
	for _, at := range unplain.FindAllStringIndex(text, -1) {
		t.Errorf("%s has %q: …%s…", name, text[at[0]:at[1]], text[max(0, at[0]-40):min(len(text), at[1]+40)])
	}
}

// proseOf returns the comments and the string literals of a file, without struct tags and import paths.
func proseOf(t *testing.T, file string) []string {
	t.Helper()
	tree := parse(t, file, parser.ParseComments|parser.SkipObjectResolution)
	var out []string
	for _, group := range tree.Comments {
		out = append(out, group.Text())
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}

// documents returns the Markdown files, shell scripts and test scripts of the repository, and the Makefile.
func documents(t *testing.T) []string {
	t.Helper()
	return append(slices.Clone(rootFiles), filesIn(t, append([]string{"docs"}, sourceFolders...), func(name string) bool {
		return filepath.Ext(name) == ".md" && !strings.Contains(name, "testdata/") || filepath.Ext(name) == ".sh" ||
			strings.HasPrefix(name, "internal/cli/testdata/script/")
	})...)
}
