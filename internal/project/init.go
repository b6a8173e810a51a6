package project

import (
	"context"
	"slices"
	"strings"

	"baton/internal/frontmatter"
	"baton/internal/report"
	"baton/internal/store"
)

// Init makes a layout for tasks (D2, D16). Without a layout asked for, a project that has one keeps it and none is
// added; with one, the choice is written into the configuration. What is there already is left alone.
func (p *Project) Init(ctx context.Context, r InitRequest) (InitResult, error) {
	out := InitResult{Root: p.root, Created: []string{}, Found: slices.Clone(p.wide)}
	layout := r.Layout
	if layout == "" {
		layout = p.o.Layout
	}
	asked := layout != ""
	switch layout {
	case layoutBaton, layoutSpecflux:
	case "":
		if p.found {
			out.Layout = p.foundLayout()
			return out, nil
		}
		layout = layoutBaton
	default:
		return out, &report.Error{
			Op: "init", Kind: report.Usage, Code: "layout_unknown",
			Message: "there is no task layout " + quote(layout), Hint: "use baton or specflux",
		}
	}
	out.Layout = layout
	_, err := p.update(ctx, func(c *change) error {
		out.Created = []string{}
		dir := layoutDir(layout)
		for _, folder := range [...]string{dir.Dir, dir.Archive} {
			// git keeps no empty folders, and without the folder a clone would have no layout.
			if err := keep(c, folder+"/.gitkeep", &out.Created); err != nil {
				return err
			}
		}
		if asked {
			return choose(c, layout, &out.Created)
		}
		return nil
	})
	if err != nil {
		return InitResult{}, err
	}
	return out, p.foundNow()
}

// foundNow looks again after a layout was made, so that the project that made it can be used on.
func (p *Project) foundNow() error {
	if p.found {
		return nil
	}
	return p.locate()
}

// foundLayout names the layout where new tasks would go; of two it is the first.
func (p *Project) foundLayout() string {
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

// choose writes layout.tasks into the configuration, keeping everything else in it.
func choose(c *change, layout string, created *[]string) error {
	doc, err := c.tx.Read(configName)
	if err != nil {
		return err
	}
	next, err := withSetting(doc, "layout.tasks", layout)
	if err != nil || string(next) == string(doc.Data) {
		return err
	}
	c.tx.Write(configName, next)
	*created = append(*created, configName)
	return nil
}

// withSetting sets one text in a configuration file. The splicing is that of front matter, whose rules are put around
// the file for it.
func withSetting(doc store.Document, key, value string) ([]byte, error) {
	if strings.TrimSpace(string(doc.Data)) == "" {
		section, name, _ := strings.Cut(key, ".")
		return []byte(section + ":\n  " + name + ": " + value + "\n"), nil
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
			Message: "the choice of the layout cannot be written into " + where + ": " + e.Error(),
			Hint:    "write it by hand: " + key + ": " + value,
		}
	}
	return []byte(strings.TrimSuffix(strings.TrimPrefix(string(framed), "---\n"), "---\n")), nil
}
