package project

import (
	"path"
	"path/filepath"
	"strings"

	"baton/internal/task"
)

// familyOf gives the family of a document: the name of the task file or of the digest whose entries may stand in it. ok is false
// for a document that has no entries. A task's files in folders that share an archive are one family, and so are copies of a file
// in a working copy for that task.
func (p *Project) familyOf(name string) (family string, ok bool) {
	dir, base := path.Split(name)
	switch kind := docKind(name); kind {
	case "":
		return "", false
	case docTask:
		id, _ := task.IDOfFile(base)
		return taskFamily(id, strings.TrimSuffix(dir, "/")), true
	case docTaskArchive:
		id, _ := archiveID(base)
		return p.archiveFamily(id, strings.TrimSuffix(dir, "/")), true
	}
	return dir + "STATE.md", true
}

// familyDocs gives the names of the documents that a family may have, the family's own first. They need not exist.
func (p *Project) familyDocs(family string) []string {
	dir, base := path.Split(family)
	switch kind := docKind(family); kind {
	case "", docTaskArchive, docArchive, docStateArchive:
		return []string{family}
	case docTask:
		id, _ := task.IDOfFile(base)
		return taskDocs(id, strings.TrimSuffix(dir, "/"))
	default:
		place := placeIn(kind, strings.TrimSuffix(dir, "/"))
		docs := []string{place.State, place.Archive}
		if place.StateArchive != "" {
			docs = append(docs, place.StateArchive)
		}
		return docs
	}
}

// sharedDirs gives the folders in which a task of a folder may stand too, because their archives are one, the family's own first; and
// that archive's folder. Only the name of the folder counts, so that every run has the same families, whatever it was told to
// look at.
func sharedDirs(id task.ID, dir string) (dirs []taskDir, archive string) {
	if dir == batonDir().Dir {
		return []taskDir{batonDir()}, batonDir().Archive
	}
	older := olderDirs()
	shared := []taskDir{specfluxDir(), older[0], older[1], worktreeDir(id)}
	for _, d := range shared {
		if d.Dir == dir {
			return shared, d.Archive
		}
	}
	return []taskDir{{Layout: layoutGiven, Dir: dir}}, specfluxDir().Archive
}

func taskFamily(id task.ID, dir string) string {
	dirs, _ := sharedDirs(id, dir)
	return dirs[0].state(id)
}

// taskDocs gives the documents of a task's family: its files, and the archive where its layout has it. An archive elsewhere, that a
// task file's metadata names, is of the family too, but only its book knows.
func taskDocs(id task.ID, dir string) []string {
	dirs, archive := sharedDirs(id, dir)
	docs := make([]string, 0, len(dirs)+1)
	for _, d := range dirs {
		docs = append(docs, d.state(id))
	}
	return append(docs, taskDir{Archive: archive}.archive(id))
}

// archiveFamily gives the family of an archive by its name and folder: that of the first task file that is there, of those whose archives
// are in this folder. Where metadata puts an archive elsewhere, any of the project's folders may have the file.
func (p *Project) archiveFamily(id task.ID, dir string) string {
	if dir == batonDir().Archive {
		return taskFamily(id, batonDir().Dir)
	}
	var fits, rest []taskDir
	for _, d := range p.searchDirs(id) {
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
		if exists(filepath.Join(p.root, filepath.FromSlash(d.state(id)))) {
			return taskFamily(id, d.Dir)
		}
	}
	if len(fits) > 0 {
		return taskFamily(id, fits[0].Dir)
	}
	return taskFamily(id, specfluxDir().Dir)
}
