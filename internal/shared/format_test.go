package shared

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// D41: docs/format.md names every field of the book and of an outbox.
func TestD41_TheFormatIsDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(page), "\n## 27. ")
	if !found {
		t.Fatal("docs/format.md has no section 27")
	}
	for _, v := range []any{Book{}, Claim{}, EndedClaim{}, Mark{}, Line{}} {
		kind := reflect.TypeOf(v)
		for i := range kind.NumField() {
			name, _, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ",")
			if name != "-" && !strings.Contains(text, "`"+name+"`") {
				t.Errorf("docs/format.md does not explain %s of %s", name, kind.Name())
			}
		}
	}
}
