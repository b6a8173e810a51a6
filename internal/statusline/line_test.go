package statusline

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/task"
)

func remaining(percent float64) Input { return Input{Model: "M", Remaining: &percent} }

// TestGSD56_ContextThresholds: the steps of the contract, including the share that the agent reserves for compaction.
func TestGSD56_ContextThresholds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		remaining float64
		want      string
	}{
		{100, "\x1b[32m░░░░░░░░░░ 0%\x1b[0m"},
		{60, "\x1b[32m████░░░░░░ 48%\x1b[0m"},
		{59, "\x1b[32m████░░░░░░ 49%\x1b[0m"},
		{58.3, "\x1b[33m█████░░░░░ 50%\x1b[0m"},
		{46.5, "\x1b[33m██████░░░░ 64%\x1b[0m"},
		{45, "\x1b[38;5;208m██████░░░░ 66%\x1b[0m"},
		{33, "\x1b[5;31m💀 ████████░░ 80%\x1b[0m"},
		{16.5, "\x1b[5;31m💀 ██████████ 100%\x1b[0m"},
		{0, "\x1b[5;31m💀 ██████████ 100%\x1b[0m"},
		{-20, "\x1b[5;31m💀 ██████████ 100%\x1b[0m"},
		{250, "\x1b[32m░░░░░░░░░░ 0%\x1b[0m"},
	} {
		want := "\x1b[2mM\x1b[0m │ \x1b[2md\x1b[0m " + c.want
		if got := Line(remaining(c.remaining), Facts{Dir: "d"}, Options{}); got != want {
			t.Errorf("%v remaining: %q, want %q", c.remaining, got, want)
		}
	}
}

func TestGSD56_AutoCompactWindow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ window, total, want int }{
		{150_000, 200_000, 53},
		{200_000, 200_000, 40},  // nothing is reserved
		{900_000, 200_000, 40},  // more is reserved than exists
		{835_000, 0, 48},        // of the million that is assumed
		{1, 200_000_000, 100},   // nearly all is reserved
		{1, math.MaxInt32, 100}, // all is reserved, given the precision of numbers
	} {
		in := remaining(60)
		in.Total = c.total
		got, ok := used(in, Facts{}, Options{AutoCompact: c.window})
		if !ok || got != c.want {
			t.Errorf("window %d of %d: %d%%, want %d%%", c.window, c.total, got, c.want)
		}
	}
}

// TestD24_ContextIsUnscaledInTaskProjects: the same holds for SpecFlow projects. The configuration can change it.
func TestD24_ContextIsUnscaledInTaskProjects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		facts Facts
		scale Scale
		left  float64
		want  int
	}{
		{"tasks", Facts{Tasks: true}, "", 60, 40},
		{"own digest", Facts{Digest: Own}, "", 60, 40},
		{"specflow", Facts{Digest: Specflow}, "", 60.4, 40},
		{"gsd", Facts{Digest: GSD, Tasks: true}, "", 60, 48},
		{"nothing", Facts{}, "", 60, 48},
		{"nothing, real", Facts{}, ScaleReal, 60, 40},
		{"tasks, usable", Facts{Tasks: true}, ScaleUsable, 60, 48},
		{"specflow, usable", Facts{Digest: Specflow}, ScaleUsable, 60, 50},
		{"specflow, usable and full", Facts{Digest: Specflow}, ScaleUsable, 20, 100},
		{"specflow, full", Facts{Digest: Specflow}, "", -3, 100},
	} {
		if got, ok := used(remaining(c.left), c.facts, Options{Scale: c.scale}); !ok || got != c.want {
			t.Errorf("%s: %d%%, want %d%%", c.name, got, c.want)
		}
	}
	if _, ok := used(Input{}, Facts{}, Options{}); ok {
		t.Error("a percentage although the agent knows none")
	}
}

func TestGSD56_TokenTexts(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{
		0: "", -4: "", 1: " (1)", 999: " (999)", 1000: " (1k)", 1499: " (1k)", 1500: " (2k)", 156_342: " (156k)", 999_499: " (999k)",
		999_500: " (1.0M)", 1_250_000: " (1.2M)",
	} {
		if got := tokenText(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	in := remaining(60)
	in.Tokens = 156_342
	if got := Line(in, Facts{Dir: "d"}, Options{Tokens: true, NoColor: true}); got != "M │ d ████░░░░░░ 48% (156k)" {
		t.Error(got)
	}
}

func TestModelNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "Claude", " ": "Claude", "Opus": "Opus", "Sonnet 4.5 (1M context)": "Sonnet 4.5 (1M)", "A (200k ctx)": "A (200k)",
		"A(1M context)": "A (1M)", "A  (1M  context)": "A (1M)", "(1M context)": "(1M)",
		"A (1M context) b": "A (1M context) b", "A ( context)": "A ( context)", "A (context)": "A (context)", "A (x": "A (x",
	} {
		if got := modelText(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// full returns the facts of a line with every segment.
func full() (Input, Facts) {
	return remaining(60), Facts{
		Dir: "shop", Branch: "main", Digest: Own, Tasks: true, State: digestOf("---\nmilestone: v2\nstatus: executing\n---\n"),
		Spec: &Spec{ID: "SPEC-7", Status: "running"}, Task: &Task{ID: "101", Title: "JWT service", Checked: 2, Criteria: 4, Sessions: 3},
	}
}

// TestD23_DefaultSegments: the lines for GSD and SpecFlow match those of their tools. Only baton's own has branch and
// task.
func TestD23_DefaultSegments(t *testing.T) {
	t.Parallel()
	in, f := full()
	for _, c := range []struct {
		name string
		set  func(f *Facts, o *Options)
		want string
	}{
		{
			"own", func(f *Facts, _ *Options) {
				f.Spec = nil
			}, "M │ v2 · executing │ #101 JWT service · 2/4 · s3 │ shop │ main ████░░░░░░ 40%",
		},
		{
			"own without tasks", func(f *Facts, _ *Options) { f.Spec, f.Tasks = nil, false },
			"M │ v2 · executing │ shop │ main ████░░░░░░ 40%",
		},
		{
			"tasks only", func(f *Facts, _ *Options) { f.Digest, f.State, f.Spec = NoDigest, nil, nil },
			"M │ #101 JWT service · 2/4 · s3 │ shop │ main ████░░░░░░ 40%",
		},
		{"gsd", func(f *Facts, _ *Options) { f.Digest, f.Spec, f.Tasks = GSD, nil, false }, "M │ v2 · executing │ shop ████░░░░░░ 48%"},
		{
			"gsd and specflow", func(f *Facts, _ *Options) { f.Digest, f.Tasks = GSD, false },
			"[SF: SPEC-7 running] │ M │ v2 · executing │ shop ████░░░░░░ 48%",
		},
		{
			"specflow", func(f *Facts, _ *Options) { f.Digest, f.State, f.Tasks = Specflow, nil, false },
			"[SF: SPEC-7 running] │ M │ shop ████░░░░░░ 40%",
		},
		{"nothing", func(f *Facts, _ *Options) { *f = Facts{Dir: "shop", Branch: "main"} }, "M │ shop ████░░░░░░ 48%"},
		{
			"context in front", func(f *Facts, o *Options) { f.Digest, f.Spec, f.Tasks, o.Front = GSD, nil, false, true },
			"M ████░░░░░░ 48% │ v2 · executing │ shop",
		},
		{
			"own order", func(f *Facts, o *Options) { o.Segments = []string{"context", "branch", "task", "branch"} },
			"████░░░░░░ 40% │ main │ #101 JWT service · 2/4 · s3",
		},
		{"a segment that says nothing", func(f *Facts, o *Options) { f.Task, o.Segments = nil, []string{"task"} }, "M"},
		{"gsd with a branch by wish", func(f *Facts, o *Options) {
			f.Digest, o.Segments = GSD, []string{"state", "branch"}
		}, "v2 · executing │ main"},
		{
			"no workstream", func(f *Facts, _ *Options) { *f = Facts{Dir: "shop", Digest: GSD, Note: "no active workstream"} },
			"M │ no active workstream │ shop ████░░░░░░ 48%",
		},
		{
			"plain", func(f *Facts, o *Options) {
				o.Plain = true
			}, "[SF: SPEC-7 running] | M | v2 - executing | #101 JWT service - 2/4 - s3 | shop | main ####------ 40%",
		},
	} {
		f, o := f, Options{NoColor: true}
		c.set(&f, &o)
		if got := Line(in, f, o); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestColours(t *testing.T) {
	t.Parallel()
	in, f := full()
	want := "\x1b[36m[SF: SPEC-7 running]\x1b[0m │ \x1b[2mM\x1b[0m │ \x1b[2mv2 · executing\x1b[0m │ \x1b[1m#101 JWT service · 2/4 · " +
		"s3\x1b[0m │ \x1b[2mshop\x1b[0m │ \x1b[2mmain\x1b[0m \x1b[32m████░░░░░░ 40%\x1b[0m"
	if got := Line(in, f, Options{}); got != want {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
	for _, o := range []Options{{NoColor: true}, {Plain: true}} {
		if got := Line(in, f, o); strings.Contains(got, "\x1b") {
			t.Errorf("colours in %q", got)
		}
	}
}

// TestD23_TooNarrow: whole segments are removed, first the branch, then the directory, the model and the context; never
// the state.
func TestD23_TooNarrow(t *testing.T) {
	t.Parallel()
	in, f := full()
	f.Spec, f.Task = nil, nil
	last := ""
	var lines []string
	for columns := 80; columns > 0; columns-- {
		got := Line(in, f, Options{Columns: columns, NoColor: true})
		if got != last {
			lines = append(lines, got)
		}
		if width := displaywidth.String(got); width > columns && got != "v2 · executing" {
			t.Errorf("%d columns: %q has %d", columns, got, width)
		}
		last = got
	}
	want := []string{
		"M │ v2 · executing │ shop │ main ████░░░░░░ 40%", "M │ v2 · executing │ shop ████░░░░░░ 40%",
		"M │ v2 · executing ████░░░░░░ 40%", "v2 · executing ████░░░░░░ 40%", "v2 · executing",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	if got := Line(Input{}, Facts{Dir: "shop"}, Options{Columns: 3, NoColor: true}); got != "Claude" {
		t.Errorf("the last segment: %q", got)
	}
}

// TestWidthIsCountedInColumns: wide characters take two, combining marks none.
func TestWidthIsCountedInColumns(t *testing.T) {
	t.Parallel()
	f := Facts{Dir: "日本", State: &gsd.Head{Status: "e\u0301te\u0301"}, Digest: GSD}
	line := "M │ e\u0301te\u0301 │ 日本"
	for columns, want := range map[int]string{14: line, 13: "M │ e\u0301te\u0301"} {
		if got := Line(Input{Model: "M"}, f, Options{Columns: columns, NoColor: true}); got != want {
			t.Errorf("%d columns: %q, want %q", columns, got, want)
		}
	}
}

func TestD24_TextOfATask(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		task Task
		want string
	}{
		{Task{ID: "101", Title: "JWT service", Checked: 2, Criteria: 4, Sessions: 3}, "#101 JWT service · 2/4 · s3"},
		{Task{ID: "7", Title: "A title that is quite a bit too long", Criteria: 1}, "#7 A title that is quite a… · 0/1"},
		{Task{ID: "7", Title: "日本語日本語日本語日本語日本語", Sessions: 1}, "#7 日本語日本語日本語日本… · s1"},
		{Task{ID: "jwt", Title: " "}, "jwt"},
	} {
		if got := taskText(&c.task, marksOf(false)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestSF35_EveryFormAndNone: the active specification is shown in brackets in every form of 5.3. The word "none" hides
// it.
func TestSF35_EveryFormAndNone(t *testing.T) {
	t.Parallel()
	position := "# SpecFlow State\n\n## Current Position\n\n- **Active Specification:** %s\n- **Status:** %s\n- **Next Step:** x\n"
	for _, c := range []struct{ name, text, want string }{
		{"A", fmt.Sprintf(position, "SPEC-048c — Gauge feed", "running"), "[SF: SPEC-048c running] │ "},
		{"A, a path", fmt.Sprintf(position, "`.specflow/specs/SPEC-GSD-A.md`", "review"), "[SF: SPEC-GSD-A review] │ "},
		{"A, bold", fmt.Sprintf(position, "**SPEC-132c2** — title", "none"), "[SF: SPEC-132c2] │ "},
		{
			"B", "# SpecFlow State\n\n## Active Specification\n\nSPEC-PREDISCUSS-001\n\n**Status:** drafting\n**Next Step:** x\n",
			"[SF: SPEC-PREDISCUSS-001 drafting] │ ",
		},
		{
			"C", "# SpecFlow State\n\n## Active Specifications\n\n| SPEC-ID | Status | Next Step |\n|---|---|---|\n| SPEC-1 | running | " +
				"x |\n| SPEC-2 | review | y |\n| SPEC-3 | review | y |\n", "[SF: SPEC-1+2 running] │ ",
		},
		{"none", fmt.Sprintf(position, "none", "idle"), ""},
		{"None", fmt.Sprintf(position, "None", "idle"), ""},
		{"(none)", fmt.Sprintf(position, "(none)", "idle"), ""},
		{"[none | id]", fmt.Sprintf(position, "[none | SPEC-XXX]", "idle"), ""},
		{"em dash", fmt.Sprintf(position, "—", "idle"), ""},
		{"dash", fmt.Sprintf(position, "-", "idle"), ""},
		{"B none", "# S\n\n## Active Specification\n\n_none_\n", ""},
		{"no section", "# S\n", ""},
	} {
		f := Facts{Dir: "d", Digest: Specflow}
		if id, status, more, ok := specflow.FirstActive([]byte(c.text)); ok {
			f.Spec = &Spec{id, status, more}
		}
		if got := Line(Input{Model: "M"}, f, Options{NoColor: true}); got != c.want+"M │ d" {
			t.Errorf("%s: %q, want %q", c.name, got, c.want+"M │ d")
		}
	}
}

// TestTS24_HostileTexts: nothing from files or from the agent can control a terminal.
func TestTS24_HostileTexts(t *testing.T) {
	t.Parallel()
	evil := "a\x1b]0;title\x07b\x1b[2Jc\r\nd\te\u202ef\u2028g\x7fh\u009bi\xffj"
	f := Facts{
		Dir: evil, Branch: evil, Digest: Own, Tasks: true, State: &gsd.Head{Status: evil, Milestone: evil, ActivePhase: evil},
		Spec: &Spec{ID: evil, Status: evil}, Task: &Task{ID: task.ID("1"), Title: evil},
	}
	line := Line(Input{Model: evil}, f, Options{NoColor: true})
	for _, r := range line {
		if unicode.IsControl(r) || r == '\u202e' || r == '\u2028' {
			t.Fatalf("%q holds %U", line, r)
		}
	}
	if !utf8.ValidString(line) || !strings.HasPrefix(line, "[SF: a␛]0;title␇b␛[2Jc  d e<U+202E>f g␡h<U+009B>i\ufffdj a␛") {
		t.Errorf("%q", line)
	}
	huge := strings.Repeat("漢", 100_000)
	if got := Line(Input{Model: huge}, Facts{Dir: huge}, Options{NoColor: true}); displaywidth.String(got) > 2*mostColumns+3 {
		t.Errorf("a line of %d columns", displaywidth.String(got))
	}
}

func TestD23_ContentAsData(t *testing.T) {
	t.Parallel()
	in, f := full()
	f.State = digestOf("---\nmilestone: v2\nmilestone_name: N\nnext_action: plan-phase\nnext_phases: [4, 5]\nprogress:\n  " +
		"percent: 120\n---\n")
	in.Tokens, in.Window = 12, 1000
	data, err := json.Marshal(Describe(in, f, Options{Columns: 5}))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"line":"[SF: SPEC-7 running] | M | v2 N [##########] 100% - next plan-phase 4/5 | #101 JWT service - 2/4 - s3 | shop | ` +
		`main ####------ 40%",` +
		`"model":"M","directory":"shop","branch":"main","digest":"baton",` +
		`"state":{"scene":2,"text":"next plan-phase 4/5","milestone":"v2","milestone_name":"N","percent":100,` +
		`"next_action":"plan-phase","next_phases":["4","5"]},` +
		`"spec":{"id":"SPEC-7","status":"running","more":0},"task":{"id":"101","title":"JWT service","checked":2,"criteria":4,` +
		`"sessions":3},` +
		`"context":{"shown_percentage":40,"remaining_percentage":60,"tokens":12,"context_window_size":1000}}`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Error(diff)
	}
}

// A finished task is shown as finished, with the one that is ready next (F-13).
func TestF13_AfterTheCompletion(t *testing.T) {
	t.Parallel()
	done := Task{ID: "1", Title: "A", Checked: 1, Criteria: 1, Sessions: 2, Status: task.StatusComplete}
	then, gone := done, done
	then.Next = &Next{ID: "2", Title: "B\x1b with a title that is much too long"}
	gone.Status = task.StatusCancelled
	for want, one := range map[string]Task{
		"✓ #1 A": done, "✓ #1 A · next #2 B␛ with a title that is…": then, "#1 A · cancelled": gone,
	} {
		if got := Line(Input{Model: "M"}, Facts{Tasks: true, Task: &one}, Options{Segments: []string{"task"}, NoColor: true}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	got := Line(Input{Model: "M"}, Facts{Tasks: true, Task: &done}, Options{Segments: []string{"task"}, Plain: true})
	if got != "done #1 A" {
		t.Errorf("plain: %q", got)
	}
}
