package project

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
	"baton/internal/store"
)

// Init makes a layout: folders for tasks, and a digest where the layout has one and no other layout's stands there
// (D2, D16); for devt the folder .devt, whose state folder comes with the first command that writes to it. Without a layout asked for, a project that has one keeps it and none is added; with one, the choice is
// written into the configuration. What is there already is left alone, and what documents hold is made known.
func (p *Project) Init(ctx context.Context, r InitRequest) (InitResult, error) {
	digests := lookDigests(p.root, p.env.Getenv)
	folders := lookFolders(p.root, p.env.Home)
	out := InitResult{Root: p.root, Created: []string{}, Found: p.foundNames(digests, folders)}
	layout := r.Layout
	if layout == "" {
		layout = p.o.Layout
	}
	asked := layout != ""
	switch {
	case layout == "" && len(out.Found) > 0:
		out.Layout = p.foundLayout(digests, folders)
		return p.initAgain(ctx, out, digests)
	case layout == "":
		layout = layoutBaton
	case !slices.Contains(layoutWords(), layout):
		return out, &report.Error{
			Op: "init", Kind: report.Usage, Code: "layout_unknown",
			Message: "there is no layout " + quote(layout), Hint: "use " + strings.Join(layoutWords(), ", "),
		}
	}
	out.Layout = layout
	_, err := p.update(ctx, func(c *change) error {
		out.Created = []string{}
		return p.lay(c, layout, asked, digests, &out.Created)
	})
	if err == nil {
		err = p.foundNow()
	}
	if err != nil {
		return InitResult{}, err
	}
	out.Warnings, err = p.census(ctx)
	return out, err
}

// initAgain leaves a project as it is, but for baton's own digest: where that is missing and nothing of it is kept, it begins anew.
func (p *Project) initAgain(ctx context.Context, out InitResult, digests []digestPlace) (InitResult, error) {
	gone := p.goneFindings(ctx, digests)
	if _, places := p.digestRoot(); len(places) == 0 && len(gone) == 0 && slices.Equal(out.Found, []string{layoutBaton}) {
		_, err := p.update(ctx, func(c *change) error {
			out.Created = []string{}
			return p.layDigest(c, layoutBaton, &out.Created)
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
func (p *Project) lay(c *change, layout string, asked bool, digests []digestPlace, created *[]string) error {
	if slices.Contains(taskLayouts(), layout) {
		dir := layoutDir(layout)
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
	if layout == layoutDevt {
		if err := keep(c, "."+layoutDevt+"/.gitkeep", created); err != nil {
			return err
		}
		return choose(c, "layout.folder", layout, created)
	}
	others := slices.ContainsFunc(digests, func(d digestPlace) bool { return d.Layout != layout })
	switch {
	case layout == layoutSpecflux, layout == layoutBaton && others:
		return nil
	case layout != layoutBaton && asked:
		if err := choose(c, "layout.digest", layout, created); err != nil {
			return err
		}
	}
	return p.layDigest(c, layout, created)
}

// layDigest begins a digest unless something stands in its place.
func (p *Project) layDigest(c *change, layout string, created *[]string) error {
	place := p.newPlace(layout)
	part, err := c.tx.Head(place.State, 1)
	if err != nil || part.Exists {
		return err
	}
	name := filepath.Base(p.root)
	var text []byte
	switch layout {
	case layoutSpecflow:
		text = specflow.New(c.now, name)
	case layoutGSD:
		text = gsd.New(gsd.Planning, c.now, name)
	default:
		text = gsd.New(gsd.Own, c.now, name)
	}
	c.tx.Create(place.State, text)
	*created = append(*created, place.State)
	return nil
}

// newPlace is where a new digest of a layout goes.
func (p *Project) newPlace(layout string) digestPlace {
	for _, l := range digestLayouts() {
		switch {
		case l[0] != layout:
		case layout == layoutGSD:
			return placeIn(layout, planningDir(p.root, p.env.Getenv))
		default:
			return placeIn(layout, l[1])
		}
	}
	return placeIn(layoutBaton, ".baton")
}

// foundNames names the layouts that were found, each once.
func (p *Project) foundNames(digests []digestPlace, folders []folderPlace) []string {
	names := append([]string{}, p.wide...)
	more := digestNames(digests)
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

// foundNow looks again after a layout was made, so that the project that made it can be used on.
func (p *Project) foundNow() error {
	if p.found {
		return nil
	}
	return p.locate()
}

// foundLayout names the layout where new tasks would go; of two it is the first.
func (p *Project) foundLayout(digests []digestPlace, folders []folderPlace) string {
	if len(p.dirs) == 0 && len(digests) > 0 {
		return digests[0].Layout
	}
	if len(p.dirs) == 0 && len(folders) > 0 {
		return folders[0].Layout
	}
	if dir, err := p.newDir(); err == nil && dir.Layout != layoutGiven {
		return dir.Layout
	}
	if len(p.wide) > 0 {
		return p.wide[0]
	}
	return layoutBaton
}

// keep makes a folder by way of an empty file in it, unless something is in it already.
func keep(c *change, name string, created *[]string) error {
	dir := name[:strings.LastIndexByte(name, '/')]
	entries, err := c.tx.List(dir)
	if err != nil || len(entries) > 0 {
		return err
	}
	c.tx.Create(name, nil)
	*created = append(*created, dir)
	return nil
}

// choose writes which layout has a role into the configuration, keeping everything else in it.
func choose(c *change, key, layout string, created *[]string) error {
	doc, err := c.tx.Read(configName)
	if err != nil {
		return err
	}
	next, err := withSetting(doc, key, layout)
	if err != nil || string(next) == string(doc.Data) {
		return err
	}
	c.tx.Write(configName, next)
	if !slices.Contains(*created, configName) {
		*created = append(*created, configName)
	}
	return nil
}

// withSetting sets one value in a configuration file. The splicing is that of front matter, whose rules are put around
// the file for it.
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
		where := configName
		if e.Line > 1 {
			where += line(e.Line - 1) // without the rule before the file
		}
		return nil, &report.Error{
			Op: "init", Kind: report.Corrupt, Code: "config_invalid", Path: configName, Err: err,
			Message: "a setting cannot be written into " + where + ": " + e.Error(),
			Hint:    fmt.Sprintf("write it by hand: %s: %v", key, value),
		}
	}
	return []byte(strings.TrimSuffix(strings.TrimPrefix(string(framed), "---\n"), "---\n")), nil
}
