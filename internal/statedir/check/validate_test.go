package check

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/statedir/record"
)

// folderOf returns a folder whose files have these contents and were written a minute ago.
func folderOf(files map[string]string) (declaration.Facts, map[string]Content) {
	f := declaration.Facts{Now: time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)}
	contents := map[string]Content{}
	for name, text := range files {
		f.Entries = append(f.Entries, statedir.Entry{
			Name: name, Kind: statedir.File, Size: int64(len(text)), ModTime: f.Now.Add(-time.Minute),
		})
		if name == record.FileName {
			f.Record = record.Read([]byte(text))
		}
	}
	for _, name := range Names(declaration.Declared(), f.Entries) {
		contents[name] = Content{Data: []byte(files[name])}
	}
	return f, contents
}

// validated returns the problems of a folder in the form "severity file reason".
func validated(t *testing.T, f declaration.Facts, contents map[string]Content, fault string) []string {
	t.Helper()
	words := []string{}
	for _, p := range Validate(declaration.Declared(), f, contents, fault) {
		if !strings.HasPrefix(p.Message, statedir.PlainName(p.File)) {
			t.Errorf("the message does not begin with the name of the file: %+v", p)
		}
		words = append(words, p.Severity+" "+p.File+" "+string(p.Reason))
	}
	return words
}

const goodReview = `{"status":"DONE","verdict":"APPROVED","agent":"code-reviewer"}`

func TestValidateFindsEveryKindOfError(t *testing.T) {
	t.Parallel()
	f, contents := folderOf(map[string]string{
		"review.md": "x", "review.json": `{"status":"DONE","verdict":"OK","agent":"code-reviewer"}`,
		"impl-summary.md": "x", "impl-summary.json": "{\n]",
		"verification.md": "x", "verification.json": "null",
		"research.md": "# no status", "docs-summary.md": "## Status: done", "arch-review.md": "## Status\n\nPARTIAL",
		"handoff.json": `{"task":null}`, "preflight-brief.json": "{", "preflight-brief.md": "## Status: PARTIAL",
		"debug-summary.md": "## Status: DONE", "curation-summary.md": "## Status: DONE", "plan.md": "", "some.json": "{",
		"impl-summary-x.json": "{", "acceptance-criteria.json": `{"criteria":[],"derived_at":1,"workflow_id":1}`,
	})
	want := []string{
		"error debug-summary.md invalid_status", "error docs-summary.md invalid_status",
		"error handoff.json missing_required_field", "error handoff.json missing_required_field",
		"warning handoff.json missing_recommended_field", "warning handoff.json missing_recommended_field",
		"warning handoff.json missing_recommended_field",
		"warning handoff.json missing_recommended_field", "warning handoff.json missing_recommended_field",
		"error impl-summary.json invalid_json", "error preflight-brief.json invalid_json", "error preflight-brief.md invalid_status",
		"error research.md no_status_line", "error review.json invalid_value", "error verification.json not_an_object",
	}
	if got := validated(t, f, contents, ""); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	for _, p := range Validate(declaration.Declared(), f, contents, "") {
		text := map[string]string{
			"docs-summary.md": `docs-summary.md:1: the status is "done"; allowed are DONE, DONE_WITH_CONCERNS, BLOCKED, NEEDS_CONTEXT,` +
				` PARTIAL; did you mean DONE?`,
			"research.md": `research.md: no line "## Status: …" among the first 100; allowed are DONE, DONE_WITH_CONCERNS, BLOCKED, ` +
				`NEEDS_CONTEXT, PARTIAL`,
			"review.json": `review.json: /verdict is "OK"; allowed are APPROVED, APPROVED_WITH_NOTES, NEEDS_WORK`,
		}[p.File]
		if text != "" && p.Message != text {
			t.Errorf("%q, want %q", p.Message, text)
		}
	}
}

func TestAGoodFolderHasNoProblems(t *testing.T) {
	t.Parallel()
	f, contents := folderOf(map[string]string{
		"review.md": "x", "review.json": goodReview, "research.md": "## Status: DONE", "plan.md": "", "qqqq": "", "review-a.md": "",
		record.FileName: "active: true\nphase: context_init\nworkflow_type: dev\n",
	})
	if got := validated(t, f, contents, ""); len(got) > 0 {
		t.Errorf("%q", got)
	}
	if got := validated(t, declaration.Facts{Now: f.Now}, nil, ""); len(got) > 0 {
		t.Errorf("an empty folder: %q", got)
	}
}

func TestSDK21_AReviewNeedsNoStatusLine(t *testing.T) {
	t.Parallel()
	for _, s := range declaration.Declared().Sidecars() {
		src := `{"status":"` + s.Status[0] + `","verdict":"` + s.Verdict[0] + `","agent":"` + s.Agent[0] + `"}`
		f, contents := folderOf(map[string]string{s.Markdown: "# Findings\n\nNo status here.\n", s.JSON: src})
		if got := validated(t, f, contents, ""); len(got) > 0 {
			t.Errorf("%s: %q", s.Markdown, got)
		}
		if slices.Contains(Names(declaration.Declared(), f.Entries), s.Markdown) {
			t.Errorf("%s is looked into", s.Markdown)
		}
	}
}

func TestSD5_AnUnreadableSidecarIsOneFinding(t *testing.T) {
	t.Parallel()
	f, contents := folderOf(map[string]string{"review.md": "x", "review.json": goodReview, "research.md": "x", "handoff.json": "[]"})
	contents["review.json"] = Content{Fault: "permission denied\x1b[2J"}
	want := []string{
		"error handoff.json missing_required_field", "error handoff.json missing_required_field",
		"error handoff.json missing_required_field",
		"error research.md no_status_line", "error review.json unreadable",
	}
	if got := validated(t, f, contents, ""); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	found := Validate(declaration.Declared(), f, contents, "")
	if text := found[len(found)-1].Message; text != `review.json: cannot be read: "permission denied\x1b[2J"` {
		t.Errorf("%q", text)
	}
}

func TestSD5_WhatIsNoFileCannotBeRead(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)
	f := declaration.Facts{Now: now, Entries: []statedir.Entry{
		{Name: "verification.json", Kind: statedir.Link, Broken: "outside"},
		{Name: "review.json", Kind: statedir.Dir},
		{Name: "handoff.json", Kind: statedir.Other},
		{Name: "research.md", Kind: statedir.Link, Broken: "dangling"},
		{Name: "docs-summary.md", Kind: statedir.Link},
		{Name: "threads", Kind: statedir.Dir},
		{Name: "lane.json", Kind: statedir.Dir},
	}}
	if got := Names(declaration.Declared(), f.Entries); !slices.Equal(got, []string{"docs-summary.md"}) {
		t.Errorf("looks into %q", got)
	}
	contents := map[string]Content{"docs-summary.md": {Data: []byte("## Status: DONE")}}
	want := []string{
		"error handoff.json unreadable", "error research.md unreadable", "error review.json unreadable",
		"error verification.json unreadable",
		"warning verification.md missing",
	}
	if got := validated(t, f, contents, ""); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A file that disappeared between listing and reading is treated as if it had never existed.
func TestAVanishedFileIsNoProblem(t *testing.T) {
	t.Parallel()
	f, contents := folderOf(map[string]string{"review.json": goodReview, "research.md": "x"})
	delete(contents, "research.md")
	delete(contents, "review.json")
	if got := validated(t, f, contents, ""); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

func TestOneHalfOfAPairIsAWarning(t *testing.T) {
	t.Parallel()
	f, contents := folderOf(map[string]string{
		"review.md": "x", "test-summary.json": `{"status":"DONE","verdict":"PASS","agent":"tester"}`,
		record.FileName: "phase: verify\nworkflow_type: dev\nskipped_phases: scan,arch_health architect\n",
	})
	want := []string{"warning impl-summary.md missing", "warning review.json missing", "warning test-summary.md missing"}
	if got := validated(t, f, contents, ""); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestPassedPhasesShouldHaveLeftTheirFiles(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		record string
		want   string
	}{
		"first phases":    {"phase: implement\nworkflow_type: dev", ""},
		"one":             {"phase: test\nworkflow_type: dev", "impl-summary.md"},
		"dev":             {"phase: complete\nworkflow_type: dev", "impl-summary.md test-summary.md review.md verification.md"},
		"no type":         {"phase: complete", "impl-summary.md test-summary.md review.md verification.md"},
		"quick":           {"phase: complete\nworkflow_type: quick_implement", "impl-summary.md test-summary.md review.md"},
		"review":          {"phase: complete\nworkflow_type: code_review", "review.md verification.md"},
		"architecture":    {"phase: complete\nworkflow_type: arch_health_scan", "scan-results.md arch-health-scan.md arch-review.md"},
		"arch half-way":   {"phase: architect\nworkflow_type: arch_health_scan", "scan-results.md arch-health-scan.md"},
		"retrospective":   {"phase: finalize\nworkflow_type: retro", "lessons.yaml curation-summary.md"},
		"docs":            {"phase: finalize\nworkflow_type: docs", "docs-summary.md"},
		"research":        {"phase: finalize\nworkflow_type: research", ""},
		"plan":            {"phase: architect\nworkflow_type: plan", "plan.md"},
		"debug":           {"phase: complete\nworkflow_type: debug", "debug-summary.md"},
		"still debugging": {"phase: debug\nworkflow_type: debug", ""},
		"cancelled":       {"phase: cancelled\nworkflow_type: dev", ""},
		"first one":       {"phase: context_init", ""},
		"none":            {"phase: null", ""},
		"parallel review": {"phase: present_findings\nworkflow_type: code_review_parallel", ""},
		"left out":        {"phase: verify\nskipped_phases: \"test, review,architect\"", "impl-summary.md"},
	} {
		f, contents := folderOf(map[string]string{record.FileName: test.record + "\n"})
		missing := []string{}
		for _, p := range Validate(declaration.Declared(), f, contents, "") {
			if p.Reason != report.CodeMissing || p.Severity != statedir.Doubtful {
				t.Errorf("%s: %+v", name, p)
			}
			if len(p.Missing) != 1 && p.File != record.FileName || len(p.Missing) == 1 && p.File != p.Missing[0] {
				t.Errorf("%s: %+v", name, p)
			}
			missing = append(missing, p.Missing...)
		}
		if got := strings.Join(missing, " "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// There is only one sentence, however many files are missing.
func TestPassedPhasesAreReportedInOneSentence(t *testing.T) {
	t.Parallel()
	for rec, want := range map[string]string{
		"phase: test\nworkflow_type: dev\n": "impl-summary.md: is missing; the phase implement has been passed (the record is at " +
			"test) and should have left it",
		"phase: review\nworkflow_type: dev\n": "workflow.yaml: the phases implement and test have been passed (the record is at review) " +
			"and should have left impl-summary.md and test-summary.md",
	} {
		f, contents := folderOf(map[string]string{record.FileName: rec})
		found := Validate(declaration.Declared(), f, contents, "")
		if len(found) != 1 || found[0].Message != want {
			t.Errorf("%+v", found)
		}
	}
}

// A workflow that completed the phases of its type has no warnings, so it also passes --strict.
func TestACompletedDevWorkflowHasNoWarnings(t *testing.T) {
	t.Parallel()
	files := map[string]string{record.FileName: "active: true\nworkflow_type: dev\nphase: complete\ncreated_at: 2026-06-10T11:00:00Z\n"}
	for _, s := range declaration.Declared().Sidecars() {
		files[s.Markdown] = "# It\n"
		files[s.JSON] = `{"status":"` + s.Status[0] + `","verdict":"` + s.Verdict[0] + `","agent":"` + s.Agent[0] + `"}`
	}
	f, contents := folderOf(files)
	if got := validated(t, f, contents, ""); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// Files of an earlier workflow do not count as output of this one, neither of its phases nor of its lanes. But they
// count as half of a pair.
func TestSDD21_InheritedFilesStandForNoPhase(t *testing.T) {
	t.Parallel()
	f, contents := folderOf(map[string]string{
		"impl-summary.md": "x", "review-lane-api.md": "x",
		record.FileName: "active: true\nworkflow_type: dev\nphase: test\ncreated_at: 2026-06-10T11:00:00Z\nlanes:\n  - id: L1\n" +
			"    review_file: .devt/state/review-lane-api.md\n    status: substance_pass\n",
	})
	for i := range f.Entries {
		f.Entries[i].ModTime = f.Now.Add(-2 * time.Hour)
	}
	want := []string{
		"warning impl-summary.json missing", "warning impl-summary.md inherited", "warning impl-summary.md missing",
		"warning review-lane-api.md inherited", "warning review-lane-api.md missing",
	}
	if got := validated(t, f, contents, ""); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, p := range Validate(declaration.Declared(), f, contents, "") {
		if p.Reason == report.CodeMissing && p.File != "impl-summary.json" &&
			!strings.Contains(p.Message, "is from an earlier workflow") {
			t.Errorf("%s", p.Message)
		}
	}
}

// SD-12: a folder in the place of a file is reported once.
func TestSD12_FoldersInThePlaceOfFiles(t *testing.T) {
	t.Parallel()
	f, contents := folderOf(map[string]string{
		"test-summary.md": "x", record.FileName: "active: true\nworkflow_type: plan\nphase: architect\n",
	})
	for _, name := range []string{"review.md", "test-summary.json", "plan.md"} {
		f.Entries = append(f.Entries, statedir.Entry{Name: name, Kind: statedir.Dir, ModTime: f.Now})
	}
	want := []string{"warning plan.md missing", "warning review.md missing", "error test-summary.json unreadable"}
	if got := validated(t, f, contents, ""); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, p := range Validate(declaration.Declared(), f, contents, "") {
		if !strings.Contains(p.Message, "is a folder") {
			t.Errorf("%s", p.Message)
		}
	}
}

// The fields that 5.19 promises exist: null for no value, which differs from an empty text, and lists.
func TestProblemHasAllFields(t *testing.T) {
	t.Parallel()
	f, contents := folderOf(map[string]string{
		"review.md": "x", "review.json": `{"status":"","verdict":"APPROVED"}`, record.FileName: "phase: nowhere\niteration: x\nodd line\n",
	})
	empty, absent := 0, 0
	for _, p := range Validate(declaration.Declared(), f, contents, "") {
		data, err := json.Marshal(p)
		if err != nil || !strings.Contains(string(data), `"actual":`) || !strings.Contains(string(data), `"allowed":[`) {
			t.Errorf("%s %v", data, err)
		}
		switch {
		case p.Pointer == "/status" && p.Actual != nil && *p.Actual == "":
			empty++
		case p.Pointer == "/agent" && p.Actual == nil:
			absent++
		}
	}
	if empty != 1 || absent != 1 {
		t.Errorf("%d empty, %d absent", empty, absent)
	}
}

func TestSDK33_AnUnknownPhaseSilencesNothing(t *testing.T) {
	t.Parallel()
	f, contents := folderOf(map[string]string{
		"research.md": "x", "review.json": "[]", record.FileName: "active: true\nphase: somewhere\nworkflow_type: nothing\n",
	})
	got := validated(t, f, contents, "")
	for _, want := range []string{"error research.md no_status_line", "error review.json not_an_object", "warning review.md missing"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	rec := 0
	for _, text := range got {
		if strings.HasPrefix(text, "error "+record.FileName+" ") {
			rec++
		}
	}
	if rec != 2 {
		t.Errorf("phase and type: %q", got)
	}
	for _, phase := range []string{"partition_lanes", "dispatch_lanes", "consolidate", "present_findings"} {
		f, contents := folderOf(map[string]string{"research.md": "x", record.FileName: "phase: " + phase + "\n"})
		if got := validated(t, f, contents, ""); !slices.Equal(got, []string{"error research.md no_status_line"}) {
			t.Errorf("%s: %q", phase, got)
		}
	}
}

func TestSD4_ARecordThatCannotBeReadIsOneError(t *testing.T) {
	t.Parallel()
	f, contents := folderOf(map[string]string{"research.md": "x"})
	want := []string{"error research.md no_status_line", "error workflow.yaml unreadable"}
	if got := validated(t, f, contents, "permission denied"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The record's mark is computed from the errors of validate: it is set while the file is broken and disappears when it
// is repaired.
func TestSD36_ABrokenHandoffCounts(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]int{`{"task":`: 1, `{"task":1,"phase":2,"paused_at":null}`: 0} {
		f, contents := folderOf(map[string]string{"handoff.json": src})
		if got := errorsIn(Validate(declaration.Declared(), f, contents, "")); got != want {
			t.Errorf("%s: %d errors, want %d", src, got, want)
		}
	}
}

func TestSDD21_InheritedFilesAreWarnings(t *testing.T) {
	t.Parallel()
	f, contents := folderOf(map[string]string{
		"review.md": "x", "review.json": goodReview, "plan.md": "", "review-a.md": "", "consolidator-ran.txt": "",
		record.FileName: "active: true\nworkflow_type: dev\ncreated_at: 2026-06-10T11:00:00Z\n",
	})
	if got := validated(t, f, contents, ""); len(got) > 0 {
		t.Errorf("files of this workflow: %q", got)
	}
	for i := range f.Entries {
		f.Entries[i].ModTime = f.Now.Add(-2 * time.Hour)
	}
	want := []string{
		"warning consolidator-ran.txt inherited", "warning review-a.md inherited", "warning review.json inherited",
		"warning review.md inherited",
	}
	if got := validated(t, f, contents, ""); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestSD22_FilesFromTheFutureAreWarnings(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)
	f := declaration.Facts{Now: now, Entries: []statedir.Entry{
		{Name: "plan.md", Kind: statedir.File, ModTime: now.Add(clockGrain)},
		{Name: "spec.md", Kind: statedir.File, ModTime: now.Add(clockGrain + 1)},
		{Name: "odd\n\xff", Kind: statedir.File, ModTime: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)},
	}}
	want := []string{"warning odd\n\\xFF future_time", "warning spec.md future_time"}
	found := Validate(declaration.Declared(), f, nil, "")
	got := []string{}
	for _, p := range found {
		got = append(got, p.Severity+" "+p.File+" "+string(p.Reason))
	}
	if !slices.Equal(got, want) || !strings.HasPrefix(found[0].Message, `"odd\n\xff": has a modification time in the future`) {
		t.Errorf("%q, %q", got, found[0].Message)
	}
}

func TestSDK32_AMissingLaneFileIsNotSubstantial(t *testing.T) {
	t.Parallel()
	lane := func(id, file, status string) string {
		return "  - id: " + id + "\n    review_file: " + file + "\n    status: " + status + "\n"
	}
	f, contents := folderOf(map[string]string{
		"review-lane-api.md": "x",
		record.FileName: "active: true\nphase: dispatch_lanes\nlanes:\n" +
			lane("L1", ".devt/state/review-lane-api.md", "substance_pass") + lane("L2", ".devt/state/review-lane-web.md",
			"substance_pass") +
			lane("L3", "review-lane-db.md", "in_flight") + lane("L4", "docs/review-lane-x.md", "substance_pass"),
	})
	want := []string{"warning review-lane-web.md missing"}
	if got := validated(t, f, contents, ""); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestProblemsComeInTheOrderOfTheNames(t *testing.T) {
	t.Parallel()
	f, contents := folderOf(map[string]string{
		"research.md": "x", "arch-review.md": "x", "review.json": "{}", "handoff.json": "{}", record.FileName: "phase: nowhere\n",
		"docs-summary.md": "x",
	})
	first := Validate(declaration.Declared(), f, contents, "")
	slices.Reverse(f.Entries)
	second := Validate(declaration.Declared(), f, contents, "")
	if !slices.IsSortedFunc(first, func(a, b statedir.Problem) int { return strings.Compare(a.File, b.File) }) {
		t.Errorf("%+v", first)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("it depends on the listing: %s", diff)
	}
}

// The time is proportional to the number of entries, even for thousands.
func TestSD21_ValidateOfManyEntries(t *testing.T) {
	t.Parallel()
	f := declaration.Facts{Now: time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)}
	for i := range 10_000 {
		f.Entries = append(f.Entries, statedir.Entry{Name: "review-" + strconv.Itoa(i) + ".md", Kind: statedir.File, ModTime: f.Now})
	}
	if got := Validate(declaration.Declared(), f, nil, ""); len(got) > 0 {
		t.Errorf("%d problems", len(got))
	}
}

func TestPointer(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]string{"status": "/status", "a/b": "/a~1b", "m~n": "/m~0n", "~1": "/~01", "": "/"} {
		if got := statedir.Pointer(field); got != want {
			t.Errorf("%q: %q, want %q", field, got, want)
		}
	}
}

func errorsIn(found []statedir.Problem) (n int) {
	for _, p := range found {
		if p.Severity == statedir.Wrong {
			n++
		}
	}
	return n
}
