package shared

import (
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
	alone, merged, same, lacks := own, Site{Facts: Facts{Contains: Yes}}, Site{Facts: Facts{Same: true}}, Site{}
	alone.Only = true
	mainMerged := merged
	mainMerged.Main = true
	tests := []struct {
		name          string
		mark          Mark
		sites         []Site
		age, orphaned time.Duration
		want          bool
	}{
		{"no worktree is known", done, nil, Old, 0, false},
		{"merged everywhere", done, []Site{own, merged, same}, 0, 0, true},
		{"one worktree lacks it", done, []Site{own, merged, lacks}, 0, 0, false},
		{"the only checkout, committed", done, []Site{alone}, 0, 0, true},
		{"the only checkout, with another branch", done, []Site{own}, 0, 0, false},
		{"the only checkout, not committed", uncommitted, []Site{alone}, 0, 0, false},
		{"without a commit, nothing contains it", uncommitted, []Site{own, merged}, 0, 0, false},
		{"forgotten worktrees lack it", done, []Site{mainMerged, lacks}, Old, 0, true},
		{"not yet", done, []Site{mainMerged, lacks}, Old - time.Hour, 0, false},
		{"orphaned long ago", done, []Site{lacks}, Old, Old, true},
		{"orphaned a while ago", done, []Site{lacks}, Old, Old - time.Hour, false},
	}
	for _, tt := range tests {
		if got := Leaves(tt.mark, tt.sites, tt.age, tt.orphaned); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestD41_MarksAreOnePerTaskAndWorktree(t *testing.T) {
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
	if m, ok := Find(list, "10", "b"); !ok || m.Status != task.StatusComplete {
		t.Errorf("%+v %v", m, ok)
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
		rest, all := Lines([]byte(text), tt.taken)
		if all != 3 || len(rest) != tt.rest {
			t.Errorf("after %d: %d of %d lines", tt.taken, len(rest), all)
		}
	}
	if rest, _ := Lines([]byte(text), 0); rest[0].Mark.Task != "1" || rest[1] != nil {
		t.Errorf("%+v", rest)
	}
}
