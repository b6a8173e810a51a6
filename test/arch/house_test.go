package arch

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// lower writes the exceptions anew where the code needs fewer of them. It never raises one.
var lower = flag.Bool("lower", false, "lower the exceptions in testdata/exceptions.txt to what the code needs")

// Limits of the floor plan.
const (
	mostFiles       = 40    // source files of a package, tests not counted
	mostRoomLines   = 6_000 // lines of them
	mostCodeColumns = 120   // of a line of code; a tab counts four
	mostNoteColumns = 100   // of a line that is a comment
	mostTestColumns = 140   // of any line in a test file
	tabColumns      = 4
	exceptionsFile  = "testdata/exceptions.txt"
)

// riddles are words that explain nothing in an identifier.
var riddles = []string{
	"mend", "anew", "astray", "lapse", "settle", "carry", "ways", "beside", "born", "kin", "stretch", "heads", "shelf",
	"told", "tells", "litter", "twin",
}

// TestHouse holds the code to the limits. What is above one today is listed in testdata/exceptions.txt with its size, and may only
// shrink: `go test ./test/arch -lower` writes smaller numbers down.
func TestHouse(t *testing.T) {
	t.Parallel()
	allowed := readExceptions(t)
	needed := map[string]int{}
	for dir, files := range sources(t) {
		lines := 0
		for _, file := range files {
			lines += bytes.Count(readSource(t, file), []byte("\n"))
		}
		if len(files) > mostFiles {
			needed["files "+dir] = len(files)
		}
		if lines > mostRoomLines {
			needed["lines "+dir] = lines
		}
	}
	for _, file := range goFiles(t) {
		for kind, n := range longLines(t, file) {
			needed[kind] += n
		}
		for word, n := range riddlesIn(t, file) {
			needed["word "+word] += n
		}
	}
	for key, n := range needed {
		if n > allowed[key] {
			t.Errorf("%s: %d, at most %d", key, n, allowed[key])
		}
	}
	if *lower {
		writeExceptions(t, allowed, needed)
	}
}

// longLines counts the lines of a file that are too long, by kind.
func longLines(t *testing.T, file string) map[string]int {
	t.Helper()
	out := map[string]int{}
	for line := range strings.Lines(string(readSource(t, file))) {
		text := strings.TrimRight(line, "\n")
		columns := utf8.RuneCountInString(text) + (tabColumns-1)*strings.Count(text, "\t")
		switch {
		case strings.HasSuffix(file, "_test.go"):
			if columns > mostTestColumns {
				out["columns tests"]++
			}
		case strings.HasPrefix(strings.TrimSpace(text), "//"):
			if columns > mostNoteColumns && !strings.HasPrefix(text, "//go:") {
				out["columns comments"]++
			}
		case columns > mostCodeColumns:
			out["columns code"]++
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

// readExceptions reads lines of the form "files internal/cli 90".
func readExceptions(t *testing.T) map[string]int {
	t.Helper()
	data, err := os.ReadFile(exceptionsFile)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		n, err := strconv.Atoi(line[at+1:])
		if at < 0 || err != nil {
			t.Fatalf("%s: %q is no exception", exceptionsFile, line)
		}
		out[line[:at]] = n
	}
	return out
}

func writeExceptions(t *testing.T, allowed, needed map[string]int) {
	t.Helper()
	var lines []string
	for key, n := range allowed {
		if n = min(n, needed[key]); n > 0 {
			lines = append(lines, fmt.Sprintf("%s %d", key, n))
		}
	}
	slices.Sort(lines)
	text := "# What is above the limits of TestHouse. Numbers may only shrink: go test ./test/arch -lower\n" + strings.Join(lines, "\n") +
		"\n"
	if err := os.WriteFile(exceptionsFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
