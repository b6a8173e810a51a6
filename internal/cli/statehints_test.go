package cli

import (
	"strings"
	"testing"
)

// rotationSite creates a SpecFlow project, with an archive unless it is "".
func rotationSite(t *testing.T, archive string) site {
	t.Helper()
	files := map[string]string{".specflow/STATE.md": specflowDigest}
	if archive != "" {
		files[".specflow/DECISIONS_ARCHIVE.md"] = archive
	}
	return newSite(t, files)
}

// TestSortingAnArchiveSaysWhatItDid checks that with nothing to sort, the page does not say that it would sort.
func TestSortingAnArchiveSaysWhatItDid(t *testing.T) {
	t.Parallel()
	const head = "# A\n\n## Archived Decisions\n\n"
	table := func(days ...string) string {
		return head + "| Date | Decision |\n|---|---|\n| " + strings.Join(days, " | x |\n| ") + " | x |\n"
	}
	for _, c := range []struct{ name, archive, dry, real string }{
		{
			"no archive", "", "Nothing to do: there are no archived decisions yet.\n",
			"Nothing to do: there are no archived decisions yet.\n",
		},
		{
			"in order", table("2025-01-01", "2025-02-01"), "Nothing to do: .specflow/DECISIONS_ARCHIVE.md is sorted by date.\n",
			"Nothing to do: .specflow/DECISIONS_ARCHIVE.md is sorted by date.\n",
		},
		{
			"out of order", table("2025-02-01", "2025-01-01"),
			"Would sort .specflow/DECISIONS_ARCHIVE.md by date.\nTo write it: baton state rotate --sort-archive\n",
			"Sorted .specflow/DECISIONS_ARCHIVE.md by date\n",
		},
		{"bullets", head +
			"- 2025-02-01: b\n- 2025-01-01: a\n", "Nothing was sorted: the entries of ", "Nothing was sorted: the entries of "},
	} {
		s := rotationSite(t, c.archive)
		if got := s.play(t, "state", "rotate", "--sort-archive", "--dry-run"); got.code != 0 || !strings.HasPrefix(got.out, c.dry) {
			t.Errorf("%s: %+v", c.name, got)
		}
		if got := s.play(t, "state", "rotate", "--sort-archive"); got.code != 0 || !strings.HasPrefix(got.out, c.real) {
			t.Errorf("%s, applied: %+v", c.name, got)
		}
		if got := s.play(t, "state", "rotate", "--sort-archive", "--apply", "--json"); got.code != 0 ||
			!strings.Contains(got.out, `"archive_sorted": false`) {
			t.Errorf("%s, again, with the flag that it once needed: %+v", c.name, got)
		}
	}
}

const queued = "## Queue\n\n| # | ID | Title |\n|---|---|---|\n| 1 | SPEC-002 | Import |\n\n"

// TestPrintedCommandsWork runs the commands that a page proposes, word for word.
func TestPrintedCommandsWork(t *testing.T) {
	t.Parallel()
	table := strings.Replace(
		specflowDigest, "## Current Position\n\n- **Active Specification:** SPEC-001\n- **Status:** running\n- **Next Step:** go\n",
		"## Active Specifications\n\n| SPEC-ID | Status | Next Step |\n|---|---|---|\n| SPEC-001 | running | go |\n",
		1,
	)
	idle := strings.Replace(
		specflowDigest, "SPEC-001\n- **Status:** running\n- **Next Step:** go", "none\n- **Status:** idle\n- **Next Step:** -", 1,
	)
	for _, c := range []struct{ name, place, digest, line, before, command string }{
		{
			"room for one", ".specflow", specflowDigest, "state queue next", "To replace SPEC-001: ",
			"state active add SPEC-002 drafting --replace",
		},
		{"none active", ".specflow", idle, "state queue next", "To start it: ", "state active add SPEC-002 drafting"},
		{"room for several", ".specflow", table, "state queue next", "To start it: ", "state active add SPEC-002 drafting"},
		{"a migration", ".specflow", specflowDigest, "state migrate", "To write it: ", "state migrate --apply"},
		{"a phase", ".planning", gsdDigest, "state show", "Next: ", "state begin 2 --done"},
		{"a phase in the way", ".planning", gsdDigest, "state next plan-phase 3", "hint: `", "state complete 2"},
	} {
		s := newSite(t, map[string]string{c.place + "/STATE.md": strings.Replace(c.digest, "## Decisions", queued+"## Decisions", 1)})
		got := s.play(t, strings.Fields(c.line)...)
		if all := got.out + got.errors; !strings.Contains(all, c.before+"baton "+c.command+"\n") &&
			!strings.Contains(all, c.before+"baton "+c.command+"`") {
			t.Errorf("%s: %+v", c.name, got)
			continue
		}
		if got = s.play(t, strings.Fields(c.command)...); got.code != 0 {
			t.Errorf("%s: baton %s: %+v", c.name, c.command, got)
		}
		if got = s.play(t, "state", "queue", "next"); c.line == "state queue next" &&
			!strings.HasSuffix(got.out, "\nIt is already active.\n") {
			t.Errorf("%s, again, with the flag that it once needed: %+v", c.name, got)
		}
	}
}

// TestAnIdOfASpecificationIsNoNumber checks that the hint about #1 is given for tasks only.
func TestAnIdOfASpecificationIsNoNumber(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"state active add", "state active set", "state active remove", "state queue add", "state queue remove", "state queue move",
	} {
		got := play(t, canned{}, strings.Fields(line)...)
		if got.code != 2 || !strings.Contains(got.errors, "\nhint: an id is like SPEC-007; baton "+line+" --help\n") {
			t.Errorf("%s: %+v", line, got)
		}
	}
	if got := play(t, canned{}, "task", "show"); !strings.Contains(got.errors, "'#1'") {
		t.Errorf("task show: %+v", got)
	}
}

// TestHistoryPointsToTheArchiveOnlyIfThereIsOne checks the hint with and without an archive.
func TestHistoryPointsToTheArchiveOnlyIfThereIsOne(t *testing.T) {
	t.Parallel()
	if got := rotationSite(t, "").play(t, "history"); got != (outcome{0, "No finished specifications yet.\n", ""}) {
		t.Errorf("%+v", got)
	}
	got := rotationSite(t, "# A\n\n## Archived Decisions\n\n| Date | Decision |\n|---|---|\n| 2025-01-01 | x |\n").play(t, "history")
	if got != (outcome{0, "No finished specifications yet.\nArchived decisions: 1. To list them: baton decision list --archived\n", ""}) {
		t.Errorf("%+v", got)
	}
}

// TestACheckSaysOneNumber checks that page and error count the same values.
func TestACheckSaysOneNumber(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		".planning/STATE.md": "---\nstatus: planning\nprogress:\n  total_phases: 9\n  completed_phases: 0\n---\n\n# P\n\n" +
			"## Current Position\n\nPhase: 1 of 9 (One)\nStatus: Planning\n",
		".planning/ROADMAP.md": "# Roadmap\n\n## Phases\n\n- [ ] **Phase 1: One**\n- [ ] **Phase 2: Two**\n",
	})
	got := s.play(t, "state", "sync", "--check")
	page, _, found := strings.Cut(strings.TrimPrefix(got.out, "Would update "), " in ")
	if got.code != 6 || !found || !strings.Contains(got.errors, ": "+page+" would change\n") {
		t.Errorf("%+v", got)
	}
}
