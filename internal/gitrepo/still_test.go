package gitrepo

import "testing"

func TestAStillPlaceRepeatsWhatFilesSaid(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.repo("repo")
	place := Common(dir)
	still := place.Still()
	head, branch := still.Head(), still.Branch()
	tip, exists := still.BranchTip(branch)
	busy, trees := still.Busy(), still.Worktrees(9)
	treeHead := trees[0].Head()
	if head == "" || tip != head || !exists || busy || treeHead != head {
		t.Fatalf("head %q, tip %q (%v), busy %v, head of the worktree %q", head, tip, exists, busy, treeHead)
	}
	s.git(dir, "checkout", "-q", "-b", "other")
	s.git(dir, "commit", "-q", "--allow-empty", "-m", "second")
	if place.Head() == head || place.Branch() == branch {
		t.Fatal("a place that is not still must read files each time")
	}
	if got, _ := still.BranchTip(branch); got != tip || still.Head() != head || still.Branch() != branch ||
		trees[0].Head() != head {
		t.Error("a still place answers differently the second time")
	}
	if got, _ := still.BranchTip("other"); got != place.Head() {
		t.Errorf("a branch that was not asked for before has tip %q, want %q", got, place.Head())
	}
}
