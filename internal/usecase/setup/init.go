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
)

// Init makes a layout: folders for tasks, and a digest where the layout has one and no other
// layout's stands there (D2, D16); for devt the folder .devt, whose state folder comes with the
// first command that writes to it. Without a layout asked for, a project that has one keeps it and
// none is added; with one, the choice is written into the configuration. What is there already is
// left alone, and what documents hold is made known.
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
	_, err := p.Update(ctx, func(c *workspace.Change) error {
		out.Created = []string{}
		return p.lay(c, layout, asked, digests, &out.Created)
	})
	if err == nil {
		err = p.FoundNow()
	}
	if err != nil {
		return InitResult{}, err
	}
	out.Warnings, err = p.census(ctx)
	return out, err
}

// initAgain leaves a project as it is, but for baton's own digest: where that is missing and
// nothing of it is kept, it starts over.
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
	var err error
	out.Warnings, err = p.census(ctx)
	out.Warnings = append(gone, out.Warnings...)
	return out, err
}

// lay puts what a layout consists of into the change.
func (p Setup) lay(
	c *workspace.Change, layout string, asked bool, digests []workspace.DigestPlace, created *[]string,
) error {
	if slices.Contains(workspace.TaskLayouts(), layout) {
		dir := workspace.LayoutDir(layout)
		for _, folder := range [...]string{dir.Dir, dir.Archive} {
			// git keeps no empty folders, and without the folder a clone would have no layout.
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

// layDigest begins a digest unless something takes its place.
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

// newPlace is where a new digest of a layout goes.
func (p Setup) newPlace(layout string) workspace.DigestPlace {
	for _, l := range workspace.DigestLayouts() {
		switch {
		case l[0] != layout:
		case layout == workspace.LayoutGSD:
			return workspace.PlaceIn(layout, workspace.PlanningDir(p.Root, p.Env.Getenv))
		default:
			return workspace.PlaceIn(layout, l[1])
		}
	}
	return workspace.PlaceIn(workspace.LayoutBaton, ".baton")
}

// foundNames names the layouts that were found, each once.
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

// foundLayout names the layout where new tasks would go; of two it is the first.
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

// keep makes a folder by way of an empty file in it, unless something is in it already.
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

// choose writes which layout has a role into the configuration, keeping everything else in it.
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

// withSetting sets one value in a configuration file. The splicing is that of front matter, whose
// rules are put around the file for it.
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
			where += config.Line(e.Line - 1) // without the rule before the file
		}
		return nil, &report.Error{
			Op: "init", Kind: report.Corrupt, Code: report.CodeConfigInvalid, Path: config.Name, Err: err,
			Message: "a setting cannot be written into " + where + ": " + e.Error(),
			Hint:    fmt.Sprintf("add it yourself: %s: %v", key, value),
		}
	}
	return []byte(strings.TrimSuffix(strings.TrimPrefix(string(framed), "---\n"), "---\n")), nil
}
