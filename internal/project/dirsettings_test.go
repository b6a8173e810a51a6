package project

import (
	"encoding/json"
	"strings"
	"testing"

	"baton/internal/store"
	"baton/internal/usecase/folder"
)

// FuzzUncommented checks that removing comments keeps every other byte in its place, and leaves JSON without comments
// as it is.
func FuzzUncommented(f *testing.F) {
	for _, text := range []string{
		`{"a": "// no", "b": "\"/*"} // yes`, "/* open", "/**/{}/*/*/", `"\`, "//", "/", `{"a":/*b*/1}`, "\"//\"\n//\"\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		out := string(folder.Uncommented([]byte(text)))
		if len(out) != len(strings.TrimPrefix(text, "\ufeff")) || strings.Count(out, "\n") != strings.Count(text, "\n") {
			t.Errorf("%q became %q", text, out)
		}
		if json.Valid([]byte(text)) && out != text {
			t.Errorf("%q became %q", text, out)
		}
		if again := string(folder.Uncommented([]byte(out))); json.Valid([]byte(out)) && again != out {
			t.Errorf("%q became %q", out, again)
		}
	})
}

func TestWholeLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		data   string
		offset int64
		want   string
	}{
		{"", 0, ""}, {"a\nb", 0, "a\nb"}, {"rt\nb\nc\n", 7, "b\nc\n"}, {"rt", 7, ""}, {"\nb\n", 7, "b\n"},
	} {
		if got := string(folder.WholeLines(store.Part{Data: []byte(c.data), Offset: c.offset})); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
