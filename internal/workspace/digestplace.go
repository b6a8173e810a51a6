package workspace

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/report"
	"baton/internal/workspace/config"
	"baton/internal/workspace/planning"
)

// The layouts with a digest, other than baton's own (D16).
const (
	LayoutGSD      = "gsd"
	LayoutSpecflow = "specflow"
)

// DigestPlace is the location of a digest and its files. Names are relative to the root, with
// slashes.
type DigestPlace struct {
	Layout       string
	Dir          string // folder that also holds ROADMAP.md and phases/
	State        string // the digest
	Archive      string // rotated decisions
	StateArchive string // other text that left the digest, such as resolved blockers (GSD-D13); "" in SpecFlow
}

// Form returns the form of the digest's decisions.
func (d DigestPlace) Form() decision.Form {
	switch d.Layout {
	case LayoutSpecflow:
		return decision.Specflow
	case LayoutGSD:
		return decision.GSD
	}
	return decision.Own
}

// PlaceIn returns the place of a layout's digest in dir, a slash path below the root. The files
// need not exist.
func PlaceIn(layout, dir string) DigestPlace {
	place := DigestPlace{Layout: layout, Dir: dir, State: dir + "/STATE.md", Archive: dir + "/DECISIONS_ARCHIVE.md"}
	if layout != LayoutSpecflow {
		place.StateArchive = dir + "/STATE-ARCHIVE.md"
	}
	return place
}

// DigestLayouts returns the layouts with a digest and their folders, in search order.
func DigestLayouts() [3][2]string {
	return [3][2]string{{LayoutBaton, ".baton"}, {LayoutGSD, ".planning"}, {LayoutSpecflow, ".specflow"}}
}

// LookDigests finds the digests in one folder. For baton's own, STATE.md must exist, because .baton
// holds other things, too.
func LookDigests(dir string, getenv func(string) string) []DigestPlace {
	var found []DigestPlace
	for _, l := range DigestLayouts() {
		folder := filepath.Join(dir, l[1])
		switch {
		case l[0] == LayoutBaton && Exists(filepath.Join(folder, "STATE.md")), l[0] == LayoutSpecflow && IsDir(folder):
			found = append(found, PlaceIn(l[0], l[1]))
		case l[0] == LayoutGSD && IsDir(folder):
			found = append(found, PlaceIn(l[0], planning.Dir(dir, getenv)))
		}
	}
	return found
}

// DigestNames returns the layouts of the digests in one folder.
func DigestNames(places []DigestPlace) []string {
	names := make([]string, 0, len(places))
	for _, d := range places {
		names = append(names, d.Layout)
	}
	return names
}

// ForDigest returns the project whose root has the nearest digest, and its digests there. That is p
// itself if it has the same root (D16: each role is searched separately). NotFound no_digest if
// there is no digest; digest_missing if baton's own is gone.
func (p *Workspace) ForDigest(ctx context.Context, op string) (*Workspace, []DigestPlace, error) {
	root, places := p.DigestRoot()
	if len(places) == 0 {
		if err := p.otherLayout(op); err != nil {
			return nil, nil, err
		}
		if op != "hook" { // a hook reports losses itself and has no time for this
			if g, gone := p.OwnGone(ctx, true); gone {
				return nil, nil, p.DigestMissing(ctx, op, g.Place)
			}
			if err := p.Closed(op); err != nil {
				return nil, nil, err
			}
		}
		return nil, nil, &report.Error{
			Op: op, Kind: report.NotFound, Code: report.CodeNoDigest,
			Message: "no digest (STATE.md) was found in " + p.Start() + " or above it", Hint: p.newDigestHint(),
		}
	}
	if slices.Contains(DigestNames(places), LayoutGSD) && op != "hook" { // a hook must not disturb the agent
		if err := planning.Misnamed(op, p.Env.Getenv); err != nil {
			return nil, nil, err
		}
	}
	if root == p.Root {
		return p, places, nil
	}
	o := p.O
	o.FixedRoot = root
	at, err := Open(ctx, o)
	return at, places, err
}

// newDigestHint returns the command that creates a digest here. In a project of another layout,
// init without a layout would find that project and create nothing. A project with tasks elsewhere
// must not get a second folder for them together with its digest.
func (p *Workspace) newDigestHint() string {
	root := p.AnyRoot()
	layout := p.O.Layout
	if layout == LayoutDevt || layout == LayoutSpecflux {
		layout = ""
	}
	switch elsewhere := slices.ContainsFunc(p.Dirs, func(d TaskDir) bool { return d.Dir != BatonDir().Dir }); {
	case root == "" && layout == "":
		return "run `baton init` in the project's root, or name a folder with -C"
	case root == "", layout != "":
	case elsewhere:
		return "`baton init --layout " + LayoutGSD + "` makes one in .planning, and keeps the tasks where they are"
	default:
		layout = LayoutBaton
	}
	hint := "`baton init --layout " + layout + "` makes one"
	if root == "" || root != Real(p.Start()) {
		hint += ", in the project's root"
	}
	return hint
}

// otherLayout returns an error if there is a digest, but not of the requested layout. It returns
// nil if there is none.
func (p *Workspace) otherLayout(op string) error {
	if p.O.Layout == "" {
		return nil
	}
	anywhere := &Workspace{O: p.O, Env: p.Env}
	anywhere.O.Layout = ""
	_, places := anywhere.DigestRoot()
	if len(places) == 0 {
		return nil
	}
	return &report.Error{
		Op: op, Kind: report.NotFound, Code: report.CodeNoDigest,
		Message: "there is no digest of the layout " + p.O.Layout + " here; the project has " + places[0].State,
		Hint:    "omit --layout, or create one with `baton init --layout " + p.O.Layout + "`",
	}
}

// DigestRoot searches upward for the nearest folder with a digest of the requested layout. A folder
// whose GSD configuration claims the start as part of its project comes first (gsd.md 1.0, D28).
func (p *Workspace) DigestRoot() (string, []DigestPlace) {
	start := Real(p.Start())
	only := p.O.Dir == "" && p.Env.Getenv("BATON_ROOT") != ""
	var places []DigestPlace
	here := func(dir string) bool {
		places = p.narrowDigests(LookDigests(dir, p.Env.Getenv))
		return len(places) > 0
	}
	if !only && !IsDir(filepath.Join(start, ".planning")) {
		if root := GsdOwner(start, p.Env.Home); root != "" && here(root) {
			return p.linkedDigest(root, places), places
		}
	}
	root, _ := Upward(start, p.Env.Home, only, here)
	if root == "" {
		return "", nil
	}
	return p.linkedDigest(root, places), places
}

func (p *Workspace) narrowDigests(places []DigestPlace) []DigestPlace {
	if l := p.O.Layout; l == "" || l == LayoutSpecflux || l == LayoutDevt { // these two have none
		return places
	}
	return slices.DeleteFunc(places, func(d DigestPlace) bool { return d.Layout != p.O.Layout })
}

// linkedDigest is LinkedRoot for the folder of a digest.
func (p *Workspace) linkedDigest(root string, places []DigestPlace) string {
	if len(places) != 1 {
		return root
	}
	name, _, _ := strings.Cut(places[0].Dir, "/")
	return p.followLink(root, name)
}

// ChooseDigest returns the digest that a command uses: the only one, or the configured one. Usage
// layout_ambiguous if there are two and the configuration does not decide (D16).
func (p *Workspace) ChooseDigest(op string, places []DigestPlace) (DigestPlace, error) {
	if len(places) == 1 {
		return places[0], nil
	}
	if choice := p.Settings().Text("layout.digest"); choice != "" {
		for _, d := range places {
			if d.Layout == choice {
				return d, nil
			}
		}
	}
	return DigestPlace{}, &report.Error{
		Op: op, Kind: report.Usage, Code: report.CodeLayoutAmbiguous,
		Message: "this project has a digest in " + places[0].State + " and one in " + places[1].State,
		Hint: "choose one with --layout " + strings.Join(DigestNames(places), " or --layout ") +
			", or set layout.digest in " + config.Name,
	}
}

// GsdOwner returns the folder above start whose GSD configuration claims start, or "" (gsd.md 1.0).
// It does so if sub_repos names start's part of it, or if multiRepo is set and a repository is in
// between. GsdOwner looks at most ten folders up and never uses the home folder.
func GsdOwner(start, home string) string {
	if home != "" {
		home = Real(home)
	}
	repository := Exists(filepath.Join(start, ".git"))
	for dir, n := filepath.Dir(start),
		0; n < 10 && dir != home && dir != filepath.Dir(dir); dir, n = filepath.Dir(dir), n+1 {
		if IsDir(filepath.Join(dir, ".planning")) {
			rel, err := filepath.Rel(dir, start)
			part, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
			c := planning.Read(dir)
			if err == nil && (slices.Contains(c.SubRepos, part) || slices.Contains(c.Planning.SubRepos, part) ||
				c.MultiRepo && repository) {
				return dir
			}
		}
		repository = repository || Exists(filepath.Join(dir, ".git"))
	}
	return ""
}
