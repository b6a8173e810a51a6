package merging

import "testing"

// The doctor must name a command of an older version, and leave one that somebody wrote by hand.
func TestF31_TheCommandOfAnOlderVersion(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]bool{
		driverOf(""):                     false,
		driverOf("/opt/it's 100%/baton"): false,
		"if command -v baton >/dev/null 2>&1; then baton merge driver %O %A %B %P; " +
			"else git merge-file --marker-size=%L %A %O %B; fi": true,
		"/opt/bin/baton merge driver %O %A %B %P": false,
	} {
		if got := DriverOutdated(command); got != want {
			t.Errorf("%q: %v", command, got)
		}
	}
}
