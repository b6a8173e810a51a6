package project

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/setup"
)

// losing is a SpecFlow project in a repository, in which decisions get lost.
type losing struct{ *stage }

// newLosing begins with one commit on main: a digest with the decision "Use one lock".
func newLosing(t *testing.T) *losing {
	t.Helper()
	l := &losing{stage: &stage{world: newWorld(t)}}
	l.git("init", "-q", "-b", "main")
	l.write(".git/info/exclude", ".baton/local/\n")
	must(l.as("a").Setup.Init(t.Context(), setup.InitRequest{Layout: "specflow"}))(t)
	l.decide("Use one lock")
	l.commit("first")
	return l
}

func (l *losing) commit(subject string) {
	l.t.Helper()
	l.git("add", "-A")
	l.git("commit", "-q", "-m", subject)
}

// wipe removes the lines with a text from the digest, as an agent does.
func (l *losing) wipe(texts ...string) {
	l.t.Helper()
	var kept strings.Builder
	for line := range strings.Lines(l.read(keptState)) {
		if !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(line, text) }) {
			kept.WriteString(line)
		}
	}
	l.write(keptState, kept.String())
}

// missing returns the fates of all missing entries, by a part of their text.
func (l *losing) missing() map[string]loss.Fate {
	l.t.Helper()
	out := map[string]loss.Fate{}
	for _, one := range must(l.as("a").Loss.FindAll(l.t.Context(), loss.Query{Git: true, All: true}))(l.t).Found {
		out[strings.TrimSpace(strings.Split(one.Known.Raw, "|")[2])] = one.Fate
	}
	return out
}

const (
	decidedFirst = "Use one lock"
	decidedNext  = "Keep files plain"
)

// TestD9_WhenAMissingEntryIsLost checks what is lost after everything that people and agents do with git.
func TestD9_WhenAMissingEntryIsLost(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		act  func(*losing)
		want map[string]loss.Fate
	}{
		{"nothing", func(*losing) {}, nil},
		{"wiped", func(l *losing) { l.wipe(decidedFirst) }, map[string]loss.Fate{decidedFirst: loss.FateLost}},
		{"wiped and committed", func(l *losing) {
			l.wipe(decidedFirst)
			l.commit("tidy")
		}, map[string]loss.Fate{decidedFirst: loss.FateLost}},
		{"wiped and committed long ago", func(l *losing) {
			l.wipe(decidedFirst)
			l.commit("tidy")
			l.write("x", "x")
			l.commit("more")
		}, map[string]loss.Fate{decidedFirst: loss.FateLost}},
		{"the digest was deleted", func(l *losing) { must0(l.t, os.Remove(l.path(keptState))) }, map[string]loss.Fate{
			decidedFirst: loss.FateLost,
		}},
		{"uncommitted, thrown away by checkout", func(l *losing) {
			l.decide(decidedNext)
			l.git("checkout", "-q", "--", keptState)
		}, map[string]loss.Fate{decidedNext: loss.FateLost}},
		{"uncommitted, thrown away by reset", func(l *losing) {
			l.decide(decidedNext)
			l.git("reset", "-q", "--hard")
		}, map[string]loss.Fate{decidedNext: loss.FateLost}},
		{"stashed", func(l *losing) {
			l.decide(decidedNext)
			l.git("stash", "-q")
		}, map[string]loss.Fate{decidedNext: loss.FateElsewhere}},
		{"stashed below another stash", func(l *losing) {
			l.decide(decidedNext)
			l.git("stash", "-q")
			l.write(keptState, l.read(keptState)+"\nmore\n")
			l.git("stash", "-q")
		}, map[string]loss.Fate{decidedNext: loss.FateElsewhere}},
		{"stashed and back", func(l *losing) {
			l.decide(decidedNext)
			l.git("stash", "-q")
			l.git("stash", "pop", "-q")
		}, nil},
		{"stash dropped", func(l *losing) {
			l.decide(decidedNext)
			l.git("stash", "-q")
			l.git("stash", "drop", "-q")
		}, map[string]loss.Fate{decidedNext: loss.FateLost}},
		{"on another branch, seen before its commit", func(l *losing) {
			l.branch()
			l.git("checkout", "-q", "main")
		}, map[string]loss.Fate{decidedNext: loss.FateElsewhere}},
		{"on another branch, wiped there and back", func(l *losing) {
			l.branch()
			l.git("checkout", "-q", "main")
			l.wipe(decidedFirst)
		}, map[string]loss.Fate{decidedFirst: loss.FateLost, decidedNext: loss.FateElsewhere}},
		{"on another branch, seen after its commit", func(l *losing) {
			l.branch()
			l.decide("Name things")
			l.commit("third")
			l.git("checkout", "-q", "main")
		}, map[string]loss.Fate{decidedNext: loss.FateElsewhere, "Name things": loss.FateElsewhere}},
		{"an older commit is looked at", func(l *losing) {
			l.decide(decidedNext)
			l.commit("second")
			l.git("checkout", "-q", "HEAD~1")
		}, map[string]loss.Fate{decidedNext: loss.FateElsewhere}},
		{"merged", func(l *losing) {
			l.branch()
			l.git("checkout", "-q", "main")
			l.git("merge", "-q", "side")
		}, nil},
		{"merged and wiped", func(l *losing) {
			l.branch()
			l.git("checkout", "-q", "main")
			l.git("merge", "-q", "side")
			l.git("branch", "-q", "-D", "side")
			l.wipe(decidedNext)
			l.commit("tidy")
		}, map[string]loss.Fate{decidedNext: loss.FateLost}},
		{"the other branch is gone", func(l *losing) {
			l.branch()
			l.git("checkout", "-q", "main")
			l.git("branch", "-q", "-D", "side")
		}, map[string]loss.Fate{decidedNext: loss.FatePerhaps}},
		{"uncommitted, on a branch that is gone", func(l *losing) {
			l.branch()
			l.decide("Name things")
			l.git("checkout", "-q", "-f", "main")
			l.git("branch", "-q", "-D", "side")
		}, map[string]loss.Fate{decidedNext: loss.FatePerhaps, "Name things": loss.FatePerhaps}},
		{"uncommitted, on another branch", func(l *losing) {
			l.branch()
			l.decide("Name things")
			l.git("checkout", "-q", "-f", "main")
		}, map[string]loss.Fate{decidedNext: loss.FateElsewhere, "Name things": loss.FateElsewhere}},
		{"a commit was dropped", func(l *losing) {
			l.decide(decidedNext)
			l.commit("second")
			l.git("reset", "-q", "--hard", "HEAD~1")
		}, map[string]loss.Fate{decidedNext: loss.FateLost}},
		{"amended", func(l *losing) {
			l.decide(decidedNext)
			l.commit("second")
			l.git("commit", "-q", "--amend", "-m", "other words")
		}, nil},
		{"amended and wiped", func(l *losing) {
			l.decide(decidedNext)
			l.commit("second")
			l.decide("Name things")
			l.git("add", "-A")
			l.git("commit", "-q", "--amend", "-m", "other words")
			l.wipe(decidedNext)
		}, map[string]loss.Fate{decidedNext: loss.FateLost}},
		{"rebased", func(l *losing) {
			l.branch()
			l.away()
			l.git("rebase", "-q", "main")
		}, nil},
		{"rebased and wiped", func(l *losing) {
			l.branch()
			l.away()
			l.git("rebase", "-q", "main")
			l.wipe(decidedNext)
			l.commit("tidy")
		}, map[string]loss.Fate{decidedNext: loss.FateLost}},
		{"before the first commit of a new root", func(l *losing) {
			l.git("checkout", "-q", "--orphan", "fresh")
			l.wipe(decidedFirst)
		}, map[string]loss.Fate{decidedFirst: loss.FateElsewhere}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLosing(t)
			tt.act(l)
			if got := l.missing(); !maps.Equal(got, tt.want) {
				t.Errorf("missing %v, want %v", got, tt.want)
			}
			// The same after the session hooks have recorded what happened (D8).
			must(l.as("a").Kept.Observe(t.Context(), []string{keptState}))(t)
			if got := l.missing(); !maps.Equal(got, tt.want) {
				t.Errorf("once it is recorded: missing %v, want %v", got, tt.want)
			}
		})
	}
}

// branch records a decision and commits it on a new branch.
func (l *losing) branch() {
	l.t.Helper()
	l.git("checkout", "-q", "-b", "side")
	l.decide(decidedNext)
	l.commit("second")
}

// away adds a commit without the digest to main, and returns to the branch.
func (l *losing) away() {
	l.t.Helper()
	l.git("checkout", "-q", "main")
	l.write("code", "x")
	l.commit("code")
	l.git("checkout", "-q", "side")
}

// TestD9_NothingIsLostDuringAMerge checks that nothing is reported then, because HEAD is about to change.
func TestD9_NothingIsLostDuringAMerge(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"MERGE_HEAD", "BISECT_LOG", "rebase-merge", "CHERRY_PICK_HEAD"} {
		l := newLosing(t)
		l.wipe(decidedFirst)
		l.write(".git/"+file, "x")
		if got := l.missing(); len(got) > 0 {
			t.Errorf("%s: %v", file, got)
		}
		if got := must(l.as("a").Loss.Lost(t.Context(), loss.LostRequest{}))(t); !got.Busy || len(got.Lost) > 0 {
			t.Errorf("%s: %+v", file, got)
		}
		if _, err := l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}); report.CodeOf(err) != "lost_busy" {
			t.Errorf("%s: restored: %v", file, err)
		}
		if _, err := l.as("a").Loss.AcceptLost(t.Context(), loss.LostAcceptRequest{}); report.CodeOf(err) != "lost_busy" {
			t.Errorf("%s: accepted: %v", file, err)
		}
		must0(t, os.Remove(l.path(".git/"+file)))
		if got := l.missing(); got[decidedFirst] != loss.FateLost {
			t.Errorf("after %s: %v", file, got)
		}
	}
}

// TestD9_OutsideOfGitEverythingMissingIsLost also checks a document that git does not have, in a project that it has.
func TestD9_OutsideOfGitEverythingMissingIsLost(t *testing.T) {
	t.Parallel()
	l := newLosing(t)
	must0(t, os.RemoveAll(l.path(".git")))
	l.wipe(decidedFirst)
	if got := l.missing(); got[decidedFirst] != loss.FateLost {
		t.Errorf("without git: %v", got)
	}
	untracked := &losing{stage: &stage{world: newWorld(t)}}
	untracked.git("init", "-q", "-b", "main")
	untracked.write(".git/info/exclude", ".baton/local/\n.specflow/\n")
	untracked.write("code", "x")
	untracked.commit("first")
	untracked.git("checkout", "-q", "-b", "side")
	untracked.write("code", "y")
	untracked.commit("second")
	must(untracked.as("a").Setup.Init(t.Context(), setup.InitRequest{Layout: "specflow"}))(t)
	untracked.decide(decidedFirst)
	untracked.git("checkout", "-q", "main")
	untracked.wipe(decidedFirst)
	if got := untracked.missing(); got[decidedFirst] != loss.FateLost {
		t.Errorf("ignored by git: %v", got)
	}
}

// TestD9_WithoutGitTheLastAnswerCounts also checks that entries without an answer count as lost only if they were seen
// at HEAD itself, and if HEAD was nowhere else since then.
func TestD9_WithoutGitTheLastAnswerCounts(t *testing.T) {
	t.Parallel()
	still := newLosing(t)
	still.decide(decidedNext)
	still.wipe(decidedFirst)
	if got := must(still.as("a").Loss.Losses(t.Context(), loss.Query{}))(t); len(got) != 1 || got[0].Fate != loss.FateLost {
		t.Errorf("wiped: %+v", got)
	}
	l := newLosing(t)
	quiet := func() []loss.Entry { return must(l.as("a").Loss.Losses(t.Context(), loss.Query{}))(t) }
	l.branch()
	l.git("checkout", "-q", "main")
	if got := must(l.as("a").Loss.FindAndCache(t.Context(), loss.Query{Git: true}))(t); len(got.Found) != 0 {
		t.Fatalf("%+v", got)
	}
	if got := quiet(); len(got) != 0 {
		t.Errorf("git said that it is elsewhere: %+v", got)
	}
	l.wipe(decidedFirst)
	if got := quiet(); len(got) != 0 {
		t.Errorf("seen at HEAD, which was on another branch since: %+v", got)
	}
	l.write("code", "x")
	l.commit("HEAD moves")
	if got := quiet(); len(got) != 0 {
		t.Errorf("seen at another commit, and nobody asked: %+v", got)
	}
	before := l.files()
	if got := must(l.as("a").Loss.Losses(t.Context(), loss.Query{Git: true}))(t); len(got) != 1 {
		t.Errorf("asked: %+v", got)
	}
	if !maps.Equal(before, l.files()) {
		t.Error("a read wrote something")
	}
	must(l.as("a").Loss.FindAndCache(t.Context(), loss.Query{Git: true}))(t)
	if got := quiet(); len(got) != 1 {
		t.Errorf("remembered: %+v", got)
	}
	l.pass(time.Minute)
}
