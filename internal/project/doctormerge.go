package project

import (
	"context"
	"strings"

	"baton/internal/report"
)

// driverMissing says whether git merges documents of this project by lines, although it could merge them by meaning: the driver's
// command or the patterns are not there. A repository that has none of the documents in its index needs neither.
func (p *Project) driverMissing(ctx context.Context) (f report.Finding, missing bool) {
	at, patterns, err := p.mergePlaces(ctx, "merge.check")
	if err != nil || at.git.Dir == "" || len(patterns) == 0 {
		return f, false
	}
	if at != p {
		defer func() { _ = at.Close() }() // it was only read
	}
	driver, err := at.git.Setting(ctx, mergeSection+".driver")
	if err != nil || !at.tracked(ctx) {
		return f, false
	}
	doc, err := at.store.Read(ctx, attributesName)
	if err != nil {
		return f, false
	}
	var open []string
	for _, pattern := range patterns {
		if !mergedByBaton(string(doc.Data), pattern) {
			open = append(open, pattern)
		}
	}
	f = report.Finding{Code: "merge_driver_missing", Severity: report.Info, Path: attributesName}
	switch {
	case len(open) == len(patterns):
		f.Text = "git merges the documents of this project by lines; baton can merge them by their meaning"
	case len(open) > 0:
		f.Text = "git merges " + strings.Join(open, ", ") + " by lines: " + attributesName + " does not give them to baton"
	case driver == "":
		f.Text = attributesName + " names baton's merge driver, and this clone does not have its command, so git merges by lines here"
	default:
		return f, false
	}
	return f, true
}

// mergedByBaton says whether a .gitattributes gives a pattern, as MergeInstall writes it, to baton's driver. As in git the last line that
// says something of merging decides, and what else stands on a line does not matter.
func mergedByBaton(attributes, pattern string) bool {
	ours := false
	for line := range strings.Lines(attributes) {
		rest, named := strings.CutPrefix(strings.TrimLeft(line, " \t"), pattern)
		if !named || strings.TrimLeft(rest, " \t\r\n") == rest {
			continue // a comment, or another pattern
		}
		for _, attribute := range strings.Fields(rest) {
			switch name, _, _ := strings.Cut(attribute, "="); name {
			case "merge", "-merge", "!merge", "binary":
				ours = attribute == "merge=baton"
			}
		}
	}
	return ours
}

// tracked says whether git has any document of the project in its index.
func (p *Project) tracked(ctx context.Context) bool {
	names := []string{}
	for _, d := range lookDigests(p.root, p.env.Getenv) {
		names = append(names, d.State)
	}
	for _, d := range p.dirs {
		names = append(names, d.Dir)
	}
	for _, name := range names {
		if has, err := p.git.Tracked(ctx, name); err == nil && has {
			return true
		}
	}
	return false
}

// ofDriver tells of a missing merge driver where there is more than one branch to merge.
func (d *doctor) ofDriver(ctx context.Context) error {
	if several, err := d.p.git.Several(ctx); err != nil || !several {
		return ctx.Err()
	}
	if f, missing := d.p.driverMissing(ctx); missing {
		d.add(f, remedy{command: d.command("merge install", "")})
	}
	return ctx.Err()
}
