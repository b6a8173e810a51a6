package find

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/workspace"
)

// searchRoot is one root and its folders that a search covers. Different parts of a project may
// have different roots (D16).
type searchRoot struct {
	at      *workspace.Workspace
	deep    []string // searched with all subfolders
	shallow []string // searched without subfolders
	digests []workspace.DigestPlace
	folders []string // of the state folders
	titles  []string // additional titles of decision sections
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

// searchRoots finds the folders to search, each at its own root. If a layout was requested, only
// its folders are searched.
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
			dir := r.declared(ctx, place)
			r.folders = append(r.folders, dir)
			r.add(true, dir)
		}
	}
	return roots, nil
}

// declared returns a state folder, which a project's contract.yaml may move.
func (s *searchRoot) declared(ctx context.Context, place workspace.FolderPlace) string {
	doc, err := s.at.Store.Read(ctx, place.ContractName())
	if err != nil || !doc.Exists {
		return place.Dir
	}
	contract, err := declaration.Declared().Extend(place.ContractName(), doc.Data)
	if err != nil || contract.Folder() == "" {
		return place.Dir
	}
	return contract.Folder()
}

// holds reports whether the requested layout is one of these. Without a request every layout is.
func (p Find) holds(layouts ...string) bool {
	return p.O.Layout == "" || slices.Contains(layouts, p.O.Layout)
}

// searchTasks adds the folders of tasks. A layout's folder is searched with all subfolders, because
// plans, evidence and memories are next to the tasks. A configured or older folder is searched
// alone, because it may be among other files.
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
		r.add(true, "."+workspace.LayoutBaton) // it may contain only a working folder or memories
	}
	if slices.ContainsFunc(dirs, func(d workspace.TaskDir) bool {
		return d.Layout == workspace.LayoutSpecflux || d.Layout == workspace.LayoutOlder
	}) {
		r.add(false, "chain-outputs") // hand-off files of older projects (5.1)
	}
	return nil
}

// passedOver reports whether a folder inside a layout's folder is skipped because it has no
// documents: baton's runtime folder, working copies of the code, and folders that other tools put
// anywhere.
func passedOver(dir string) bool {
	switch filepath.Base(dir) {
	case ".git", "node_modules":
		return true
	}
	return dir == workspace.RuntimeDir || strings.HasPrefix(dir, workspace.RuntimeDir+"/") ||
		dir == ".specflux/worktrees"
}

// searchBase returns the root that paths in answers are relative to: the outermost one.
func searchBase(roots []*searchRoot) string {
	base := roots[0].at.Root
	for _, r := range roots[1:] {
		if rel, err := filepath.Rel(r.at.Root, base); err == nil && filepath.IsLocal(rel) {
			base = r.at.Root
		}
	}
	return base
}

// shownBelow writes the name of a document for an answer: relative to base if it is below it,
// otherwise absolute.
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

// archivePlaces returns the folders that entries move to. They are listed again after everything
// else was read, so that an entry that moved meanwhile is found there (D8).
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

// inArchive reports whether a document is in an archive folder.
func (s *searchRoot) inArchive(name string) bool {
	for _, dir := range s.folders {
		if strings.HasPrefix(name, dir+"/") && strings.Contains(name, "/"+statedir.ArchiveName+"/") {
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
