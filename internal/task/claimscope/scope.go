// Package claimscope reads the path patterns of claims, which say which files a holder works on.
package claimscope

import (
	"path"
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
)

// Limits for the path patterns of a claim.
const (
	Most    = 32  // patterns
	Longest = 200 // bytes per pattern
)

// Parse checks the path patterns of a claim and returns them in normal form, without
// duplicates: slashes, no leading "./", a folder as "folder/**". Patterns are relative to the
// project's root. Errors: Usage scope_invalid.
func Parse(patterns []string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for _, given := range patterns {
		pattern := strings.TrimPrefix(strings.TrimSpace(given), "./")
		if strings.HasSuffix(pattern, "/") && pattern != "/" {
			pattern += "**"
		}
		if fault := fault(pattern); fault != "" {
			return nil, invalid(strconv.Quote(safetext.Runes(given, Longest)) + " cannot be a scope: " +
				fault)
		}
		if !seen[pattern] {
			seen[pattern] = true
			out = append(out, pattern)
		}
	}
	if len(out) > Most {
		return nil, invalid("a claim has at most " + strconv.Itoa(Most) +
			" path patterns, but you gave " + strconv.Itoa(len(out)))
	}
	return out, nil
}

func invalid(message string) error {
	return &report.Error{
		Op: "task.claim", Kind: report.Usage, Code: report.CodeScopeInvalid, Message: message,
		Hint: "give paths relative to the project's root, such as 'src/auth/**'; * ? and [...] stand for what is in " +
			"one name, ** for any folders",
	}
}

// fault returns what is wrong with a pattern, or "" if it is valid.
func fault(pattern string) string {
	switch {
	case pattern == "":
		return "it is empty"
	case len(pattern) > Longest:
		return "it is longer than " + strconv.Itoa(Longest) + " bytes"
	case pattern[0] == '/', pattern[0] == '~', len(pattern) > 1 && pattern[1] == ':':
		return "it is not relative to the project's root"
	case strings.ContainsRune(pattern, '\\'):
		return "folders are separated by slashes"
	case strings.ContainsFunc(pattern, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }):
		return "it contains a character that paths should not have"
	}
	for segment := range strings.SplitSeq(pattern, "/") {
		switch _, err := path.Match(segment, ""); {
		case segment == "" || segment == ".":
			return "it has an empty folder name"
		case segment == "..":
			return "it leaves the project"
		case err != nil:
			return "a bracket in it is not closed"
		}
	}
	return ""
}

// Holds reports whether a pattern matches a path, which is relative to the root and has slashes.
// "**" matches any number of folders, including none; "*", "?" and "[...]" match within one name. A
// pattern without any of these also matches everything below its path. Case matters. The time is at
// most proportional to the product of both lengths.
func Holds(pattern, name string) bool {
	if !strings.ContainsAny(pattern, "*?[") {
		return name == pattern || strings.HasPrefix(name, pattern+"/")
	}
	patterns, names := strings.Split(pattern, "/"), strings.Split(name, "/")
	p, n := 0, 0
	star, from := -1, 0 // the last "**", and the first name after those that it matches
	for n < len(names) {
		switch {
		case p < len(patterns) && patterns[p] == "**":
			star, from = p, n
			p++
		case p < len(patterns) && segmentFits(patterns[p], names[n]):
			p, n = p+1, n+1
		case star >= 0: // let "**" match one more folder
			from++
			p, n = star+1, from
		default:
			return false
		}
	}
	for p < len(patterns) && patterns[p] == "**" {
		p++
	}
	return p == len(patterns)
}

func segmentFits(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
