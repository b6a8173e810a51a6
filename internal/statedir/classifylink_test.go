package statedir

import (
	"testing"
	"time"
)

// A link with the name of a declared folder stands for it, wherever it leads, so that no sweep takes away what a project linked
// there; a link with the name of a file is that file, and a file with the name of a folder is nothing.
func TestSD11_LinksAreClassifiedByTheirOwnNames(t *testing.T) {
	t.Parallel()
	c, now := Declared(), time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)
	f := Facts{Now: now}
	for _, name := range []string{"threads", "notes", "project", "hook-trace", ".archive", ".instances"} {
		e := Entry{Name: name, Kind: Link, Broken: "outside", ModTime: now.Add(-100 * Day)}
		if class := c.ClassifyEntry(e); class.Bucket != Canonical || !class.Exempt || class.Row == nil {
			t.Errorf("%s: %+v", name, class)
		}
		f.Entries = append(f.Entries, e)
	}
	for i, look := range c.Outlooks(f) {
		if len(look.Would) > 0 {
			t.Errorf("%s: %v", f.Entries[i].Name, look.Would)
		}
	}
	for _, x := range []struct {
		e    Entry
		want Bucket
	}{
		{Entry{Name: "lane-files", Kind: Link}, Canonical},
		{Entry{Name: "plan.md", Kind: Link}, Canonical},
		{Entry{Name: "x.tmp", Kind: Link}, Ephemeral},
		{Entry{Name: "review-a.md", Kind: Link}, PatternAllowed},
		{Entry{Name: "abc", Kind: Link}, AdHoc},
		{Entry{Name: "threads", Kind: File}, AdHoc},
		{Entry{Name: "threads", Kind: Dir}, Canonical},
		{Entry{Name: "plan.md", Kind: Dir}, AdHoc},
		{Entry{Name: "abc", Kind: Link, Instance: true}, Canonical},
	} {
		if got := c.ClassifyEntry(x.e).Bucket; got != x.want {
			t.Errorf("%+v: %s, want %s", x.e, got, x.want)
		}
	}
}
