package declaration

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"baton/internal/statedir"
)

// form is a compiled pattern. The literal start and end of all matches are compared before the
// regular expression, which decides almost every name of a large folder in a few nanoseconds.
type form struct {
	pattern *statedir.Pattern
	slug    bool // evict rule 3 moves its names
	weight  int  // of a project's pattern; the program's own are light
	begin   string
	end     string
	whole   *regexp.Regexp
}

// matches reports whether a whole name matches. An invalid byte counts as one character (4.1).
func (f *form) matches(name string) bool { return f.literally(name) && f.whole.MatchString(name) }

// literally reports whether a name has the literal start and end of all matches.
func (f *form) literally(name string) bool {
	return strings.HasPrefix(name, f.begin) && strings.HasSuffix(name, f.end)
}

// declaredForm compiles a pattern of the program. A test checks that all of them compile.
func declaredForm(p statedir.Pattern, slug bool) form {
	f, _, _ := compile(p)
	f.slug = slug
	return f
}

// compile compiles a pattern. what is the reason if that fails, or "", and hint says what to do.
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

// literals returns the texts with which every match of a translated expression begins and ends.
// They are "" if the expression does not begin or end literally.
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
