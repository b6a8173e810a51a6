package archive

import (
	"strings"
	"testing"

	"baton/internal/task"
)

func TestD7_ArchiveCount(t *testing.T) {
	t.Parallel()
	const archive = "# Task #1 Archive\n\n## Session 1 - 2026-03-01 09:00\n**Did:** a\n\n## Session 2 - 2026-03-02 09:00\n**Did:** " +
		"b\n\n---\nArchived on: 2026-03-03\nReason: asked for\nSessions archived: 1-2\n"
	file := func(meta string) string {
		return "# Task #1: Pier\n\n## 0. Metadata\n```json\n{\"status\": \"ready\"" + meta + "}\n```\n\n## 3. Progress Log\n"
	}
	for name, tt := range map[string]struct {
		meta, archive   string
		recorded, there int
	}{
		"in step":            {`, "archived_sessions": 2`, archive, 2, 2},
		"too many":           {`, "archived_sessions": 5`, archive, 5, 2},
		"none":               {`, "archived_sessions": 0`, archive, 0, 2},
		"nothing is said":    {"", archive, 2, 2},
		"no archive":         {`, "archived_sessions": 2`, "", 2, 0},
		"never archived":     {"", "", 0, 0},
		"doubled by a crash": {`, "archived_sessions": 2`, archive + strings.TrimPrefix(archive, "# Task #1 Archive\n"), 2, 4},
	} {
		recorded, there := Count(task.Parse("1", []byte(file(tt.meta))), []byte(tt.archive))
		if recorded != tt.recorded || there != tt.there {
			t.Errorf("%s: told %d, there %d", name, recorded, there)
		}
	}
}
