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
		if !strings.Contains(string(doc.Data), pattern+" merge=") {
			open = append(open, pattern)
		}
	}
	f = report.Finding{Code: "merge_driver_missing", Severity: report.Info, Path: attributesName}
	switch {
	case len(open) == len(patterns):
		f.Text = "git merges the documents of this project by lines; baton can merge them by their meaning"
	case len(open) > 0:
		f.Text = "git merges " + strings.Join(open, ", ") + " by lines: " + attributesName + " does not name them"
	case driver == "":
		f.Text = attributesName + " names baton's merge driver, and this clone does not have its command, so git merges by lines here"
	default:
		return f, false
	}
	return f, true
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
