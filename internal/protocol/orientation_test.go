package protocol

import (
	"strings"
	"testing"
)

// What a session needs most comes first: project and task, the next step, blockers; then the rest in its order.
func TestAgents15_OrientationInItsOrder(t *testing.T) {
	t.Parallel()
	p := Orientation(shop(), start())
	at := 0
	for _, part := range []string{
		"where shop stands", "milestone “v1.2”, phase “3 of 5 (Gauge feed)”, “executing”, 40%", "Next step of the project: “finish plan 2”",
		"Task #101: “JWT service” (in progress). 1 of 3 criteria checked",
		"session 3", "- “Rotate the keys.”", "- “No staging database.”", "- 2. “Keys rotate” (verify with `go test ./keys`)",
		"> They are signed with RS256, as in v1.2 of the API.",
		"- “HS256: the gateway knows no secret.”", "- “A file of keys", "#100 “Gateway”: “The gateway reads /keys. It asks once a minute.”",
		"(`baton task output 100`)",
		"Git: branch main at abc1234; uncommitted: keys.go.", "(2026-03-01T09:00:00Z)", "- files: .baton/STATE.md", "`baton protocol`",
		"`baton task check 101 N --evidence TEXT`", "`baton task log 101 --did",
	} {
		i := strings.Index(p.Text[at:], part)
		if i < 0 {
			t.Fatalf("%q does not come after %q in\n%s", part, p.Text[:at], p.Text)
		}
		at += i
	}
	if lacks(t, p.Text, "Left out", "Tokens are signed", "\n\n\n"); len(p.Left) != 0 || strings.Contains(p.Text[:5], "\n") ||
		!strings.HasSuffix(p.Text, ".\n") {
		t.Errorf("left out %+v", p.Left)
	}
	if p.Tokens != Tokens(p.Text) {
		t.Errorf("%d tokens, the text has %d", p.Tokens, Tokens(p.Text))
	}
}

// Each kind of session gets the facts that apply to it.
func TestOrientationOfEverySession(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(*Facts)
		wants  []string
		lacks  []string
	}{
		{
			"first", func(f *Facts) { f.First, f.Task.Next, f.Task.LastDid = true, nil, nil },
			[]string{"first session: nothing is logged yet", "Next: the first open criterion."},
			[]string{"This is session"},
		},
		{
			"first, and every criterion is checked", func(f *Facts) {
				f.First, f.Task.Next, f.Task.LastDid = true, nil, nil
				for i := range f.Task.Criteria {
					f.Task.Criteria[i].Checked = true
				}
			},
			[]string{"Every criterion is checked"},
			[]string{"Next:"},
		},
		{
			"first, without criteria", func(f *Facts) {
				f.First, f.Task.Next, f.Task.LastDid, f.Task.Criteria, f.Task.Total = true, nil, nil, nil, 0
			},
			[]string{"Next: what its file asks for; it has no criteria."},
			[]string{"first open"},
		},
		{"held", func(f *Facts) { f.Task.Claimed = true }, []string{"This session holds it. This is session 3"}, nil},
		{"drafted", func(f *Facts) { f.Task.Drafted = true }, []string{"left no hand-off; baton drafted its entry"}, nil},
		{
			"proposed", func(f *Facts) { f.Proposed = true },
			[]string{"nobody holds it", "`baton session start 101` takes it"},
			[]string{"This session holds it"},
		},
		{
			"of another", func(f *Facts) { f.Task.Holder, f.Task.Until = "agent-2", "10:30" },
			[]string{"agent-2 holds it until 10:30", "`baton task ready`"},
			[]string{"This session holds"},
		},
		{
			"all checked", func(f *Facts) {
				for i := range f.Task.Criteria {
					f.Task.Criteria[i].Checked = true
				}
			},
			[]string{
				"Every criterion is checked: `baton task complete 101` ends the task.",
				"If a task waits for it, first `baton task output 101 --summary TEXT`.",
			},
			[]string{"Open criteria"},
		},
		{
			"complete", func(f *Facts) { f.Task.Status = "complete" },
			[]string{"It is finished; `baton task ready`"},
			[]string{"This is session"},
		},
		{
			"compacted", func(f *Facts) { f.Source, f.Summary = "compact", "Keys were done." },
			[]string{"The conversation was compacted.", "> Keys were done."},
			nil,
		},
		{"lost", func(f *Facts) { f.Lost = "1 entry is gone from a.md. `baton lost --restore` puts it back." }, []string{
			"\n\n1 entry is gone from a.md. `baton lost --restore` puts it back.\n\nBlockers:",
		}, nil},
		{
			"features", func(f *Facts) { f.Task.Words = "feature" },
			[]string{"1 of 3 features checked", "Open features:", "one open feature at a time"},
			[]string{"criteri"},
		},
		{
			"input changed", func(f *Facts) { f.Task.Inputs[0].Changed = true },
			[]string{"#100 “Gateway” (changed since it was received):"},
			nil,
		},
		{
			"late git", func(f *Facts) { f.Git = Git{Known: true, Branch: "main", Late: true} },
			[]string{"git did not answer in time"},
			[]string{"nothing uncommitted"},
		},
		{
			"no git to ask", func(f *Facts) { f.Git = Git{Known: true, Branch: "main", Late: true, Missing: true} },
			[]string{"git is not installed, or not in PATH"},
			[]string{"in time", "git status", "nothing uncommitted"},
		},
		{"clean", func(f *Facts) { f.Git.Dirty = nil }, []string{"at abc1234; nothing uncommitted outside the state folders."}, nil},
		{"no git", func(f *Facts) { f.Git = Git{} }, nil, []string{"Git:"}},
		{
			"no task", func(f *Facts) {
				f.Task = nil
			}, []string{"No task is active; 1 task is ready: `baton task ready`", "`baton task log ID"}, []string{"#101"},
		},
		{"none ready", func(f *Facts) { f.Task, f.Ready = nil, 0 }, []string{"4 tasks are open and none can start yet"}, nil},
		{"nothing open", func(f *Facts) { f.Task, f.Open = nil, 0 }, []string{"`baton task new TITLE --accept TEXT`"}, nil},
		{
			"too many", func(f *Facts) { f.Task, f.Open, f.Ready, f.Files = nil, -1, -1, 900 },
			[]string{"the project has 900 task files"},
			nil,
		},
		{
			"a digest only", func(f *Facts) { f.Task, f.Open, f.Ready = nil, -1, -1 },
			[]string{"baton decision add"},
			[]string{"No task", "baton task"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := shop()
			tt.change(&f)
			text := Orientation(f, start()).Text
			wants(t, text, tt.wants...)
			lacks(t, text, tt.lacks...)
		})
	}
}

// Whatever the files contain, the text keeps its limit, and the most important parts are within what a client shows of
// a text that is too long.
func TestAgents15_HostileFactsStayInTheirLimits(t *testing.T) {
	t.Parallel()
	f := hostile()
	p := Orientation(f, start())
	if n := units(p.Text); n > 8000 {
		t.Errorf("%d characters", n)
	}
	harmlessText(t, p.Text)
	criteria := strings.Index(p.Text, "- 1. ")
	if criteria < 0 || units(p.Text[:criteria]) > 2000 {
		t.Errorf("the first open criterion comes after %d characters of\n%s", units(p.Text[:max(0, criteria)]), p.Text)
	}
	wants(t, p.Text, "Left out for size: ", "Blockers, newest first:", "`baton protocol`")
	harmlessText(t, Pack(f, Limit{Tokens: 100_000}).Text)
}

// harmlessText fails if a text could control a terminal, or could pass for somebody else's words.
func harmlessText(t testing.TB, text string) {
	t.Helper()
	lacks(t, strings.ToLower(text), "\x1b", "\r", "\u202e", "</system-reminder", "<|", "\n```", "\n# heading")
	for i, line := range strings.Split(text, "\n") {
		if i > 0 && strings.HasPrefix(line, "#") {
			t.Errorf("line %d is a heading: %q", i+1, line)
		}
	}
}

// The short protocol has at most 500 characters and names the command that ends a session.
func TestAgents23_TheMannerIsShort(t *testing.T) {
	t.Parallel()
	f := shop()
	f.Task.Command = strings.Repeat("x", 64)
	text := strings.Join(newComposer([]section{wording{Facts: f}.manner()}).sections[0].all(), "\n")
	if n := units(text) + units(wording{Facts: f}.manner().title); n > 500 {
		t.Errorf("%d characters", n)
	}
	wants(t, text, "`baton task check "+f.Task.Command+" N --evidence TEXT`", "`baton task log "+f.Task.Command)
}
