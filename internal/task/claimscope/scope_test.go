package claimscope_test

import (
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task/claimscope"
)

// "**" matches any number of folders; the other wildcards match within one name.
func TestInScope(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"src/auth/**", "src/auth/jwt.go", true},
		{"src/auth/**", "src/auth/keys/rsa.go", true},
		{"src/auth/**", "src/author/jwt.go", false},
		{"src/auth/**", "lib/src/auth/jwt.go", false},
		{"src/auth", "src/auth/keys/rsa.go", true},
		{"src/auth", "src/authority.go", false},
		{"src/*", "src/a.go", true},
		{"src/*", "src/a/b.go", false},
		{"src/*.go", "src/a.go", true},
		{"src/*.go", "src/a.ts", false},
		{"**/*.sql", "a.sql", true},
		{"**/*.sql", "db/old/a.sql", true},
		{"**/*.sql", "db/old/a.sql.bak", false},
		{"a/**/z", "a/z", true},
		{"a/**/z", "a/b/c/z", true},
		{"a/**/z", "a/b/c/z/y", false},
		{"a/**/b/**/c", "a/b/b/x/c", true},
		{"a/**/b/**/c", "a/x/c", false},
		{"**", "anything/at/all", true},
		{"a?c.go", "abc.go", true},
		{"a?c.go", "aéc.go", true},
		{"a?c.go", "a/c.go", false},
		{"v[0-9].md", "v7.md", true},
		{"v[0-9].md", "vx.md", false},
		{"v[^0-9].md", "vx.md", true},
		{"x**y", "xaby", true},
		{"x**y", "xa/by", false},
		{"README.md", "readme.md", false},
		{".github/**", ".github/workflows/ci.yml", true},
	} {
		if got := claimscope.Holds(c.pattern, c.name); got != c.want {
			t.Errorf("Holds(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}

func TestScopePatternsAreBroughtIntoOneForm(t *testing.T) {
	got, err := claimscope.Parse([]string{"./src/auth/", " docs/*.md ", "src/auth/**"})
	if err != nil || strings.Join(got, " ") != "src/auth/** docs/*.md" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestScopePatternsThatAreRefused(t *testing.T) {
	many := make([]string, claimscope.Most+1)
	for i := range many {
		many[i] = "src/" + strings.Repeat("a", i+1)
	}
	for name, patterns := range map[string][]string{
		"empty": {""}, "absolute": {"/etc/**"}, "drive": {"C:/x"}, "home": {"~/x"}, "backslash": {`src\auth`}, "upward": {"src/../../x"},
		"upward only": {".."}, "empty part": {"src//auth"}, "control": {"a\x1b[2J"}, "bracket": {"src/[ab"},
		"long": {strings.Repeat("a", claimscope.Longest+1)},
		"many": many, "not UTF-8": {"a\xff"}, "root": {"/"},
	} {
		_, err := claimscope.Parse(patterns)
		if report.KindOf(err) != report.Usage || report.CodeOf(err) != "scope_invalid" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := claimscope.Parse(many[1:]); err != nil || len(got) != claimscope.Most {
		t.Errorf("the most that is allowed: %d, %v", len(got), err)
	}
}

// FuzzScope checks that matching ends for every pattern and name, that an accepted pattern without wildcards matches
// itself, and that a match still matches with "**/" before the pattern.
func FuzzScope(f *testing.F) {
	f.Add("src/**/[a-c]*.go", "src/x/a.go")
	f.Add("**/**/**/a", "a/a/a/b")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		parsed, err := claimscope.Parse([]string{pattern})
		got := claimscope.Holds(pattern, name)
		if err != nil {
			return
		}
		one := parsed[0]
		if !strings.ContainsAny(one, "*?[") && (!claimscope.Holds(one, one) || !claimscope.Holds(one, one+"/x")) {
			t.Errorf("%q does not name itself", one)
		}
		if again, err := claimscope.Parse(parsed); len(one)+3 <= claimscope.Longest && (err != nil || again[0] != one) {
			t.Errorf("%q is read as %q the second time: %v", one, again, err)
		}
		if got && one == pattern && strings.ContainsAny(one, "*?[") && !claimscope.Holds("**/"+one, "x/"+name) {
			t.Errorf("%q names %q, and not below any folder", one, name)
		}
	})
}
