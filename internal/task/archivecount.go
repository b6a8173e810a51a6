package task

// ArchiveCount compares what the file says of archived sessions with the archive (D7): told is the count that it goes on
// from, there how many sessions the archive holds. A file that says nothing counts for itself what it needs; then both
// numbers are equal.
func (s *State) ArchiveCount(archive []byte) (told, there int) {
	there = len(ParseArchive(archive).Sessions)
	if told = s.knownArchived(); told == 0 && !s.Meta.has("archived_sessions") {
		told = there
	}
	return told, there
}
