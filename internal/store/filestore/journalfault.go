package filestore

// JournalFault gives the error with which every write is refused because of the journal that is
// there: one of a newer baton, or one that cannot be read. It is nil where there is none, and
// where the next write finishes it or throws it away. It takes no lock. Errors: Refused.
func (s *Store) JournalFault() error {
	s.resolve()
	if s.refusal != nil {
		return nil // a journal elsewhere is none of ours
	}
	if _, _, err := s.readJournal(); err != nil {
		return s.unreadable(err)
	}
	return nil
}
