package workspace

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/workspace/config"
)

// Unseen warns that another state folder cannot be read; the first is shown all the same.
func (f FolderPlace) Unseen(err error) report.Finding {
	return report.CodeOf(err).Finding(f.Dir, 0, report.As(err).Error()).As(report.Warning)
}

// IsInstanceID reports whether a name has the form of an instance's id (5.12).
func IsInstanceID(name string) bool {
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return name != "" && len(name) <= 64
}

// Home returns the state folder that holds an instance's folder.
func (f FolderPlace) Home() FolderPlace {
	f.Dir, f.Instance = strings.TrimSuffix(f.Dir, "/"+f.Instance), ""
	return f
}

// LayoutDevt is the layout of the original tool's state folder (D16).
const LayoutDevt = "devt"

// FolderPlace is the location of a state folder, with the contract that applies to it.
type FolderPlace struct {
	Layout   string // devt or baton
	Dir      string // slash path below the root, including the instance's folder
	Instance string // id of the instance; "" means the project's own folder

	Contract *declaration.Contract // with the project's additions; without them if contract.yaml is broken
	Broken   error                 // why contract.yaml does not apply or is unreadable; nil if it applies or is missing
	// layouts of other state folders in the same root, if no setting chose between them
	Others []string
}

// base returns the folder of the layout, which contains the state folder and the configuration.
func (f FolderPlace) base() string { return "." + f.Layout }

// In returns the name of a document in the folder.
func (f FolderPlace) In(name string) string { return f.Dir + "/" + name }

// Archive returns the folder of the snapshots.
func (f FolderPlace) Archive() string { return f.In(statedir.ArchiveName) }

// FolderWords returns the layouts that have a state folder.
func FolderWords() []string {
	var words []string
	for _, f := range statedir.Folders() {
		words = append(words, f.Layout)
	}
	return words
}

// FolderIn returns the state folder of a layout, or an empty place if the layout has none.
func FolderIn(layout string) FolderPlace {
	for _, f := range statedir.Folders() {
		if f.Layout == layout {
			return FolderPlace{Layout: layout, Dir: f.Dir}
		}
	}
	return FolderPlace{}
}

// LookFolders finds the state folders in one folder. For baton's own, .baton/work must exist,
// because .baton holds other things, too. devt creates its folder when it first needs it, so .devt
// is enough. In the home folder, .devt only holds defaults for all projects.
func LookFolders(dir, home string) []FolderPlace {
	var found []FolderPlace
	for _, f := range statedir.Folders() {
		below := f.Dir
		if f.Layout == LayoutDevt && !(home != "" && dir == Real(home)) {
			below = path.Dir(below)
		}
		if IsDir(filepath.Join(dir, filepath.FromSlash(below))) {
			found = append(found, FolderIn(f.Layout))
		}
	}
	return found
}

// foldersIn is LookFolders, and finds baton's own folder also by its contract.yaml, because it may
// have another place.
func foldersIn(dir, home string) []FolderPlace {
	found, own := LookFolders(dir, home), FolderIn(LayoutBaton)
	if (len(found) == 0 || found[0].Layout != own.Layout) && Exists(filepath.Join(dir, own.ContractName())) {
		found = append([]FolderPlace{own}, found...)
	}
	return found
}

// FindFolder is ForFolder without the instance and the contract.
func (p *Workspace) FindFolder(ctx context.Context, op string) (*Workspace, FolderPlace, error) {
	if l := p.O.Layout; l != "" && !slices.Contains(FolderWords(), l) {
		return nil, FolderPlace{}, &report.Error{
			Op: op, Kind: report.Usage, Code: report.CodeLayoutUnknown,
			Message: "the layout " + l + " has no state folder",
			Hint:    "use --layout " + strings.Join(FolderWords(), " or --layout "),
		}
	}
	root, places := p.FolderRoot()
	if len(places) == 0 {
		if root = p.AnyRoot(); root == "" || p.O.Layout == LayoutDevt {
			return nil, FolderPlace{}, p.NoFolder(op, root)
		}
		places = []FolderPlace{FolderIn(LayoutBaton)}
	}
	at := p
	if root != p.Root {
		o := p.O
		o.FixedRoot = root
		var err error
		if at, err = Open(ctx, o); err != nil {
			return nil, FolderPlace{}, err
		}
	}
	return at, at.pickFolder(places), nil
}

// pickFolder returns the folder that --layout or the configuration names, or else the first one,
// with the layouts of the others.
func (p *Workspace) pickFolder(places []FolderPlace) FolderPlace {
	choice := p.O.Layout
	if choice == "" {
		choice = p.Settings().Text("layout.folder")
	}
	if choice != "" {
		return FolderIn(choice)
	}
	first := places[0]
	for _, other := range places[1:] {
		first.Others = append(first.Others, other.Layout)
	}
	return first
}

// FolderRoot searches upward for the nearest folder with a state folder of the requested layout.
func (p *Workspace) FolderRoot() (string, []FolderPlace) {
	var places []FolderPlace
	root, _ := Upward(Real(p.Start()), p.Env.Home, p.O.Dir == "" &&
		p.Env.Getenv("BATON_ROOT") != "", func(dir string) bool {
		places = slices.DeleteFunc(foldersIn(dir, p.Env.Home), func(f FolderPlace) bool {
			return p.O.Layout != "" && f.Layout != p.O.Layout
		})
		return len(places) > 0
	})
	if root == "" {
		return "", nil
	}
	if len(places) == 1 {
		root = p.followLink(root, places[0].base())
	}
	return root, places
}

// AnyRoot returns the root of the project, found by its tasks, a digest, or a state folder of any
// layout; "" if there is none.
func (p *Workspace) AnyRoot() string {
	if p.Found {
		return p.Root
	}
	anywhere := &Workspace{O: p.O, Env: p.Env}
	anywhere.O.Layout = ""
	if root, places := anywhere.FolderRoot(); len(places) > 0 {
		return root
	}
	root, _ := anywhere.DigestRoot()
	return root
}

// NoFolder returns the error for a missing state folder without a project in which to create one.
func (p *Workspace) NoFolder(op, root string) error {
	if root == "" {
		return p.NoProject(op)
	}
	return &report.Error{
		Op: op, Kind: report.NotFound, Code: report.CodeNoProject,
		Message: "there is no folder ." + LayoutDevt + " in " + root,
		Hint:    "omit --layout, or create one with `baton init --layout " + LayoutDevt + "`",
	}
}

// Chosen returns an error if there are two state folders and no setting chooses between them: Usage
// layout_ambiguous (D16).
func (f FolderPlace) Chosen(op string) error {
	if len(f.Others) == 0 {
		return nil
	}
	return &report.Error{
		Op: op, Kind: report.Usage, Code: report.CodeLayoutAmbiguous,
		Message: "this project has the state folders " + f.Dir + " and " + FolderIn(f.Others[0]).Dir,
		Hint: "choose one with --layout " + f.Layout + " or --layout " + f.Others[0] +
			", or set layout.folder in " + config.Name,
	}
}

// Doubts warns readers about another state folder, and about a contract.yaml that does not apply.
func (f FolderPlace) Doubts() []report.Finding {
	var out []report.Finding
	for _, other := range f.Others {
		out = append(out, report.CodeLayoutAmbiguous.Finding(f.Dir, 0,
			"there is also a state folder "+FolderIn(other).Dir+"; this answer is about "+f.Dir+" (for the other, use "+
				"--layout "+other+")"))
	}
	if f.Broken != nil {
		e := report.As(f.Broken)
		found := report.CodeOf(e).Finding(f.ContractName(), e.Line,
			e.Error()+"; until you correct it, baton ignores the whole file and writes nothing").As(report.Severe)
		if e.Path != found.Path {
			found.Path, found.Text = e.Path,
				e.Error()+"; until you correct it, baton ignores "+f.ContractName()+" and writes nothing"
		}
		out = append(out, found)
	}
	return out
}

// ContractName returns the name of the file in which a project extends the contract (5.15).
func (f FolderPlace) ContractName() string { return f.base() + "/contract.yaml" }

// ContractFault returns the error for a contract.yaml that cannot be used: Corrupt
// contract_invalid.
func ContractFault(name, what string) error {
	return &report.Error{
		Kind: report.Corrupt, Code: report.CodeContractInvalid, Path: name, Message: name + ": " + what,
		Hint: "replace it with a file, or move it away if the project adds nothing to the contract",
	}
}

// ShownEntry returns a name as answers show it.
func ShownEntry(name string) string {
	shown, _ := statedir.ShownName(name)
	return shown
}
