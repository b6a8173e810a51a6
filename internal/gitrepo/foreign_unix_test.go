//go:build unix

package gitrepo

import (
	"os"
	"path/filepath"
	"testing"
)

// A folder that somebody sent may have a .git that leads to another repository of the user.
func TestD45_AGitFolderOfAnotherCheckoutIsNoPlace(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	main := s.repo("main")
	linked, bare := filepath.Join(s.dir, "linked"), filepath.Join(s.dir, "bare.git")
	s.git(main, "worktree", "add", "-q", linked)
	s.git(s.dir, "clone", "-q", "--bare", main, bare)
	git := filepath.Join(main, ".git")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, make := range map[string]func(dir string){
		"commondir in a folder of its own": func(dir string) {
			s.git(dir, "init", "-q")
			write(filepath.Join(dir, ".git", "commondir"), git)
		},
		"a pointer to a folder with a commondir": func(dir string) {
			write(filepath.Join(dir, ".git"), "gitdir: own")
			write(filepath.Join(dir, "own", "commondir"), git)
		},
		"the folder of a linked checkout": func(dir string) {
			write(filepath.Join(dir, ".git"), "gitdir: "+filepath.Join(git, "worktrees", "linked"))
		},
		"the folder of a main checkout":   func(dir string) { write(filepath.Join(dir, ".git"), "gitdir: "+git) },
		"the folder of a bare repository": func(dir string) { write(filepath.Join(dir, ".git"), "gitdir: "+bare) },
		"a link to it": func(dir string) {
			if err := os.Symlink(git, filepath.Join(dir, ".git")); err != nil {
				t.Fatal(err)
			}
		},
	} {
		dir := s.folder(name)
		if make(dir); Common(dir).Dir != "" || Common(dir).Main != "" {
			t.Errorf("%s: %+v", name, Common(dir))
		}
	}

	// A repository that names somebody else's folder as its main checkout has none.
	own := s.folder("own")
	write(filepath.Join(own, ".git"), "gitdir: common/worktrees/x")
	write(filepath.Join(own, "common", "worktrees", "x", "commondir"), "../..")
	write(filepath.Join(own, "common", "worktrees", "x", "gitdir"), filepath.Join(own, ".git"))
	write(filepath.Join(own, "common", "config"), "[core]\nworktree = "+main)
	if got := Common(own); got.Main != "" || got.Dir != filepath.Join(own, "common") {
		t.Errorf("%+v", got)
	}
}

func TestD45_GitFoldersElsewhereThatAreACheckoutsOwn(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	main := s.repo("main")
	linked, moved := filepath.Join(s.dir, "linked"), filepath.Join(s.dir, "moved")
	s.git(main, "worktree", "add", "-q", linked)
	if err := os.Rename(linked, moved); err != nil {
		t.Fatal(err)
	}
	apart, link := s.folder("apart"), s.folder("link")
	s.git(apart, "init", "-q", "--separate-git-dir", filepath.Join(s.dir, "apart.git"))
	if err := os.Symlink(filepath.Join(s.dir, "apart.git"), filepath.Join(link, ".git")); err != nil {
		t.Fatal(err)
	}
	for dir, common := range map[string]string{
		moved: filepath.Join(main, ".git"), apart: filepath.Join(s.dir, "apart.git"), link: filepath.Join(link, ".git"),
	} {
		if got := Common(dir); got.Dir != common {
			t.Errorf("%s: %+v", dir, got)
		}
	}
}
