package declaration

import (
	"strings"
	"testing"

	"baton/internal/statedir"
)

// 4.1: a full stop matches any character except four. Elements that ECMAScript and package regexp read differently are
// translated or refused.
func TestPatternsAreReadAsECMAScript(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		pattern  string
		yes, not []string
	}{
		{
			`^a.b$`,
			[]string{"a.b", "axb", "a\u0085b", "a\xffb", "a\vb", "a日b", "a😀b"},
			[]string{"ab", "a\nb", "a\rb", "a\u2028b", "a\u2029b", "a\xff\xffb", "axb\n", "xaxb"},
		},
		{`^a\.b$`, []string{"a.b"}, []string{"axb"}},
		{`^a[.]b$`, []string{"a.b"}, []string{"axb"}},
		{`^[[:a]$`, []string{"[", ":", "a"}, []string{"b", "]"}},
		{`^[[:alpha:]$`, []string{"[", ":", "l"}, []string{"b", "z"}},
		{`^[^a]b$`, []string{"bb", "\nb"}, []string{"ab"}},
		{`^[\]\-\\]$`, []string{"]", "-", `\`}, []string{"a"}},
		{`^\d\w\D\W$`, []string{"1_a-", "0Aé."}, []string{"١aa-", "1éa-", "1_1-"}},
		{`^(?:a|b)(c|d){2}$`, []string{"acd", "bcc"}, []string{"ac", "a|b"}},
		{`^a{,2}$`, []string{"a{,2}"}, []string{"aa"}},
		{`^a\/b\-c\:$`, []string{"a/b-c:"}, []string{"abc"}},
		{`^a\\$`, []string{`a\`}, []string{"a"}},
	} {
		f, what, _ := compile(statedir.Pattern{Pattern: x.pattern})
		if what != "" {
			t.Errorf("%s: %s", x.pattern, what)
			continue
		}
		for _, name := range x.yes {
			if !f.matches(name) {
				t.Errorf("%s does not match %q", x.pattern, name)
			}
		}
		for _, name := range x.not {
			if f.matches(name) {
				t.Errorf("%s matches %q", x.pattern, name)
			}
		}
	}
	for _, pattern := range []string{
		"", "^", "$", "^$$\\", `^a\$`, `a$`, `^a`, `^a\\\$`, `^[]a]$`, `^[^]$`, `^[a$`, `^(?=a)$`, `^(?<n>a)$`, `^(?P<n>a)$`, `^(?i:a)$`,
		`^\Aa\z$`,
		`^\pL$`, `^\Qa\E$`, `^\u0041$`, `^\x41$`, `^\s$`, `^\cA$`, `^(a)\1$`, `^a|b$`, `^(a$`, `^a)$`, `^a**$`, `^a{2,1}$`, `^a{1001}$`,
		`^[z-a]$`,
		`^` + strings.Repeat("(", 2000) + strings.Repeat(")", 2000) + `$`,
	} {
		if _, what, hint := compile(statedir.Pattern{Pattern: pattern}); what == "" || hint == "" {
			t.Errorf("%s is accepted", pattern)
		}
	}
}
