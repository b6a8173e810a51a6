package declaration

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"baton/internal/statedir"
)

// form is a pattern that is ready to be asked. What every match begins and ends with is compared
// before the expression, which settles almost every name of a large folder in a few nanoseconds.
type form struct {
	pattern *statedir.Pattern
	slug    bool // evict rule 3 takes its names
	begin   string
	end     string
	whole   *regexp.Regexp
}

// matches reports whether a whole name has the form. Expressions see an invalid byte as one
// character (4.1).
func (f *form) matches(name string) bool {
	return strings.HasPrefix(name, f.begin) && strings.HasSuffix(name, f.end) && f.whole.MatchString(name)
}

// declaredForm makes a pattern of the program ready. A test shows that all of them compile.
func declaredForm(p statedir.Pattern, slug bool) form {
	f, _, _ := compile(p)
	f.slug = slug
	return f
}

// compile makes a pattern ready. what says why it cannot be, or "" if it can, and hint what to do.
func compile(p statedir.Pattern) (f form, what, hint string) {
	re2, what, hint := translate(p.Pattern)
	if what != "" {
		return form{}, what, hint
	}
	whole, err := regexp.Compile(re2)
	if err != nil {
		return form{}, "the pattern cannot be read as an expression", "check its brackets and repeats"
	}
	begin, end := literals(re2)
	return form{pattern: &p, begin: begin, end: end, whole: whole}, "", ""
}

// literals returns the texts that every match of a translated expression begins and ends with, ""
// where it is not plain.
func literals(re2 string) (begin, end string) {
	tree, err := syntax.Parse(re2, syntax.Perl)
	if err != nil || tree.Op != syntax.OpConcat || len(tree.Sub) < 3 {
		return "", ""
	}
	if s := tree.Sub[1]; tree.Sub[0].Op == syntax.OpBeginText && plain(s) {
		begin = string(s.Rune)
	}
	last := len(tree.Sub) - 1
	if s := tree.Sub[last-1]; tree.Sub[last].Op == syntax.OpEndText && plain(s) {
		end = string(s.Rune)
	}
	return begin, end
}

func plain(s *syntax.Regexp) bool { return s.Op == syntax.OpLiteral && s.Flags&syntax.FoldCase == 0 }
