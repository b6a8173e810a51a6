package task

import (
	"strconv"
	"time"

	"baton/internal/jsontext"
)

// Reconciliation tells Reconcile what the metadata should say but the file alone does not show.
type Reconciliation struct {
	Now         time.Time // its location is the local zone, for stamps without a zone
	HasArchive  bool      // Archived and ArchivePath are known, because sessions are being archived or were counted
	Archived    int       // sessions in the archive
	ArchivePath string    // relative to the project's root, with slashes
	Started     bool      // set started_at if it is null
	Completed   bool      // set completed_at to Now
	Reopened    bool      // set completed_at to null
	Converted   bool      // only the dialect changes, so updated_at stays
}

// Reconcile updates the metadata to match the file (5.6.4). It changes only keys that exist, except
// that it adds archived_sessions and archive_path if there are archived sessions (5.6.1). If the
// number of archived sessions is unknown, it keeps the one in the metadata (D7), or else uses the
// length of the summary's range. Unreadable metadata is not changed.
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
	if !r.Converted {
		put("updated_at", now)
	}
	if newest, ok := s.Newest(); ok {
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

// KnownArchived returns the number of archived sessions according to this file.
func (s *State) KnownArchived() int {
	switch {
	case s.Meta.Archived > 0:
		return s.Meta.Archived
	case s.Summary != nil && s.Summary.Last > 0:
		return s.Summary.Last - s.Summary.First + 1
	}
	return 0
}

// TotalSessions returns the number of archived and live sessions, on which size classes and notices
// depend (5.13).
func (s *State) TotalSessions() int { return s.KnownArchived() + len(s.Sessions) }

// Newest returns the session with the highest number. Among equal numbers, and among bullets, it is
// the last one.
func (s *State) Newest() (Session, bool) {
	var best Session
	found := false
	for _, session := range s.Sessions {
		if session.HasTime && (!found || session.Number >= best.Number) {
			best, found = session, true
		}
	}
	return best, found
}

// metaNull reports whether a key exists without a value.
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

// SizeFixpoint writes file_size_kb so that it is correct for the file that contains it. The number
// of digits may change the size, so the value is computed again until it no longer changes.
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
