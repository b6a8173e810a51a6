package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// edgeCases has the last number of each series of edge cases: of task files, of SpecFlow's digest, of the GSD schema,
// of the state folder, of mistakes of its original tool, and the seven promises of the size rule of digests. D13 keeps
// the lists complete: docs/dev/rules.md names the cases that only a replacement for the original could show.
var edgeCases = map[string]int{"TS-": 57, "SF-": 56, "GSD-": 77, "SD-": 60, "SD-K": 42, "AC": 7}

// decisions are those about the task relay and the digest.
var decisions = []int{
	1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 31, 32, 33, 34, 35, 36, 37, 39, 40,
}

// acceptance has the tests of digests beyond single cases (specflow.md, section 8), with the beginning of each test's
// name.
var acceptance = map[string]string{
	"every real digest and archive comes back byte for byte":       "TestSF34_Corpus",
	"a project's history as appends: each row in exactly one file": "TestReplayOfDecisions",
	"what an earlier program got wrong, row for row":               "TestSection7_DefectsOfTheOriginalRotation",
	"killed at every point of a rotation, then recovered":          "TestSF30_",
	"two writers side by side: all is there, no lock is left":      "TestNextToTheOriginalTools",
}

func TestD13_EveryEdgeCaseAndDecisionIsANamedTest(t *testing.T) {
	t.Parallel()
	names := testNames(t)
	untested := withoutTest(t)
	there := map[string]bool{}
	for _, name := range names {
		for _, number := range named("func " + name) {
			there[number] = true
		}
	}
	for series, last := range edgeCases {
		for n := 1; n <= last; n++ {
			if number := series + strconv.Itoa(n); there[number] == untested[number] {
				t.Errorf("%s: a test is named after it: %v; docs/dev/rules.md says that it has none: %v",
					number, there[number], untested[number])
			}
		}
	}
	for _, n := range decisions {
		if number := "D" + strconv.Itoa(n); !there[number] {
			t.Errorf("no test is named after %s", number)
		}
	}
	for what, begin := range acceptance {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, begin) }) {
			t.Errorf("%s: no test is named %s…", what, begin)
		}
	}
}

// withoutTest returns the edge cases that have no test, as docs/dev/rules.md names them.
func withoutTest(t *testing.T) map[string]bool {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", "dev", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(page), "replacement for the original program could show them:")
	list, _, ended := strings.Cut(list, ".\n")
	if !found || !ended {
		t.Fatal("docs/dev/rules.md does not say which cases have no test")
	}
	out := map[string]bool{}
	for number := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
		out[number] = true
	}
	return out
}

// F-86f: a test does more than skip, which only filled a list.
func TestF86f_NoTestOnlySkips(t *testing.T) {
	t.Parallel()
	onlySkips := regexp.MustCompile(`func (Test[A-Za-z0-9_]+)\(t \*testing\.T\) +\{\s*t\.(?:Skip|Skipf|SkipNow)\([^\n]*\)\s*\}`)
	eachTestFile(t, func(path, source string) {
		for _, match := range onlySkips.FindAllStringSubmatch(source, -1) {
			t.Errorf("%s: %s does nothing but skip", path, match[1])
		}
	})
}

// testNames returns the names of all tests, with the underscore or parenthesis after their numbers.
func testNames(t *testing.T) (names []string) {
	t.Helper()
	form := regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9_]+)\(t \*testing\.T\) +\{`)
	eachTestFile(t, func(_, source string) {
		for _, match := range form.FindAllStringSubmatch(source, -1) {
			names = append(names, match[1])
		}
	})
	return names
}

// eachTestFile calls fn with the path and the text of every file of tests.
func eachTestFile(t *testing.T, fn func(path, source string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fn(path, string(source))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// D32: CI runs what the README tells a new developer to run, and then two real agents and the newest GSD.
func TestD32_CIRunsWhatTheReadmeSays(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	var commands []string
	for line := range strings.Lines(read(".ci/run")) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "set ") || strings.HasPrefix(line, "cd ") {
			continue
		}
		commands = append(commands, line)
	}
	if !slices.Equal(commands, []string{"make test", "make test-agents-ci", "make originals-ci"}) {
		t.Errorf("CI runs %q", commands)
	}
	readme := read("README.md")
	for _, command := range []string{"make demo", "make demo-all", "make test"} {
		if !strings.Contains(readme, command) {
			t.Errorf("the README does not name %s", command)
		}
	}
	makefile := read("Makefile")
	for _, target := range []string{
		"check", "unit", "race-sample", "fuzz-sample", "torture-sample", "budget", "fuzz", "torture", "cross", "bench", "demo", "demo-all",
	} {
		if !strings.Contains(makefile, "\n"+target+":") {
			t.Errorf("make has no target %s", target)
		}
	}
	parts := regexp.MustCompile(`(?m)^test:.*\n\t.* tools/parts\.sh (.*)$`).FindStringSubmatch(makefile)
	if parts == nil || parts[1] != "check unit race-sample fuzz-sample torture-sample budget" {
		t.Errorf("make test runs %q: the budget comes last, after everything else", parts)
	}
}
