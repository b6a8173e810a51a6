package decision

import (
	"slices"
	"testing"

	"baton/internal/report"
)

// A try costs as much as the digest is long, so few of them must find what cannot change (F-81).
func TestF81_FewTriesFindWhatCannotChange(t *testing.T) {
	t.Parallel()
	list := make([]int, 10_000)
	for i := range list {
		list[i] = i
	}
	failed := &report.Error{Kind: report.Internal, Code: report.CodeVerifyFailed}
	for name, c := range map[string]struct {
		fits        func(part []int) bool
		tries, want int
	}{
		"all fit":      {func([]int) bool { return true }, 1, 10_000},
		"none fits":    {func([]int) bool { return false }, mostTries + 1, 0},
		"three do not": {func(part []int) bool { return !slices.ContainsFunc(part, func(i int) bool { return i%4000 == 7 }) }, 100, 9997},
		"too many":     {func(part []int) bool { return len(part) <= 3000 }, 10, 2500},
	} {
		tries := 0
		plan, err := fitting(list, func(part []int) (*[]int, error) {
			if tries++; !c.fits(part) {
				return nil, failed
			}
			return &part, nil
		})
		got := 0
		if plan != nil {
			got = len(*plan)
		}
		if err != nil || got != c.want || tries > c.tries {
			t.Errorf("%s: %v, %d of %d after %d tries", name, err, got, c.want, tries)
		}
	}
}
