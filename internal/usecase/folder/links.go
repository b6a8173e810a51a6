package folder

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/workspace"
)

// isLink reports whether a name is a link, wherever it leads.
func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// noInstanceLink refuses a link as the folder of an instance, with Violation instance_invalid. A
// sweep through a link could move somebody's sources or the files of another instance, and a
// dangling link would make baton create the folder that it names.
func (p Folder) noInstanceLink(op string, place *workspace.FolderPlace) error {
	if !isLink(filepath.Join(p.Root, filepath.FromSlash(place.Dir))) {
		return nil
	}
	return &report.Error{
		Op: op, Kind: report.Violation, Code: report.CodeInstanceInvalid, Path: place.Dir,
		Message: place.Dir + " is a link, but an instance needs a folder",
		Hint:    "choose another id, or replace the link with a folder",
	}
}

// noFolderLink refuses a state folder that is a link to a folder of the project with another name,
// with Violation folder_invalid. Such a folder is probably not a state folder, and its files would
// be swept. A target with the same name is allowed, because a layout may be elsewhere (D36). A
// target outside the project is allowed too, because the store never writes there.
func (p Folder) noFolderLink(op string, place workspace.FolderPlace) error {
	if place.Contract.Folder() != "" {
		return p.declaredFault(op, place)
	}
	link := filepath.Join(p.Root, filepath.FromSlash(place.Dir))
	if !isLink(link) {
		return nil
	}
	fault := "leads nowhere"
	if target, err := filepath.EvalSymlinks(link); err == nil {
		rel, err := filepath.Rel(workspace.Real(p.Root), target)
		if err != nil || !filepath.IsLocal(rel) || filepath.Base(target) == path.Base(place.Dir) {
			return nil
		}
		shown, _ := statedir.ShownName(filepath.ToSlash(rel))
		fault = "leads to " + safetext.Quote(shown)
	}
	return &report.Error{
		Op: op, Kind: report.Violation, Code: report.CodeFolderInvalid, Path: place.Dir,
		Message: "the state folder " + place.Dir + " is a link that " + fault + ", which is not a state folder",
		Hint: "replace the link with a folder, or with a link to a folder that is also called " +
			path.Base(place.Dir),
	}
}

// declaredFault refuses a declared folder that is not one of its own: one behind a link, one with
// tasks in it, or one in which another project is. contract.yaml comes from a repository, so nobody
// here chose the folder (D45).
func (p Folder) declaredFault(op string, place workspace.FolderPlace) error {
	fault := ""
	for dir := place.Dir; dir != "."; dir = path.Dir(dir) {
		if isLink(filepath.Join(p.Root, filepath.FromSlash(dir))) {
			fault = dir + " is a link"
		}
	}
	for _, other := range declaration.TakenFolders() { // a project of its own, or a checkout
		if _, err := os.Lstat(filepath.Join(p.Root, filepath.FromSlash(place.Dir), other)); err == nil {
			fault = "it contains " + other
		}
	}
	for _, d := range p.Dirs {
		if strings.HasPrefix(d.Dir+"/", place.Dir+"/") || strings.HasPrefix(place.Dir+"/", d.Dir+"/") {
			fault = "the tasks of the project are in " + d.Dir
		}
	}
	if fault == "" {
		return nil
	}
	return &report.Error{
		Op: op, Kind: report.Violation, Code: report.CodeFolderInvalid, Path: place.ContractName(),
		Message: place.ContractName() + " declares the folder " + place.Dir + ", which cannot be used: " + fault,
		Hint:    "declare a folder of its own, without links",
	}
}
