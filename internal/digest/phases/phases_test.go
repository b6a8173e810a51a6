package phases

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// dir returns a folder. A name with a slash is in plans/; "name=word" sets a status.
func dir(name string, files ...string) Dir {
	d := Dir{Name: name}
	for _, f := range files {
		base, status, _ := strings.Cut(f, "=")
		if nested, ok := strings.CutPrefix(base, "plans/"); ok {
			d.Plans = append(d.Plans, File{nested, status})
			continue
		}
		d.Files = append(d.Files, File{base, status})
	}
	return d
}

func disk(dirs ...Dir) Input { return Input{HasPhases: true, Dirs: dirs} }

func withRoadmap(in Input, milestone, roadmap string) Input {
	in.Milestone, in.Roadmap, in.HasRoadmap = milestone, []byte(roadmap), true
	return in
}

// numbers returns the counts in the form "phases 1/2 plans 3/4 75%".
func numbers(f Facts) string {
	percent := "none"
	if f.Percent != nil {
		percent = fmt.Sprint(*f.Percent, "%")
	}
	return fmt.Sprintf("phases %d/%d plans %d/%d %s", f.CompletedPhases, f.TotalPhases, f.CompletedPlans, f.TotalPlans, percent)
}

func ids(f Facts) string {
	var out []string
	for _, p := range f.Phases {
		out = append(out, p.ID)
	}
	return strings.Join(out, " ")
}

func check(t *testing.T, in Input, want, phases string) Facts {
	t.Helper()
	f := Derive(in)
	if got := numbers(f); got != want {
		t.Errorf("numbers %s, want %s", got, want)
	}
	if got := ids(f); got != phases {
		t.Errorf("phases %q, want %q", got, phases)
	}
	return f
}

func TestGSD26_NestedPlans(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		dir  Dir
		want string
	}{
		{
			"nested", dir("01-quay", "plans/PLAN-01-posts.md", "plans/SUMMARY-01-posts.md", "plans/PLAN-02-rails.md"),
			"phases 0/1 plans 1/2 0%",
		},
		{
			"flat and nested", dir("01-quay", "01-01-PLAN.md", "01-01-SUMMARY.md", "plans/PLAN-02.md", "plans/SUMMARY-02.md"),
			"phases 1/1 plans 2/2 100%",
		},
		{"phase number ahead", dir("01-quay", "plans/01-PLAN-03.md", "plans/01-SUMMARY-03.md"), "phases 1/1 plans 1/1 100%"},
		{"empty folder", dir("01-quay"), "phases 0/1 plans 0/0 0%"},
		{
			"outline and draft", dir("01-quay", "01-01-PLAN-OUTLINE.md", "01-01-PLAN.pre-bounce.md", "plans/PLAN-01-OUTLINE.md",
				"plans/PLAN-01.pre-bounce.md"), "phases 0/1 plans 0/0 0%",
		},
		{"nested without a number", dir("01-quay", "plans/PLAN-posts.md", "plans/notes.md"), "phases 0/1 plans 0/0 0%"},
		{"a summary beside is not one in the folder", dir("01-quay", "plans/PLAN-01.md", "SUMMARY-01.md"), "phases 0/1 plans 0/1 0%"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			check(t, disk(tt.dir), tt.want, "1")
		})
	}
}

func TestGSD27_PlansAndSummaries(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		dir  Dir
		want string
	}{
		{"number behind the word", dir("01", "01-PLAN-01.md", "01-PLAN-01-SUMMARY.md"), "phases 1/1 plans 1/1 100%"},
		{"short summary", dir("01", "01-PLAN-01.md", "01-01-SUMMARY.md"), "phases 1/1 plans 1/1 100%"},
		{"stray summaries", dir("01", "01-01-PLAN.md", "01-07-SUMMARY.md", "01-08-SUMMARY.md"), "phases 0/1 plans 0/1 0%"},
		{"stray summary without plans", dir("01", "SUMMARY.md"), "phases 0/1 plans 0/0 0%"},
		{
			"superseded leaves both counts", dir("01", "01-01-PLAN.md=superseded", "01-01-SUMMARY.md", "01-02-PLAN.md", "01-02-SUMMARY.md"),
			"phases 1/1 plans 1/1 100%",
		},
		{"all superseded", dir("01", "01-01-PLAN.md=superseded"), "phases 0/1 plans 0/0 0%"},
		{"slug on the plan only", dir("01", "01-01-posts-PLAN.md", "01-01-SUMMARY.md"), "phases 1/1 plans 1/1 100%"},
		{"one plan of the folder", dir("01", "PLAN.md", "SUMMARY.md"), "phases 1/1 plans 1/1 100%"},
		{"small letters", dir("01", "01-01-plan.md", "01-01-SUMMARY.md"), "phases 1/1 plans 1/1 100%"},
		{"summary in small letters is none", dir("01", "01-01-PLAN.md", "01-01-summary.md"), "phases 0/1 plans 0/1 0%"},
		{"review", dir("01", "01-01-PLAN.md", "01-01-PLAN-REVIEW.md", "01-01-SUMMARY.md"), "phases 1/1 plans 1/1 100%"},
		{"not Markdown", dir("01", "01-01-PLAN.txt", "PLAN"), "phases 0/1 plans 0/0 0%"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			check(t, disk(tt.dir), tt.want, "1")
		})
	}
}

func TestGSDD15_PlanIsAWordOfTheName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"01-01-PLAN.md": true, "PLAN.md": true, "01_plan_two.md": true, "03.Plan.md": true, "01-PLAN-02-slug.md": true,
		"REPLAN-INPUTS.md": false, "planning.md": false, "01-EXPLANATION.md": false, "01-PLANS.md": false, "01-plan-SUMMARY.md": false,
	} {
		if plan(name) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}

func TestGSD28_SentinelsAreNoPhases(t *testing.T) {
	t.Parallel()
	in := disk(dir("00-spike", "00-01-PLAN.md"), dir("00.1-more", "PLAN.md"), dir("01-quay", "01-01-PLAN.md"),
		dir("999.1-later", "PLAN.md"), dir("ABC-999-x", "PLAN.md"))
	check(t, in, "phases 0/1 plans 0/1 0%", "1")
	roadmap := "# Roadmap\n\n## v1.0: All\n\n### Phase 0: Spike\n\n### Phase 1: Quay\n\n### Phase 999.2: Later\n\n- [ ] **Phase " +
		"999 — Backlog**\n"
	check(t, withRoadmap(in, "v1.0", roadmap), "phases 0/1 plans 0/1 0%", "1")
}

func TestGSD29_RetiredPhases(t *testing.T) {
	t.Parallel()
	dirs := disk(dir("04-cranes", "04-01-PLAN.md"), dir("05-sheds", "05-01-PLAN.md"))
	const head = "## v1.0: All\n\n"
	tests := []struct {
		name, roadmap, want, phases string
	}{
		{"heading", head + "### ~~Phase 04: Cranes~~ folded into Phase 5\n\n### Phase 5: Sheds\n", "phases 0/1 plans 0/1 0%", "5"},
		{"checklist", head + "- [x] ~~**Phase 4 — Cranes**~~ → Phase 5\n- [ ] **Phase 5 — Sheds**\n", "phases 0/1 plans 0/1 0%", "5"},
		{
			"checklist beside a heading", head + "- [x] **~~Phase 4~~**\n\n### Phase 4: Cranes\n\n### Phase 5: Sheds\n",
			"phases 0/1 plans 0/1 0%", "5",
		},
		{"project code", head + "### ~~Phase PORT-04~~\n\n### Phase 4: Cranes\n\n### Phase 5: Sheds\n", "phases 0/1 plans 0/1 0%", "5"},
		{
			"a decimal is another phase", head + "### ~~Phase 4.1~~\n\n### Phase 4: Cranes\n\n### Phase 5: Sheds\n",
			"phases 0/2 plans 0/2 0%", "4 5",
		},
		{
			"words that are no id", head + "- ~~Phase out the old quay~~\n\n### Phase 4: Cranes\n\n### Phase 5: Sheds\n",
			"phases 0/2 plans 0/2 0%", "4 5",
		},
		{"in a fence", head + "```\n### ~~Phase 4~~\n```\n\n### Phase 4: Cranes\n\n### Phase 5: Sheds\n", "phases 0/2 plans 0/2 0%", "4 5"},
		{"all", head + "### ~~Phase 4: Cranes~~\n\n### ~~Phase 5: Sheds~~\n", "phases 0/0 plans 0/0 none", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			check(t, withRoadmap(dirs, "v1.0", tt.roadmap), tt.want, tt.phases)
		})
	}
}

func TestGSD30_NewestOfTwoFoldersCounts(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	old, fresh := dir("01-old-quay", "01-01-PLAN.md", "01-01-SUMMARY.md"), dir("01-quay", "01-01-PLAN.md", "01-02-PLAN.md")
	old.ModTime, fresh.ModTime = at, at.Add(time.Minute)
	for _, in := range []Input{disk(old, fresh), disk(fresh, old)} {
		f := check(t, in, "phases 0/1 plans 0/2 0%", "1")
		if f.Phases[0].Dir != "01-quay" {
			t.Errorf("folder %s", f.Phases[0].Dir)
		}
	}
}

// A roadmap without versions is one milestone (F-47).
func TestGSD31_UnboundedMilestone(t *testing.T) {
	t.Parallel()
	divided := "# Roadmap\n\n## v1.0: Old quay ✅\n\n### Phase 1: Posts\n\n### Phase 2: Planks\n\n## v1.1: New quay\n\n### Phase 3: Crane\n"
	f := check(t, withRoadmap(disk(dir("03-crane", "03-01-PLAN.md", "03-01-SUMMARY.md")), "v7.0", divided), "phases 0/0 plans 0/0 none", "")
	if f.Bounded {
		t.Error("bounded")
	}
	flat := "# Roadmap\n\n### Phase 1: Quay\n\n### Phase 2: Crane\n\n### Phase 3: Shed\n\n### Phase 4: Rails\n"
	check(t, withRoadmap(disk(dir("01-quay", "01-01-PLAN.md", "01-01-SUMMARY.md"), dir("02-crane", "02-01-PLAN.md")), "", flat),
		"phases 1/4 plans 1/2 25%", "1 2 3 4")
	prose := "# Roadmap\n\n## Phases\n\nSoon.\n\n### Phase 1: Quay\n\n### Phase 2: Crane\n"
	check(t, withRoadmap(disk(dir("01-quay", "01-01-PLAN.md")), "v1.0", prose), "phases 0/2 plans 0/1 0%", "1 2")
}

func TestGSD33_PercentIsTheSmallerShare(t *testing.T) {
	t.Parallel()
	tests := []struct {
		cp, tp, cf, tf int
		want           string
	}{
		{0, 4, 0, 2, "0%"},
		{4, 4, 1, 2, "50%"},
		{1, 8, 1, 1, "13%"},
		{5, 8, 1, 1, "63%"},
		{1, 3, 1, 3, "33%"},
		{2, 3, 1, 1, "67%"},
		{0, 0, 1, 2, "50%"},
		{3, 4, 0, 0, "75%"},
		{0, 0, 0, 0, "none"},
		{9, 4, 3, 2, "100%"},
		{199, 200, 1, 1, "100%"},
		{1, 1000, 1, 1, "0%"},
	}
	for _, tt := range tests {
		f := Facts{Percent: Percent(tt.cp, tt.tp, tt.cf, tt.tf)}
		if got := numbers(f); !strings.HasSuffix(got, " "+tt.want) {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

func TestPhasesOfARoadmap(t *testing.T) {
	t.Parallel()
	roadmap := "# Roadmap\n\n- [x] **Phase 01: Quay** - the posts\n- [ ] **Phase 2 — Crane**\n- [x] Phase 3: Shed - roofed\n\n" +
		"### Phase 1 (INSERTED): Quay\n\n### [HOLD] Phase 2: Crane\n\n### Phase 3: Shed\n\n```\n### Phase 9: Sample\n```\n\n<!--\n### " +
		"Phase 8: Hidden\n-->\n"
	f := Derive(withRoadmap(disk(
		dir("01-quay", "01-01-PLAN.md", "01-01-SUMMARY.md", "01-VERIFICATION.md=passed"),
		dir("02-crane", "02-CONTEXT.md"),
		dir("07-stray", "07-01-PLAN.md"),
	), "", roadmap))
	want := []Phase{
		{ID: "1", Name: "Quay", Dir: "01-quay", InRoadmap: true, Checked: true, Plans: 1, Summaries: 1, Verification: "passed"},
		{ID: "2", Name: "Crane", Dir: "02-crane", InRoadmap: true, Context: true},
		{ID: "3", Name: "Shed", InRoadmap: true, Checked: true},
	}
	if diff := cmp.Diff(want, f.Phases); diff != "" {
		t.Error(diff)
	}
	for id, known := range map[string]bool{"01": true, "3": true, "7": true, "07": true, "9": false, "8": false, "4": false} {
		if f.Known(id) != known {
			t.Errorf("known %s: %t", id, !known)
		}
	}
}

func TestVerificationThatFailedWins(t *testing.T) {
	t.Parallel()
	f := Derive(disk(dir("01", "01-VERIFICATION.md=passed", "01-02-VERIFICATION.md=gaps_found"),
		dir("02", "02-VERIFICATION.md=human_needed")))
	if f.Phases[0].Verification != "failed" || f.Phases[1].Verification != "" {
		t.Errorf("%+v", f.Phases)
	}
}

func TestStatusOf(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"front matter", "---\nphase: 1\nstatus: superseded # by 02\n---\n\n# Plan\n", "superseded"},
		{"quoted", "---\nstatus: \"Passed\"\n---\n", "passed"},
		{"CRLF and a mark at the start", "\uFEFF---\r\nstatus: passed\r\n---\r\n", "passed"},
		{"front matter wins over the text", "---\nstatus: human_needed\n---\n\nstatus: passed\n", "human_needed"},
		{"text", "# Verification\n\nstatus: gaps_found\n", "gaps_found"},
		{"bold label", "# Verification\n\n**Status:** passed\n", "passed"},
		{"label of a list", "- Status: failed, see below\n", "failed"},
		{"other words in the text", "Status: superseded\n", ""},
		{"nested key", "---\nmeta:\n  status: passed\n---\n", ""},
		{"not closed", "---\nstatus: passed\n", "passed"},
		{"behind an empty block (GSD-74)", "---\n---\nstatus: superseded\n---\n", "superseded"},
		{"closed by a line that begins with the mark (N2)", "---\nstatus: superseded\n--- end\nstatus: passed\n", "superseded"},
		{"nothing", "", ""},
		{"no colon", "the status passed\n", ""},
	}
	for _, tt := range tests {
		if got := StatusOf([]byte(tt.text)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestShortAsksForMoreOnlyWhereItMatters(t *testing.T) {
	t.Parallel()
	long := "---\n" + strings.Repeat("key: value\n", 60)
	tests := []struct {
		name, file, head string
		want             bool
	}{
		{"plan without front matter", "01-01-PLAN.md", "# Plan\n", false},
		{"plan with an open block", "01-01-PLAN.md", long, true},
		{"plan with a closed block", "01-01-PLAN.md", "---\nphase: 1\n---\n", false},
		{"verification without a word", "01-VERIFICATION.md", "# Verification\n", true},
		{"verification with one", "01-VERIFICATION.md", "# Verification\n\nStatus: passed\n", false},
		{"verification with front matter", "01-VERIFICATION.md", "---\nstatus: passed\n---\n", false},
	}
	for _, tt := range tests {
		if got := Short(tt.file, []byte(tt.head)); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

func TestSame(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"04", "4"}, {"4", "004"}, {"12A", "12a"}, {"46-06", "46-6"}, {"PROJ-042", "42"}, {" 4.5", "04.5"}, {"P0.3", "p0.3"},
	} {
		if !Same(pair[0], pair[1]) {
			t.Errorf("%q is %q", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"4.1", "4.10"}, {"4", "40"}, {"PROJ-4", "PORT-4"}, {"", "0"}, {"12A", "12"}} {
		if Same(pair[0], pair[1]) {
			t.Errorf("%q is not %q", pair[0], pair[1])
		}
	}
}

// big returns a project of n phases with four plans each, half of which are done.
func big(n int) Input {
	var b strings.Builder
	b.WriteString("# Roadmap\n\n## v1.0: All\n\n")
	in := Input{HasRoadmap: true, HasPhases: true, Milestone: "v1.0"}
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "- [ ] **Phase %d: Part %d** - a part of the work\n", i, i)
		var files []string
		for p := 1; p <= 4; p++ {
			files = append(files, fmt.Sprintf("%02d-%02d-PLAN.md", i, p))
			if i <= n/2 {
				files = append(files, fmt.Sprintf("%02d-%02d-SUMMARY.md", i, p))
			}
		}
		in.Dirs = append(in.Dirs, dir(fmt.Sprintf("%02d-part", i), files...))
	}
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "\n### Phase %d: Part %d\n\n**Goal**: something\n**Plans**: 4\n", i, i)
	}
	in.Roadmap = []byte(b.String())
	return in
}

func TestManyPhases(t *testing.T) {
	t.Parallel()
	f := Derive(big(1000))
	if got := numbers(f); got != "phases 500/999 plans 2000/3996 50%" { // phase 999 is the backlog
		t.Error(got)
	}
	if diff := cmp.Diff(Next{Execute, []string{"501"}}, Recommend(f, "500", false, false)); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkDerive1000(b *testing.B) {
	in := big(1000)
	for b.Loop() {
		Derive(in)
	}
}
