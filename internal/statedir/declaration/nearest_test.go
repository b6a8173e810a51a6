package declaration

import (
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/statedir"

	"pgregory.net/rapid"
)

func TestSD17_NearMissesGetTheNameThatWasMeant(t *testing.T) {
	t.Parallel()
	c := Declared()
	for name, want := range map[string]string{
		// The repair of 5.7.
		"review-.md": "review.md", "Review-a.md": "review-a.md", "review-a b.md": "review-a-b.md", "review-a.MD": "review-a.md",
		"review_a.md": "review-a.md", "PLAN.md": "plan.md", "Impl Summary.md": "impl-summary.md",
		"impl_summary__x.JSON": "impl-summary-x.json",
		"plan.markdown":        "plan.md", "review-a.mdx": "review-a.md", "workflow_yaml": "workflow.yaml", "review-日本.md": "review-.md→",
		"review-\xff\xfeb.md": "review-b.md",
		"perf_summary.md":     "perf-summary.md", "Module MD Update Summary.md": "module-md-update-summary.md",
		"review lane API.md": "review-lane-api.md",
		// Up to a third of the letters differ.
		"reveiw.md": "review.md", "test-sumary.md": "test-summary.md", "wrokflow.yaml": "workflow.yaml",
		"verfication.json": "verification.json",
		"handof.json":      "handoff.json", "workflow.yml": "workflow.yaml", "plna.md": "plan.md", "review.txt": "review.md",
		"defered.md": "deferred.md", "scratch-pad.md": "scratchpad.md", "lock": ".lock",
		// A pattern allows it after a correction.
		"review-api": "review-api.md", "review-api.txt": "review-api.md", "reviews-api.md": "review-api.md",
		"reveiw-api.md":        "review-api.md",
		"impl-sumary-cr3.json": "impl-summary-cr3.json", "test-summary-a.yaml": "test-summary-a.json", "slices-a.md": "slice-a.md",
		"verifications-2.txt": "verification-2.md", "review.api.md": "review-api.md", "perf-summary.txt": "perf-summary.md",
		"plan.txt": "plan.md",
		// Nothing is similar enough.
		"plan-api.md": "plan-api.md", "site-map.md": "", "totally-different-thing.pdf": "", "": "", "-": "", ".": "", "..": "", "日本": "",
		"review.md.bak": "", "a": "",
	} {
		if want == "review-.md→" {
			want = "review.md" // the letters are removed, and the rest of the name is similar to another
		}
		if got := c.Nearest(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestNearestOfAFolder(t *testing.T) {
	t.Parallel()
	c := Declared()
	for name, want := range map[string]string{
		"thread/": "threads/", "Threads/": "threads/", "hook_trace/": "hook-trace/", "note/": "notes/", "review.md/": "",
		"archive/": ".archive/",
		"plan/":    "", "/": "", "lane files/": "lane-files/",
	} {
		if got := c.Nearest(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// Suggestions are allowed names, and if the fast test says that a name is too different, it is.
func TestNearestIsAllowed(t *testing.T) {
	t.Parallel()
	c := Declared()
	rapid.Check(t, func(t *rapid.T) {
		name := anyName().Draw(t, "name")
		got := c.Nearest(name)
		if got != "" && !c.allows(got) {
			t.Fatalf("%q: %q is not allowed itself", name, got)
		}
		fixed := repair(name)
		if want := slowClosest(c, fixed); c.closest(fixed, statedir.TypeFile) != want {
			t.Fatalf("%q: %q, want %q", fixed, c.closest(fixed, statedir.TypeFile), want)
		}
		if again := c.Nearest(name); again != got {
			t.Fatalf("%q: %q, then %q", name, got, again)
		}
	})
}

// slowClosest implements rule 2 of 5.7 literally.
func slowClosest(c *Contract, name string) string {
	found, best := "", 1<<30
	for _, r := range c.Rows() {
		d := report.Letters(name, r.Name, 1<<20)
		if r.Type == statedir.TypeFile && d <= len(r.Name)/3 && d < best {
			found, best = r.Name, d
		}
	}
	return found
}

// F-86f: a name of a megabyte gets the answer that its form deserves. Only what is at most as long as the names of the
// contract is compared letter by letter, so the length costs nothing more.
func TestF86f_NearestOfALongName(t *testing.T) {
	t.Parallel()
	c := Declared()
	long := strings.Repeat("a-", 1<<19)
	for _, n := range []struct{ name, nearest string }{
		{strings.Repeat("review-", 1<<17), strings.Repeat("review-", 1<<17) + ".md"},
		{"review-" + long + "z", "review-" + long + "z.md"},
		{"Review_" + long + "z.txt", "review-" + long + "z.md"},
		{long + ".md", ""},
		{strings.Repeat("\xff", 1<<20), ""},
	} {
		if got := c.Nearest(n.name); got != n.nearest {
			t.Errorf("%.20q… of %d bytes: %.20q… of %d bytes, want %d", n.name, len(n.name), got, len(got), len(n.nearest))
		}
		if got := c.Classify(n.name, false, false).Bucket; got != statedir.AdHoc {
			t.Errorf("%.20q… is %v", n.name, got)
		}
	}
}

func BenchmarkNearest10000(b *testing.B) {
	c := Declared()
	names := manyNames(10000)
	b.ResetTimer()
	for range b.N {
		for _, name := range names {
			if c.Classify(name, false, false).Bucket == statedir.AdHoc {
				c.Nearest(name)
			}
		}
	}
}
