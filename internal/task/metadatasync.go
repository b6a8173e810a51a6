package task

import (
	"strconv"
	"time"

	"baton/internal/jsontext"
)

// Reconciliation is what a write knows that the file's metadata should say.
type Reconciliation struct {
	Now         time.Time // its location is the local zone, for stamps without one
	HasArchive  bool      // Archived and ArchivePath are known: sessions are being archived or were counted
	Archived    int       // sessions in the archive
	ArchivePath string    // relative to the project's root with slashes
	Started     bool      // started_at is set where it is null
	Completed   bool      // completed_at is set to now
	Reopened    bool      // completed_at is set to null
}

// Reconcile brings the metadata in step with the file (5.6.4), only in keys that are there;
// archived_sessions and archive_path are added when there are archived sessions (5.6.1). Where the
// number of archived sessions is not known, the one in the metadata stands (D7), else the length of
// the summary's range. Metadata that cannot be read is left alone.
func (s *State) Reconcile(r Reconciliation) *State {
	if !s.Meta.Valid {
		return s
	}
	live := len(s.Sessions)
	archived := s.KnownArchived()
	if r.HasArchive {
		archived = r.Archived
	}
	now := jsontext.Quote(JSONStamp(r.Now))
	var set []KeyValue
	put := func(key, value string) {
		if s.Meta.Has(key) {
			set = append(set, KeyValue{key, value})
		}
	}
	put("total_sessions", strconv.Itoa(archived+live))
	put("recent_sessions", strconv.Itoa(live))
	put("updated_at", now)
	if newest, ok := s.newest(); ok {
		put("last_session_at", jsontext.Quote(JSONStamp(newest.At(r.Now.Location()))))
	}
	if r.Started && s.metaNull("started_at") {
		put("started_at", now)
	}
	switch {
	case r.Completed:
		put("completed_at", now)
	case r.Reopened:
		put("completed_at", "null")
	}
	if r.HasArchive && archived > 0 {
		set = append(set, KeyValue{"archived_sessions", strconv.Itoa(archived)})
		if r.ArchivePath != "" {
			set = append(set, KeyValue{"archive_path", jsontext.Quote(r.ArchivePath)})
		}
	} else {
		put("archived_sessions", strconv.Itoa(archived))
	}
	next, ok := s.SetMeta(set...)
	if !ok {
		return s
	}
	if sized, ok := next.SizeFixpoint(); ok {
		return sized
	}
	return next
}

// KnownArchived is the number of archived sessions as far as this file knows.
func (s *State) KnownArchived() int {
	switch {
	case s.Meta.Archived > 0:
		return s.Meta.Archived
	case s.Summary != nil && s.Summary.Last > 0:
		return s.Summary.Last - s.Summary.First + 1
	}
	return 0
}

// TotalSessions is archived plus live sessions: the number that size classes and notices go by
// (5.13).
func (s *State) TotalSessions() int { return s.KnownArchived() + len(s.Sessions) }

// newest is the session with the highest number; of equal ones, and of bullets, the last.
func (s *State) newest() (Session, bool) {
	var best Session
	found := false
	for _, session := range s.Sessions {
		if session.HasTime && (!found || session.Number >= best.Number) {
			best, found = session, true
		}
	}
	return best, found
}

// metaNull reports whether a key is there without a value.
func (s *State) metaNull(key string) bool {
	if s.Meta.bullets != nil {
		return false
	}
	text := s.Meta.Span.Of(s.Bytes())
	node, err := jsontext.Relaxed(text)
	if err != nil {
		return false
	}
	member, ok := node.Member(key)
	return ok && member.Value.Kind == 'n'
}

// SizeFixpoint writes file_size_kb so that it is true of the file that holds it: the number of
// digits may change the size, so it is reckoned again until it stands.
func (s *State) SizeFixpoint() (*State, bool) {
	if !s.Meta.Valid || !s.Meta.Has("file_size_kb") {
		return s, false
	}
	for range 4 {
		next, ok := s.SetMeta(KeyValue{"file_size_kb", strconv.Itoa((len(s.Bytes()) + 512) / 1024)})
		if !ok || string(next.Bytes()) == string(s.Bytes()) {
			return s, ok
		}
		s = next
	}
	return s, true
}
