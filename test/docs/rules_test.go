package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The forms of a number. A decision and a section stand behind something that is not part of a longer word.
var (
	testName     = regexp.MustCompile(`^func Test((?:(?:TSD|TS|D)?[0-9]+_)+)`)
	namePart     = regexp.MustCompile(`(TSD|TS|D)?0*([0-9]+)_`)
	caseWord     = regexp.MustCompile(`\bTS-D?[0-9]+\b`)
	decisionWord = regexp.MustCompile(`(?:^|[^-\w%.])(D[0-9]+)\b`)
	sectionWord  = regexp.MustCompile(`(?:^|[^\d.%])(5\.[0-9]+(?:\.[0-9]+)?)\b`)
)

// The numbers in comments and names of tests are those of a list that nobody outside has: docs/rules.md explains them.
func TestRulesListsEveryNumberThatIsCited(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \| [^|]+ \|`).FindAllStringSubmatch(string(page), -1) {
		for number := range strings.SplitSeq(row[1], ", ") {
			if explained[number] && number != "Number" {
				t.Errorf("docs/rules.md explains %s twice", number)
			}
			explained[number] = true
		}
	}
	where := citations(t)
	if len(where) < edgeCases+len(decisions) {
		t.Fatalf("only %d numbers are cited: the search is wrong", len(where))
	}
	for number, file := range where {
		if !explained[number] {
			t.Errorf("%s cites %s, which docs/rules.md does not explain", file, number)
		}
	}
	for number := range explained {
		if strings.Contains(number, "D") && where[number] == "" {
			t.Errorf("docs/rules.md explains %s, which no Go file cites", number)
		}
	}
}

// Every form of a number is found, and nothing else is taken for one.
func TestRulesOfALine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"// what stands there (5.14.2, TS-46), see D7 and TS-D8":        {"5.14.2", "D7", "TS-46", "TS-D8"},
		"// 5.3 rule 5: a session ends":                                 {"5.3"},
		"func TestTS05_TS06_Unsafe(t *testing.T) {":                     {"TS-5", "TS-6"},
		"func TestTS1_2_8_LineEnds(t *testing.T) {":                     {"TS-1", "TS-2", "TS-8"},
		"func TestD13_EveryEdgeCase(t *testing.T) {":                    {"D13"},
		"func TestTSD3_Select(t *testing.T) {":                          {"TS-D3"},
		`s.say("%5.1f", 5.14) // UUID3 and 15.3 are no numbers of ours`: nil,
	} {
		if got := cited(line); !slices.Equal(got, want) {
			t.Errorf("%s\ncites %q, not %q", line, got, want)
		}
	}
}

// citations gives every number that a Go file cites, and one of the files.
func citations(t *testing.T) map[string]string {
	t.Helper()
	where := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "rules_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(source)) {
			for _, number := range cited(line) {
				where[number] = path
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return where
}

// cited gives the numbers of one line, sorted: sections in comments, the others in names of tests and in any text.
func cited(line string) []string {
	var found []string
	name := testName.FindStringSubmatch(line)
	if name != nil {
		kind := ""
		for _, part := range namePart.FindAllStringSubmatch(name[1], -1) {
			if part[1] != "" {
				kind = map[string]string{"TSD": "TS-D", "TS": "TS-", "D": "D"}[part[1]]
			}
			if kind != "" {
				found = append(found, kind+part[2])
			}
		}
	}
	found = append(found, caseWord.FindAllString(line, -1)...)
	for _, number := range decisionWord.FindAllStringSubmatch(line, -1) {
		found = append(found, number[1])
	}
	if _, comment, ok := strings.Cut(line, "//"); ok {
		for _, number := range sectionWord.FindAllStringSubmatch(comment, -1) {
			found = append(found, number[1])
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
