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

// edgeCases is the number of the last edge case of task files, TS-1 to TS-57. D13 keeps the list complete: a case that
// belongs to a later capability is a test that says so and skips.
const edgeCases = 57

// decisions are those that bind the task relay.
var decisions = []int{
	1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 24, 25, 26, 27, 28, 29, 31, 32, 35, 36, 40,
}

func TestD13_EveryEdgeCaseAndDecisionIsANamedTest(t *testing.T) {
	t.Parallel()
	cases, decided := numbers(t)
	for n := 1; n <= edgeCases; n++ {
		if !cases[n] {
			t.Errorf("no test is named after TS-%d", n)
		}
	}
	for _, n := range decisions {
		if !decided[n] {
			t.Errorf("no test is named after D%d", n)
		}
	}
}

// numbers reads the names of all tests: TestTS10_…, TestTS19_TS20_… and TestD7_….
func numbers(t *testing.T) (cases, decided map[int]bool) {
	t.Helper()
	cases, decided = map[int]bool{}, map[int]bool{}
	names := regexp.MustCompile(`(?m)^func Test((?:TS[0-9]+_)+|D[0-9]+_)`)
	digits := regexp.MustCompile(`[0-9]+`)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, name := range names.FindAllStringSubmatch(string(source), -1) {
			for _, word := range digits.FindAllString(name[1], -1) {
				n, err := strconv.Atoi(word)
				if err != nil {
					return err
				}
				if strings.HasPrefix(name[1], "TS") {
					cases[n] = true
				} else {
					decided[n] = true
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return cases, decided
}

// D32: CI runs what the README tells a newcomer to run, and `make test` is everything there is to ask.
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
	if len(commands) != 1 || commands[0] != "make test" {
		t.Errorf("CI runs %q", commands)
	}
	readme := read("README.md")
	for _, command := range []string{"make demo", "make test"} {
		if !strings.Contains(readme, command) {
			t.Errorf("the README does not name %s", command)
		}
	}
	makefile := read("Makefile")
	for _, target := range []string{"check", "unit", "fuzz-sample", "torture-sample", "budget", "fuzz", "torture", "cross", "bench", "demo"} {
		if !strings.Contains(makefile, "\n"+target+":") {
			t.Errorf("make has no target %s", target)
		}
	}
	parts := regexp.MustCompile(`(?m)^test:(.*?)(?:##.*)?$`).FindStringSubmatch(makefile)
	if parts == nil || strings.TrimSpace(parts[1]) != "check unit fuzz-sample torture-sample budget" {
		t.Errorf("make test runs %q: the budget comes last, after everything else", parts)
	}
}
