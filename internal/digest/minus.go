package digest

// Minus returns the values of all without those of gone, in the order of all. It is the difference
// of two multisets: a value stays as often as it occurs more in all. Values with equal keys are
// equal. It returns nil if nothing is left.
func Minus[T any, K comparable](all, gone []T, key func(T) K) []T {
	left := make(map[K]int, len(gone))
	for _, v := range gone {
		left[key(v)]++
	}
	var out []T
	for _, v := range all {
		if k := key(v); left[k] > 0 {
			left[k]--
			continue
		}
		out = append(out, v)
	}
	return out
}
