package gsd

import (
	"bytes"
	"cmp"
	"strings"

	"baton/internal/markdown"
)

// Seed is what the parser of the original status line obtains from a digest (gsd.md 1.10). That parser knows no YAML;
// what it reads is what every reader of the file has to read (N2). "" and nil mean that it obtained nothing, which is
// also what null means there.
type Seed struct {
	Status        string // raw text
	Milestone     string
	MilestoneName string
	ActivePhase   string
	NextAction    string
	NextPhases    []string

	CompletedPhases string // digits
	TotalPhases     string // digits
	Percent         string // digits

	Phase      string // digits of the body's first line "Phase: n of m (name)"
	PhaseTotal string // digits
	PhaseName  string

	BodyStatus string // planning, executing or complete after the body's first Status line; only without a Status

	Front markdown.Span // what stands between the marks of the front matter, empty without one

	// NeedsMore tells that something which the status line needs may stand behind the bytes that were given (D23). It means
	// nothing when they were the whole file.
	NeedsMore bool

	looked bool // the body's first Status line is there, whatever it says
}

// StatusText is the status that the status line shows: the front matter's, else the word for the body's.
func (s *Seed) StatusText() string {
	if s.Status != "" {
		return s.Status
	}
	return s.BodyStatus
}

// ReadSeed reads the beginning of a digest, or all of it, as the seed's parser does. A byte-order mark is passed over
// (N2). A trailing comment does not belong to a value, the one place where YAML is believed instead (N2).
func ReadSeed(src []byte) Seed {
	var s Seed
	body := len(src) - len(bytes.TrimPrefix(src, []byte("\ufeff")))
	front, opened := seedFront(src[body:])
	switch {
	case opened && front.End < 0: // the end of the block is not in these bytes, or nowhere
		s.NeedsMore = true
	case opened:
		s.Front = markdown.Span{Start: body + front.Start, End: body + front.End}
		s.readFront(s.Front.Of(src))
		body = s.Front.End + 1 // at the closing mark, which is neither a Phase nor a Status line
	}
	s.readBody(src[body:])
	s.NeedsMore = s.NeedsMore || s.Status == "" && !s.looked || s.Phase == "" && s.fourth()
	return s
}

// fourth tells whether none of the first three scenes applies, so that the body's Phase line is shown (N10).
func (s *Seed) fourth() bool {
	switch {
	case s.ActivePhase != "", s.NextAction != "" && len(s.NextPhases) > 0:
		return false
	}
	return !s.Complete()
}

// Complete is the trigger of scene 3: the percentage is 100, or all of at least one phase are completed (GSD-D14).
func (s *Seed) Complete() bool {
	if Number(s.Percent) == 100 {
		return true
	}
	total := Number(s.TotalPhases)
	return total > 0 && Number(s.CompletedPhases) == total
}

// Number reads the leading digits of a text, -1 without any (N2). What is beyond a billion counts as a billion.
func Number(text string) int {
	n, digits := 0, 0
	for ; digits < len(text) && isDigit(text[digits]); digits++ {
		n = min(n*10+int(text[digits]-'0'), 1_000_000_000)
	}
	if digits == 0 {
		return -1
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// seedFront finds the block between "---" at the first byte and the next line that begins with "---", which is the
// third line at the earliest. End is -1 when no such line is in src.
func seedFront(src []byte) (span markdown.Span, opened bool) {
	rest, ok := bytes.CutPrefix(src, []byte("---"))
	rest = bytes.TrimPrefix(rest, []byte("\r"))
	if !ok || len(rest) == 0 || rest[0] != '\n' {
		return markdown.Span{}, false
	}
	start := len(src) - len(rest) + 1
	end := bytes.Index(src[start:], []byte("\n---"))
	if end < 0 {
		return markdown.Span{Start: start, End: -1}, true
	}
	return markdown.Span{Start: start, End: start + end}, true
}

// readFront takes the lines "word: value" that are not indented; of a key that stands twice the last value counts.
func (s *Seed) readFront(block []byte) {
	for rest := block; len(rest) > 0; {
		var line []byte
		line, rest = seedLine(rest)
		key, value, ok := seedPair(line)
		if !ok {
			continue
		}
		switch key {
		case "status":
			s.Status = seedValue(value)
		case "milestone":
			s.Milestone = seedValue(value)
		case "milestone_name":
			s.MilestoneName = seedValue(value)
		case "active_phase":
			s.ActivePhase = seedValue(value)
		case "next_action":
			s.NextAction = seedValue(value)
		case "next_phases":
			if s.NextPhases == nil {
				s.NextPhases = seedList(value, rest)
			}
		case "progress":
			if len(bytes.TrimSpace(value)) == 0 && s.Percent == "" && s.TotalPhases == "" && s.CompletedPhases == "" {
				s.readProgress(rest)
			}
		}
	}
}

// readProgress takes the indented lines that follow "progress:" at once; the first line of another shape ends it.
func (s *Seed) readProgress(rest []byte) {
	for len(rest) > 0 {
		var line []byte
		line, rest = seedLine(rest)
		inner := bytes.TrimLeft(line, " \t")
		key, value, ok := seedPair(inner)
		if !ok || len(inner) == len(line) {
			return
		}
		value = bytes.TrimSpace(value)
		n := 0
		for n < len(value) && isDigit(value[n]) {
			n++
		}
		switch key {
		case "percent":
			s.Percent = cmp.Or(s.Percent, string(value[:n]))
		case "total_phases":
			s.TotalPhases = cmp.Or(s.TotalPhases, string(value[:n]))
		case "completed_phases":
			s.CompletedPhases = cmp.Or(s.CompletedPhases, string(value[:n]))
		}
	}
}

// readBody looks for the first Phase line that is complete and, without a status, for the first Status line.
func (s *Seed) readBody(body []byte) {
	for pos := 0; pos < len(body); {
		rest := body[pos:]
		// Of a long file only the lines that begin with P or S are looked at.
		switch rest[0] {
		case 'P':
			if s.Phase == "" && bytes.HasPrefix(rest, []byte("Phase:")) {
				line, _ := seedLine(rest)
				s.readPhase(line[len("Phase:"):])
			}
		case 'S':
			if s.Status == "" && !s.looked && bytes.HasPrefix(rest, []byte("Status:")) {
				line, _ := seedLine(rest)
				s.readStatus(line[len("Status:"):])
			}
		}
		if s.Phase != "" && (s.Status != "" || s.looked) {
			return
		}
		next := bytes.IndexByte(rest, '\n')
		if next < 0 {
			return
		}
		pos += next + 1
	}
}

// readPhase reads "n of m (name)": whole numbers only, the name only in parentheses.
func (s *Seed) readPhase(line []byte) {
	number, rest := seedDigits(bytes.TrimLeft(line, " \t"))
	word := bytes.TrimLeft(rest, " \t")
	if number == "" || len(word) == len(rest) || !bytes.HasPrefix(word, []byte("of")) {
		return
	}
	rest = word[len("of"):]
	total := bytes.TrimLeft(rest, " \t")
	if len(total) == len(rest) {
		return
	}
	count, rest := seedDigits(total)
	if count == "" {
		return
	}
	s.Phase, s.PhaseTotal = number, count
	name := bytes.TrimLeft(rest, " \t")
	if len(name) == len(rest) || len(name) == 0 || name[0] != '(' {
		return
	}
	if end := bytes.IndexByte(name, ')'); end > 1 {
		s.PhaseName = string(name[1:end])
	}
}

func (s *Seed) readStatus(line []byte) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	s.looked = true
	text := strings.ToLower(string(line))
	switch {
	case strings.Contains(text, "ready to plan"), strings.Contains(text, "planning"):
		s.BodyStatus = "planning"
	case strings.Contains(text, "execut"):
		s.BodyStatus = "executing"
	case strings.Contains(text, "complet"), strings.Contains(text, "archived"):
		s.BodyStatus = "complete"
	}
}

func seedDigits(text []byte) (digits string, rest []byte) {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return string(text[:n]), text[n:]
}

// seedLine cuts the first line off, without its terminator.
func seedLine(text []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(text, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), rest
}

// seedPair splits "word: value". A word is letters, digits and underscores.
func seedPair(line []byte) (key string, value []byte, ok bool) {
	n := 0
	for n < len(line) && (isDigit(line[n]) || line[n] == '_' || line[n]|0x20 >= 'a' && line[n]|0x20 <= 'z') {
		n++
	}
	if n == 0 || n == len(line) || line[n] != ':' {
		return "", nil, false
	}
	return string(line[:n]), line[n+1:], true
}
