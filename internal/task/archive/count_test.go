package archive

import (
	"slices"
	"testing"

	"baton/internal/task"
)

// What the archive has and the summary lacks, the doctor can add to the summary again.
func TestD44_ArchivedSessionsThatTheSummaryLacks(t *testing.T) {
	t.Parallel()
	archive := []byte("# Archive\n\n## Session 2 - 2026-03-01 10:00\n**Did:** a\n\n## Session 3 - 2026-03-02 10:00\n**Did:** b\n\n" +
		"## Session 5 - 2026-03-03 10:00\n**Did:** c\n")
	for summary, want := range map[string][]int{
		"": {2, 3, 5},
		"### Archived Summary (Sessions 2-5)\n**Accomplishments:** a\n\n": nil,
		"### Archived Summary (Sessions 3-5)\n**Accomplishments:** a\n\n": {2},
		"### Archived Summary (Sessions 2-3)\n**Accomplishments:** a\n\n": {5},
		"### Archived Summary\n**Accomplishments:** a\n\n":                nil, // nobody knows what it counts
	} {
		s := task.Parse("1", []byte("# Task #1: A\n\n## 3. Progress Log\n\n"+summary+"### Session 6 - 2026-03-04 10:00\n**Did:** d\n"))
		if got := Unsummarised(s, archive); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", summary, got, want)
		}
	}
}
