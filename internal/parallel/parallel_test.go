package parallel

import "testing"

func TestHalvesReachEachElementOnce(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, least - 1, least, least + 1, 10_001} {
		seen := make([]int, n)
		Halves(n, func(begin, end int) {
			for i := begin; i < end; i++ {
				seen[i]++
			}
		})
		for i, times := range seen {
			if times != 1 {
				t.Fatalf("element %d of %d was reached %d times", i, n, times)
			}
		}
	}
}
