package agentsession

import "time"

// setBack corrects the record if the clock was set back: files that the session writes from now on
// would seem older than the session.
func (r *Record) setBack(at string) {
	if r.Started > at { // the event follows what the session did
		r.Started, r.Opened, r.Began = minuteBefore(at), 0, 0
	}
	if r.Since > at {
		r.Since, r.Began = minuteBefore(at), 0
	}
}

// clockTick is how far a file's time may lag behind the clock, because file systems take it from
// the last tick of the kernel.
const clockTick = 10 * time.Millisecond

// WritesFrom returns the time from which on a written file may be the session's: its start, or its
// last entry. A file written in the second of the entry belongs to the entry. The start is exact,
// because one session may begin in the second in which another one ends. The zero time means that
// nothing is known.
func (r *Record) WritesFrom() time.Time {
	if r.Began != 0 {
		return time.Unix(0, r.Began).Add(-clockTick)
	}
	if at, err := time.Parse(time.RFC3339, r.Since); err == nil {
		return at.Add(time.Second)
	}
	return r.OpenedAt()
}

// OpenedAt returns the time at which the session began, as exactly as it is known. Files that were
// written before are not the session's. The zero time means that nothing is known.
func (r *Record) OpenedAt() time.Time {
	if r.Opened != 0 {
		return time.Unix(0, r.Opened).Add(-clockTick)
	}
	at, _ := time.Parse(time.RFC3339, r.Started)
	return at
}

// minuteBefore returns the time one minute before another one, both RFC 3339 UTC.
func minuteBefore(at string) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return at
	}
	return t.Add(-time.Minute).UTC().Format(time.RFC3339)
}
