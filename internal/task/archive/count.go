package archive

import (
	"baton/internal/task"
)

// Count compares what the file says of archived sessions with the archive (D7): told is the count
// that it goes on from, there how many sessions the archive holds. A file that says nothing counts
// for itself what it needs; then both numbers are equal.
func Count(s *task.State, archive []byte) (recorded, there int) {
	there = len(task.ParseArchive(archive).Sessions)
	if recorded = s.KnownArchived(); recorded == 0 && !s.Meta.Has("archived_sessions") {
		recorded = there
	}
	return recorded, there
}
