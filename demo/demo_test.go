package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"

	"baton/test/programs"
)

var (
	update  = flag.Bool("update", false, "rewrite testdata/transcript.txt")
	program = flag.String("baton", "", "the program to show (default: it is built)")
)

func TestMain(m *testing.M) {
	if os.Getenv(agentVariable) != "" {
		os.Exit(serveAgent(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

const (
	transcript = "testdata/transcript.txt"
	mostShown  = 120 // lines
)

// TestF94a_TheDemoIsShortAndLeavesNothingBehind runs the short demo and compares its output with
// testdata/transcript.txt; go test ./demo -update rewrites this file.
func TestF94a_TheDemoIsShortAndLeavesNothingBehind(t *testing.T) {
	baton := built(t)
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	var out bytes.Buffer
	if err := run(baton, "", false, false, &out); err != nil {
		t.Fatalf("%v, after:\n%s", err, out.String())
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("the demo left %v behind, %v", left, err)
	}
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if len(lines) > mostShown {
		t.Errorf("the demo prints %d lines, at most %d are wanted", len(lines), mostShown)
	}
	for _, line := range lines {
		if width := displaywidth.String(line); width > shortColumns {
			t.Errorf("%d columns: %s", width, line)
		}
	}
	if !seesProcesses {
		t.Skip("the transcript is compared on Linux only, where baton can tell that an agent was killed")
	}
	got := normal(out.String())
	if *update {
		if err := os.WriteFile(transcript, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(transcript)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", transcript, diff)
	}
}

// TestDemoAllPlays runs every part of the long demo, which fails if an answer is not as expected.
func TestDemoAllPlays(t *testing.T) {
	baton := built(t)
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	var out bytes.Buffer
	if err := run(baton, "", true, false, &out); err != nil {
		t.Fatalf("%v, after:\n%s", err, out.String())
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("the demo left %v behind, %v", left, err)
	}
}

// built returns the path of the program. It builds the program unless one was given.
func built(t *testing.T) string {
	t.Helper()
	if *program != "" {
		path, err := filepath.Abs(*program)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	path, err := programs.Make(t.TempDir(), "baton")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// normal replaces text that differs in every run with letters of the same length.
func normal(text string) string {
	// Late in the evening, a claim ends on the next day, which the page then names.
	text = regexp.MustCompile(`until \d{4}-\d\d-\d\d `).ReplaceAllString(text, "until ")
	for pattern, with := range map[string]string{
		`\b\d{4}-\d\d-\d\d\b`: "YYYY-MM-DD",
		`\b\d\d:\d\d\b`:       "HH:MM",
		`\b\d+\.\d s\b`:       "N.N s",
		`\b[0-9a-f]{12}\b`:    "HASHHASHHASH",
		`\b[0-9a-f]{7}\b`:     "HASHASH",
	} {
		text = regexp.MustCompile(pattern).ReplaceAllString(text, with)
	}
	return text
}
