package find

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/statedir"
	"baton/internal/workspace"
)

// searchRoot is one root with the folders in it that a search looks through. The roles of a project
// may have roots of their own (D16).
type searchRoot struct {
	at      *workspace.Workspace
	deep    []string // with all folders below them
	shallow []string // without
	digests []workspace.DigestPlace
	titles  []string // further titles of decision sections
}

func (s *searchRoot) add(deep bool, dirs ...string) {
	list := &s.shallow
	if deep {
		list = &s.deep
	}
	for _, dir := range dirs {
		if !slices.Contains(*list, dir) {
			*list = append(*list, dir)
		}
	}
}

// searchRoots finds what there is to search: the folders of every role, each at its own root. The
// layout that was asked for narrows it to its folders.
func (p Find) searchRoots(ctx context.Context) ([]*searchRoot, error) {
	var roots []*searchRoot
	at := func(root string) (*searchRoot, error) {
		for _, r := range roots {
			if r.at.Root == root {
				return r, nil
			}
		}
		one := &searchRoot{at: p.Workspace}
		if root != p.Root {
			o := p.O
			o.FixedRoot = root
			var err error
			if one.at, err = workspace.Open(ctx, o); err != nil {
				return nil, err
			}
		}
		roots = append(roots, one)
		return one, nil
	}
	if p.Found && p.holds(workspace.TaskLayouts()...) {
		r, err := at(p.Root)
		if err != nil {
			return nil, err
		}
		if err := p.searchTasks(ctx, r); err != nil {
			return nil, err
		}
	}
	if root, places := p.DigestRoot(); len(places) > 0 &&
		p.holds(workspace.LayoutBaton, workspace.LayoutGSD, workspace.LayoutSpecflow) {
		r, err := at(root)
		if err != nil {
			return nil, err
		}
		r.digests = places
		r.titles, _ = r.at.Settings().Value("decisions.titles").([]string)
		for _, place := range places {
			top, _, _ := strings.Cut(place.Dir, "/")
			r.add(true, top)
		}
	}
	if root, places := p.FolderRoot(); len(places) > 0 && p.holds(workspace.FolderWords()...) {
		r, err := at(root)
		if err != nil {
			return nil, err
		}
		for _, place := range places {
			r.add(true, place.Dir)
		}
	}
	return roots, nil
}

// holds reports whether the layout that was asked for is one of these; no layout is all of them.
func (p Find) holds(layouts ...string) bool {
	return p.O.Layout == "" || slices.Contains(layouts, p.O.Layout)
}

// searchTasks adds the folders of tasks. That of a layout is looked through as a whole, because
// plans, evidence and memories stand beside the tasks; one that was named, or is an older one, may
// lie among other people's files.
func (p Find) searchTasks(ctx context.Context, r *searchRoot) error {
	dirs, err := p.ListDirs(ctx, p.Store)
	if err != nil {
		return err
	}
	for _, d := range dirs {
		switch {
		case d == workspace.BatonDir(), d == workspace.SpecfluxDir():
			r.add(true, "."+d.Layout)
		default:
			r.add(false, d.Dir, d.Archive)
		}
	}
	if p.O.Layout == "" && slices.Contains(p.Wide, workspace.LayoutBaton) {
		r.add(true, "."+workspace.LayoutBaton) // it may hold a working folder or memories only
	}
	if slices.ContainsFunc(dirs, func(d workspace.TaskDir) bool {
		return d.Layout == workspace.LayoutSpecflux || d.Layout == workspace.LayoutOlder
	}) {
		r.add(false, "chain-outputs") // hand-off files of older projects (5.1)
	}
	return nil
}

// passedOver names the folders in the layouts' folders that hold no documents: what baton keeps for
// itself, working copies of the code, and what other tools put anywhere.
func passedOver(dir string) bool {
	switch filepath.Base(dir) {
	case ".git", "node_modules":
		return true
	}
	return dir == workspace.RuntimeDir || strings.HasPrefix(dir, workspace.RuntimeDir+"/") ||
		dir == ".specflux/worktrees"
}

// base returns the root that paths of answers start at: the outermost.
func searchBase(roots []*searchRoot) string {
	base := roots[0].at.Root
	for _, r := range roots[1:] {
		if rel, err := filepath.Rel(r.at.Root, base); err == nil && filepath.IsLocal(rel) {
			base = r.at.Root
		}
	}
	return base
}

// shownBelow writes the name of a document as answers have it: from base on where it lies below
// that, else whole.
func shownBelow(base, root, name string) string {
	if base == root {
		return workspace.ShownEntry(name)
	}
	path := filepath.Join(root, filepath.FromSlash(name))
	if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return workspace.ShownEntry(filepath.ToSlash(path))
}

// archivePlaces returns the folders that entries move to. They are listed once more after
// everything else was read, so that an entry which moves meanwhile is found there (D8).
func (s *searchRoot) archivePlaces() []string {
	var dirs []string
	for _, d := range s.at.Dirs {
		dirs = append(dirs, d.Archive)
	}
	for _, d := range s.digests {
		dirs = append(dirs, d.Dir)
		if d.Layout == workspace.LayoutSpecflow {
			dirs = append(dirs, d.Dir+"/archive")
		}
	}
	return dirs
}

// inArchive reports whether a document is in a folder of things that are done with.
func (s *searchRoot) inArchive(name string) bool {
	for _, f := range statedir.Folders() {
		if strings.HasPrefix(name, f.Dir+"/") && strings.Contains(name, "/"+statedir.ArchiveName+"/") {
			return true
		}
	}
	for _, d := range s.digests {
		if name == d.Archive || d.StateArchive != "" && name == d.StateArchive {
			return true
		}
		if d.Layout == workspace.LayoutSpecflow && strings.HasPrefix(name, d.Dir+"/archive/") {
			return true
		}
	}
	return false
}
