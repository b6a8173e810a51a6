package gitrepo

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// HEAD may come back to a commit after git changed files for another branch.
func TestF25_WhetherGitLeftTheFilesAsTheyAre(t *testing.T) {
	t.Parallel()
	const a, b = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	line := func(from, to, second, why string) string {
		return from + " " + to + " A B <a@b> 17000000" + second + " +0100\t" + why + "\n"
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "logs"), 0o700); err != nil {
		t.Fatal(err)
	}
	read := func(text string) HeadLog {
		if err := os.WriteFile(filepath.Join(dir, "logs", "HEAD"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return Place{Dir: dir, GitDir: dir}.HeadLog()
	}
	first := line(a, a, "10", "checkout: moving from main to pier")
	commit, back := line(a, b, "20", "commit: on pier"), line(b, a, "30", "checkout: moving from pier to main")
	if log := read(first + commit); !log.Stayed(0) || !log.StayedAfter(time.Unix(0, 0)) || log.Stayed(1000) {
		t.Error("commits and new branches leave the files")
	}
	log := read(first + commit + back)
	if log.Stayed(len(first)) || log.Stayed(0) || !log.Stayed(log.Len()) {
		t.Error("a checkout of another commit does not")
	}
	for second, stayed := range map[int64]bool{1700000010: false, 1700000030: false, 1700000031: true} {
		if log.StayedAfter(time.Unix(second, 0)) != stayed {
			t.Error(second)
		}
	}
	if log := read(first + "nonsense\n"); log.Stayed(0) || log.StayedAfter(time.Unix(1800000000, 0)) {
		t.Error("a line that is unreadable may be anything")
	}
	if log := (Place{Dir: dir, GitDir: filepath.Join(dir, "none")}).HeadLog(); !log.Stayed(0) || !log.StayedAfter(time.Time{}) {
		t.Error("without a reflog, only HEAD counts")
	}
}
