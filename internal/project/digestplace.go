package project

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/report"
)

// The layouts that hold a digest besides baton's own (D16).
const (
	layoutGSD      = "gsd"
	layoutSpecflow = "specflow"
)

// digestPlace says where a digest and what belongs to it stand. Names are relative to the root, with slashes.
type digestPlace struct {
	Layout       string
	Dir          string // folder: ROADMAP.md and phases/ lie in it
	State        string // the digest
	Archive      string // rotated decisions
	StateArchive string // what else left the digest: resolved blockers (GSD-D13); "" in SpecFlow
}

// form says by which rules the digest keeps its decisions.
func (d digestPlace) form() decision.Form {
	switch d.Layout {
	case layoutSpecflow:
		return decision.Specflow
	case layoutGSD:
		return decision.GSD
	}
	return decision.Own
}

func placeIn(layout, dir string) digestPlace {
	place := digestPlace{Layout: layout, Dir: dir, State: dir + "/STATE.md", Archive: dir + "/DECISIONS_ARCHIVE.md"}
	if layout != layoutSpecflow {
		place.StateArchive = dir + "/STATE-ARCHIVE.md"
	}
	return place
}

// digestLayouts are the layouts with a digest and their folders, in search order.
func digestLayouts() [3][2]string {
	return [3][2]string{{layoutBaton, ".baton"}, {layoutGSD, ".planning"}, {layoutSpecflow, ".specflow"}}
}

// lookDigests finds the digests in one folder. Baton's own is there when its STATE.md is: .baton holds other things too.
func lookDigests(dir string, getenv func(string) string) []digestPlace {
	var found []digestPlace
	for _, l := range digestLayouts() {
		folder := filepath.Join(dir, l[1])
		switch {
		case l[0] == layoutBaton && exists(filepath.Join(folder, "STATE.md")), l[0] == layoutSpecflow && isDir(folder):
			found = append(found, placeIn(l[0], l[1]))
		case l[0] == layoutGSD && isDir(folder):
			found = append(found, placeIn(l[0], planningDir(dir, getenv)))
		}
	}
	return found
}

// digestNames names the layouts of the digests in one folder.
func digestNames(places []digestPlace) []string {
	names := make([]string, 0, len(places))
	for _, d := range places {
		names = append(names, d.Layout)
	}
	return names
}

// forDigest gives the project whose root holds the nearest digest, and its digests there: p itself where the roots are
// one (D16: every role is looked for on its own). No digest at all is NotFound no_digest,
// and digest_missing where baton's own was there once.
func (p *Project) forDigest(ctx context.Context, op string) (*Project, []digestPlace, error) {
	root, places := p.digestRoot()
	if len(places) == 0 {
		if err := p.otherLayout(op); err != nil {
			return nil, nil, err
		}
		if op != "hook" { // which tells of losses itself, and has no time for more
			if g, gone := p.ownGone(ctx, true); gone {
				return nil, nil, p.digestMissing(ctx, op, g.place)
			}
		}
		return nil, nil, &report.Error{
			Op: op, Kind: report.NotFound, Code: "no_digest",
			Message: "no digest (STATE.md) was found in " + p.start() + " or above it",
			Hint:    p.newDigestHint(),
		}
	}
	if root == p.root {
		return p, places, nil
	}
	o := p.o
	o.fixedRoot = root
	at, err := open(ctx, o)
	return at, places, err
}

// newDigestHint names the command that makes a digest here. Where a project of another layout stands, init without a layout would find
// it and make nothing; and a project whose tasks are elsewhere must not get a second folder for them along with its digest.
func (p *Project) newDigestHint() string {
	root := p.anyRoot()
	layout := p.o.Layout
	if layout == layoutDevt || layout == layoutSpecflux {
		layout = ""
	}
	switch elsewhere := slices.ContainsFunc(p.dirs, func(d taskDir) bool { return d.Dir != batonDir().Dir }); {
	case root == "" && layout == "":
		return "run `baton init` in the project's root, or name a folder with -C"
	case root == "", layout != "":
	case elsewhere:
		return "`baton init --layout " + layoutGSD + "` makes one in .planning, and leaves the tasks where they are"
	default:
		layout = layoutBaton
	}
	hint := "`baton init --layout " + layout + "` makes one"
	if root == "" || root != real(p.start()) {
		hint += ", in the project's root"
	}
	return hint
}

// otherLayout says that there is a digest, only not of the layout that was asked for; nil when there is none at all.
func (p *Project) otherLayout(op string) error {
	if p.o.Layout == "" {
		return nil
	}
	anywhere := &Project{o: p.o, env: p.env}
	anywhere.o.Layout = ""
	_, places := anywhere.digestRoot()
	if len(places) == 0 {
		return nil
	}
	return &report.Error{
		Op: op, Kind: report.NotFound, Code: "no_digest",
		Message: "there is no digest of the layout " + p.o.Layout + " here; the project has " + places[0].State,
		Hint:    "leave --layout out, or make one with `baton init --layout " + p.o.Layout + "`",
	}
}

// digestRoot looks upward for the nearest folder with a digest, narrowed to the layout that was asked for. Folders that
// a GSD configuration above claims as parts of its project come first (gsd.md 1.0, D28).
func (p *Project) digestRoot() (string, []digestPlace) {
	start := real(p.start())
	only := p.o.Dir == "" && p.env.Getenv("BATON_ROOT") != ""
	var places []digestPlace
	here := func(dir string) bool {
		places = p.narrowDigests(lookDigests(dir, p.env.Getenv))
		return len(places) > 0
	}
	if !only && !isDir(filepath.Join(start, ".planning")) {
		if root := gsdOwner(start, p.env.Home); root != "" && here(root) {
			return linkedDigest(root, places), places
		}
	}
	root, _ := upward(start, p.env.Home, only, here)
	if root == "" {
		return "", nil
	}
	return linkedDigest(root, places), places
}

func (p *Project) narrowDigests(places []digestPlace) []digestPlace {
	if l := p.o.Layout; l == "" || l == layoutSpecflux || l == layoutDevt { // these two have none
		return places
	}
	return slices.DeleteFunc(places, func(d digestPlace) bool { return d.Layout != p.o.Layout })
}

// linkedDigest is linkedRoot for the folder of a digest.
func linkedDigest(root string, places []digestPlace) string {
	if len(places) != 1 {
		return root
	}
	name, _, _ := strings.Cut(places[0].Dir, "/")
	return followLink(root, name)
}

// chooseDigest gives the one digest that a command is about: the only one, or the configuration's choice. Usage
// layout_ambiguous when there are two and nothing says which (D16).
func (p *Project) chooseDigest(op string, places []digestPlace) (digestPlace, error) {
	if len(places) == 1 {
		return places[0], nil
	}
	if choice := p.config().text("layout.digest"); choice != "" {
		for _, d := range places {
			if d.Layout == choice {
				return d, nil
			}
		}
	}
	return digestPlace{}, &report.Error{
		Op: op, Kind: report.Usage, Code: "layout_ambiguous",
		Message: "this project has a digest in " + places[0].State + " and one in " + places[1].State,
		Hint:    "say which with --layout " + strings.Join(digestNames(places), " or --layout ") + ", or set layout.digest in " + configName,
	}
}

// gsdOwner gives the folder above start whose GSD configuration names start's part of it in sub_repos, or has
// multiRepo and a repository in between; "" when there is none (gsd.md 1.0). It looks ten folders up at most and never
// takes the home folder.
func gsdOwner(start, home string) string {
	if home != "" {
		home = real(home)
	}
	repository := exists(filepath.Join(start, ".git"))
	for dir, n := filepath.Dir(start), 0; n < 10 && dir != home && dir != filepath.Dir(dir); dir, n = filepath.Dir(dir), n+1 {
		if isDir(filepath.Join(dir, ".planning")) {
			rel, err := filepath.Rel(dir, start)
			part, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
			c := readPlanningConfig(dir)
			if err == nil && (slices.Contains(c.SubRepos, part) || slices.Contains(c.Planning.SubRepos, part) || c.MultiRepo && repository) {
				return dir
			}
		}
		repository = repository || exists(filepath.Join(dir, ".git"))
	}
	return ""
}

// readFileLimited reads a small file of another program's; anything unreadable or larger is as if it were empty.
func readFileLimited(path string, limit int64) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return data
}
