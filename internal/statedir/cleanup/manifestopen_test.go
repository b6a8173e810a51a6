package cleanup

import (
	"strings"
	"testing"

	"baton/internal/statedir"
)

// TestSD44_Unfinished: the beginning of a manifest of any length shows whether its sweep was completed. A text that is
// not a manifest is not unfinished.
func TestSD44_Unfinished(t *testing.T) {
	t.Parallel()
	m := Manifest{Version: ManifestVersion, Kind: statedir.SweepBegin, Task: strings.Repeat("\"\n", 5<<10)}
	for range 3000 {
		m.Entries = append(m.Entries, ManifestEntry{Name: "complete", Kind: statedir.File, State: StatePlanned})
	}
	for _, complete := range []bool{true, false} {
		m.Complete = complete
		text := m.Encode()
		if Unfinished(text) == complete || Unfinished(text[:min(ManifestHead, len(text))]) == complete {
			t.Errorf("complete %v: %v", complete, !complete)
		}
	}
	for _, text := range []string{
		"", "[", "{", "{}", "null", `"complete"`, `{"complete":null}`, `{"complete":"false"}`, `{"entries":[],"complete":false}`,
		`{"complete"`, "\xff",
	} {
		if Unfinished([]byte(text)) {
			t.Errorf("%q is no unfinished manifest", text)
		}
	}
}
