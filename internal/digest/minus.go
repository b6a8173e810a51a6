package digest

// Minus returns the values of all that are left when those of gone are taken out, each as often as
// it is there, in the order of all: the difference of two multisets, by what key says about a
// value. Nil when nothing is left.
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
