package workspace

import (
	"path"
	"path/filepath"
	"strings"

	"baton/internal/task"
)

// FamiliesOf returns the families of some documents, and all documents of these families, each once
// and in order.
func (p *Workspace) FamiliesOf(names []string) (families, docs []string) {
	seen := map[string]bool{}
	for _, name := range names {
		family, ok := p.FamilyOf(name)
		if !ok || seen[family] {
			continue
		}
		seen[family] = true
		families = append(families, family)
		docs = append(docs, p.FamilyDocs(family)...)
	}
	return families, docs
}

// FamilyOf returns the family of a document: the name of the task file or digest between which and
// the document entries may move. ok is false for a document without entries. A task's files in
// folders that share an archive are one family, and so are copies of the file in the task's own
// worktree.
func (p *Workspace) FamilyOf(name string) (family string, ok bool) {
	dir, base := path.Split(name)
	switch kind := DocKind(name); kind {
	case "":
		return "", false
	case DocTask:
		id, _ := task.IDOfStateFile(base)
		return taskFamily(id, strings.TrimSuffix(dir, "/")), true
	case DocTaskArchive:
		id, _ := ArchiveID(base)
		return p.archiveFamily(id, strings.TrimSuffix(dir, "/")), true
	}
	return dir + "STATE.md", true
}

// FamilyDocs returns the names of the documents that a family may have, starting with its own. They
// need not exist.
func (p *Workspace) FamilyDocs(family string) []string {
	dir, base := path.Split(family)
	switch kind := DocKind(family); kind {
	case "", DocTaskArchive, DocArchive, DocStateArchive:
		return []string{family}
	case DocTask:
		id, _ := task.IDOfStateFile(base)
		return TaskDocs(id, strings.TrimSuffix(dir, "/"))
	default:
		place := PlaceIn(kind, strings.TrimSuffix(dir, "/"))
		docs := []string{place.State, place.Archive}
		if place.StateArchive != "" {
			docs = append(docs, place.StateArchive)
		}
		return docs
	}
}

// sharedDirs returns the folders that share an archive folder with a task's folder, starting with
// the family's own, and that archive folder. The task may be in any of them. Only the folder's name
// counts, so that every run has the same families, whatever folders it was given.
func sharedDirs(id task.ID, dir string) (dirs []TaskDir, archive string) {
	if dir == BatonDir().Dir {
		return []TaskDir{BatonDir()}, BatonDir().Archive
	}
	older := OlderDirs()
	shared := []TaskDir{SpecfluxDir(), older[0], older[1], WorktreeDir(id)}
	for _, d := range shared {
		if d.Dir == dir {
			return shared, d.Archive
		}
	}
	return []TaskDir{{Layout: LayoutGiven, Dir: dir}}, SpecfluxDir().Archive
}

func taskFamily(id task.ID, dir string) string {
	dirs, _ := sharedDirs(id, dir)
	return dirs[0].StateFile(id)
}

// TaskDocs returns the documents of a task's family: its files, and the archive of its layout. An
// archive elsewhere that the metadata names belongs to the family, too, but only the family's book
// knows it.
func TaskDocs(id task.ID, dir string) []string {
	dirs, archive := sharedDirs(id, dir)
	docs := make([]string, 0, len(dirs)+1)
	for _, d := range dirs {
		docs = append(docs, d.StateFile(id))
	}
	return append(docs, TaskDir{Archive: archive}.ArchiveFile(id))
}

// archiveFamily returns the family of an archive, by its name and folder: that of the first
// existing task file whose archives are in this folder. If metadata puts an archive elsewhere, any
// of the project's folders may have the task file.
func (p *Workspace) archiveFamily(id task.ID, dir string) string {
	if dir == BatonDir().Archive {
		return taskFamily(id, BatonDir().Dir)
	}
	var fits, rest []TaskDir
	for _, d := range p.SearchDirs(id) {
		if d.Archive == dir {
			fits = append(fits, d)
		} else {
			rest = append(rest, d)
		}
	}
	if len(fits) == 0 {
		fits = rest
	}
	for _, d := range fits {
		if Exists(filepath.Join(p.Root, filepath.FromSlash(d.StateFile(id)))) {
			return taskFamily(id, d.Dir)
		}
	}
	if len(fits) > 0 {
		return taskFamily(id, fits[0].Dir)
	}
	return taskFamily(id, SpecfluxDir().Dir)
}
