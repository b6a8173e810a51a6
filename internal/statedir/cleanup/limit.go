package cleanup

import (
	"time"

	"baton/internal/statedir"
)

// limit decides whether an entry is old enough to move (4.2, SD-D20). It is exact: an entry from
// that very moment stays.
type limit struct {
	any     bool      // move at any age
	unknown bool      // the moment is unknown, so nothing is old enough
	before  time.Time // otherwise, move entries that are older than this
	lacks   string    // why nothing moves if the moment is unknown
}

// anyAge returns a limit that lets everything move, even entries with a time in the future.
func anyAge() limit { return limit{any: true} }

// until returns the limit for a moment. If the moment is slightly in the future, as clocks of two
// machines can differ, the limit is now, because an entry written after now is never old (SD-22).
func (p *planner) until(moment time.Time) limit {
	if moment.After(p.now) {
		moment = p.now.Add(1)
	}
	return limit{before: moment}
}

// since returns the limit for a moment in the record. If the record has no such moment, entries
// stay for the reason lacks.
func (p *planner) since(field, lacks string) limit {
	if p.record != nil {
		if moment, ok := p.record.Time(field, p.now); ok {
			return p.until(moment)
		}
	}
	return limit{unknown: true, lacks: lacks}
}

// longAgo is the largest number of days that is computed with. No file is older, and its seconds
// still fit into an int64.
const longAgo = 1 << 40

// days returns the limit for an age in days of 24 hours, regardless of changes of the clock
// (SD-26). It counts in seconds because a time.Duration cannot hold every int of days.
func (p *planner) days(n int) limit {
	seconds := p.now.Unix() - min(int64(n), longAgo)*int64(statedir.Day/time.Second)
	return limit{before: time.Unix(seconds, int64(p.now.Nanosecond())).UTC()}
}

// tooYoung returns the reason why an entry is not old enough, or "" if it is.
func (l limit) tooYoung(e *statedir.Entry, now time.Time) string {
	switch {
	case l.any:
		return ""
	case l.unknown:
		return l.lacks
	case e.ModTime.Before(l.before):
		return ""
	case e.ModTime.After(now):
		return KeptFuture
	}
	return KeptFresh
}
