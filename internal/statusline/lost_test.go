package statusline

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestD9_WhatIsLostIsNamedInTheLine: lost entries are shown in a warning colour, but not if there are none, and not in
// the line of another tool.
func TestD9_WhatIsLostIsNamedInTheLine(t *testing.T) {
	t.Parallel()
	in, f := full()
	if got := Line(in, f, Options{NoColor: true}); strings.Contains(got, "lost") {
		t.Errorf("nothing is lost: %q", got)
	}
	f.Lost = 3
	f.Agent = &Agent{Times: 1, Tokens: 1234}
	if got := Line(in, f, Options{NoColor: true}); !strings.Contains(got, "s3 │ lost 3 │ ↑1.2k │ shop") {
		t.Error(got)
	}
	if got := Line(in, f, Options{Plain: true, Format: "compact"}); !strings.Contains(got, " | lost 3 | ") {
		t.Error(got)
	}
	if got := Line(in, f, Options{}); !strings.Contains(got, " │ \x1b[33mlost 3\x1b[0m │ ") {
		t.Errorf("%q", got)
	}
	if got := Line(in, f, Options{NoColor: true, Columns: 10}); !strings.Contains(got, "lost 3") {
		t.Errorf("too narrow: %q", got)
	}
	for _, set := range []func(f *Facts){
		func(f *Facts) { f.Digest = GSD }, func(f *Facts) { f.Digest = Specflow }, func(f *Facts) { f.Digest, f.Tasks = NoDigest, false },
	} {
		of := f
		set(&of)
		if got := Line(in, of, Options{NoColor: true}); strings.Contains(got, "lost") {
			t.Errorf("%q: %s", of.Digest, got)
		}
		if got := Line(in, of, Options{NoColor: true, Segments: []string{"lost"}}); got != "lost 3" {
			t.Errorf("%q by wish: %s", of.Digest, got)
		}
	}
	for lost, want := range map[int]string{3: `"lost":3`, 0: "", -1: ""} {
		f.Lost = lost
		data, err := json.Marshal(Describe(in, f, Options{}))
		if err != nil || strings.Contains(string(data), `"lost":`) != (want != "") || !strings.Contains(string(data), want) {
			t.Errorf("%d as data: %v %s", lost, err, data)
		}
	}
}
