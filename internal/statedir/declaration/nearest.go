package declaration

import (
	"math/bits"
	"strings"

	"baton/internal/report"
	"baton/internal/statedir"
)

// Nearest returns the allowed name that a name was probably meant to be, or "" if there is none
// (5.7): the name repaired, if that is allowed; else what a pattern makes of it; else the canonical
// name that the fewest letters lie away, at most a third of its own, of several the one that is
// declared first; else the allowed name with another ending. A name that ends in "/" is that of a
// folder and gets one. The work does not grow with the length of the name beyond reading it once.
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

// nearestFolder is Nearest for folders, without and with the slash.
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

// repair repairs what people and agents do to names without meaning it: capitals, blanks,
// underlines and other marks where hyphens belong, two hyphens in a row, longer endings of Markdown
// files. No byte counts as part of a letter beyond ASCII.
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

// variant returns the name that a pattern allows once its ending, or what the pattern's names begin
// with, is put right; "" for none. Both are put right at once when neither is enough.
func (c *Contract) variant(name string) string {
	ended := ending(name)
	if ended != name && firstMatch(c.patterns, ended) != nil && c.rows[ended] == nil {
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

// ending replaces the ending of a text file by the one that the contract's text files have, and
// that of a data file in the same way. A name without an ending gets that of a text file.
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

// withBeginning replaces what a name begins with, up to a hyphen, by what the names of a pattern
// begin with, when that is nearly the same.
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

// swapped reports whether two words differ by two neighbours that changed places.
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

// closest returns the canonical name of a type that is the fewest letters away, at most a third of
// its length.
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

// withoutEnds cuts off what two words begin and end with alike, which changes nothing in their
// distance.
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

// letterCount holds which letters a name has at least once, twice, and three times: one bit for
// each byte that a repaired name can hold, and one for all others.
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

// tooFar is a cheap test of whether two names are more than most letters apart: one of them has
// more letters that the other lacks. It spares almost every comparison in a folder of thousands of
// unknown names.
func (l letterCount) tooFar(other letterCount, most int) bool {
	surplus, missing := 0, 0
	for i := range l {
		surplus += bits.OnesCount64(l[i] &^ other[i])
		missing += bits.OnesCount64(other[i] &^ l[i])
	}
	return surplus > most || missing > most
}
