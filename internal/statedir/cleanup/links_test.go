package cleanup

import (
	"testing"
	"time"

	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
)

// A link with the name of a declared folder counts as that folder wherever it leads, so that no sweep removes what a
// project linked there. A link with the name of a file counts as that file. A file with the name of a folder has no
// special meaning.
func TestSD11_LinksAreClassifiedByTheirOwnNames(t *testing.T) {
	t.Parallel()
	c, now := declaration.Declared(), time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)
	f := declaration.Facts{Now: now}
	for _, name := range []string{"threads", "notes", "project", "hook-trace", ".archive", ".instances"} {
		e := statedir.Entry{Name: name, Kind: statedir.Link, Broken: "outside", ModTime: now.Add(-100 * statedir.Day)}
		if class := c.ClassifyEntry(e); class.Bucket != statedir.Canonical || !class.Exempt || class.Row == nil {
			t.Errorf("%s: %+v", name, class)
		}
		f.Entries = append(f.Entries, e)
	}
	for i, look := range Outlooks(c, f) {
		if len(look.Would) > 0 {
			t.Errorf("%s: %v", f.Entries[i].Name, look.Would)
		}
	}
	for _, x := range []struct {
		e    statedir.Entry
		want statedir.Bucket
	}{
		{statedir.Entry{Name: "lane-files", Kind: statedir.Link}, statedir.Canonical},
		{statedir.Entry{Name: "plan.md", Kind: statedir.Link}, statedir.Canonical},
		{statedir.Entry{Name: "x.tmp", Kind: statedir.Link}, statedir.Ephemeral},
		{statedir.Entry{Name: "review-a.md", Kind: statedir.Link}, statedir.PatternAllowed},
		{statedir.Entry{Name: "abc", Kind: statedir.Link}, statedir.AdHoc},
		{statedir.Entry{Name: "threads", Kind: statedir.File}, statedir.AdHoc},
		{statedir.Entry{Name: "threads", Kind: statedir.Dir}, statedir.Canonical},
		{statedir.Entry{Name: "plan.md", Kind: statedir.Dir}, statedir.AdHoc},
		{statedir.Entry{Name: "abc", Kind: statedir.Link, Instance: true}, statedir.Canonical},
	} {
		if got := c.ClassifyEntry(x.e).Bucket; got != x.want {
			t.Errorf("%+v: %s, want %s", x.e, got, x.want)
		}
	}
}
