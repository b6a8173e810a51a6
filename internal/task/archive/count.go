package archive

import (
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
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

// Absent returns the numbers of the sessions that the summary counts, although neither the archive
// nor the task file has them, in ascending order. Numbers may be missing on purpose, so this says
// something only if the archive has fewer sessions than the metadata counts.
func Absent(s *task.State, archive []byte) []int {
	recorded, there := Count(s, archive)
	if s.Summary == nil || recorded <= there {
		return nil
	}
	has := map[int]bool{}
	for _, one := range task.ParseArchive(archive).Sessions {
		has[one.Number] = true
	}
	for _, one := range s.Sessions {
		has[one.Number] = true
	}
	var out []int
	for n := s.Summary.First; n > 0 && n <= s.Summary.Last && len(out) < recorded; n++ {
		if !has[n] {
			out = append(out, n)
		}
	}
	return out
}

// Unsummarised returns the numbers of archived sessions that the summary does not cover, in
// ascending order: somebody removed the summary, or a later one began after they were archived.
func Unsummarised(s *task.State, archive []byte) []int {
	var out []int
	for _, one := range task.ParseArchive(archive).Sessions {
		n, sum := one.Number, s.Summary
		if n > 0 && (sum == nil || sum.First > 0 && (n < sum.First || n > sum.Last)) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// absentError refuses to make a summary from an archive that lacks sessions: the summary may be all
// that is left of them (D44, F-22).
func absentError(s *task.State, absent []int, path string) error {
	return &report.Error{
		Op: "task.archive", Kind: report.Violation, Code: report.CodeArchiveGone, Path: path,
		Message: "the archive of task " + s.ID.Ref() + " lacks " + safetext.Count(len(absent), "session") +
			" that its summary counts: " + rangesOf(absent),
		Hint: "restore the archive, for example from git or from the clone where they were archived; the summary in " +
			"the task file was left as it is",
	}
}

// rangesOf writes ascending numbers for people: "1-7, 9".
func rangesOf(numbers []int) string {
	var words []string
	for i := 0; i < len(numbers); {
		end := i
		for end+1 < len(numbers) && numbers[end+1] == numbers[end]+1 {
			end++
		}
		words = append(words, task.RangeText(numbers[i], numbers[end]))
		i = end + 1
	}
	return strings.Join(words, ", ")
}
