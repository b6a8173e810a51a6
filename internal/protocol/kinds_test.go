package protocol

import (
	"strings"
	"testing"
)

// In a project without tasks, the short protocol names the commands of the digest or of the state folder.
func TestAgents23_TheMannerOfEveryKindOfProject(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		project Digest
		wants   []string
		lacks   []string
	}{
		{
			"baton",
			Digest{Path: ".baton/STATE.md"},
			[]string{"baton blocker add", "baton session end --stopped-at TEXT"},
			[]string{"baton dir", "baton task"},
		},
		{
			"gsd",
			Digest{Path: ".planning/STATE.md", Kind: KindGSD},
			[]string{"baton blocker add", "baton session end --stopped-at TEXT"},
			[]string{"baton dir", "baton task"},
		},
		{
			"specflow",
			Digest{Path: ".specflow/STATE.md", Kind: KindSpecflow},
			[]string{"baton decision add", "baton state active set ID --next TEXT"},
			[]string{"baton blocker", "session end", "baton task"},
		},
		{
			"folder",
			Digest{Folder: "running in .devt/state"},
			[]string{"baton dir read", "baton dir update"},
			[]string{"baton decision", "baton state", "baton task"},
		},
		{"idle folder", Digest{}, []string{"baton dir read"}, []string{"baton decision", "baton state", "baton task"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := Facts{Project: tt.project, Open: -1, Ready: -1, NoTasks: true}
			f.Project.Name, f.Project.Percent = "shop", -1
			text := Orientation(f, start()).Text
			wants(t, text, tt.wants...)
			lacks(t, text, tt.lacks...)
		})
	}
	f := Facts{
		Project: Digest{Name: "shop", Path: ".specflow/STATE.md", Kind: KindSpecflow, Blockers: make([]string, 9)}, NoTasks: true, Open: -1,
	}
	for i := range f.Project.Blockers {
		f.Project.Blockers[i] = strings.Repeat("in the way ", 20)
	}
	text := Orientation(f, start()).Text
	wants(t, text, "1 more blocker (`baton blocker list`)")
}

// The protocol names only commands that the project's digest has.
func TestP_TheProtocolNamesWhatTheDigestHas(t *testing.T) {
	t.Parallel()
	for kind, lack := range map[string][]string{"": nil, KindSpecflow: {"baton blocker"}, KindNone: {"baton blocker", "baton decision"}} {
		text := Text(Options{Setting: SettingFull, Digest: kind, Task: "7"})
		lacks(t, text, append(lack, "{")...)
		if wants(t, text, "If something cannot be done, record it: `baton "); kind == "" {
			wants(t, text, "`baton blocker add TEXT`", "`baton decision add TEXT`")
		}
	}
}

// In a project without tasks, every phase of the protocol names what the project has and never mentions tasks.
func TestP_TheProtocolOfAProjectWithoutTasks(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{SettingFull, SettingLean} {
		for _, tt := range []struct{ kind, path, read, end string }{
			{"", ".planning/STATE.md", "Read `.planning/STATE.md` from top", "`baton session end --stopped-at TEXT`"},
			{KindSpecflow, ".specflow/STATE.md", "Read `.specflow/STATE.md` from top", "`baton state active set ID --next TEXT`"},
			{KindNone, "", "(`baton dir read`)", "`baton dir update KEY=VALUE`"},
		} {
			o := Options{Setting: setting, Digest: tt.kind, Path: tt.path, NoTasks: true}
			text := Text(o)
			wants(t, text, tt.read, tt.end, "inish one step before", "Do not push")
			lacks(t, text, "task", "criteri", "feature", "progress log", "{", "}", "\n\n\n")
			for _, phase := range o.Phases() {
				o.Phase = phase
				wants(t, Text(o), "\n\n- ")
			}
		}
	}
	text := Text(Options{NoTasks: true, Digest: KindSpecflow})
	lacks(t, text, "baton blocker", "baton session end")
}

// Tasks that others hold do not count as tasks that cannot begin.
func TestD17_WhoHoldsTheTasksIsSaid(t *testing.T) {
	t.Parallel()
	f := shop()
	f.Task, f.Ready, f.Open, f.Held = nil, 0, 1, []string{"#7 by agent-2 until 10:30"}
	text := Orientation(f, start()).Text
	wants(t, text, "No task is free. Held by other sessions: #7 by agent-2 until 10:30.\n")
	lacks(t, text, "cannot start", "none can start")
	f.Open, f.Held = 6, []string{"#1 by a until 1", "#2 by b until 2", "#3 by c until 3", "#4 by d until 4"}
	wants(t, Orientation(f, start()).Text, "#3 by c until 3 and 1 more. 2 others are open but cannot start yet; `baton task list`")
}

// A long list of long criteria does not push out the facts about git.
func TestAgents15_ManyCriteriaLeaveRoomForGit(t *testing.T) {
	t.Parallel()
	f := shop()
	f.Task.Criteria = nil
	for i := range 60 {
		f.Task.Criteria = append(f.Task.Criteria, Criterion{N: i + 1, Text: strings.Repeat("holds and more ", 16), Verify: "go test ./..."})
	}
	f.Task.Next = []string{strings.Repeat("go on ", 100)}
	f.Project.Blockers = []string{strings.Repeat("in the way ", 40)}
	f.Warnings = []string{strings.Repeat("a warning ", 22)}
	text := Orientation(f, start()).Text
	wants(t, text, "- 4. “holds", "Git: branch main at abc1234; uncommitted: keys.go.", "- files: .baton/STATE.md", "more open criteria")
}
