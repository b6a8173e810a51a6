package project

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/usecase/digests"
)

// The wording of the error is prescribed. Flags are checked first, so no project is needed (SF-D24).
func TestSFD24_IdAndDecisionsTogetherAreRefused(t *testing.T) {
	t.Parallel()
	_, err := newWorld(t).as("a").Digests.History(t.Context(), digests.HistoryRequest{ID: "SPEC-001", Decisions: true})
	e := wantError(t, err, report.Usage, "history_combined")
	const want = "Cannot combine [ID] with --decisions flag. Use `/sf:history --decisions` to view all archived decisions or " +
		"`/sf:history [ID]` for spec history."
	if e.Error() != want || e.Hint != "" {
		t.Errorf("%q, hint %q", e.Error(), e.Hint)
	}
}

func historyWorld(t *testing.T) *world {
	w := specflowWorld(t)
	w.write(
		".specflow/archive/SPEC-000.md",
		"# SPEC-000: First\n\n---\nid: SPEC-000\ntype: feature\ncomplexity: small\n---\n\n### Audit v1 (2026-01-01)\n\n"+
			"**Status:** APPROVED\n\n## Completion\n\n**Completed:** 2026-01-03\n",
	)
	w.write(
		".specflow/archive/spec-old.md",
		"---\nid: SPEC-OLD-1\ntype: bugfix\ncompleted: 2026-02-01\n---\n# Old one\n\n### Audit v1\n\n**Status:** NEEDS_REVISION\n\n"+
			"### Audit v2\n\n**Status:** APPROVED\n\n### Review v1\n\n**Result:** APPROVED\n",
	)
	w.write(".specflow/archive/SPEC-000.summary.md", "# not a specification\n")
	w.write(".specflow/specs/SPEC-001.md", "---\nid: SPEC-001\nstatus: running\n---\n# SPEC-001: Export\n")
	w.write(
		".specflow/DECISIONS_ARCHIVE.md",
		"# SpecFlow Decisions Archive\n\n## Archived Decisions\n\n| Date | Decision |\n|------|----------|\n"+
			"| 2025-12-30 | SPEC-001: begin small |\n| 2025-12-31 | SPEC-000: other |\n",
	)
	return w
}

func TestHistoryOfFinishedSpecifications(t *testing.T) {
	t.Parallel()
	w := historyWorld(t)
	before := w.files()
	out := must(w.as("a").Digests.History(t.Context(), digests.HistoryRequest{}))(t)
	var got []string
	for _, s := range out.Specs {
		got = append(got, s.ID+" "+s.Title+" "+s.Completed)
	}
	if diff := cmp.Diff([]string{"SPEC-OLD-1 Old one 2026-02-01", "SPEC-000 First 2026-01-03"}, got); diff != "" {
		t.Error(diff)
	}
	if tot := out.Totals; tot.Count != 2 || tot.AverageAudits != 1.5 || tot.FirstAuditShare != 0.5 || tot.FirstReviewShare != 1 ||
		tot.ByType["bugfix"] != 1 {
		t.Errorf("%+v", *out.Totals)
	}
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Errorf("history writes:\n%s", diff)
	}
	empty := must(specflowWorld(t).as("a").Digests.History(t.Context(), digests.HistoryRequest{}))(t)
	if len(empty.Specs) != 0 || empty.Totals.Count != 0 {
		t.Errorf("%+v", empty)
	}
}

// SF-46: some decisions of a specification are in the digest, and some in the archive.
func TestSF46_HistoryOfOneSpecification(t *testing.T) {
	t.Parallel()
	w := historyWorld(t)
	out := must(w.as("a").Digests.History(t.Context(), digests.HistoryRequest{ID: "spec-001"}))(t)
	if out.Spec == nil || out.Spec.ID != "SPEC-001" || out.Spec.Archived || out.Spec.Path != ".specflow/specs/SPEC-001.md" ||
		out.Spec.Fields["status"] != "running" {
		t.Fatalf("%+v", out.Spec)
	}
	var got []string
	for _, row := range out.Decisions {
		where := "digest"
		if row.Archived {
			where = "archive"
		}
		got = append(got, row.Date+" "+where)
	}
	if diff := cmp.Diff([]string{"2025-12-30 archive", "2026-01-05 digest"}, got); diff != "" {
		t.Error(diff)
	}
	byName := must(w.as("a").Digests.History(t.Context(), digests.HistoryRequest{ID: "SPEC-OLD"}))(t)
	byID := must(w.as("a").Digests.History(t.Context(), digests.HistoryRequest{ID: "spec-old-1"}))(t)
	if byName.Spec.Path != byID.Spec.Path || !byID.Spec.Archived || len(byID.Spec.Sections) != 3 {
		t.Errorf("%+v", byID.Spec)
	}
	_, err := w.as("a").Digests.History(t.Context(), digests.HistoryRequest{ID: "SPEC-00"})
	refused(t, err, report.NotFound, "spec_unknown")
}

// SF-53: archived decisions are shown even if no specification is finished.
func TestSF53_HistoryWithDecisionsIsTheArchiveOldestFirst(t *testing.T) {
	t.Parallel()
	w := specflowWorld(t)
	out := must(w.as("a").Digests.History(t.Context(), digests.HistoryRequest{Decisions: true}))(t)
	if len(out.Decisions) != 0 {
		t.Errorf("no archive, and %+v", out.Decisions)
	}
	w.write(
		".specflow/DECISIONS_ARCHIVE.md",
		"## Archived Decisions\n\n| Date | Decision |\n|---|---|\n| 2025-12-31 | later |\n| 2025-12-30 | earlier |\n",
	)
	out = must(w.as("a").Digests.History(t.Context(), digests.HistoryRequest{Decisions: true}))(t)
	if len(out.Decisions) != 2 || out.Decisions[0].Text != "earlier" || !out.Decisions[0].Archived {
		t.Errorf("oldest first: %+v", out.Decisions)
	}
}

// History and findings agree on what a specification is: not a summary, and not a folder.
func TestASummaryOrAFolderIsNoSpecification(t *testing.T) {
	t.Parallel()
	for file, missing := range map[string]bool{
		"SPEC-001.md": false, "SPEC-001.summary.md": true, "SPEC-001.md/notes.txt": true,
	} {
		w := specflowWorld(t)
		w.write(".specflow/STATE.md", strings.Replace(formADigest, "Specification:** none", "Specification:** SPEC-001", 1))
		w.write(".specflow/specs/"+file, "# SPEC-001: Export\n")
		valid := must(w.as("a").Digests.StateValidate(t.Context()))(t)
		if hasCode(valid.Findings, "active_spec_missing") != missing {
			t.Errorf("%s: %+v", file, valid.Findings)
		}
		of := must(w.as("a").Digests.History(t.Context(), digests.HistoryRequest{ID: "SPEC-001"}))(t)
		if (of.Spec.Path == "") != missing || len(of.Decisions) != 1 { // the decision is there without a file
			t.Errorf("%s: history: %+v", file, of)
		}
	}
}
