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

// noInstanceLink refuses a link as the folder of an instance: Violation instance_invalid. Only a
// folder can be one: a sweep of what a link leads to would take somebody's sources for left-overs,
// or those of another instance, and a link that leads nowhere would have baton make the folder that
// it names.
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

// noFolderLink refuses a state folder that is a link to a folder of the project with another name:
// Violation folder_invalid. A folder of the same name may stand elsewhere, as that of a layout may
// (D36); what has another name is most likely no state folder, and its files would count as
// left-overs. What leads outside is read and not written to, which the store sees to.
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
		Hint: "replace the link with a folder, or let it lead to a folder that is also called " +
			path.Base(place.Dir) + " too",
	}
}
