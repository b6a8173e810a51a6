package cleanup

import (
	"time"

	"baton/internal/statedir"
)

// limit decides whether an entry is old enough to move (4.2, SD-D20). Its moment is exact: an entry
// of that very time stays.
type limit struct {
	any     bool      // whatever its time
	unknown bool      // the moment is not known: nothing is old enough
	before  time.Time // else: entries of an earlier time
	lacks   string    // why nothing moves where the moment is not known
}

// anyAge lets everything move, also what has a time that lies ahead: it is not about age.
func anyAge() limit { return limit{any: true} }

// until returns the limit that a moment sets. A moment that lies ahead a little, as clocks of two
// machines do, sets none for the time between now and then: nothing that was written after now is
// old (SD-22).
func (p *planner) until(moment time.Time) limit {
	if moment.After(p.now) {
		moment = p.now.Add(1)
	}
	return limit{before: moment}
}

// since returns the limit that a moment of the record sets; lacks is the reason for what stays
// where there is none.
func (p *planner) since(field, lacks string) limit {
	if p.record != nil {
		if moment, ok := p.record.Time(field, p.now); ok {
			return p.until(moment)
		}
	}
	return limit{unknown: true, lacks: lacks}
}

// longAgo is the number of days at which counting ends: no file is older, and the seconds still
// fit.
const longAgo = 1 << 40

// days returns the limit for an age in days of 24 hours, whatever the clocks did in between
// (SD-26). It counts in seconds since an int of days is more than a time.Duration holds.
func (p *planner) days(n int) limit {
	seconds := p.now.Unix() - min(int64(n), longAgo)*int64(statedir.Day/time.Second)
	return limit{before: time.Unix(seconds, int64(p.now.Nanosecond())).UTC()}
}

// spares returns the reason why an entry is not old enough, or "" if it is.
func (l limit) spares(e *statedir.Entry, now time.Time) string {
	switch {
	case l.any:
		return ""
	case l.unknown:
		return l.lacks
	case e.ModTime.Before(l.before):
		return ""
	case e.ModTime.After(now):
		return SparedFuture
	}
	return SparedFresh
}
