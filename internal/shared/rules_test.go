package shared

import (
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/task"
)

func TestD42_WhoseMarkCounts(t *testing.T) {
	t.Parallel()
	done := Mark{Task: "1", Status: task.StatusComplete, Branch: "feat", Worktree: "w1", Commit: "c"}
	uncommitted, cancelled, begun, detached := done, done, done, done
	uncommitted.Commit = ""
	cancelled.Status = task.StatusCancelled
	begun.Status = task.StatusInProgress
	detached.Branch = ""
	tests := []struct {
		name  string
		mark  Mark
		facts Facts
		want  Verdict
	}{
		{"in progress forbids nothing", begun, Facts{Exists: true}, Open},
		{"rule 0: its own worktree and branch", done, Facts{Own: true, Exists: true}, OwnDocument},
		{"rule 0 comes before rule 2", done, Facts{Own: true, Contains: Yes, Exists: true}, OwnDocument},
		{"rule 0: not while git is in a rebase", done, Facts{Own: true, Busy: true, Contains: Yes}, NotMerged},
		{"rule 1 counts during a rebase, too", done, Facts{Own: true, Busy: true, Same: true}, SameHere},
		{"rule 1: squashed, rebased or picked", done, Facts{Same: true, Contains: No, Exists: true}, SameHere},
		{"rule 1 comes before rule 4", done, Facts{Same: true}, SameHere},
		{"rule 1: cancelled", cancelled, Facts{Same: true, Exists: true}, SameHere},
		{"rule 2: reopened after a merge", done, Facts{Contains: Yes, Exists: true}, Contained},
		{"rule 2: the branch is deleted after a merge", done, Facts{Contains: Yes}, Contained},
		{"rule 2 does not apply without a commit", uncommitted, Facts{Contains: Yes, Exists: true}, NotMerged},
		{"rule 3: not merged", done, Facts{Contains: No, Exists: true}, NotMerged},
		{"rule 3: git is late", done, Facts{Contains: Unknown, Exists: true}, NotMerged},
		{"rule 3: cancelled", cancelled, Facts{Contains: No, Exists: true}, NotMerged},
		{"rule 3: detached, its worktree exists", detached, Facts{Contains: No, Exists: true}, NotMerged},
		{"rule 4: the branch is gone", done, Facts{Contains: No}, Orphaned},
		{"rule 4: the worktree of a detached HEAD is gone", detached, Facts{Contains: No}, Orphaned},
		{"rule 4: without a commit", uncommitted, Facts{}, Orphaned},
	}
	for _, tt := range tests {
		if got := Judge(tt.mark, tt.facts); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestD42_WhenAMarkLeaves(t *testing.T) {
	t.Parallel()
	done := Mark{Task: "1", Status: task.StatusComplete, Branch: "feat", Commit: "c"}
	uncommitted := done
	uncommitted.Commit = ""
	own := Site{Facts: Facts{Own: true, Contains: Yes}}
	merged, same, lacks := Site{Facts: Facts{Contains: Yes}}, Site{Facts: Facts{Same: true}}, Site{}
	mainMerged, mainSame := merged, same
	mainMerged.Main, mainSame.Main = true, true
	tests := []struct {
		name          string
		mark          Mark
		sites         []Site
		lacking       bool // a branch may lack the change
		age, orphaned time.Duration
		want          bool
	}{
		{"no worktree is known", done, nil, false, Old, 0, false},
		{"merged everywhere", done, []Site{own, merged, same}, false, 0, 0, true},
		{"merged in all worktrees, but a branch lacks it", done, []Site{own, merged, same}, true, 0, 0, false},
		{"one worktree lacks it", done, []Site{own, merged, lacks}, false, 0, 0, false},
		{"the only checkout, committed", done, []Site{own}, false, 0, 0, true},
		{"the only checkout, with another branch", done, []Site{own}, true, 0, 0, false},
		{"the only checkout, with another branch for a long time", done, []Site{own}, true, Old, 0, false},
		{"without a commit, nothing contains it", uncommitted, []Site{own, merged}, false, 0, 0, false},
		{"forgotten worktrees lack it", done, []Site{mainMerged, lacks}, true, Old, 0, true},
		{"not yet", done, []Site{mainMerged, lacks}, true, Old - time.Hour, 0, false},
		{"squashed long ago", done, []Site{mainSame, own}, true, Old, 0, true},
		{"squashed a while ago", done, []Site{mainSame, own}, true, Old - time.Hour, 0, false},
		{"orphaned long ago", done, []Site{lacks}, false, Old, Old, true},
		{"orphaned a while ago", done, []Site{lacks}, false, Old, Old - time.Hour, false},
	}
	for _, tt := range tests {
		lacking := func() bool { return tt.lacking }
		if got := Leaves(tt.mark, tt.sites, lacking, tt.age, tt.orphaned); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestD41_MarksAreOnePerTaskWorktreeAndBranch(t *testing.T) {
	t.Parallel()
	var list []Mark
	for _, m := range []Mark{
		{Task: "10", Worktree: "b", Status: task.StatusComplete},
		{Task: "2", Worktree: "b", Status: task.StatusInProgress},
		{Task: "10", Worktree: "", Status: task.StatusBlocked},
		{Task: "2", Worktree: "b", Status: task.StatusComplete},
	} {
		list = Put(list, m)
	}
	if len(list) != 3 || list[0].Task != "2" || list[0].Status != task.StatusComplete || list[1].Worktree != "" {
		t.Errorf("%+v", list)
	}
	if m, ok := Find(list, "10", "b", ""); !ok || m.Status != task.StatusComplete {
		t.Errorf("%+v %v", m, ok)
	}
}

func TestD41_WhichMarksAreReplaced(t *testing.T) {
	t.Parallel()
	mark := func(branch, worktree string, status task.Status) Mark {
		return Mark{Task: "1", Branch: branch, Worktree: worktree, Status: status}
	}
	const done, begun, ready = task.StatusComplete, task.StatusInProgress, task.StatusReady
	tests := []struct {
		name     string
		old, new Mark
		stays    bool
	}{
		{"the same branch", mark("feat", "", done), mark("feat", "", ready), false},
		{"complete on another branch", mark("feat", "", done), mark("main", "", ready), true},
		{"complete on both branches", mark("feat", "", done), mark("main", "", done), true},
		{"in progress on another branch", mark("feat", "", begun), mark("main", "", ready), false},
		{"another worktree", mark("feat", "w1", begun), mark("main", "", ready), true},
		{"a detached HEAD became a branch", mark("", "", done), mark("feat", "", done), false},
		{"a detached HEAD, and another branch lacks it", mark("", "", done), mark("main", "", begun), true},
	}
	for _, tt := range tests {
		list := Put([]Mark{tt.old}, tt.new)
		if stays := len(list) == 2; stays != tt.stays || !slices.Contains(list, tt.new) {
			t.Errorf("%s: %+v", tt.name, list)
		}
	}
}

func TestD41_WordsOfAMark(t *testing.T) {
	t.Parallel()
	tests := []struct {
		mark   Mark
		folder string
		want   string
	}{
		{Mark{Branch: "feat"}, "../wt2", "on feat (../wt2)"},
		{Mark{Branch: "feat"}, "", "on feat"},
		{Mark{Commit: "0123456789abcdef"}, "../wt2", "detached at 0123456 (../wt2)"},
		{Mark{}, "../wt2", "detached (../wt2)"},
	}
	for _, tt := range tests {
		if got := tt.mark.Where(tt.folder); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	for _, tt := range [][3]string{
		{"/r/main", "/r/wt2", "../wt2"}, {"/r/main", "/r/main", ""}, {"/a/b/c/d", "/x/y", "/x/y"}, {"/r/main", "", ""},
	} {
		if got := Folder(tt[0], tt[1]); got != tt[2] {
			t.Errorf("from %s to %s: %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}

func TestD41_LinesOfAnOutbox(t *testing.T) {
	t.Parallel()
	line, err := Line{Mark: &Mark{Task: "1", Status: task.StatusComplete}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	text := string(line) + "garbage\n" + string(line) + `{"mark":`
	for _, tt := range []struct{ taken, rest int }{{0, 3}, {2, 1}, {3, 0}, {9, 3}, {-1, 3}} {
		rest, all := Lines([]byte(text), Taken{Lines: tt.taken})
		if all.Lines != 3 || len(rest) != tt.rest {
			t.Errorf("after %d: %d of %d lines", tt.taken, len(rest), all.Lines)
		}
	}
	rest, taken := Lines([]byte(text), Taken{})
	if rest[0].Mark.Task != "1" || rest[1] != nil {
		t.Errorf("%+v", rest)
	}
	if rest, now := Lines([]byte(text), taken); len(rest) != 0 || now != taken {
		t.Errorf("%d lines again, %+v", len(rest), now)
	}
	// A full disk cut off a line, and another one followed.
	if rest, _ := Lines(append(line[:len(line)/2:len(line)/2], line...), Taken{}); len(rest) != 1 || rest[0] == nil {
		t.Errorf("behind a line that was cut off: %+v", rest)
	}
	// Somebody removed the outbox, and a new one has as many lines, or more.
	other := strings.ReplaceAll(text, `"1"`, `"2"`)
	for _, text := range []string{other, other + "\n" + other} {
		if rest, now := Lines([]byte(text), taken); len(rest) != now.Lines || rest[0].Mark.Task != "2" {
			t.Errorf("%d of %d lines of a new outbox", len(rest), now.Lines)
		}
	}
}
