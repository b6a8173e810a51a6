package sessions

import (
	"strings"

	"baton/internal/task"
)

// DraftMark begins the first item of an entry that baton wrote for a session that left none (D15).
// Such entries are recognised by it in every project that reads the file.
const DraftMark = "Drafted by baton from facts"

// IsDraft reports whether an entry was drafted by baton.
func IsDraft(s task.Session) bool { return len(s.Did) > 0 && strings.HasPrefix(s.Did[0], DraftMark) }
