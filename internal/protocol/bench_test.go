package protocol

import "testing"

// BenchmarkOrientation measures the cost of the text at a session's start. The hook has a few milliseconds for
// everything (D30).
func BenchmarkOrientation(b *testing.B) {
	f := shop()
	for b.Loop() {
		Orientation(f, start())
	}
}

func BenchmarkOrientationOfHostileFacts(b *testing.B) {
	f := hostile()
	for b.Loop() {
		Orientation(f, start())
	}
}
