package project

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/statedir"
)

// layoutDevt is the layout of the original tool's state folder (D16).
const layoutDevt = "devt"

// folderPlace says where a state folder stands and which contract holds in it.
type folderPlace struct {
	Layout   string // devt or baton
	Dir      string // slash path below the root, that of the instance included
	Instance string // "" is the project's own folder

	contract *statedir.Contract // with what the project added; the declared one where its contract.yaml is broken
	broken   error              // why contract.yaml does not hold, or is not known; nil when it does or is not there
	others   []string           // layouts of further state folders in the same root, while nothing chose between them
}

// base is the folder of the layout, which holds the state folder and the configuration.
func (f folderPlace) base() string { return "." + f.Layout }

// in gives the name of a document in the folder.
func (f folderPlace) in(name string) string { return f.Dir + "/" + name }

// archive is the folder of the snapshots.
func (f folderPlace) archive() string { return f.in(statedir.ArchiveName) }

func folderWords() []string {
	var words []string
	for _, f := range statedir.Folders() {
		words = append(words, f.Layout)
	}
	return words
}

func folderIn(layout string) folderPlace {
	for _, f := range statedir.Folders() {
		if f.Layout == layout {
			return folderPlace{Layout: layout, Dir: f.Dir}
		}
	}
	return folderPlace{}
}

// lookFolders finds the state folders in one folder. Baton's own is there when .baton/work is, because .baton holds other
// things too; devt makes its folder when it first needs it, so .devt is enough. In the home folder .devt holds defaults for
// all projects and is no project by that.
func lookFolders(dir, home string) []folderPlace {
	var found []folderPlace
	for _, f := range statedir.Folders() {
		below := f.Dir
		if f.Layout == layoutDevt && !(home != "" && dir == real(home)) {
			below = path.Dir(below)
		}
		if isDir(filepath.Join(dir, filepath.FromSlash(below))) {
			found = append(found, folderIn(f.Layout))
		}
	}
	return found
}

// forFolder gives the project whose root holds the nearest state folder, and its place: p itself where the roots are one
// (D16: every role is looked for on its own). The folder itself need not exist. In a project of another layout it is
// baton's own; without any project NotFound no_project. Usage layout_unknown for a layout that keeps no state folder, and
// instance_invalid; Violation folder_invalid and instance_invalid for links in their place.
//
// Where two state folders stand in one root and nothing says which is meant, the place is the first one: a read adds
// place.doubts to its answer, a write asks place.chosen before it does anything.
func (p *Project) forFolder(ctx context.Context, op string, r DirRequest) (*Project, folderPlace, error) {
	at, place, err := p.findFolder(ctx, op)
	if err != nil {
		return nil, folderPlace{}, err
	}
	if err := at.noFolderLink(op, place); err != nil {
		return nil, folderPlace{}, err
	}
	place.contract, place.broken = at.contract(ctx, place)
	if err := at.intoInstance(op, r, &place); err != nil {
		return nil, folderPlace{}, err
	}
	return at, place, nil
}

// findFolder is forFolder without instance and contract.
func (p *Project) findFolder(ctx context.Context, op string) (*Project, folderPlace, error) {
	if l := p.o.Layout; l != "" && !slices.Contains(folderWords(), l) {
		return nil, folderPlace{}, &report.Error{
			Op: op, Kind: report.Usage, Code: "layout_unknown",
			Message: "the layout " + l + " keeps no state folder", Hint: "use --layout " + strings.Join(folderWords(), " or --layout "),
		}
	}
	root, places := p.folderRoot()
	if len(places) == 0 {
		if root = p.anyRoot(); root == "" || p.o.Layout == layoutDevt {
			return nil, folderPlace{}, p.noFolder(op, root)
		}
		places = []folderPlace{folderIn(layoutBaton)}
	}
	at := p
	if root != p.root {
		o := p.o
		o.fixedRoot = root
		var err error
		if at, err = open(ctx, o); err != nil {
			return nil, folderPlace{}, err
		}
	}
	return at, at.pickFolder(places), nil
}

// pickFolder gives the folder that --layout or the configuration names, else the first with the others noted.
func (p *Project) pickFolder(places []folderPlace) folderPlace {
	choice := p.o.Layout
	if choice == "" {
		choice = p.config().text("layout.folder")
	}
	if choice != "" {
		return folderIn(choice)
	}
	first := places[0]
	for _, other := range places[1:] {
		first.others = append(first.others, other.Layout)
	}
	return first
}

// folderRoot looks upward for the nearest folder with a state folder of the layout that was asked for.
func (p *Project) folderRoot() (string, []folderPlace) {
	var places []folderPlace
	root, _ := upward(real(p.start()), p.env.Home, p.o.Dir == "" && p.env.Getenv("BATON_ROOT") != "", func(dir string) bool {
		places = slices.DeleteFunc(lookFolders(dir, p.env.Home), func(f folderPlace) bool {
			return p.o.Layout != "" && f.Layout != p.o.Layout
		})
		return len(places) > 0
	})
	if root == "" {
		return "", nil
	}
	if len(places) == 1 {
		root = followLink(root, places[0].base())
	}
	return root, places
}

// anyRoot is the root of the project by its tasks, its digest, or a state folder of another layout; "" without any.
func (p *Project) anyRoot() string {
	if p.found {
		return p.root
	}
	anywhere := &Project{o: p.o, env: p.env}
	anywhere.o.Layout = ""
	if root, places := anywhere.folderRoot(); len(places) > 0 {
		return root
	}
	root, _ := anywhere.digestRoot()
	return root
}

// noFolder is the error for a place without a state folder and without anything that one could be made beside.
func (p *Project) noFolder(op, root string) error {
	e := &report.Error{
		Op: op, Kind: report.NotFound, Code: "no_project",
		Message: "no baton project was found in " + p.start() + " or above it",
		Hint:    "run `baton init` in the project's root, or name a folder with -C",
	}
	if root != "" {
		e.Message = "there is no folder ." + layoutDevt + " in " + root
		e.Hint = "leave --layout out, or make one with `baton init --layout " + layoutDevt + "`"
	}
	return e
}

// chosen refuses to write to one of two state folders as long as nothing says which is meant: Usage layout_ambiguous (D16).
func (f folderPlace) chosen(op string) error {
	if len(f.others) == 0 {
		return nil
	}
	return &report.Error{
		Op: op, Kind: report.Usage, Code: "layout_ambiguous",
		Message: "this project has the state folders " + f.Dir + " and " + folderIn(f.others[0]).Dir,
		Hint:    "say which with --layout " + f.Layout + " or --layout " + f.others[0] + ", or set layout.folder in " + configName,
	}
}

// doubts tells readers which other state folder there is, and that contract.yaml does not hold.
func (f folderPlace) doubts() []report.Finding {
	var out []report.Finding
	for _, other := range f.others {
		out = append(out, report.Finding{
			Code: "layout_ambiguous", Severity: report.Warning, Path: f.Dir,
			Text: "there is a state folder " + folderIn(other).Dir + " too; this is about " + f.Dir + " (--layout " + other + " is about the other)",
		})
	}
	if f.broken != nil {
		e := report.As(f.broken)
		found := report.Finding{
			Code: report.CodeOf(e), Severity: report.Severe, Path: f.contractName(), Line: e.Line,
			Text: e.Error() + "; until it is mended nothing of it holds, and nothing is written",
		}
		if e.Path != found.Path {
			found.Path, found.Text = e.Path, e.Error()+"; until it is mended nothing that "+f.contractName()+" adds holds, and nothing is written"
		}
		out = append(out, found)
	}
	return out
}

// contractName is the file in which a project adds to the contract (5.15).
func (f folderPlace) contractName() string { return f.base() + "/contract.yaml" }

// contract reads what the project adds to the contract. An error means that the declared contract holds alone; Corrupt
// contract_invalid also for what stands in the file's place and is none. What is in the way of every read, such as a journal
// that is refused, is told as it is.
func (p *Project) contract(ctx context.Context, place folderPlace) (*statedir.Contract, error) {
	declared, name := statedir.Declared(), place.contractName()
	doc, err := p.store.Read(ctx, name)
	switch {
	case ctx.Err() != nil:
		return declared, ctx.Err()
	case err != nil && report.As(err).Path != name:
		return declared, err
	case err != nil:
		return declared, contractFault(name, "it cannot be read: "+reasonIn(err, name))
	case !doc.Exists && exists(filepath.Join(p.root, filepath.FromSlash(name))):
		return declared, contractFault(name, "it is a link that leads nowhere")
	case !doc.Exists:
		return declared, nil
	}
	extended, err := declared.Extend(name, doc.Data)
	if err != nil {
		return declared, err
	}
	return extended, nil
}

func contractFault(name, what string) error {
	return &report.Error{
		Kind: report.Corrupt, Code: "contract_invalid", Path: name, Message: name + ": " + what,
		Hint: "put a file there, or move it away where the project adds nothing to the contract",
	}
}
