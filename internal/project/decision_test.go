package project

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/usecase/digests"
)

// TestADecisionOfAnEarlierDayMayGoToTheArchiveAtOnce checks that the answer says so, because the decision is not in the
// digest.
func TestADecisionOfAnEarlierDayMayGoToTheArchiveAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var rows strings.Builder
	for day := range 8 {
		fmt.Fprintf(&rows, "| 2026-02-%02d | SPEC-001 | decision %d |\n", 10+day, day)
	}
	notes := "\n## Notes\n\n" + strings.Repeat("- a note\n", 100)
	w.write(".specflow/STATE.md", strings.TrimSuffix(smallSpecflow, "| 2026-02-01 | SPEC-001 | first |\n")+rows.String()+notes)

	added := must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "long ago", Date: "2026-01-01"}))(t)
	if !added.Archived || !added.Decision.Archived || added.Decision.Line != 0 ||
		strings.Contains(w.read(".specflow/STATE.md"), "long ago") {
		t.Errorf("an old decision: archived %v, row %+v", added.Archived, added.Decision)
	}
	if !strings.Contains(w.read(".specflow/DECISIONS_ARCHIVE.md"), "| 2026-01-01 | SPEC-007 | long ago |") {
		t.Error("it is not in the archive")
	}
	added = must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "today"}))(t)
	if added.Archived || added.Decision.Archived || added.Decision.Line == 0 || !strings.Contains(w.read(".specflow/STATE.md"), "today") {
		t.Errorf("a new decision: archived %v, row %+v", added.Archived, added.Decision)
	}
}

// TestOfTwoEqualDecisionsTheOlderOneMoves checks that the new one stays, and that the answer does not call it archived.
func TestOfTwoEqualDecisionsTheOlderOneMoves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	same := strings.Repeat("| 2026-02-01 | SPEC-007 | once more |\n", 8)
	w.write(".specflow/STATE.md", strings.TrimSuffix(smallSpecflow, "| 2026-02-01 | SPEC-001 | first |\n")+same+"\n## Notes\n\n"+
		strings.Repeat("- a note\n", 100))
	added := must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "once more", Date: "2026-02-01"}))(t)
	if added.Rotation.Moved == 0 || added.Archived {
		t.Errorf("%d moved, archived %v", added.Rotation.Moved, added.Archived)
	}
}

// TestEmptyTextsAreRefused checks that every command refuses an empty text with the same code and writes nothing.
func TestEmptyTextsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", smallDigest)
	before := w.files()
	for _, text := range []string{"", " ", "\r\n"} {
		_, err := w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: text})
		if e := refused(t, err, report.Usage, "text_empty"); e.Op != "decision.add" {
			t.Errorf("%q: operation %q", text, e.Op)
		}
		_, err = w.as("a").Digests.AddBlocker(t.Context(), digests.BlockerRequest{Text: text})
		if e := refused(t, err, report.Usage, "text_empty"); e.Op != "blocker.add" {
			t.Errorf("%q: operation %q", text, e.Op)
		}
	}
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Error(diff)
	}
}
