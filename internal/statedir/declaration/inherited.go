package declaration

import (
	"time"

	"baton/internal/statedir"
	"baton/internal/statedir/record"
)

// InheritedIn returns a function that reports whether an entry was left by an earlier workflow.
// Such an entry is an output, a mark, a variant or a file of the impact step, and more than
// FreshTolerance older than the start of the current workflow (5.16, SD-D21). If that start is
// unknown, nothing counts as inherited. Folders never do, because they satisfy no gate anyway. The
// start is computed only once.
func (c *Contract) InheritedIn(f Facts) func(statedir.Entry) bool {
	start, known := startOf(f)
	return func(e statedir.Entry) bool { return known && c.leftBefore(start, &e) }
}

// startOf returns the start of the current workflow.
func startOf(f Facts) (time.Time, bool) {
	if f.Record == nil {
		return time.Time{}, false
	}
	return f.Record.Time("created_at", f.Now)
}

func (c *Contract) leftBefore(start time.Time, e *statedir.Entry) bool {
	return e.Kind != statedir.Dir && e.ModTime.Before(start.Add(-statedir.FreshTolerance)) && (c.Listed(e.Name) ||
		c.SlugVariant(e.Name))
}

// Facts are the facts on which a sweep is based.
type Facts struct {
	Now     time.Time
	Entries []statedir.Entry // of the folder, in any order
	Record  *record.Record   // nil if there is none or it cannot be read
}

// Listed reports whether an evict rule lists a name.
func (c *Contract) Listed(name string) bool {
	r := c.rows[name]
	return r != nil && len(r.Eviction) > 0
}
