package specflow

import (
	"strings"
	"testing"

	"baton/internal/report"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Resume removes exactly what Pause added, even if the digest had no section for it.
func TestResumeLeavesTheBytesOfBefore(t *testing.T) {
	t.Parallel()
	form := "# S\n\n## Active Specifications\n\n| SPEC-ID | Status | Next Step |\n|---|---|---|\n| SPEC-1 | a | b |\n"
	for name, src := range map[string]string{
		"C alone":              form,
		"C with a footer":      form + "\n---\n*Last updated: 2026-01-01*\n",
		"C with more":          form + "\n## Notes\n\nx\n\n\n",
		"C without last end":   strings.TrimSuffix(form, "\n"),
		"C with a section":     formC,
		"an empty section":     form + "\n## Current Position\n\n## Notes\n",
		"an empty section end": form + "\n## Current Position\n",
		"prose in the section": "# S\n\n## Current Position\n\nHere we are.\n",
		"A":                    formA,
		"B":                    formB,
		"B and nothing else":   "# S\n\n## Active Specification\n\nSPEC-1\n\nprose\n",
		"B without last end":   "# S\n\n## Active Specification\n\nSPEC-1",
		"empty":                "",
	} {
		for _, src := range []string{src, crlf(src)} {
			e, err := Parse([]byte(src)).Pause(noon(), "tea")
			paused := must(t, e, err)
			if paused == src {
				t.Errorf("%s: nothing was written", name)
			}
			back, err := Parse([]byte(paused)).Resume()
			if diff := cmp.Diff(src, must(t, back, err)); diff != "" {
				t.Errorf("%s:\n%s\n%q", name, diff, paused)
			}
		}
	}
}

// For any digest, a pause and its end leave no text and no heading, at most one blank line, and never more after
// further rounds.
func TestPausesLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := anyDigest().Draw(t, "digest")
		if strings.Contains(strings.ToLower(src), "last pause") {
			return
		}
		text := []byte(src)
		var rounds []string
		for range 3 {
			paused, err := Parse(text).Pause(noon(), "")
			if err != nil {
				return // after an unclosed fence
			}
			if _, ok := Parse(paused.Text).findField(labelPause); !ok {
				return // a section of its own, which the text hides
			}
			back, err := Parse(paused.Text).Resume()
			if err != nil {
				t.Fatal(err)
			}
			text = back.Text
			rounds = append(rounds, string(text))
		}
		if strings.Join(strings.Fields(rounds[0]), " ") != strings.Join(strings.Fields(src), " ") || len(rounds[0]) > len(src)+2 {
			t.Fatalf("%q\n%q", src, rounds[0])
		}
		if rounds[2] != rounds[1] {
			t.Fatalf("each round adds:\n%q\n%q\n%q", src, rounds[1], rounds[2])
		}
	})
}

// If a digest replaces its only specification, nothing that was said about the old one is said about the new one.
func TestNewActiveSpecificationStartsOver(t *testing.T) {
	t.Parallel()
	a := "# S\n\n## Current Position\n\n- **Active Specification:** SPEC-1\n- **Status:** running\n- **Next Step:** /x\n"
	c := "# S\n\n## Active Specifications\n\n| SPEC-ID | Status | Next Step |\n|---|---|---|\n| SPEC-1 | running | /x |\n"
	for name, k := range map[string]struct {
		src, id, status, next string
		want                  Active
	}{
		"A replaced":      {a, "SPEC-2", "", "", Active{ID: "SPEC-2", Status: "drafting", Next: "/sf:audit"}},
		"A with a status": {a, "SPEC-2", "auditing", "", Active{ID: "SPEC-2", Status: "auditing", Next: "/sf:audit"}},
		"A with a step":   {a, "SPEC-2", "", "/y", Active{ID: "SPEC-2", Status: "drafting", Next: "/y"}},
		"A again":         {a, "SPEC-1", "", "", Active{ID: "SPEC-1", Status: "running", Next: "/x"}},
		"A none before": {
			strings.NewReplacer("SPEC-1", "none", "running", "idle").Replace(a), "SPEC-2", "", "",
			Active{ID: "SPEC-2", Status: "drafting", Next: "/sf:audit"},
		},
		"A without labels": {"# S\n", "SPEC-2", "", "", Active{ID: "SPEC-2", Status: "drafting", Next: "/sf:audit"}},
		"C":                {c, "SPEC-2", "", "", Active{ID: "SPEC-2", Status: "drafting", Next: "/sf:audit"}},
		"C without a table": {
			"# S\n\n## Active Specifications\n", "SPEC-2", "", "", Active{ID: "SPEC-2", Status: "drafting", Next: "/sf:audit"},
		},
		"C again": {c, "SPEC-1", "", "/y", Active{ID: "SPEC-1", Status: "running", Next: "/y"}},
	} {
		e, err := Parse([]byte(k.src)).AddActive(k.id, k.status, k.next, true)
		must(t, e, err)
		_, active := Parse(e.Text).active()
		got := active[len(active)-1]
		got.Line = 0
		if diff := cmp.Diff(k.want, got); diff != "" {
			t.Errorf("%s:\n%s\n%s", name, diff, e.Text)
		}
		if len(e.Findings) > 0 {
			t.Errorf("%s: %+v", name, e.Findings)
		}
	}
}

// An id that would be read as prose is refused. Existing prose counts as a title and can be removed.
func TestIDsThatWouldNotBeReadBack(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"foo bar", "none", "", "a b c", "—"} {
		for _, src := range []string{formA, formB, formC, "# S\n"} {
			e, err := Parse([]byte(src)).AddActive(id, "", "", true)
			refused(t, src, e, err, report.Usage, "id_invalid")
			e, err = Parse([]byte(src)).AddQueue(QueueEntry{ID: id, Title: "x"})
			refused(t, src, e, err, report.Usage, "id_invalid")
		}
	}
	e, err := Parse([]byte(formA)).AddQueue(QueueEntry{ID: "SPEC-7 and more"})
	refused(t, formA, e, err, report.Usage, "id_invalid")
	for _, src := range []string{
		"## Current Position\n\n- **Active Specification:** foo bar\n- **Status:** x\n",
		"## Active Specification\n\nfoo bar\n",
		"## Active Specifications\n\n| SPEC-ID | Status |\n|---|---|\n| foo bar | x |\n",
	} {
		d := Parse([]byte(src))
		if m := d.Model(); len(m.Active) != 1 || m.Active[0].ID != "" || m.Active[0].Title != "foo bar" {
			t.Errorf("%+v", m.Active)
		}
		d.Findings(Facts{Specs: []string{"SPEC-1"}})
		d.Resolve("")
		e, err := d.Set("active", "none")
		if _, active := Parse(e.Text).active(); err != nil || len(active) > 0 {
			t.Errorf("%v: %+v\n%s", err, active, e.Text)
		}
	}
}
