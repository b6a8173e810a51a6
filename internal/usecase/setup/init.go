package setup

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/frontmatter"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
	"baton/internal/workspace/planning"
)

// Init creates a layout: folders for tasks, and a digest if the layout has one and no other
// layout's digest exists (D2, D16). For devt it creates the folder .devt; the state folder is
// created by the first command that writes to it. If no layout is requested, a project with a
// layout keeps it and none is added. A requested layout is recorded in the configuration. Existing
// files are left alone, and the entries of documents are recorded.
func (p Setup) Init(ctx context.Context, r InitRequest) (InitResult, error) {
	digests := workspace.LookDigests(p.Root, p.Env.Getenv)
	folders := workspace.LookFolders(p.Root, p.Env.Home)
	out := InitResult{Root: p.Root, Created: []string{}, Found: p.foundNames(digests, folders)}
	layout := r.Layout
	if layout == "" {
		layout = p.O.Layout
	}
	asked := layout != ""
	switch {
	case layout == "" && len(out.Found) > 0:
		out.Layout = p.foundLayout(digests, folders)
		return p.initAgain(ctx, out, digests)
	case layout == "":
		layout = workspace.LayoutBaton
	case !slices.Contains(workspace.LayoutWords(), layout):
		return out, &report.Error{
			Op: "init", Kind: report.Usage, Code: report.CodeLayoutUnknown,
			Message: "there is no layout " +
				safetext.Quote(layout), Hint: "use " + strings.Join(workspace.LayoutWords(), ", "),
		}
	}
	out.Layout = layout
	lay := func(c *workspace.Change) error {
		out.Created = []string{}
		return p.lay(c, layout, asked, digests, &out.Created)
	}
	_, err := p.Update(ctx, lay)
	if report.CodeOf(err) == report.CodeExists { // another process set the project up at the same time
		_, err = p.Update(ctx, lay)
	}
	if err == nil {
		err = p.FoundNow()
	}
	if err != nil {
		return InitResult{}, err
	}
	out.Warnings, err = p.census(ctx)
	return out, err
}

// initAgain leaves a project as it is, except for baton's own digest: if that is missing and
// nothing of it was kept, a new one begins.
func (p Setup) initAgain(ctx context.Context, out InitResult, digests []workspace.DigestPlace) (InitResult, error) {
	gone := p.GoneFindings(ctx, digests)
	if _, places := p.DigestRoot(); len(places) == 0 && len(gone) == 0 &&
		slices.Equal(out.Found, []string{workspace.LayoutBaton}) {
		_, err := p.Update(ctx, func(c *workspace.Change) error {
			out.Created = []string{}
			return p.layDigest(c, workspace.LayoutBaton, &out.Created)
		})
		if err != nil {
			return InitResult{}, err
		}
	}
	if layout := out.Layout; len(gone) == 0 && (layout == workspace.LayoutGSD || layout == workspace.LayoutSpecflow) {
		state := p.newPlace(layout).State
		if doc, err := p.Store.Read(ctx, state); err == nil && !doc.Exists {
			gone = append(gone, report.CodeDigestMissing.Finding(state, 0,
				"there is no "+state+"; `baton init --layout "+layout+"` makes one").As(report.Warning))
		}
	}
	var err error
	out.Warnings, err = p.census(ctx)
	out.Warnings = append(gone, out.Warnings...)
	return out, err
}

// lay adds the parts of a layout to the change.
func (p Setup) lay(
	c *workspace.Change, layout string, asked bool, digests []workspace.DigestPlace, created *[]string,
) error {
	if slices.Contains(workspace.TaskLayouts(), layout) {
		dir := workspace.LayoutDir(layout)
		for _, folder := range [...]string{dir.Dir, dir.Archive} {
			// git keeps no empty folders, so a clone would lose the layout.
			if err := keep(c, folder+"/.gitkeep", created); err != nil {
				return err
			}
		}
		if asked {
			if err := choose(c, "layout.tasks", layout, created); err != nil {
				return err
			}
		}
	}
	if layout == workspace.LayoutDevt {
		if err := keep(c, "."+workspace.LayoutDevt+"/.gitkeep", created); err != nil {
			return err
		}
		return choose(c, "layout.folder", layout, created)
	}
	others := slices.ContainsFunc(digests, func(d workspace.DigestPlace) bool { return d.Layout != layout })
	switch {
	case layout == workspace.LayoutSpecflux, layout == workspace.LayoutBaton && others:
		return nil
	case layout != workspace.LayoutBaton && asked:
		if err := choose(c, "layout.digest", layout, created); err != nil {
			return err
		}
	}
	return p.layDigest(c, layout, created)
}

// layDigest adds a new digest unless something has its name.
func (p Setup) layDigest(c *workspace.Change, layout string, created *[]string) error {
	place := p.newPlace(layout)
	part, err := c.Tx.Head(place.State, 1)
	if err != nil || part.Exists {
		return err
	}
	name := filepath.Base(p.Root)
	var text []byte
	switch layout {
	case workspace.LayoutSpecflow:
		text = specflow.New(c.Now, name)
	case workspace.LayoutGSD:
		text = gsd.New(gsd.Planning, c.Now, name)
	default:
		text = gsd.New(gsd.Own, c.Now, name)
	}
	c.Tx.Create(place.State, text)
	*created = append(*created, place.State)
	return nil
}

// newPlace returns the place for a new digest of a layout.
func (p Setup) newPlace(layout string) workspace.DigestPlace {
	for _, l := range workspace.DigestLayouts() {
		switch {
		case l[0] != layout:
		case layout == workspace.LayoutGSD:
			return workspace.PlaceIn(layout, planning.Dir(p.Root, p.Env.Getenv))
		default:
			return workspace.PlaceIn(layout, l[1])
		}
	}
	return workspace.PlaceIn(workspace.LayoutBaton, ".baton")
}

// foundNames returns the names of the layouts that were found, each once.
func (p Setup) foundNames(digests []workspace.DigestPlace, folders []workspace.FolderPlace) []string {
	names := append([]string{}, p.Wide...)
	more := workspace.DigestNames(digests)
	for _, f := range folders {
		more = append(more, f.Layout)
	}
	for _, name := range more {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// foundLayout returns the layout for new tasks. If there are two, it is the first one.
func (p Setup) foundLayout(digests []workspace.DigestPlace, folders []workspace.FolderPlace) string {
	if len(p.Dirs) == 0 && len(digests) > 0 {
		return digests[0].Layout
	}
	if len(p.Dirs) == 0 && len(folders) > 0 {
		return folders[0].Layout
	}
	if dir, err := tasks.Of(p.Workspace).NewDir(); err == nil && dir.Layout != workspace.LayoutGiven {
		return dir.Layout
	}
	if len(p.Wide) > 0 {
		return p.Wide[0]
	}
	return workspace.LayoutBaton
}

// keep creates a folder by creating an empty file in it, unless the folder already contains
// something.
func keep(c *workspace.Change, name string, created *[]string) error {
	dir := name[:strings.LastIndexByte(name, '/')]
	entries, err := c.Tx.List(dir)
	if err != nil || len(entries) > 0 {
		return err
	}
	c.Tx.Create(name, nil)
	*created = append(*created, dir)
	return nil
}

// choose writes the layout for a role to the configuration and keeps everything else in it.
func choose(c *workspace.Change, key, layout string, created *[]string) error {
	doc, err := c.Tx.Read(config.Name)
	if err != nil {
		return err
	}
	next, err := withSetting(doc, key, layout)
	if err != nil || string(next) == string(doc.Data) {
		return err
	}
	c.Tx.Write(config.Name, next)
	if !slices.Contains(*created, config.Name) {
		*created = append(*created, config.Name)
	}
	return nil
}

// withSetting sets one value in a configuration file. It uses the editing of front matter, so it
// puts the marks of front matter around the file for that.
func withSetting(doc store.Document, key string, value any) ([]byte, error) {
	if strings.TrimSpace(string(doc.Data)) == "" {
		section, name, _ := strings.Cut(key, ".")
		return fmt.Appendf(nil, "%s:\n  %s: %v\n", section, name, value), nil
	}
	body := string(doc.Data)
	if !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	framed, err := frontmatter.Set([]byte("---\n"+body+"---\n"), key, value)
	if err != nil {
		e := report.As(err)
		where := config.Name
		if e.Line > 1 {
			where += config.Line(e.Line - 1) // without the added mark
		}
		return nil, &report.Error{
			Op: "init", Kind: report.Corrupt, Code: report.CodeConfigInvalid, Path: config.Name, Err: err,
			Message: "a setting cannot be written into " + where + ": " + e.Error(),
			Hint:    fmt.Sprintf("add it yourself: %s: %v", key, value),
		}
	}
	return []byte(strings.TrimSuffix(strings.TrimPrefix(string(framed), "---\n"), "---\n")), nil
}
