package declaration

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"baton/internal/report"
	"baton/internal/statedir"
)

func TestSDD23_ContractAnswersInTermsOfTheThreeSweeps(t *testing.T) {
	t.Parallel()
	c := Declared()
	for _, x := range []struct {
		name       string
		bucket     statedir.Bucket
		suggestion string
		says       string
	}{
		{"plan.md", statedir.Canonical, "", "declared"},
		{"review-api.md", statedir.PatternAllowed, "", "A pattern allows the name"},
		{"a.md.tmp", statedir.Ephemeral, "", "left-over"},
		{"baz~", statedir.Ephemeral, "", "temporary folder"},
		{
			"review_a.md", statedir.AdHoc, "review-a.md",
			"Use a declared name, a name that a pattern allows, or the JSON file with the status of a Markdown file",
		},
		{"review_a.md", statedir.AdHoc, "review-a.md", "`baton dir contract` lists what is allowed."},
		{
			"site-map.md", statedir.AdHoc, "",
			"A project can declare further names in .devt/contract.yaml or .baton/contract.yaml.",
		},
		{"./plan.md", statedir.Canonical, "", "declared"},
		{".devt/state/plan.md", statedir.Canonical, "", "declared"},
		{"./.baton/work//plan.md", statedir.Canonical, "", "declared"},
		{"notes/../plan.md", statedir.Canonical, "", "declared"},
		{"notes/foo.md", statedir.Canonical, "", "It is in the folder notes/, which stays or moves as a whole. The folder is declared."},
		{".baton/work/threads/a/b", statedir.Canonical, "", "It is in the folder threads/"},
		{"thread/a.md", statedir.AdHoc, "threads/", "It is in the folder thread/"},
		{"review.md/a.txt", statedir.AdHoc, "", "for a file, not for a folder"},
		{"threads/", statedir.Canonical, "", "The folder is declared"},
		{"threads", statedir.Canonical, "", "The folder is declared"},
		{"thread/", statedir.AdHoc, "threads/", "No declared folder has the name"},
		{"review.md/", statedir.AdHoc, "", "for a file, not for a folder"},
		{"review-api.md/", statedir.AdHoc, "", "for a file, not for a folder"},
		{"review.md~/", statedir.AdHoc, "", "No declared folder"},
	} {
		e := explained(t, c, x.name)
		near := ""
		if e.Suggestion != nil {
			near = *e.Suggestion
		}
		if e.Name != x.name || e.Bucket != x.bucket || near != x.suggestion || !strings.Contains(e.Why, x.says) {
			t.Errorf("%q: %+v", x.name, e)
		}
	}
	project := extend(t, exampleContract)
	for name, says := range map[string]string{
		"risk-report.md":   "The project's contract.yaml declares the name.",
		"plan-api.md":      "A pattern of the project's contract.yaml allows the name.",
		"perf-report.json": "The project's contract.yaml declares the name.",
	} {
		if e := explained(t, project, name); e.Why != says {
			t.Errorf("%s: %s", name, e.Why)
		}
	}
}

// explained is Explain for a name that has an answer.
func explained(t interface {
	Helper()
	Fatalf(string, ...any)
}, c *Contract, name string,
) Explanation {
	t.Helper()
	e, err := c.Explain(name)
	if err != nil {
		t.Fatalf("%q: %v", name, err)
	}
	return e
}

// SD-9: the contract is about names in the folder. For a path to another place Explain returns an error.
func TestSD9_ContractOfNamesOutside(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"/etc/passwd": "path_outside", "../x": "path_outside", "..": "path_outside", "../": "path_outside", "notes/../../x": "path_outside",
		"": "name_invalid", ".": "name_invalid", "./": "name_invalid", "/": "path_outside",
		".devt/state/": "name_invalid", ".baton/work": "name_invalid", "notes/..": "name_invalid", "//": "path_outside",
	} {
		_, err := Declared().Explain(name)
		if e := report.As(err); err == nil || e.Code != report.Code(want) || e.Hint == "" ||
			(e.Kind == report.Usage) != (want == "name_invalid") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// The fields that 5.19 promises exist, and are null if there is no value.
func TestExplanationHasAllFields(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"plan.md":     `"row":"plan.md"`,
		"review-a.md": `"row":"^review-[A-Za-z0-9_.-]+\\.md$"`,
		"qqqqqq":      `"row":null,"detail":{"row":null,"pattern":null}`,
		"notes/x.md":  `"row":"notes"`,
		"review_a.md": `"suggestion":"review-a.md"`,
	} {
		data, err := json.Marshal(explained(t, Declared(), name))
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %s %v", name, data, err)
		}
		for _, field := range []string{"name", "bucket", "row", "sweeps", "suggestion", "why"} {
			if !strings.Contains(string(data), `"`+field+`":`) {
				t.Errorf("%s: no %s: %s", name, field, data)
			}
		}
	}
}

// The reason does not repeat the purpose of the file.
func TestWhyDoesNotRepeatThePurpose(t *testing.T) {
	t.Parallel()
	c := Declared()
	for _, r := range c.Rows() {
		if why := explained(t, c, r.Name).Why; strings.Contains(strings.ToLower(why), strings.ToLower(r.Purpose)) {
			t.Errorf("%s: %s", r.Name, why)
		}
	}
}

// The actions of the sweeps agree with the table of 5.8 and the rules of 5.8.3.
func TestExplainSaysWhatEachSweepDoes(t *testing.T) {
	t.Parallel()
	c := Declared()
	running := "moves; while a workflow is running, only when it is older than its start"
	session := "moves when it is older than the start of the session"
	prior := "moves when it is older than the start of the previous workflow, or than 1 day if that is unknown"
	always := ", and with --new-session in any case"
	for name, want := range map[string][4]string{
		"plan.md":                   {"stays", "moves", "stays", "stays"},
		"scratchpad.md":             {"stays", "moves", "stays", "stays"},
		"deferred.md":               {"stays", "stays: it is exempt", "stays", "stays"},
		"workflow.yaml":             {"stays", "moves", "stays", "is rewritten; a copy of the old one goes into the snapshot"},
		"consolidator-ran.txt":      {"stays", "moves", running, "moves"},
		"graph-impact.md":           {"stays", "moves", running, "moves"},
		"verification.json":         {"stays", "moves", running, "moves"},
		"review.md":                 {"stays", "moves", session, session + always},
		"graphify-impact-plan.json": {"stays", "stays: it is exempt", "stays", "stays"},
		"review-api.md":             {"moves when it is older than 21 days", "moves", session, prior + always},
		"perf-summary.md":           {"moves when it is older than 21 days", "moves", "stays", prior},
		"x.tmp":                     {"moves", "moves", "stays", "moves"},
		"elsewhere.md":              {"moves", "moves", "stays", prior},
		"lane-files/":               {"stays", "moves", "stays", "stays"},
		"threads/":                  {"stays", "stays: it is exempt", "stays", "stays"},
		"verification.json/":        {"moves", "moves", "stays", prior},
	} {
		e := explained(t, c, name)
		for i, sweep := range []string{"cleanup", "reset", "evict", "begin"} {
			if e.Sweeps[sweep] != want[i] {
				t.Errorf("%s: %s: %q, want %q", name, sweep, e.Sweeps[sweep], want[i])
			}
		}
	}
	strict := extend(t, "version: 1\nexempt: [plan.md]\nretention: {stale_days: 1}\n")
	if s := explained(t, strict, "plan.md").Sweeps["reset"] + explained(t, strict, "slice-a.md").Sweeps["cleanup"]; s !=
		"stays: it is exempt"+"moves when it is older than 1 day" {
		t.Error(s)
	}
}

func TestExplainNamesTheSchema(t *testing.T) {
	t.Parallel()
	c := extend(t, exampleContract)
	for name, want := range map[string]string{
		"review.json": "review.json", "handoff.json": "handoff.json", "perf-report.json": "perf-report.json", "review.md": "",
		"preflight-brief.json": "", "review.json/": "", "review-x.json": "",
	} {
		if got := explained(t, c, name).Schema; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Every name gets a complete answer that can be written as JSON.
func TestExplainAnswersEverything(t *testing.T) {
	t.Parallel()
	c := Declared()
	rapid.Check(t, func(t *rapid.T) {
		name := anyName().Draw(t, "name") + rapid.SampledFrom([]string{"", "/"}).Draw(t, "slash")
		e, err := c.Explain(name)
		if err != nil {
			if code := report.CodeOf(err); code != "name_invalid" && code != "path_outside" {
				t.Fatalf("%q: %v", name, err)
			}
			return
		}
		if len(e.Sweeps) != 4 || e.Why == "" || !strings.HasSuffix(e.Why, ".") || (e.Bucket != statedir.AdHoc && e.Suggestion != nil) {
			t.Fatalf("%q: %+v", name, e)
		}
		if _, err := json.Marshal(e); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzClassify checks that any bytes have exactly one class, that folders never count as files, and that suggestions
// are allowed names.
func FuzzClassify(f *testing.F) {
	c := Declared()
	for _, r := range c.Rows() {
		f.Add([]byte(r.Name))
	}
	for _, seed := range []string{"", "a\n.tmp", "\xff~", "reveiw-a.md", "review.md/", "\u2028.tmp", strings.Repeat("-", 300)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		name := string(data)
		file, dir := c.Classify(name, false, false), c.Classify(name, true, false)
		if file.Row != nil && dir.Row != nil || dir.Bucket != statedir.Canonical && dir.Bucket != statedir.AdHoc || file.Row != nil &&
			file.Pattern != nil {
			t.Fatalf("%q: %+v, %+v", name, file, dir)
		}
		if (file.Bucket == statedir.Canonical) != (file.Row != nil) || file.Exempt && file.Row == nil || file.Reason != "" {
			t.Fatalf("%q: %+v", name, file)
		}
		near := c.Nearest(name)
		if folder, ok := strings.CutSuffix(near, "/"); ok {
			if c.Classify(folder, true, false).Bucket != statedir.Canonical {
				t.Fatalf("%q: %q", name, near)
			}
		} else if near != "" && !c.allows(near) {
			t.Fatalf("%q: %q", name, near)
		}
		_, _ = c.Explain(name)
	})
}
