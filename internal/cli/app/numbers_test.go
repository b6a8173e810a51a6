package app

import (
	"testing"
)

func TestSizesAreRoundedAsInWarnings(t *testing.T) {
	t.Parallel()
	for size, want := range map[int64]string{
		0: "0.0 KB", 1: "1 byte", 5: "5 bytes", 102: "102 bytes", 103: "0.2 KB",
		1024: "1.0 KB", 1025: "1.1 KB", 2_662: "2.6 KB", 2_663: "2.7 KB", 75 * 1024: "75.0 KB",
		75*1024 + 1: "75.1 KB",
	} {
		if got := Kilobytes(size); got != want {
			t.Errorf("%d bytes: %s, want %s", size, got, want)
		}
	}
}
