package declaration

import (
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/statedir"
)

const extensionName = "contract.yaml"

// exampleContract is the contract.yaml of 5.15.
const exampleContract = `version: 1
canonical:
  - {name: perf-budget.json, writer: perf agent, purpose: budget of the build, exempt: true}
  - {name: risk-report.md, writer: planner, purpose: known risks, statuses: [DONE, BLOCKED]}
patterns:
  - {pattern: '^plan-[A-Za-z0-9_.-]+\.md$', purpose: plans of slices, stale_days: 30}
sidecars:
  - {markdown: perf-report.md, json: perf-report.json, status: [DONE, BLOCKED], verdict: [PASS, FAIL], agent: [perf]}
exempt: [session-report.md]
retention: {stale_days: 40, archive_runs: 8}
`

func extend(t *testing.T, src string) *Contract {
	t.Helper()
	c, err := Declared().Extend(extensionName, []byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return c
}

func TestSDD22_AProjectAddsToTheContract(t *testing.T) {
	t.Parallel()
	old := Declared()
	c, err := old.Extend(extensionName, []byte(exampleContract))
	if err != nil {
		t.Fatal(err)
	}
	budget := c.Classify("perf-budget.json", false, false)
	equal(t, "name", *budget.Row, statedir.Row{
		Name: "perf-budget.json", Type: statedir.TypeFile, Kind: "project", Writers: []string{"perf agent"}, Purpose: "budget of the build",
		Exempt:   true,
		Eviction: []statedir.EvictRule{}, Provenance: fromProject,
	})
	equal(t, "statuses", c.Classify("risk-report.md", false, false).Row.Statuses, []string{"DONE", "BLOCKED"})
	plan := c.Classify("plan-api.md", false, false)
	if plan.Bucket != statedir.PatternAllowed || plan.Pattern.StaleDays != 30 || plan.Pattern.Use != "plans of slices" ||
		c.SlugVariant("plan-api.md") {
		t.Errorf("pattern: %+v", plan)
	}
	if days := c.Classify("review-api.md", false, false).Pattern.StaleDays; days != 40 {
		t.Errorf("retention of the built-in patterns: %d days", days)
	}
	pair := c.Sidecars()[4]
	equal(t, "pair", pair, statedir.Sidecar{
		JSON: "perf-report.json", Markdown: "perf-report.md", Status: []string{"DONE", "BLOCKED"},
		Verdict: []string{"PASS", "FAIL"}, Agent: []string{"perf"}, Provenance: fromProject,
	})
	if md := c.Classify("perf-report.md", false, false); md.Row == nil || md.Row.Sidecar != "perf-report.json" ||
		md.Row.Kind != "sidecar-markdown" {
		t.Errorf("Markdown of the pair: %+v", md)
	}
	if js := c.Classify("perf-report.json", false, false); js.Row == nil || js.Row.Kind != "sidecar-json" {
		t.Errorf("JSON of the pair: %+v", js)
	}
	if !c.Classify("session-report.md", false, false).Exempt || c.ArchiveRuns() != 8 || c.Describe().Defaults["stale_days"] != 40 {
		t.Error("exemption or retention is lost")
	}
	equal(t, "the contract that was extended", old.Describe(), Declared().Describe())
	if old.ArchiveRuns() != 0 || old.Classify("plan-api.md", false, false).Pattern.Provenance != fromReference {
		t.Error("the contract that was extended changed")
	}
}

// SD-D23: the third possibility is a JSON file next to an existing Markdown file.
func TestSDD23_ASidecarForABuiltInMarkdownFile(t *testing.T) {
	t.Parallel()
	c := extend(t, "version: 1\nsidecars:\n  - {markdown: plan.md, json: plan.json, status: [DONE]}\n")
	if r := c.Classify("plan.md", false, false).Row; r.Sidecar != "plan.json" || r.Kind != "artifact" || r.Provenance != fromSeed {
		t.Errorf("%+v", r)
	}
	if c.Classify("plan.json", false, false).Bucket != statedir.Canonical || len(c.Sidecars()[4].Verdict) != 0 ||
		c.Sidecars()[4].Verdict == nil {
		t.Errorf("%+v", c.Sidecars()[4])
	}
	named := extend(t, `version: 1
canonical: [{name: budget.json, exempt: true}, {name: budget.md}]
sidecars: [{markdown: budget.md, json: budget.json, status: DONE, agent: perf}]
`)
	if r := named.Classify("budget.json", false, false).Row; r.Kind != "sidecar-json" || !r.Exempt || len(named.Rows()) != 87 {
		t.Errorf("%+v", r)
	}
}

func TestSDD22_WhatMayBeLeftOut(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"version: 1\n", "\xef\xbb\xbfversion: 1\r\n", "version: 1\ncanonical:\npatterns:\nsidecars:\nexempt:\nretention:\n",
		"# ours\nversion: 1\ncanonical: []\nexempt: [lane-files/, workflow.yaml]\n", "version: 1\nretention: {stale_days: 0}\n",
		"version: 1\ncanonical: [{name: 日本.md}, {name: --apply}, {name: a b.txt, writer: [x, y]}]\n",
		`{"version": 1, "patterns": [{"pattern": "^(?:ours|theirs)\\.[a-z]+$"}]}`,
	} {
		extend(t, src)
	}
	if c := extend(t, "version: 1\nretention: {stale_days: 0}\n"); c.Patterns()[0].StaleDays != 0 {
		t.Error("a limit of 0 days is one")
	}
	if c := extend(t, "version: 1\nexempt: [lane-files/]\n"); !c.Classify("lane-files", true, false).Exempt {
		t.Error("a folder cannot be made exempt")
	}
}

func TestSD56_ExtensionsThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ src, line, says, hint string }{
		// Broken files and versions.
		{"", "", "the version is missing", "version: 1"},
		{"canonical: []\n", "", "the version is missing", ""},
		{"version: 2\n", ":1", "the version is not 1", ""},
		{"version: '1'\n", ":1", "the version is not 1", ""},
		{"version: 1\nexempt: [a\n", ":", "", ""},
		{"- 1\n", ":1", "keys and values", ""},
		{"version: 1\nversion: 1\n", ":2", "second time", ""},
		// Keys.
		{"version: 1\ncanonicals: []\n", ":2", "the key canonicals is unknown", "did you mean canonical?"},
		{"version: 1\nExempt: []\n", ":2", "the key Exempt is unknown", "did you mean exempt?"},
		{"version: 1\ncanonical:\n  - {name: a.md, writers: x}\n", ":3", "the key writers is unknown", "did you mean writer?"},
		{"version: 1\npatterns:\n  - pattern: ^a-[a-z]+$\n    slug: true\n", ":4", "the key slug is unknown", "known keys are pattern"},
		{"version: 1\nretention:\n  runs: 5\n", ":3", "the key runs is unknown", "archive_runs"},
		{"version: 1\n\"a\\eb\": 1\n", ":2", `"a\x1bb"`, ""},
		// Names.
		{"version: 1\ncanonical:\n  - name: review.md\n", ":3", "review.md is declared already", "exempt: [review.md]"},
		{"version: 1\ncanonical: [{name: threads}]\n", ":2", "threads is declared already", ""},
		{"version: 1\ncanonical: [{name: a.md}, {name: a.md}]\n", ":2", "a second time", ""},
		{"version: 1\ncanonical: [{name: a.tmp}]\n", ":2", "left-over", ""},
		{"version: 1\ncanonical: [{name: a~}]\n", ":2", "left-over", ""},
		{"version: 1\ncanonical: [{name: sub/a.md}]\n", ":2", "contains a slash", ""},
		{"version: 1\ncanonical: [{name: ../a.md}]\n", ":2", "contains a slash", ""},
		{"version: 1\ncanonical: [{name: \"a\\nb\"}]\n", ":2", `"a\nb" contains a control character`, ""},
		{"version: 1\ncanonical: [{name: \"a\\x85b\"}]\n", ":2", "control character", ""},
		{"version: 1\ncanonical: [{name: .}]\n", ":2", ". is not a name", ""},
		{"version: 1\ncanonical: [{name: ..}]\n", ":2", ".. is not a name", ""},
		{"version: 1\ncanonical: [{name: ''}]\n", ":2", `"" is not a name`, ""},
		{"version: 1\ncanonical: [{name: " + strings.Repeat("a", 256) + "}]\n", ":2", "longer than 255", ""},
		{"version: 1\ncanonical: [{name: review-ours.md}]\n", ":2", "allowed already, by the pattern ^review-", ""},
		{"version: 1\ncanonical: [{writer: x}]\n", ":2", "an entry has no name", ""},
		{"version: 1\ncanonical: [{name: 7}]\n", ":2", "name is not a text", "quotes"},
		{"version: 1\ncanonical: [a.md]\n", ":2", "does not consist of keys and values", ""},
		{"version: 1\ncanonical: a.md\n", ":2", "canonical is not a list", ""},
		{"version: 1\ncanonical: [{name: a.md, statuses: []}]\n", ":2", "statuses is empty", ""},
		{"version: 1\ncanonical: [{name: a.md, statuses: [A B]}]\n", ":2", "A B is not one word", ""},
		{"version: 1\ncanonical: [{name: a.md, statuses: [A, A]}]\n", ":2", "A occurs a second time", ""},
		{"version: 1\ncanonical: [{name: a.json, statuses: [A]}]\n", ":2", "statuses are read from Markdown files only", ""},
		{"version: 1\ncanonical: [{name: a.md, exempt: 1}]\n", ":2", "neither true nor false", ""},
		{"version: 1\ncanonical: [{name: a.md, purpose: [x]}]\n", ":2", "purpose is not a text", ""},
		// Entries that take something away.
		{
			"version: 1\ncanonical:\n  - name: deferred.md\n    exempt: false\n", ":3",
			"deferred.md is exempt from reset and cannot lose that", "",
		},
		{"version: 1\nexempt: {deferred.md: false}\n", ":2", "exempt is not a list of names", "only be added"},
		{"version: 1\nexempt: ['!deferred.md']\n", ":2", "!deferred.md is not a declared name", "did you mean deferred.md?"},
		{"version: 1\nexempt:\n  - plan.md\n  - plna.md\n", ":4", "plna.md is not a declared name", "did you mean plan.md?"},
		{"version: 1\nexempt: [1]\n", ":2", "not a text", ""},
		// Patterns.
		{"version: 1\npatterns: [{pattern: 'plan-[a-z]+\\.md$'}]\n", ":2", "does not begin with ^ and end with $", ""},
		{"version: 1\npatterns: [{pattern: '^plan-[a-z]+\\.md'}]\n", ":2", "does not begin with ^ and end with $", ""},
		{"version: 1\npatterns: [{pattern: '^plan\\$'}]\n", ":2", "does not begin with ^ and end with $", ""},
		{"version: 1\npatterns: [{pattern: '^plan-(a$'}]\n", ":2", "cannot be read as an expression", ""},
		{"version: 1\npatterns: [{pattern: '^plan-[a$'}]\n", ":2", "without its ]", ""},
		{"version: 1\npatterns: [{pattern: '^(?!x)plan$'}]\n", ":2", "lookaround", ""},
		{"version: 1\npatterns: [{pattern: '^(?i)plan-a$'}]\n", ":2", "or a flag", ""},
		{"version: 1\npatterns: [{pattern: '^plan-a|plan-b$'}]\n", ":2", "only some", "(?:a|b)"},
		{"version: 1\npatterns: [{pattern: '^(a)\\1$'}]\n", ":2", "escape that is not supported", ""},
		{"version: 1\npatterns: [{pattern: '^a*$'}]\n", ":2", "matches the empty name", ""},
		{"version: 1\npatterns: [{pattern: '^.+$'}]\n", ":2", "matches workflow.yaml, which is declared", ""},
		{"version: 1\npatterns: [{pattern: '^\\.lock[0-9]*$'}]\n", ":2", "matches .lock, which is declared", ""},
		{"version: 1\npatterns: [{pattern: '^[a-z]+\\.tmp$'}]\n", ":2", "matches bar.tmp", ""},
		{"version: 1\npatterns: [{pattern: '^baz.$'}]\n", ":2", "matches baz~", ""},
		{"version: 1\npatterns: [{pattern: '^slice-.*$'}]\n", ":2", "matches slice-A.md", ""},
		{"version: 1\npatterns: [{pattern: '^plan-a$', stale_days: -1}]\n", ":2", "stale_days is not a whole number", ""},
		{"version: 1\npatterns: [{pattern: '^plan-a$', stale_days: 1.5}]\n", ":2", "stale_days is not a whole number", ""},
		{"version: 1\npatterns: [{pattern: '^plan-a$', stale_days: 9223372036854775807}]\n", ":2", "stale_days is not a whole number", ""},
		{"version: 1\npatterns: [{purpose: x}]\n", ":2", "an entry has no pattern", ""},
		// Sidecars.
		{"version: 1\nsidecars: [{markdown: review.md, json: mine.json, status: [A]}]\n", ":2", "review.md has a sidecar already", ""},
		{
			"version: 1\nsidecars: [{markdown: research.md, json: mine.json, status: [A]}]\n", ":2",
			"research.md contains its own status", "",
		},
		{"version: 1\nsidecars: [{markdown: a.md, json: handoff.json, status: [A]}]\n", ":2", "handoff.json is a built-in name", ""},
		{"version: 1\nsidecars: [{markdown: a.md, json: review.json, status: [A]}]\n", ":2", "review.json is a built-in name", ""},
		{"version: 1\nsidecars: [{markdown: review-a.md, json: a.json, status: [A]}]\n", ":2", "allowed already", ""},
		{"version: 1\nsidecars: [{markdown: a.md, json: impl-summary-a.json, status: [A]}]\n", ":2", "allowed already", ""},
		{"version: 1\nsidecars: [{markdown: a.md, json: a.txt, status: [A]}]\n", ":2", "a.txt is not a JSON file", ""},
		{"version: 1\nsidecars: [{markdown: a.txt, json: a.json, status: [A]}]\n", ":2", "a.txt is not a Markdown file", ""},
		{"version: 1\nsidecars: [{markdown: a.md, json: a.json}]\n", ":2", "has no status", ""},
		{"version: 1\nsidecars: [{markdown: a.md, json: a.json, status: []}]\n", ":2", "status is empty", ""},
		{"version: 1\nsidecars: [{markdown: a.md, status: [A]}]\n", ":2", "an entry has no json", ""},
		{
			"version: 1\nsidecars:\n  - {markdown: a.md, json: a.json, status: [A]}\n  - {markdown: b.md, json: a.json, status: [A]}\n",
			":4", "the sidecar of another file", "",
		},
		{
			"version: 1\nsidecars:\n  - {markdown: a.md, json: a.json, status: [A]}\n  - {markdown: a.md, json: b.json, status: [A]}\n",
			":4", "a.md has a sidecar already", "",
		},
		// Retention.
		{"version: 1\nretention: {archive_runs: 0}\n", ":2", "archive_runs is not a whole number from 1", ""},
		{"version: 1\nretention: {stale_days: -1}\n", ":2", "stale_days is not a whole number from 0", ""},
		{"version: 1\nretention: {stale_days: many}\n", ":2", "stale_days is not a whole number", ""},
		{"version: 1\nretention: 5\n", ":2", "retention does not consist of keys and values", ""},
	} {
		c, err := Declared().Extend(".baton/contract.yaml", []byte(x.src))
		if err == nil || c != nil {
			t.Errorf("accepted:\n%s", x.src)
			continue
		}
		e := report.As(err)
		if e.Kind != report.Corrupt || e.Code != "contract_invalid" || e.Path != ".baton/contract.yaml" || e.Hint == "" {
			t.Errorf("%q: %+v", x.src, e)
		}
		if !strings.HasPrefix(e.Message, ".baton/contract.yaml"+x.line) || !strings.Contains(e.Message, x.says) ||
			!strings.Contains(e.Hint, x.hint) {
			t.Errorf("%q:\n%s\n%s\nwant %s … %s … %s", x.src, e.Message, e.Hint, x.line, x.says, x.hint)
		}
		if (x.line == "") != (e.Line == 0) || strings.ContainsAny(e.Message, "\x1b\n\u0085") {
			t.Errorf("%q: line %d: %s", x.src, e.Line, e.Message)
		}
	}
}

// Projects will want to add what other releases of the original tool allow and the written rules do not.
func TestSDD22_FormsOfOtherReleasesCanBeAdded(t *testing.T) {
	t.Parallel()
	for _, p := range readFacts(t).Refused {
		c, err := Declared().Extend(extensionName, []byte("version: 1\npatterns:\n  - pattern: '"+p+"'\n"))
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		if got := c.Patterns(); got[9].Pattern != p || got[9].StaleDays != statedir.StaleDays || got[9].Provenance != fromProject {
			t.Errorf("%+v", got[9])
		}
	}
	c := extend(t, `version: 1
patterns: [{pattern: '^lane-diff-L\d+\.txt$'}, {pattern: '^[a-z][a-z0-9-]*\.archive-[0-9A-Za-z:.\-]+\.jsonl$'}]
`)
	for name, want := range map[string]statedir.Bucket{
		"lane-diff-L12.txt": statedir.PatternAllowed, "lane-diff-L١.txt": statedir.AdHoc,
		"gate-trace.archive-2026-06-10T09:00:00.000Z.jsonl": statedir.PatternAllowed,
	} {
		if got := c.Classify(name, false, false).Bucket; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// FuzzExtend checks that nothing panics, and that a file is either refused or only adds: names that had a class keep
// it.
func FuzzExtend(f *testing.F) {
	f.Add([]byte(exampleContract))
	f.Add([]byte("version: 1\npatterns: [{pattern: '^[^]a]$'}, {pattern: '^\\\\[$'}]\nexempt: [plan.md]\n"))
	f.Add([]byte("version: 1\nsidecars: [{markdown: plan.md, json: plan.json, status: A}]\n"))
	f.Add([]byte("version: 1\ncanonical: [{name: &a x.md}, {name: *a}]\n"))
	old := Declared()
	f.Fuzz(func(t *testing.T, src []byte) {
		c, err := old.Extend(extensionName, src)
		if err != nil {
			if e := report.As(err); c != nil || e.Code != "contract_invalid" || e.Message == "" {
				t.Fatalf("%+v", e)
			}
			return
		}
		for _, r := range old.Rows() {
			dir := r.Type == statedir.TypeDir
			was, is := old.Classify(r.Name, dir, false), c.Classify(r.Name, dir, false)
			if is.Bucket != statedir.Canonical || was.Exempt && !is.Exempt || is.Row.Provenance != r.Provenance {
				t.Fatalf("%s: %+v", r.Name, is)
			}
		}
		names := []string{"", "x", "a\n.tmp"}
		for _, p := range append(old.Patterns(), old.Ephemerals()...) {
			names = append(append(names, p.Examples...), p.CounterExamples...)
		}
		for _, name := range names {
			was, is := old.Classify(name, false, false), c.Classify(name, false, false)
			if was.Bucket != statedir.AdHoc && (is.Bucket != was.Bucket || is.Name() != was.Name()) ||
				old.SlugVariant(name) != c.SlugVariant(name) {
				t.Fatalf("%q: %+v became %+v", name, was, is)
			}
		}
		c.Describe()
		_, _ = c.Explain("x")
	})
}
