package folder

import (
	"os"
	"path"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
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
