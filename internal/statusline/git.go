package statusline

import (
	"strconv"
	"strings"
)

// ParseGit reads the output of git status --porcelain=v2 --branch as GSD's own line does. It
// returns nil if the output names no branch.
func ParseGit(text string) *GitStatus {
	var s GitStatus
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# branch.head "); ok {
			s.Branch = strings.TrimSpace(name)
		} else if counts, ok := strings.CutPrefix(line, "# branch.ab +"); ok {
			ahead, behind, _ := strings.Cut(counts, " -")
			s.Ahead, _ = strconv.Atoi(ahead) // a form that is not known counts as none
			s.Behind, _ = strconv.Atoi(behind)
		}
		kind, rest, _ := strings.Cut(line, " ")
		switch {
		case (kind == "1" || kind == "2") && len(rest) >= 2:
			if rest[0] != '.' {
				s.Staged++
			}
			if rest[1] != '.' {
				s.Unstaged++
			}
		case kind == "u":
			s.Unstaged++
		case kind == "?":
			s.Untracked++
		}
	}
	if s.Branch == "" {
		return nil
	}
	return &s
}

// marks returns the counts that are not zero, or a mark for a clean folder.
func (s GitStatus) marks(m marks) (out []segment) {
	for _, part := range [...]struct {
		count       int
		sign, color string
	}{
		{s.Staged, "+", green},
		{s.Unstaged, "~", yellow},
		{s.Untracked, "?", red},
		{s.Ahead, m.up, green},
		{s.Behind, m.down, red},
	} {
		if part.count > 0 {
			out = append(out, segment{text: part.sign + strconv.Itoa(part.count), color: part.color})
		}
	}
	if out == nil {
		out = []segment{{text: m.clean, color: green}}
	}
	return out
}
