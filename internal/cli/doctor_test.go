package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
)

// Every finding has a project that shows it and one that does not. The finding says what to do, and is gone after its
// command or --fix, if it offers these. Nothing else writes a byte.
func TestDoctorFindsNamesAndRepairs(t *testing.T) {
	t.Parallel()
	all := append(fixtures(), systemFixtures(t)...)
	for _, tt := range all {
		t.Run(string(tt.code), func(t *testing.T) {
			t.Parallel()
			ill := func() *clinic {
				c := newClinic(t)
				tt.begin(c)
				if r := c.look(); !r.OK || len(r.Findings) > 0 {
					t.Fatalf("the healthy project: %+v", r.Findings)
				}
				tt.turn(c)
				return c
			}
			c := ill()
			before := c.files()
			r := c.look()
			f, found := coded(r, tt.code)
			if !found {
				t.Fatalf("not found; %+v", r.Findings)
			}
			if f.Severity == "" || f.Text == "" || f.Command == "" && f.Advice == "" || f.Fixable && f.Command == "" {
				t.Errorf("%+v", f)
			}
			c.look("--dry-run")
			if tt.code != "future_time" && !sameTexts(before, c.files()) {
				t.Error("looking changed files")
			}
			if f.Command != "" {
				c.paste(f.Command)
				if again, still := coded(c.look(), tt.code); still {
					t.Errorf("after %s there is still %+v", f.Command, again)
				}
			}
			c = ill()
			r = c.look("--fix")
			if _, still := coded(r, tt.code); still == f.Fixable {
				t.Errorf("fixable is %v, and after --fix: %+v", f.Fixable, r.Findings)
			}
			if f.Fixable && len(r.Fixes) == 0 {
				t.Error("it does not say what it repaired")
			}
		})
	}
}

// sameTexts compares files without their times, which the clinic itself sets.
func sameTexts(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, text := range a {
		_, was, _ := strings.Cut(text, "\n")
		_, is, _ := strings.Cut(b[name], "\n")
		if was != is {
			return false
		}
	}
	return true
}

// A dry run shows as differences exactly what a fix then writes. A digest that is too long, without decisions left to
// move, is one finding.
func TestDoctorReportsALongDigestOnce(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	oneTask(c)
	c.write(ownDigest, c.read(ownDigest)+strings.Repeat("\nmore and more\n", 60))
	c.date()
	if r := c.look(); len(r.Findings) != 1 || r.Findings[0].Code != "decisions_exhausted" ||
		!strings.Contains(r.Findings[0].Text, "lines") {
		t.Errorf("%+v", r.Findings)
	}
}

// An unreadable line of the record is one finding, although two checks report it, and each such line is named.
func TestDoctorReportsALineOfTheRecordOnce(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	governed1(c)
	name := ".devt/state/workflow.yaml"
	whole := c.read(name)
	c.write(name, whole+"nothing\nand nothing\n")
	c.date()
	r := c.look()
	if len(r.Findings) != 2 {
		t.Fatalf("%+v", r.Findings)
	}
	for i, f := range r.Findings {
		if f.Code != "line_unreadable" || f.Path != name || f.Line != strings.Count(whole, "\n")+i+1 {
			t.Errorf("%+v", f)
		}
	}
}

func TestDoctorDryRunShowsWhatAFixWrites(t *testing.T) {
	t.Parallel()
	for _, tt := range fixtures() {
		t.Run(string(tt.code), func(t *testing.T) {
			t.Parallel()
			c := newClinic(t)
			tt.begin(c)
			tt.turn(c)
			planned := c.look("--dry-run")
			was := map[string]string{}
			for _, change := range planned.Changes {
				was[change.Path] = change.Diff
			}
			before := c.files()
			fixed := c.look("--fix")
			if len(planned.Fixes) != len(fixed.Fixes) {
				t.Errorf("planned %+v, did %+v", planned.Fixes, fixed.Fixes)
			}
			for name, text := range c.files() {
				rel, _ := filepath.Rel(c.dir, name)
				rel = filepath.ToSlash(rel)
				if strings.HasPrefix(rel, ".baton/local/") {
					continue
				}
				if tt.code == "archive_order" && strings.Contains(rel, "/.archive/") {
					continue // folders are renamed, and the list of fixes says so
				}
				_, old, _ := strings.Cut(before[name], "\n")
				_, now, _ := strings.Cut(text, "\n")
				if (old != now) != (was[rel] != "") {
					t.Errorf("%s changed: %v; its difference was %q", rel, old != now, was[rel])
				}
			}
		})
	}
}

// There are no findings in a fresh project of any layout, nor in one after ordinary work.
func TestDoctorFindsNothingOnAHealthyProject(t *testing.T) {
	t.Parallel()
	work := []string{
		`task new Pier --accept "it stands" --accept "it is straight"`, `task new Rail --accept "it holds" --after 1`, "session start 1",
		`task log 1 --did "drove piles" --next "the deck"`, "task check 1 1", "task check 1 2",
		`task output 1 --summary "piles every two metres"`, "session end 1", "task complete 1", "task claim 2",
		`task log 2 --did "measured"`, "task release 2",
	}
	for _, tt := range []struct {
		name  string
		lines []string
	}{
		{"baton", []string{"init"}},
		{"specflux", []string{"init --layout specflux"}},
		{"gsd", []string{"init --layout gsd"}},
		{"specflow", []string{"init --layout specflow"}},
		{"devt", []string{"init --layout devt"}},
		{"baton with agents", []string{"init --agent claude,codex,gemini"}},
		{"work in baton", append([]string{"init"}, work...)},
		{"work in specflux", append([]string{"init --layout specflux"}, work...)},
		{"a digest of baton", []string{
			"init", `state begin 1 --name Piles --stage plan`, "state begin 1 --stage plan --done", `decision add "Tar over paint"`,
			`blocker add "no oak"`, "blocker resolve 1", "state sync",
		}},
		{"a digest of specflow", []string{"init --layout specflow", `decision add "Tar over paint" --spec SPEC-001`}},
		{"a workflow", []string{"init --layout devt", `dir begin dev "build the pier"`, "dir cleanup --apply"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newClinic(t)
			c.repository()
			c.do(tt.lines...)
			r := c.look("--strict")
			if !r.OK || r.Errors+r.Warnings+r.Notes > 0 {
				t.Errorf("%+v", r.Findings)
			}
			out, code := c.run("doctor")
			if code != 0 || out != "Nothing is wrong.\n" {
				t.Errorf("%d %q", code, out)
			}
		})
	}
}

// --fix writes everything in one commit: a digest that is too long, a task over the limit, and a claim.
func TestDoctorFixRepairsAllAtOnce(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	logged(7)(c)
	c.do("task claim 1")
	for range 9 {
		c.do(`decision add "Tar over paint"`)
	}
	c.edit(ownDigest, "last_updated:", "stopped_at: the pier: second bay\nlast_updated:")
	c.write(".baton/config.yaml", "tasks:\n  archive_kb: 1\nstate:\n  max_lines: 22\ndecisions:\n  keep: 1\n  tolerate: 1\n")
	c.now = c.now.Add(2 * time.Hour)
	r := c.look("--fix")
	for _, code := range []report.Code{"over_limit", "over_lines", "frontmatter_invalid", "claim_lapsed"} {
		if f, still := coded(r, code); still {
			t.Errorf("%+v", f)
		}
	}
	if len(r.Fixes) < 4 {
		t.Errorf("%+v", r.Fixes)
	}
	if text := c.read(ownDigest); !strings.Contains(text, "stopped_at: \"the pier: second bay\"\n") {
		t.Error(text)
	}
	if again := c.look("--fix"); len(again.Fixes) > 0 {
		t.Errorf("a second run repaired %+v", again.Fixes)
	}
}

// If one document cannot be repaired, it stays as it is and is named, and the others are repaired.
func TestDoctorFixRepairsTheOtherDocuments(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	logged(7)(c)
	for range 9 {
		c.do(`decision add "Tar over paint"`)
	}
	c.write(".baton/DECISIONS_ARCHIVE.md", "# Decisions Archive\n\n```\nnever closed\n")
	c.write(".baton/config.yaml", "tasks:\n  archive_kb: 1\nstate:\n  max_lines: 22\ndecisions:\n  keep: 1\n  tolerate: 1\n")
	before := c.read(ownDigest)
	r := c.look("--fix")
	if _, still := coded(r, "over_limit"); still {
		t.Errorf("the task was not repaired: %+v", r.Findings)
	}
	named := false
	for _, f := range r.Findings {
		named = named || strings.HasPrefix(f.Text, "it could not be repaired: ")
	}
	if !named || c.read(ownDigest) != before {
		t.Errorf("%+v", r.Findings)
	}
}

func TestDoctorCommandsKeepTheFlagsOfTheRun(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	c.now = c.now.Add(time.Minute)
	sub := &clinic{t: t, dir: c.path("my project"), now: c.now}
	if err := os.Mkdir(sub.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	archived(sub)
	sub.edit(taskFile, `"archived_sessions": 3`, `"archived_sessions": 5`)
	r := c.look("-C", "my project")
	if f, _ := coded(r, "archive_count"); f.Command != "baton task archive 1 --rebuild-summary -C 'my project'" {
		t.Errorf("%+v", r.Findings)
	}
}
