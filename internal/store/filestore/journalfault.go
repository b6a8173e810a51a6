package filestore

// JournalFault returns the error with which every write is refused because of the journal: one of a
// newer baton, or one that cannot be read. It returns nil if there is no journal, and if the next
// write will complete or drop it. It takes no lock. Errors: Refused.
func (s *Store) JournalFault() error {
	s.resolve()
	if s.refusal != nil {
		return nil // a journal elsewhere is not ours
	}
	if _, _, err := s.readJournal(); err != nil {
		return s.unreadable(err)
	}
	return nil
}
