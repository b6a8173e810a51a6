package statedir

import "time"

// InheritedIn gives the function that tells whether an entry was left by an earlier workflow: an output, a mark, a variant or a
// file of the impact step that is more than FreshTolerance older than the start of the current workflow (5.16, SD-D21). Nothing
// is inherited while that start is not known, and folders never are: they satisfy no gate anyway. The start is read once.
func (c *Contract) InheritedIn(f Facts) func(Entry) bool {
	start, known := startOf(f)
	return func(e Entry) bool { return known && c.leftBefore(start, &e) }
}

// startOf gives the start of the current workflow.
func startOf(f Facts) (time.Time, bool) {
	if f.Record == nil {
		return time.Time{}, false
	}
	return f.Record.Time("created_at", f.Now)
}

func (c *Contract) leftBefore(start time.Time, e *Entry) bool {
	return e.Kind != Dir && e.ModTime.Before(start.Add(-FreshTolerance)) && (c.listed(e.Name) || c.slugVariant(e.Name))
}

// Skewed gives the moments of the record, by field name, that lie too far ahead to count (4.2).
func Skewed(r *Record, now time.Time) []string {
	if r == nil {
		return nil
	}
	var ahead []string
	end := time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC) // from there no moment lies ahead
	for _, field := range []string{"created_at", "first_created_at"} {
		_, counts := r.Time(field, now)
		if _, moment := r.Time(field, end); moment && !counts {
			ahead = append(ahead, field)
		}
	}
	return ahead
}
