package project

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"baton/internal/digest"
	"baton/internal/usecase/digests"
)

// The seven promises of the size rule for digests (specflow.md 3.1), each shown through the use cases.

// bigDigest returns a SpecFlow digest of exactly so many lines, with rows of decisions on consecutive days.
func bigDigest(t testing.TB, lines, rows int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(
		"# SpecFlow State\n\n## Active Specifications\n\n| SPEC-ID | Status | Next Step |\n|---|---|---|\n" +
			"| SPEC-001 | running | (in progress) |\n\n",
	)
	b.WriteString(
		"## Queue\n\n| # | ID | Title | Priority | Status |\n|---|---|---|---|---|\n| 1 | SPEC-002 | Next one | high | draft |\n\n",
	)
	b.WriteString("## Decisions\n\n| Date | Specification | Decision |\n|------|---------------|----------|\n")
	for n := 1; n <= rows; n++ {
		fmt.Fprintf(&b, "| 2026-01-%02d | SPEC-001 | choice %03d |\n", (n-1)%28+1, n)
		if n%28 == 0 {
			t.Fatalf("%d rows do not fit into one month", rows)
		}
	}
	b.WriteString("\n## Notes\n\n")
	for n := 1; digest.SizeOf([]byte(b.String())).Lines < lines; n++ {
		fmt.Fprintf(&b, "note %d\n", n)
	}
	text := b.String()
	if got := digest.SizeOf([]byte(text)).Lines; got != lines {
		t.Fatalf("the digest has %d lines, not %d", got, lines)
	}
	return text
}

// choicesIn returns the numbers of bigDigest's decisions that a text has, in the order of the text.
func choicesIn(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if _, number, ok := strings.Cut(line, "choice "); ok && len(number) >= 3 {
			out = append(out, number[:3])
		}
	}
	return out
}

func newSpecflow(t testing.TB, lines, rows int) *world {
	w := newWorld(t)
	w.write(".specflow/STATE.md", bigDigest(t, lines, rows))
	return w
}

const (
	specState   = ".specflow/STATE.md"
	specArchive = ".specflow/DECISIONS_ARCHIVE.md"
)

func TestAC1_EveryChangeChecksTheSize(t *testing.T) {
	t.Parallel()
	changes := map[string]func(*testing.T, *Project) (digests.StateChange, error){
		"decision add": func(t *testing.T, p *Project) (digests.StateChange, error) {
			out, err := p.Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "one more"})
			return out.StateChange, err
		},
		"state set": func(t *testing.T, p *Project) (digests.StateChange, error) {
			return p.Digests.StateSet(t.Context(), digests.StateSetRequest{Values: []digests.NameValue{{Name: "status", Value: "review"}}})
		},
		"state active set": func(t *testing.T, p *Project) (digests.StateChange, error) {
			return p.Digests.ActiveChange(t.Context(), digests.ActiveRequest{Verb: "set", ID: "SPEC-001", Status: "done"})
		},
		"state active add": func(t *testing.T, p *Project) (digests.StateChange, error) {
			return p.Digests.ActiveChange(
				t.Context(),
				digests.ActiveRequest{Verb: "add", ID: "SPEC-009", Status: "drafting", Next: "/sf:audit"},
			)
		},
		"state queue add": func(t *testing.T, p *Project) (digests.StateChange, error) {
			return p.Digests.QueueChange(t.Context(), digests.QueueRequest{Verb: "add", ID: "SPEC-009", Title: "Third"})
		},
		"state pause": func(t *testing.T, p *Project) (digests.StateChange, error) {
			out, err := p.Digests.Transition(t.Context(), digests.TransitionRequest{Event: "pause"})
			return out.StateChange, err
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newSpecflow(t, 104, 20)
			out := must(change(t, w.as("a")))(t)
			if !out.Rotation.Rotated || out.Rotation.OverLimit {
				t.Errorf("rotation: %+v", out.Rotation)
			}
			if n := digest.SizeOf([]byte(w.read(specState))).Lines; n > 100 || n != out.Rotation.After.Lines {
				t.Errorf("the digest has %d lines; the answer says %d", n, out.Rotation.After.Lines)
			}
		})
	}
}

func TestAC2_TheOldestMoveAboveTheLimit(t *testing.T) {
	t.Parallel()
	w := newSpecflow(t, 101, 9)
	must(w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{}))(t)
	if got := choicesIn(w.read(specArchive)); !slices.Equal(got, []string{"001", "002", "003", "004"}) {
		t.Errorf("the archive has %q", got)
	}
	w = newSpecflow(t, 100, 9)
	before := w.tracked()
	if out := must(w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{}))(t); out.Rotation.Rotated {
		t.Error("exactly at the limit something moved")
	}
	if got := w.tracked(); len(got) != len(before) || got[specState] != before[specState] {
		t.Error("exactly at the limit a file changed")
	}
}

func TestAC3_FiveToSevenStay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lines, rows, want int }{
		{101, 5, 5}, {101, 6, 5}, {101, 7, 6}, {102, 7, 5}, {103, 7, 5}, {101, 8, 5}, {120, 27, 5},
	} {
		t.Run(fmt.Sprintf("%d lines %d rows", c.lines, c.rows), func(t *testing.T) {
			t.Parallel()
			w := newSpecflow(t, c.lines, c.rows)
			must(w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{}))(t)
			var newest []string
			for n := c.rows - c.want + 1; n <= c.rows; n++ {
				newest = append(newest, fmt.Sprintf("%03d", n))
			}
			if got := choicesIn(w.read(specState)); !slices.Equal(got, newest) {
				t.Errorf("in the digest: %q, not %q", got, newest)
			}
		})
	}
}

func TestAC4_TheFirstRotationMakesTheArchive(t *testing.T) {
	t.Parallel()
	w := newSpecflow(t, 104, 20)
	must(w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{}))(t)
	archive := w.read(specArchive)
	for _, line := range []string{"# SpecFlow Decisions Archive\n", "\n## Archived Decisions\n", "| Date | Specification | Decision |\n"} {
		if strings.Count(archive, line) != 1 {
			t.Errorf("the archive does not have %q once:\n%s", line, archive)
		}
	}
	if got := len(choicesIn(archive)); got != 15 {
		t.Errorf("%d rows in the archive", got)
	}
}

func TestAC5_TheArchiveRunsOldestFirst(t *testing.T) {
	t.Parallel()
	w := newSpecflow(t, 104, 20)
	for n := 21; n <= 60; n++ {
		must(
			w.as(
				"a",
			).Digests.AddDecision(
				t.Context(),
				digests.DecisionRequest{Text: fmt.Sprintf("choice %03d", n), Date: fmt.Sprintf("2026-02-%02d", (n-21)/2+1)},
			),
		)(
			t,
		)
	}
	w.write(specState, strings.Replace(bigDigest(t, 110, 9), "choice", "choice late", -1))
	must(w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{}))(t)
	var days []string
	for line := range strings.Lines(w.read(specArchive)) {
		if strings.HasPrefix(line, "| 2026-") {
			days = append(days, line[2:12])
		}
	}
	if len(days) < 15 || !slices.IsSorted(days) {
		t.Errorf("the days of the archive: %q", days)
	}
}

func TestAC6_HistoryShowsAllArchivedDecisions(t *testing.T) {
	t.Parallel()
	w := newSpecflow(t, 104, 20)
	must(w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{}))(t)
	out := must(w.as("a").Digests.Decisions(t.Context(), digests.DecisionListRequest{Archived: true}))(t)
	var got []string
	for _, row := range out.Decisions {
		got = append(got, strings.TrimPrefix(row.Text, "choice "))
	}
	if want := choicesIn(w.read(specArchive)); len(want) != 15 || !slices.Equal(got, want) {
		t.Errorf("shown: %q\nthere: %q", got, want)
	}
}

func TestAC7_RotatingTwiceIsRotatingOnce(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]int{{104, 20}, {101, 7}, {130, 9}, {101, 3}} {
		w := newSpecflow(t, c[0], c[1])
		must(w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{}))(t)
		once := w.tracked()
		out := must(w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{}))(t)
		if out.Rotation.Rotated {
			t.Errorf("%v: the second run moved %d", c, out.Rotation.Moved)
		}
		for name, text := range w.tracked() {
			if once[name] != text {
				t.Errorf("%v: the second run changed %s", c, name)
			}
		}
	}
}
