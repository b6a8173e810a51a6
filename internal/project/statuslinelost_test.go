package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/statusbar"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

const lossMemoryFile = workspace.RuntimeDir + "/" + workspace.LossMemoryName

// newLosingTask begins with a task of three criteria in baton's own layout, and returns its file.
func newLosingTask(t *testing.T) (l *losing, file string) {
	t.Helper()
	l = &losing{stage: &stage{world: newWorld(t)}}
	must(l.as("a").Setup.Init(t.Context(), setup.InitRequest{Layout: "baton"}))(t)
	id := string(l.create(tasks.NewTask{Title: "Pier", Criteria: criteria("Piles stand", "Rails hold", "Lamps burn")}))
	return l, l.taskFile(id)
}

// wantLost checks the number of lost entries in the line, or that there is none for "".
func (l *losing) wantLost(when, want string) {
	l.t.Helper()
	line := l.line("", "").Line
	got := ""
	for part := range strings.SplitSeq(line, " │ ") {
		if strings.HasPrefix(part, "lost") {
			got = part
		}
	}
	if got != want {
		l.t.Errorf("%s: %q in %q, want %q", when, got, line, want)
	}
}

// TestD9_TheStatusLineShowsTheLastAnswer checks that the line shows the answer of the last command that may ask git and
// write, as long as HEAD has not moved.
func TestD9_TheStatusLineShowsTheLastAnswer(t *testing.T) {
	t.Parallel()
	l, file := newLosingTask(t)
	l.git("init", "-q", "-b", "main")
	l.write(".git/info/exclude", ".baton/local/\n")
	l.commit("first")
	ask := func() { must(l.as("a").Loss.FindAndCache(t.Context(), loss.Query{Git: true}))(t) }
	ask()
	l.wantLost("nothing is lost", "")
	l.write(file, without(l.read(file), "Rails hold", "Lamps burn"))
	l.wantLost("nobody asked yet", "")
	before := l.files()
	must(l.as("a").Sessions.Status(t.Context()))(t)
	must(l.as("a").Loss.Lost(t.Context(), loss.LostRequest{}))(t)
	must(l.as("a").Doctor.Doctor(t.Context(), workspace.DoctorRequest{}))(t)
	if !equalFiles(before, l.files()) {
		t.Error("a read wrote something")
	}
	ask()
	l.wantLost("asked", "lost 2")
	l.write("code", "x")
	l.commit("HEAD moves")
	l.wantLost("HEAD is another one", "")
	ask()
	l.wantLost("asked again", "lost 2")
	l.git("pack-refs", "--all")
	l.wantLost("references are packed", "lost 2")
	l.git("checkout", "-q", "--detach")
	l.wantLost("the same commit without a branch", "lost 2")
	must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{DryRun: true}))(t)
	l.wantLost("a dry run", "lost 2")
	must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t)
	l.wantLost("put back", "")
	if _, there := l.files()[lossMemoryFile]; there {
		t.Error("the cache of nothing is still there")
	}
}

// TestD9_OutsideGitTheStatusLineShowsLossesToo checks a project without git.
func TestD9_OutsideGitTheStatusLineShowsLossesToo(t *testing.T) {
	t.Parallel()
	l, file := newLosingTask(t)
	l.write(file, without(l.read(file), "Rails hold", "Lamps burn"))
	must(l.as("a").Loss.FindAndCache(t.Context(), loss.Query{Git: true}))(t)
	l.wantLost("two are gone", "lost 2")
	list := l.lost(false).Lost
	must(l.as("a").Loss.AcceptLost(t.Context(), loss.LostAcceptRequest{IDs: []string{list[0].ID}}))(t)
	l.wantLost("one is accepted", "lost 1")
	must(l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{IDs: []string{list[1].ID}}))(t)
	l.wantLost("the other is back", "")
	if _, there := l.files()[lossMemoryFile]; there {
		t.Error("the cache of nothing is still there")
	}
}

// TestD9_ABrokenCacheOfLossesIsIgnored also checks that only the beginning of the cache is read, which has the count.
func TestD9_ABrokenCacheOfLossesIsIgnored(t *testing.T) {
	t.Parallel()
	l, _ := newLosingTask(t)
	fates := `,"fates":{` + strings.Repeat(`"a b":{"fate":"lost","last":"2026-03-01T09:00:00Z"},`, 50_000)
	for _, c := range []struct{ name, text, want string }{
		{"as it is written, and long", `{"head":"","lost":7` + fates, "lost 7"},
		{"empty", "", ""},
		{"no JSON", "lost 7\n", ""},
		{"no count", `{"head":""` + fates, ""},
		{"not one", `{"head":"","lost":0` + fates, ""},
		{"fewer than none", `{"head":"","lost":-3` + fates, ""},
		{"more than there can be", `{"head":"","lost":99999999999999999999` + fates, ""},
		{"a word for a number", `{"head":"","lost":"7"` + fates, ""},
		{"another HEAD", fmt.Sprintf(`{"head":%q,"lost":7`, strings.Repeat("a", 40)) + fates, ""},
		{"a HEAD without an end", `{"head":"` + strings.Repeat("a", 3<<20), ""},
		{"brackets", strings.Repeat("[", 3<<20), ""},
		{"controls", "{\"head\":\"\",\"lost\":7\x00\x1b[31m" + fates, ""},
	} {
		l.write(lossMemoryFile, c.text)
		l.wantLost(c.name, c.want)
		if run := l.line("", ""); run.bytes > 4<<10 {
			t.Errorf("%s: %d bytes were read", c.name, run.bytes)
		}
	}
	if err := os.Remove(l.path(lossMemoryFile)); err != nil {
		t.Fatal(err)
	}
	l.mkdir(lossMemoryFile + "/folder")
	l.wantLost("a folder", "")
}

// TestD23_LossesCostOneLookAtMost checks that a missing cache costs one failed open, and that nothing is opened for the
// original's line.
func TestD23_LossesCostOneLookAtMost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const cache = `{"head":"","lost":7,"fates":{"a b":{"fate":"lost","last":"2026-03-01T09:00:00Z"}}}`
	w.write("own/.baton/STATE.md", lineDigest)
	w.write("tasks/.specflux/task-states/task-7-state.md", plain("7", "Feed"))
	w.write("gsd/.planning/STATE.md", lineDigest)
	w.write("wish/.planning/STATE.md", lineDigest)
	w.write("wish/.baton/config.yaml", "statusline: {segments: [state, lost]}\n")
	w.write("flow/.specflow/STATE.md", "# S\n")
	for _, c := range []struct {
		dir   string
		looks int
		want  string
	}{
		{"own", 1, "M │ v1.2 · executing · Gauge feed (3/5) │ lost 7 │ own"},
		{"tasks", 1, "M │ lost 7 │ tasks"},
		{"gsd", 0, "M │ v1.2 · executing · Gauge feed (3/5) │ gsd"},
		{"wish", 1, "v1.2 · executing · Gauge feed (3/5) │ lost 7"},
		{"flow", 0, "M │ flow"},
	} {
		looks := func() int {
			n := 0
			r := statusbar.StatusLineRequest{Env: report.Env{Dir: w.path(c.dir), Home: "/home/nobody"}, NoColor: true}
			statusbar.RenderLine(r, func(path string) (disk.File, error) {
				if filepath.Base(path) == workspace.LossMemoryName {
					n++
				}
				return disk.OS{}.Open(path)
			})
			return n
		}
		absent := looks()
		w.write(c.dir+"/"+lossMemoryFile, cache)
		if there := looks(); absent != c.looks || there != c.looks {
			t.Errorf("%s: looked %d times for none and %d for one, want %d", c.dir, absent, there, c.looks)
		}
		w.wantLine(c.dir, c.want)
	}
}

// TestD9_TheStartOfASessionUpdatesTheStatusLine checks this in git and outside, also if somebody put the entries back
// by hand.
func TestD9_TheStartOfASessionUpdatesTheStatusLine(t *testing.T) {
	t.Parallel()
	for _, git := range []bool{true, false} {
		l, file := newLosingTask(t)
		if git {
			l.git("init", "-q", "-b", "main")
			l.write(".git/info/exclude", ".baton/local/\n")
			l.commit("first")
		}
		whole := l.read(file)
		l.write(file, without(whole, "Rails hold", "Lamps burn"))
		l.world.start("s1", "startup")
		l.wantLost("a session begins", "lost 2")
		l.write(file, without(whole, "Rails hold"))
		l.world.start("s2", "startup")
		l.wantLost("one came back by hand", "lost 1")
		l.write(file, whole)
		l.wantLost("nobody looked yet", "lost 1")
		l.world.start("s3", "startup")
		l.wantLost("both came back by hand", "")
		if _, there := l.files()[lossMemoryFile]; there {
			t.Error("the cache of nothing is still there")
		}
	}
}
