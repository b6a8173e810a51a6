package doctor

import (
	"context"
	"strings"

	"baton/internal/report"
	"baton/internal/usecase/merging"
	"baton/internal/workspace"
)

// driverMissing reports whether git merges documents of this project by lines although baton could
// merge them by meaning, because the driver's command or the patterns are missing. A repository
// with none of the documents in its index needs neither.
func (p Doctor) driverMissing(ctx context.Context) (f report.Finding, missing bool) {
	at, patterns, err := merging.Of(p.Workspace).MergePlaces(ctx, "merge.check")
	if err != nil || at.Git.Dir == "" || len(patterns) == 0 {
		return f, false
	}
	if at != p.Workspace {
		defer func() { _ = at.Close() }() // it was only read
	}
	driver, err := at.Git.Setting(ctx, merging.MergeSection+".driver")
	if err != nil || !Of(at).tracked(ctx) {
		return f, false
	}
	doc, err := at.Store.Read(ctx, merging.AttributesName)
	if err != nil {
		return f, false
	}
	var open []string
	for _, pattern := range patterns {
		if !workspace.MergedByBaton(string(doc.Data), pattern) {
			open = append(open, pattern)
		}
	}
	f = report.CodeMergeDriverMissing.Finding(merging.AttributesName, 0, "")
	switch {
	case len(open) == len(patterns):
		f.Text = "git merges the documents of this project line by line; baton can merge them entry by entry"
	case len(open) > 0:
		f.Text = "git merges " + strings.Join(open, ", ") + " line by line: " + merging.AttributesName +
			" does not name " +
			"baton for them"
	case driver == "":
		f.Text = merging.AttributesName + " names baton's merge driver, but this clone does not have its command, so " +
			"git merges line by line here"
	case merging.DriverOutdated(driver):
		f.Text = "an older baton wrote the command of the merge driver: where git does not find baton, it merges " +
			"line by line and says nothing"
	default:
		return f, false
	}
	return f, true
}

// tracked reports whether git has any document of the project in its index.
func (p Doctor) tracked(ctx context.Context) bool {
	names := []string{}
	for _, d := range workspace.LookDigests(p.Root, p.Env.Getenv) {
		names = append(names, d.State)
	}
	for _, d := range p.Dirs {
		names = append(names, d.Dir)
	}
	for _, name := range names {
		if has, err := p.Git.Tracked(ctx, name); err == nil && has {
			return true
		}
	}
	return false
}

// ofDriver reports a missing merge driver if there are several branches to merge.
func (d *doctor) ofDriver(ctx context.Context) error {
	if several, err := d.p.Git.Several(ctx); err != nil || !several {
		return ctx.Err()
	}
	if f, missing := Of(d.p).driverMissing(ctx); missing {
		d.add(f, workspace.Remedy{Command: d.command("merge install", "")})
	}
	return ctx.Err()
}
