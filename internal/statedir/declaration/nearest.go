package declaration

import (
	"math/bits"
	"strings"

	"baton/internal/report"
	"baton/internal/statedir"
)

// Nearest returns the allowed name that was probably meant, or "" if there is none (5.7). It tries,
// in this order: the repaired name, if that is allowed; a name that a pattern allows after a small
// correction; the canonical name with the fewest different letters, at most a third of its length,
// of several the one that is declared first; an allowed name with another extension. A name that
// ends in "/" is a folder's, and so is the result. The work does not grow with the length of the
// name, except for reading it once.
func (c *Contract) Nearest(name string) string {
	if folder, ok := strings.CutSuffix(name, "/"); ok {
		return c.nearestFolder(folder)
	}
	fixed := repair(name)
	if c.allows(fixed) {
		return fixed
	}
	if variant := c.variant(fixed); variant != "" {
		return variant
	}
	if found := c.closest(fixed, statedir.TypeFile); found != "" {
		return found
	}
	if ended := ending(fixed); c.allows(ended) {
		return ended
	}
	return ""
}

// nearestFolder is Nearest for folders, for a name without the slash and a result with it.
func (c *Contract) nearestFolder(name string) string {
	fixed := repair(name)
	if r := c.rows[fixed]; r != nil && r.Type == statedir.TypeDir {
		return fixed + "/"
	}
	if found := c.closest(fixed, statedir.TypeDir); found != "" {
		return found + "/"
	}
	return ""
}

// allows reports whether a file may have the name.
func (c *Contract) allows(name string) bool {
	b := c.Classify(name, false, false).Bucket
	return b == statedir.Canonical || b == statedir.PatternAllowed
}

// repair fixes common variations of a name: capitals; blanks, underscores and other marks instead
// of hyphens; repeated hyphens; longer extensions of Markdown files. Bytes beyond ASCII do not
// count as letters.
func repair(name string) string {
	fixed := make([]byte, 0, len(name))
	for i := 0; i < len(name); i++ {
		b := name[i]
		switch {
		case b >= 'A' && b <= 'Z':
			b += 'a' - 'A'
		case b >= 'a' && b <= 'z', b >= '0' && b <= '9', b == '.':
		default:
			b = '-'
		}
		if b == '-' && len(fixed) > 0 && fixed[len(fixed)-1] == '-' {
			continue
		}
		fixed = append(fixed, b)
	}
	s := string(fixed)
	for _, long := range [2]string{".markdown", ".mdx"} {
		if stem, ok := strings.CutSuffix(s, long); ok {
			return stem + ".md"
		}
	}
	return s
}

// variant returns a name that a pattern allows after its extension, its beginning, or both are
// corrected, or "" if there is none.
func (c *Contract) variant(name string) string {
	ended := ending(name)
	if ended != name && c.pattern(ended) != nil && c.rows[ended] == nil {
		return ended
	}
	for i := range c.patterns {
		begin := c.patterns[i].begin
		if len(begin) < 3 || strings.HasPrefix(name, begin) {
			continue
		}
		found := withBeginning(name, begin)
		if found != "" && !c.allows(found) {
			found = ending(found)
		}
		if found != "" && c.allows(found) {
			return found
		}
	}
	return ""
}

// ending replaces the extension of a text file with the one that the contract's text files have,
// and likewise for data files. A name without an extension gets that of a text file.
func ending(name string) string {
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || len(name)-dot > 6 {
		return name + ".md"
	}
	switch name[dot:] {
	case ".txt", ".text", ".htm", ".html", ".rst", ".adoc", ".mkd", ".mdown", ".m", ".d", ".mds", ".mdd":
		return name[:dot] + ".md"
	case ".yaml", ".yml", ".jsonc", ".json5", ".jsonl", ".jso", ".jsn", ".js":
		return name[:dot] + ".json"
	}
	return name
}

// withBeginning replaces the beginning of a name, up to a hyphen, with the beginning of a pattern
// if the two are similar.
func withBeginning(name, begin string) string {
	most := len(begin) / 4
	for i := max(0, len(begin)-1-most); i < len(name) && i < len(begin)+most; i++ {
		if name[i] != '-' && (name[i] != '.' || strings.IndexByte(name[i+1:], '.') < 0) {
			continue
		}
		head := name[:i] + "-"
		if swapped(head, begin) || head[0] == begin[0] && report.Letters(head, begin, most) <= most {
			return begin + name[i+1:]
		}
	}
	return ""
}

// swapped reports whether two words differ only by two neighbouring letters that are swapped.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		}
	}
	return false
}

// closest returns the canonical name of a type with the fewest different letters, at most a third
// of its length.
func (c *Contract) closest(name, kind string) string {
	found, best := "", -1
	letters := lettersOf(name)
	for i, r := range c.order {
		most := len(r.Name) / 3
		if best >= 0 {
			most = min(most, best-1)
		}
		if r.Type != kind || most < 0 || len(name)-len(r.Name) > most || len(r.Name)-len(name) > most ||
			letters.tooFar(c.letters[i], most) {
			continue
		}
		a, b := withoutEnds(name, r.Name)
		if d := report.Letters(a, b, most); d <= most {
			found, best = r.Name, d
		}
	}
	return found
}

// withoutEnds removes the common start and end of two words, which do not affect their distance.
func withoutEnds(a, b string) (string, string) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	n = 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return a[:len(a)-n], b[:len(b)-n]
}

// letterCount records which letters a name has at least once, twice, and three times. There is one
// bit for each byte that a repaired name can have, and one for all others.
type letterCount [3]uint64

func lettersOf(name string) letterCount {
	var l letterCount
	for i := 0; i < len(name); i++ {
		bit := letterBit(name[i])
		l[2] |= l[1] & bit
		l[1] |= l[0] & bit
		l[0] |= bit
	}
	return l
}

func letterBit(b byte) uint64 {
	switch {
	case b >= 'a' && b <= 'z':
		return 1 << (b - 'a')
	case b >= '0' && b <= '9':
		return 1 << (26 + b - '0')
	case b == '.':
		return 1 << 36
	case b == '-':
		return 1 << 37
	}
	return 1 << 38
}

// tooFar is a fast test of whether two names differ by more than most letters: one of them has more
// letters that the other lacks. It avoids almost every comparison in a folder of thousands of
// unknown names.
func (l letterCount) tooFar(other letterCount, most int) bool {
	surplus, missing := 0, 0
	for i := range l {
		surplus += bits.OnesCount64(l[i] &^ other[i])
		missing += bits.OnesCount64(other[i] &^ l[i])
	}
	return surplus > most || missing > most
}
