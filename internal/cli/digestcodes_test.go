package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/cli/app"
	"baton/internal/report"
)

// site is a project on the disk in which real commands run.
type site struct{ dir string }

func newSite(t *testing.T, files map[string]string) site {
	t.Helper()
	s := site{filepath.Join(t.TempDir(), "p")}
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Dir(path), filepath.Base(path), text)
	}
	return s
}

func (s site) play(t *testing.T, args ...string) outcome {
	t.Helper()
	var out, errors bytes.Buffer
	code := Main(t.Context(), report.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errors, Getenv: func(string) string { return "" },
		Dir: s.dir, Home: s.dir, Now: func() time.Time { return noon }, User: "agent-1", PID: os.Getpid(),
	}, Doors{})
	return outcome{code, out.String(), errors.String()}
}

const gsdDigest = "---\nstatus: executing\nactive_phase: \"2\"\n---\n\n# Project State\n\n## Current Position\n\n" +
	"Phase: 2 of 3 (Billing)\n" +
	"Status: Executing Phase 2\n\n## Decisions\n\n- [Phase 1]: One\n\n## Blockers\n\n- Slow keys\n- Slow tests\n"

const specflowDigest = "# SpecFlow State\n\n## Current Position\n\n- **Active Specification:** SPEC-001\n- **Status:** running\n" +
	"- **Next Step:** go\n\n" +
	"## Decisions\n\n| Date | Decision |\n|---|---|\n| 2026-01-01 | One |\n"

const markers = "# Project State\n\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n"

// failing is a command line that has to fail in a certain way.
type failing struct {
	digest, line, code string
	exit               int
}

func (c failing) check(t *testing.T, place string) {
	t.Helper()
	s := newSite(t, map[string]string{place: c.digest})
	got := s.play(t, append(strings.Fields(c.line), "--json")...)
	var object struct{ Error report.Failure }
	if err := json.Unmarshal([]byte(got.errors), &object); err != nil {
		t.Errorf("%s: %+v: %v", c.line, got, err)
		return
	}
	if got.code != c.exit || object.Error.Code != report.Code(c.code) || object.Error.Message == "" || got.out != "" {
		t.Errorf(
			"%s: exit code %d, %s %s, output %q; want %d, %s", c.line, got.code, object.Error.Kind, object.Error.Code, got.out, c.exit,
			c.code,
		)
	}
	data, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(place)))
	if err != nil || string(data) != c.digest {
		t.Errorf("%s: the digest changed: %q, %v", c.line, data, err)
	}
}

// TestGSDD11_ExitCodesInAGSDProject checks that the code of an error decides its kind, and the kind the exit code.
func TestGSDD11_ExitCodesInAGSDProject(t *testing.T) {
	t.Parallel()
	for _, c := range []failing{
		{gsdDigest, "state get nowhere", "not_found", 3},
		{gsdDigest, "state set progress.percent 90", "derived", 6},
		{gsdDigest, "state set next_action plan-phase", "phase_active", 4},
		{gsdDigest, "state begin 3", "phase_active", 4},
		{gsdDigest, "state next plan-phase 3", "phase_active", 4},
		{gsdDigest, "blocker resolve nothing-like-it", "no_match", 3},
		{gsdDigest, "decision add None", "text_empty", 2},
		{gsdDigest, "decision add x --date tomorrow", "date_invalid", 2},
		{gsdDigest, "state active list", "not_supported", 2},
		{gsdDigest, "state migrate", "not_supported", 2},
		{markers, "state set status planning", "conflict_markers", 7},
		{markers, "decision add x", "conflict_markers", 7},
		{"a\x00b\n", "decision add x", "nul", 7},
		{"a\xff\n", "decision add x", "not_utf8", 7},
	} {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			c.check(t, ".planning/STATE.md")
		})
	}
}

// TestSFD38_ExitCodesInASpecFlowProject checks the same for SpecFlow's digest.
func TestSFD38_ExitCodesInASpecFlowProject(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 501)
	for _, c := range []failing{
		{specflowDigest, "state get nowhere", "not_found", 3},
		{specflowDigest, "state active add SPEC-002", "single_active", 6},
		{specflowDigest, "decision add " + long, "cell_too_large", 6},
		{specflowDigest, "state begin 4", "not_supported", 2},
		{specflowDigest, "state milestone v2", "not_supported", 2},
		{specflowDigest, "state advance", "not_supported", 2},
		{specflowDigest, "state metric 1 1 --duration 1m", "not_supported", 2},
		{specflowDigest, "history SPEC-099", "spec_unknown", 3},
		{markers, "state active add SPEC-002", "conflict_markers", 7},
		{markers, "state rotate", "conflict_markers", 7},
	} {
		name, _, _ := strings.Cut(c.line, "xxx")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.check(t, ".specflow/STATE.md")
		})
	}
}

// TestSFD29_TheCommandsOfADigestAreThere also checks SF-D37's commands for the active list and the queue, and D22's.
func TestSFD29_TheCommandsOfADigestAreThere(t *testing.T) {
	t.Parallel()
	there := map[string]bool{}
	for _, cmd := range leaves(&app.App{}) {
		there[app.CommandName(cmd)] = true
	}
	for _, group := range []string{
		"state show get set patch sync validate rotate begin plan verify complete pause resume next milestone metric migrate",
		"state active list add set remove resolve", "state queue list add remove move next", "decision add list rotate",
		"blocker add list resolve",
	} {
		words := strings.Fields(group)
		path := words[:1]
		if words[1] == "active" || words[1] == "queue" {
			path = words[:2]
		}
		for _, name := range words[len(path):] {
			if command := strings.Join(path, " ") + " " + name; !there[command] {
				t.Errorf("baton %s is not there", command)
			}
		}
	}
	if !there["history"] || !there["session end"] {
		t.Error("history or session end is not there")
	}
}

// TestD33_EveryChangeSaysThatADigestStaysTooLarge checks that the answer to every change names the largest sections,
// with exit code 0.
func TestD33_EveryChangeSaysThatADigestStaysTooLarge(t *testing.T) {
	t.Parallel()
	large := gsdDigest + "\n## Notes\n\n" + strings.Repeat("- a note\n", 120)
	for _, line := range []string{
		"state set milestone v9", "state begin 2 --done", "state pause", "decision add x", "blocker add x", "blocker resolve 1",
		"session end --stopped-at x", "state rotate",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, map[string]string{".planning/STATE.md": large})
			got := s.play(t, strings.Fields(line)...)
			if got.code != 0 || !strings.Contains(
				got.out, "over its limits: moving decisions cannot bring it below its limits; largest sections: Notes (",
			) {
				t.Errorf("%+v", got)
			}
			if strings.Contains(got.errors, "largest sections") {
				t.Errorf("said twice: %+v", got)
			}
			got = s.play(t, "status")
			if got.code != 0 || !strings.Contains(got.out, "over its limits") || !strings.Contains(got.out, "Notes (1") {
				t.Errorf("status: %+v", got)
			}
		})
	}
}

// TestAC6_HistoryShowsAllArchivedDecisions checks that they are listed oldest first, whatever their order in the file
// (SF-53: without a finished specification).
func TestAC6_HistoryShowsAllArchivedDecisions(t *testing.T) {
	t.Parallel()
	archive := "# SpecFlow Decisions Archive\n\n## Archived Decisions\n\n| Date | Decision |\n|---|---|\n| 2025-03-01 | Third |\n" +
		"| 2025-01-01 | First |\n\n" +
		"| Date | Decision |\n|---|---|\n| 2025-02-01 | Second |\n"
	s := newSite(t, map[string]string{".specflow/STATE.md": specflowDigest, ".specflow/DECISIONS_ARCHIVE.md": archive})
	got := s.play(t, "history", "--decisions")
	want := "DATE        DECISION\n2025-01-01  First\n2025-02-01  Second\n2025-03-01  Third\n"
	if got.code != 0 || strings.ReplaceAll(got.out, "SPEC", "") != want {
		t.Errorf("%+v", got)
	}
	got = s.play(t, "history")
	if got.code != 0 || !strings.HasPrefix(got.out, "No finished specifications yet.\n") {
		t.Errorf("%+v", got)
	}
}
