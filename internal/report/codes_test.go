package report

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// F-86e: each code has one name and one spelling, so nobody has to know two. "nul" was "nul_byte", too.
func TestF86e_EachCodeHasOneSpelling(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("code*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]string{}
	spelled := map[string]string{} // from a code without underscores and a final word that adds nothing
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^\s+(Code\w+)\s+Code = "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
			name, code := found[1], found[2]
			if other := named[code]; other != "" {
				t.Errorf("%s and %s are both %q", name, other, code)
			}
			named[code] = name
			plain := code
			for _, word := range []string{"_byte", "_bytes", "_error", "_file"} {
				plain = strings.TrimSuffix(plain, word)
			}
			plain = strings.ReplaceAll(plain, "_", "")
			if other := spelled[plain]; other != "" {
				t.Errorf("%q and %q look like two spellings of one code", code, other)
			}
			spelled[plain] = code
		}
	}
	if len(named) < 200 || named["nul"] == "" {
		t.Errorf("only %d codes were found", len(named))
	}
}
