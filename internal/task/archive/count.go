package archive

import (
	"baton/internal/task"
)

// Count compares the number of archived sessions in the task file with the archive (D7). recorded
// is the number in the file, there the number of sessions in the archive. If the file records no
// number, both results are equal.
func Count(s *task.State, archive []byte) (recorded, there int) {
	there = len(task.ParseArchive(archive).Sessions)
	if recorded = s.KnownArchived(); recorded == 0 && !s.Meta.Has("archived_sessions") {
		recorded = there
	}
	return recorded, there
}
