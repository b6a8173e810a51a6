package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/usecase/digests"
)

// corpus returns the folder of real files, or skips the test.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("BATON_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no real state files in %s; BATON_CORPUS names a folder that has them", dir)
	}
	return dir
}

// TestCorpusSurvivesDecisionRotateSync runs decision add, rotate and sync on every real file. Every line that no answer
// names as changed must then be in the digest or in an archive, byte for byte.
func TestCorpusSurvivesDecisionRotateSync(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(corpus(t), "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 100 {
		t.Fatalf("only %d real files", len(files))
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.Contains(name, "DECISIONS_ARCHIVE") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			survive(t, string(data), filepath.Base(filepath.Dir(file)) == "specflow")
		})
	}
}

func survive(t *testing.T, text string, specflow bool) {
	w := newWorld(t)
	dir := ".planning"
	if specflow {
		dir = ".specflow"
	}
	w.write(dir+"/STATE.md", text)
	var changed []digests.StateField
	keep := func(c digests.StateChange, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%v (%s)", err, report.CodeOf(err))
		}
		changed = append(changed, c.Changed...)
	}
	added, err := w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "Corpus decision, added last"})
	keep(added.StateChange, err)
	if _, err := w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{}); err != nil {
		t.Fatal(err)
	}
	synced, err := w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{})
	keep(synced.StateChange, err)

	after := w.read(dir + "/STATE.md")
	for _, name := range []string{"DECISIONS_ARCHIVE.md", "STATE-ARCHIVE.md"} {
		if data, err := os.ReadFile(w.path(dir + "/" + name)); err == nil {
			after += string(data)
		}
	}
	if n := strings.Count(after, "Corpus decision, added last"); n != 1 {
		t.Errorf("the new decision stands %d times in digest and archive", n)
	}
	have := map[string]int{}
	for line := range strings.SplitAfterSeq(after, "\n") {
		have[strings.TrimSuffix(line, "\n")]++
	}
	for line := range strings.SplitAfterSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\n")
		if have[line] > 0 {
			have[line]--
			continue
		}
		if placeholder(line) || slices.ContainsFunc(changed, func(f digests.StateField) bool { return says(line, f) }) {
			continue
		}
		t.Errorf("this line is gone: %q", line)
	}
}

// says reports whether a line has the old value of a field after the field's name.
func says(line string, f digests.StateField) bool {
	line = strings.ToLower(line)
	name := strings.ToLower(lastPart(f.Field))
	return strings.Contains(line, strings.ToLower(f.Old)) &&
		(strings.Contains(line, name) || strings.Contains(line, strings.ReplaceAll(name, "_", " ")))
}

// lastPart returns the name of a field without the one above it: "percent" of "progress.percent".
func lastPart(field string) string {
	parts := strings.Split(field, ".")
	return parts[len(parts)-1]
}

// placeholder reports whether a line means "nothing yet", and is removed when something is added.
func placeholder(line string) bool {
	line = strings.ToLower(strings.Trim(line, " -*_().\t\r"))
	return line == "" || line == "none" || line == "none yet" || line == "no decisions yet" || strings.Trim(line, "|-— ") == "" ||
		strings.Contains(line, "[phase x]: [decision summary]")
}
