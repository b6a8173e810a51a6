package declaration

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"baton/internal/statedir"
)

func TestSDD2_EveryDeclaredNameIsCanonical(t *testing.T) {
	t.Parallel()
	c := Declared()
	for _, r := range c.Rows() {
		dir := r.Type == statedir.TypeDir
		class := c.Classify(r.Name, dir, false)
		if class.Bucket != statedir.Canonical || class.Row == nil || class.Row.Name != r.Name || class.Exempt != r.Exempt ||
			class.Name() != r.Name {
			t.Errorf("%s: %+v", r.Name, class)
		}
		if other := c.Classify(r.Name, !dir, false); other.Bucket == statedir.Canonical {
			t.Errorf("%s: a row for one type took the other: %+v", r.Name, other)
		}
	}
}

func TestSDD17_PatternsAgreeWithTheirExamples(t *testing.T) {
	t.Parallel()
	c := Declared()
	forms := slices.Concat(c.patterns, c.later)
	for i, p := range c.Patterns() {
		for _, name := range p.Examples {
			if class := c.Classify(name, false, false); class.Bucket != statedir.PatternAllowed {
				t.Errorf("%q: %+v, want allowed", name, class)
			}
			if !forms[i].matches(name) {
				t.Errorf("%q is no match of %s", name, p.Pattern)
			}
		}
		for _, name := range p.CounterExamples {
			if forms[i].matches(name) {
				t.Errorf("%q is a match of %s", name, p.Pattern)
			}
		}
	}
	for i, p := range c.Ephemerals() {
		for _, name := range p.Examples {
			if class := c.Classify(name, false, false); class.Bucket != statedir.Ephemeral || class.Exempt {
				t.Errorf("%q: %+v, want a left-over", name, class)
			}
		}
		for _, name := range p.CounterExamples {
			if c.ephemerals[i].matches(name) {
				t.Errorf("%q is a match of %s", name, p.Pattern)
			}
		}
	}
}

func TestSD12_KnownNamesOnFolders(t *testing.T) {
	t.Parallel()
	c := Declared()
	for _, x := range []struct{ name, reason string }{
		{"review.md", ReasonFolder},
		{"workflow.yaml", ReasonFolder},
		{".lock", ReasonFolder},
		{"review-api.md", ReasonFolder},
		{"bar.tmp", ""},
		{"baz~", ""},
		{".foo.tmp", ""},
		{"review-a.md~", ""},
		{"elsewhere", ""},
		{"", ""},
		{"Threads", ""},
	} {
		class := c.Classify(x.name, true, false)
		if class.Bucket != statedir.AdHoc || class.Reason != x.reason || class.Exempt || class.Row != nil || class.Pattern != nil {
			t.Errorf("folder %q: %+v", x.name, class)
		}
	}
	for _, name := range []string{".archive", ".instances", "threads", "notes", "project", "hook-trace", "lane-files"} {
		if class := c.Classify(name, true, false); class.Bucket != statedir.Canonical || class.Exempt != (name != "lane-files") {
			t.Errorf("folder %q: %+v", name, class)
		}
		if class := c.Classify(name, false, false); class.Bucket != statedir.AdHoc || class.Reason != "" {
			t.Errorf("file %q: %+v", name, class)
		}
	}
	if class := c.Classify("session-a", true, true); class.Bucket != statedir.Canonical || !class.Exempt || class.Row != nil ||
		class.Name() != "" {
		t.Errorf("folder of an instance: %+v", class)
	}
	if class := c.Classify("lane-files", true, true); class.Exempt {
		t.Errorf("a declared folder that looks like an instance's: %+v", class)
	}
}

func TestSD15_LineEndsAreNoCharactersOfAFullStop(t *testing.T) {
	t.Parallel()
	c := Declared()
	for _, end := range []string{"\n", "\r", "\u2028", "\u2029"} {
		for _, name := range []string{"a" + end + ".tmp", end + ".tmp", "." + end + ".tmp", "a" + end + "b~", end + "~"} {
			if class := c.Classify(name, false, false); class.Bucket != statedir.AdHoc {
				t.Errorf("%q: %+v", name, class)
			}
		}
	}
	for _, name := range []string{
		"a\u0085.tmp", "a\v.tmp", "a\x00~", "\xff\xfe.tmp", ".\xe2\x80.tmp", "\xe2~", "日本~", "--apply~", "\u2027.tmp",
	} {
		if class := c.Classify(name, false, false); class.Bucket != statedir.Ephemeral {
			t.Errorf("%q: %+v", name, class)
		}
	}
	for _, name := range []string{"plan.md\n", "review-a.md\n", "\nreview-a.md", "baz~\n", "a.tmp\n"} {
		if class := c.Classify(name, false, false); class.Bucket != statedir.AdHoc {
			t.Errorf("%q: the end of a line is not the end of the name: %+v", name, class)
		}
	}
}

// SD-14, SD-D18: an invalid byte counts as one character, which no class in a pattern contains.
func TestSD14_InvalidBytesAreOneCharacter(t *testing.T) {
	t.Parallel()
	c := Declared()
	for name, want := range map[string]statedir.Bucket{
		"review-\xff.md": statedir.AdHoc, "plan\xff.md": statedir.AdHoc, "\xff": statedir.AdHoc, "\xff.tmp": statedir.Ephemeral,
		".\x80\x80.tmp": statedir.Ephemeral, "review-a.md\xff~": statedir.Ephemeral,
	} {
		if got := c.Classify(name, false, false).Bucket; got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestSD17_NearMissesAreAdHoc(t *testing.T) {
	t.Parallel()
	c := Declared()
	for _, name := range []string{
		"review-.md", "Review-a.md", "review-a b.md", "review-a.MD", "review_a.md", "PLAN.md", "plan.MD", "review-a.md ", " review-a.md",
		"review-a.mdx", "plan.md.bak", "workflow.yml", "x1-summary.md",
	} {
		if class := c.Classify(name, false, false); class.Bucket != statedir.AdHoc || class.Reason != "" {
			t.Errorf("%q: %+v", name, class)
		}
	}
}

// SD-18: a file system that ignores case may list review.md as Review.md. That still counts as another name; the audit
// reports such pairs.
func TestSD18_CaseIsNeverFolded(t *testing.T) {
	t.Parallel()
	c := Declared()
	for _, r := range c.Rows() {
		for _, name := range []string{strings.ToUpper(r.Name), strings.ToUpper(r.Name[:1]) + r.Name[1:]} {
			if name != r.Name && c.Classify(name, r.Type == statedir.TypeDir, false).Bucket == statedir.Canonical {
				t.Errorf("%s is taken for %s", name, r.Name)
			}
		}
	}
	for _, name := range []string{"a.TMP", "A.Tmp", "Slice-a.md", "review-lane-API.JSON"} {
		if class := c.Classify(name, false, false); class.Bucket != statedir.AdHoc {
			t.Errorf("%s: %+v", name, class)
		}
	}
	if class := c.Classify("review-lane-API.md", false, false); class.Bucket != statedir.PatternAllowed ||
		class.Pattern.Pattern != c.Patterns()[0].Pattern {
		t.Errorf("review-lane-API.md is a review, though no lane's: %+v", class)
	}
}

// TestF71_FormsOfLaterReleasesAreKnown checks that no sweep takes them for something that a program left over, and that
// a project's own pattern comes first.
func TestF71_FormsOfLaterReleasesAreKnown(t *testing.T) {
	t.Parallel()
	c := Declared()
	for name, since := range map[string]string{
		"plan-api.md": "0.83", "research-auth.md": "0.83", "spec-1.md": "0.83", "debug-context-a.md": "0.83",
		"debug-summary-z.md": "0.83", "lane-diff-L1.txt": "0.244", "rubric-code_review.md": "0.244",
		"gate-trace.archive-2026-06-10T09-00-00-000Z.jsonl": "0.244",
	} {
		class := c.Classify(name, false, false)
		if class.Bucket != statedir.PatternAllowed || class.Pattern.Since != since || class.Pattern.Provenance != fromReference ||
			c.SlugVariant(name) {
			t.Errorf("%s: %+v", name, class)
		}
	}
	own, err := c.Extend("contract.yaml", []byte("version: 1\npatterns: [{pattern: '^plan-[A-Za-z0-9_.-]+\\.md$', stale_days: 3}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if class := own.Classify("plan-api.md", false, false); class.Pattern.StaleDays != 3 || class.Pattern.Provenance != fromProject {
		t.Errorf("%+v", class.Pattern)
	}
}

// SD-K22: the JSON next to the review of a lane was once not evicted with it.
func TestSDK22_SlugVariantsAreThoseOfTheSixForms(t *testing.T) {
	t.Parallel()
	c := Declared()
	for name, want := range map[string]bool{
		"review-api.md": true, "review-lane-api.md": true, "review-lane-api.json": true, "review-lane-API.json": true, "slice-A.md": true,
		"impl-summary-cr3.json": true, "test-summary-x.md": true, "verification-2.md": true, "review-lane-.md": true,
		"review-lane-.json": false,
		"review-scope.md":   false, "review-depth.txt": false, "review.md": false, "perf-summary.md": false, "a-b-summary.md": false,
		"review-api.json": false, "threads": false,
	} {
		if got := c.SlugVariant(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if len(c.slugs) != 6 {
		t.Errorf("%d forms, want 6", len(c.slugs))
	}
}

// The rows decide which names are variants. The published forms must agree with them for every name.
func TestSDD2_SlugFormsAndRowsAgree(t *testing.T) {
	t.Parallel()
	c := Declared()
	var forms []form
	for _, text := range c.slugs {
		forms = append(forms, declaredForm(statedir.Pattern{Pattern: text}, true))
	}
	rapid.Check(t, func(t *rapid.T) {
		name := anyName().Draw(t, "name")
		want := c.rows[name] == nil && firstMatch(forms, name) != nil
		if got := c.SlugVariant(name); got != want {
			t.Fatalf("%q: %v, want %v", name, got, want)
		}
	})
}

// anyName draws names similar to those in the contract, and others.
func anyName() *rapid.Generator[string] {
	c := Declared()
	known := make([]string, 0, 128)
	for _, r := range c.Rows() {
		known = append(known, r.Name)
	}
	for _, p := range slices.Concat(c.Patterns(), c.Ephemerals()) {
		known = append(append(known, p.Examples...), p.CounterExamples...)
	}
	return rapid.OneOf(
		rapid.SampledFrom(known),
		rapid.StringMatching(
			`(review-lane-|review-|impl-summary-|test-summary-|verification-|slice-|[a-z]{1,4})[A-Za-z0-9_.-]{0,`+
				`4}(-summary)?\.(md|json|txt|tmp)~?`,
		),
		rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(rapid.Byte(), 0, 12).Draw(t, "bytes")) }),
		rapid.Custom(func(t *rapid.T) string {
			name := []byte(rapid.SampledFrom(known).Draw(t, "known"))
			at := rapid.IntRange(0, len(name)-1).Draw(t, "at")
			name[at] = rapid.SampledFrom([]byte("a-_.Z\n\xff~")).Draw(t, "byte")
			return string(name)
		}),
	)
}

// The comparisons before a regular expression never change the result.
func TestBeginningsAndEndsDecideNothingByThemselves(t *testing.T) {
	t.Parallel()
	c := Declared()
	rapid.Check(t, func(t *rapid.T) {
		name := anyName().Draw(t, "name")
		for _, f := range slices.Concat(c.patterns, c.ephemerals) {
			if f.begin == "" && f.end == "" {
				t.Fatalf("%s: nothing to compare before the expression", f.pattern.Pattern)
			}
			if got, want := f.matches(name), f.whole.MatchString(name); got != want {
				t.Fatalf("%q, %s: %v, want %v", name, f.pattern.Pattern, got, want)
			}
		}
	})
}

// All users share the contract, so it returns only copies.
func TestContractDoesNotChange(t *testing.T) {
	t.Parallel()
	c := Declared()
	c.Rows()[0].Name = "x"
	c.Patterns()[0].Pattern = "x"
	c.Sidecars()[0].JSON = "x"
	c.EvictionList(statedir.EvictList)[0] = "x"
	c.Describe().Eviction["slug_patterns"][0] = "x"
	c.Describe().GateMarkers["reuse-analysis.md"] = "x"
	equal(t, "contract", c.Describe(), Declared().Describe())
	if c.EvictionList("other") != nil {
		t.Error("a rule that does not exist has names")
	}
}

func BenchmarkClassify10000(b *testing.B) {
	c := Declared()
	names := manyNames(10000)
	b.ResetTimer()
	for range b.N {
		for _, name := range names {
			c.Classify(name, false, false)
		}
	}
}

func BenchmarkDeclared(b *testing.B) {
	for range b.N {
		Declared()
	}
}

// manyNames returns the names in a folder that was neglected for months.
func manyNames(n int) []string {
	forms := []string{
		"review-pr#-slice-A.md", "notes-#.txt", "final_report_#.md", "impl-summary-#.json", "verification-notes-#.md", "#.tmp",
		"plan-v#.md", "test-sumary-#.md", "debug-summary#.md", "agent-output-with-a-long-name-#.md",
	}
	names := make([]string, n)
	for i := range names {
		names[i] = strings.ReplaceAll(forms[i%len(forms)], "#", strings.Repeat(string(rune('a'+i%7)), i%5)+string(rune('0'+i%10))+
			string(rune('0'+i/10%10)))
	}
	return names
}
