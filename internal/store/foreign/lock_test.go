package foreign

import "testing"

// TestSD47_HolderNumber checks which holder the lock file of a state folder names, and which one
// the other lock files name.
func TestSD47_HolderNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body          string
		folder, plain int
	}{
		{"", 0, 0},
		{"4711", 4711, 4711},
		{" 4711\n", 4711, 4711},
		{"4711 since noon", 4711, 0},
		{"\xEF\xBB\xBF4711", 4711, 0},
		{"0", 0, 0},
		{"-1", 0, 0},
		{"99999999999", noProcess, 0},
		{`{"pid": 4711, "host": "h"}`, 4711, 0},
		{`{"pid": 4.711e3}`, 4711, 0},
		{`{"pid": 47.5}`, 0, 0},
		{`{"pid": "4711"}`, 0, 0},
		{`{"pid": 4711`, 0, 0},
	} {
		if got := (Lock{Steal: Aside}).number([]byte(c.body)); got != c.folder {
			t.Errorf("%q in a state folder: %d, want %d", c.body, got, c.folder)
		}
		if got := (Lock{}).number([]byte(c.body)); got != c.plain {
			t.Errorf("%q: %d, want %d", c.body, got, c.plain)
		}
	}
}

func TestSDK4_NamesOfTemporaries(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{
		".lock.4711.0123456789ab.tmp":  4711,
		".lock.04711.0123456789ab.tmp": 0,
		".lock.0.0123456789ab.tmp":     0,
		".lock.4711.0123456789.tmp":    0,
		".lock.4711.0123456789ab":      0,
		".other.4711.0123456789ab.tmp": 0,
		".lock":                        0,
	} {
		if pid, ok := LockTemporary(".lock", name); ok != (want != 0) || ok && pid != want {
			t.Errorf("%s: %d, %v", name, pid, ok)
		}
	}
}
