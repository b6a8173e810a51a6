package protocol

import "testing"

// BenchmarkOrientation is what wording a session's start costs; the hook has a few milliseconds for
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
