package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/usecase/history"
)

// TestAKeptVersionIsHarmlessOnATerminal checks that control characters of a file are made visible, unless its exact
// bytes are asked for.
func TestAKeptVersionIsHarmlessOnATerminal(t *testing.T) {
	t.Parallel()
	answer := history.VersionText{Text: "a\x1b[2Jb\n\n"}
	for line, want := range map[string]string{"snapshot show 3f9c": "a␛[2Jb\n", "snapshot show 3f9c --raw": "a\x1b[2Jb\n\n"} {
		if got := play(t, canned{answer: answer}, strings.Fields(line)...); got.out != want {
			t.Errorf("%s: %q", line, got.out)
		}
	}
	answer.Bytes = []byte{0xff, 0}
	if got := play(t, canned{answer: answer}, "snapshot", "show", "3f9c", "--raw"); got.out != "\xff\x00" {
		t.Errorf("%q", got.out)
	}
	list := history.VersionList{Total: 3, Versions: []history.Version{
		{Revision: "3f9c2a177ab0", Document: "a\x1bb", At: "x", Kind: "found", Outside: true, Size: 1},
	}}
	got := play(t, canned{answer: list}, "snapshot", "list", "-C", "my dir")
	want := "REV      WHEN    SIZE  BY       FILE\n3f9c2a1  x     1 byte  outside  a␛b\n2 older versions: --limit 0\n" +
		"To see one: baton snapshot show 3f9c2a1 -C 'my dir'\n"
	if diff := cmp.Diff(want, got.out); diff != "" {
		t.Error(diff)
	}
	f := canned{err: &report.Error{Kind: report.NotFound, Message: "no"}}
	if got := play(t, f, "snapshot", "show", "3f9c", "--raw"); got.code != 3 || got.out != "" {
		t.Errorf("%+v", got)
	}
}
