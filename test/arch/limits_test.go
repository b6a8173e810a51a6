package arch

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Limits of every package.
const (
	mostFiles        = 40    // source files of a package, tests not counted
	mostPackageLines = 6_000 // lines of them
	mostCodeColumns  = 120   // of a line of code; a tab counts four
	mostNoteColumns  = 100   // of a line that is a comment
	mostTestColumns  = 140   // of any line in a test file
	tabColumns       = 4
)

// riddles are words that explain nothing in an identifier.
var riddles = []string{
	"mend", "anew", "astray", "lapse", "settle", "carry", "ways", "beside", "born", "kin", "stretch", "heads", "shelf",
	"told", "tells", "litter", "twin",
}

// TestLimits checks the limits of the code.
func TestLimits(t *testing.T) {
	t.Parallel()
	total := 0
	for dir, files := range sources(t) {
		lines := 0
		for _, file := range files {
			lines += bytes.Count(readSource(t, file), []byte("\n"))
			if !slices.Contains(testOnly, dir) {
				total += codeLines(t, file)
			}
		}
		if len(files) > mostFiles || lines > mostPackageLines {
			t.Errorf("%s has %d files with %d lines, at most %d with %d", dir, len(files), lines, mostFiles, mostPackageLines)
		}
	}
	t.Logf("%d lines of code", total)
	for _, file := range goFiles(t) {
		for kind, numbers := range longLines(t, file) {
			t.Errorf("%s: %s are too long: %v", file, kind, numbers)
		}
		for word, n := range riddlesIn(t, file) {
			t.Errorf("%s: %d names with the word %s", file, n, word)
		}
	}
}

// codeLines counts the lines of a file with code: those that are neither blank nor only a comment.
func codeLines(t *testing.T, file string) int {
	t.Helper()
	src := readSource(t, file)
	var s scanner.Scanner
	set := token.NewFileSet()
	source := set.AddFile(file, set.Base(), len(src))
	s.Init(source, src, nil, 0)
	lines := map[int]bool{}
	for {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			return len(lines)
		}
		if kind == token.SEMICOLON && text == "\n" {
			continue
		}
		for n := range 1 + strings.Count(text, "\n") {
			lines[source.Line(pos)+n] = true
		}
	}
}

// longLines returns the numbers of the lines of a file that are too long, by kind.
func longLines(t *testing.T, file string) map[string][]int {
	t.Helper()
	out := map[string][]int{}
	number := 0
	for line := range strings.Lines(string(readSource(t, file))) {
		number++
		text := strings.TrimRight(line, "\n")
		columns := utf8.RuneCountInString(text) + (tabColumns-1)*strings.Count(text, "\t")
		switch {
		case strings.HasSuffix(file, "_test.go"):
			if columns > mostTestColumns {
				out["lines"] = append(out["lines"], number)
			}
		case strings.HasPrefix(strings.TrimSpace(text), "//"):
			if columns > mostNoteColumns && !strings.HasPrefix(text, "//go:") {
				out["comments"] = append(out["comments"], number)
			}
		case columns > mostCodeColumns:
			out["lines of code"] = append(out["lines of code"], number)
		}
	}
	return out
}

// riddlesIn counts the identifiers that a file declares with a riddle as a whole word.
func riddlesIn(t *testing.T, file string) map[string]int {
	t.Helper()
	out := map[string]int{}
	count := func(ids ...*ast.Ident) {
		for _, id := range ids {
			for _, word := range words(id.Name) {
				if slices.Contains(riddles, word) {
					out[word]++
				}
			}
		}
	}
	ast.Inspect(parse(t, file, parser.SkipObjectResolution), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			count(n.Name)
		case *ast.TypeSpec:
			count(n.Name)
		case *ast.ValueSpec:
			count(n.Names...)
		case *ast.Field:
			count(n.Names...)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, left := range n.Lhs {
					if id, ok := left.(*ast.Ident); ok {
						count(id)
					}
				}
			}
		}
		return true
	})
	return out
}

// words splits an identifier at its capitals and underscores: lostRestore is lost, restore.
func words(name string) []string {
	var out []string
	for part := range strings.SplitSeq(name, "_") {
		start := 0
		runes := []rune(part)
		for i := 1; i <= len(runes); i++ {
			if i == len(runes) || unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1]) {
				out = append(out, strings.ToLower(string(runes[start:i])))
				start = i
			}
		}
	}
	return out
}

func TestWordsOfAnIdentifier(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"toldLosses": {"told", "losses"}, "kin": {"kin"}, "TestD9_Settle": {"test", "d9", "settle"}, "HTTPServer": {"httpserver"},
	} {
		if got := words(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func readSource(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
