package gsd

import (
	"bytes"
	"cmp"
	"strings"

	"baton/internal/frontmatter"
	"baton/internal/markdown"
)

// Head is what the parser of the original status line reads from a digest (gsd.md 1.10). That
// parser knows no YAML, and every reader of the file has to agree with it (N2). "" and nil mean
// that it found no value or null.
type Head struct {
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

	CurrentPhase string // of the front matter
	Running      bool   // the body's first Status line says that a stage runs, and the status agrees (D46)

	BodyStatus string // planning, executing or complete after the body's first Status line; only where it matters

	Front markdown.Span // what is between the marks of the front matter, empty without one

	// NeedsMore reports whether bytes after the given ones could still matter to the status line
	// (D23). Ignore it if the whole file was given.
	NeedsMore bool

	begun  bool // the first line is known
	open   bool // the front matter begins, but does not end in the bytes so far
	looked bool // the body's first Status line was found, whatever it says
	at     int  // where reading the body continues: the start of a line
	loose  bool // the line at this place has no end yet, but a value was taken from it
}

// StatusText is the status that the status line shows: the one of the front matter, or else the
// word for the one of the body.
func (s *Head) StatusText() string {
	if s.Status != "" && (s.BodyStatus == "" || !strings.EqualFold(s.Status, statusUnknown)) {
		return s.Status
	}
	return s.BodyStatus
}

// Active returns the active phase, or "" if it is not true any more (D46).
func (s *Head) Active() string {
	if staleActive(s.ActivePhase, s.CurrentPhase) {
		return ""
	}
	return s.ActivePhase
}

// Next reports whether there is a next step that is still true (D46).
func (s *Head) Next() bool { return s.NextAction != "" && len(s.NextPhases) > 0 && !s.Running }

// wantsStatus reports whether the body's Status line matters.
func (s *Head) wantsStatus() bool {
	return s.Status == "" || s.NextAction != "" || strings.EqualFold(s.Status, statusUnknown)
}

// ReadHead reads the beginning of a digest, or all of it, as the original parser does. It skips a
// byte-order mark and leaves trailing comments out of values; the latter is the only case in which
// it follows YAML instead (N2).
func ReadHead(src []byte) Head {
	var s Head
	s.ReadOn(src)
	return s
}

// ReadOn continues with a longer beginning of the same digest, and does not read the earlier bytes
// again.
func (s *Head) ReadOn(src []byte) {
	mark := len(src) - len(bytes.TrimPrefix(src, []byte("\ufeff")))
	if !s.begun {
		line, _ := markdown.LineAt(src, mark)
		begun := bytes.IndexByte(src, '\n') >= 0
		*s = Head{begun: begun, open: begun && string(line) == frontmatter.Mark, at: mark}
	}
	if s.loose {
		s.forget(src)
	}
	if s.open {
		if end, _, ok := frontmatter.LooseEnd(src, s.at); ok {
			s.open = false
			s.Phase, s.PhaseTotal, s.PhaseName, s.BodyStatus, s.looked, s.Running = "", "", "", "", false, false
			s.Front = markdown.Span{Start: mark + bytes.IndexByte(src[mark:], '\n') + 1, End: end - 1}
			s.readFront(s.Front.Of(src))
			s.at = end // the closing mark is neither a Phase nor a Status line
		}
	}
	s.readBody(src)
	s.NeedsMore = !s.begun || s.open || s.loose || s.lacking()
}

// forget discards the value taken from the last line before its end was known.
func (s *Head) forget(src []byte) {
	s.loose = false
	if src[s.at] == 'P' {
		s.Phase, s.PhaseTotal, s.PhaseName = "", "", ""
	} else {
		s.BodyStatus, s.looked, s.Running = "", false, false
	}
}

// lacking reports whether the body must be searched further: for a status, or for the Phase line of
// the fourth scene (D23).
func (s *Head) lacking() bool {
	return s.wantsStatus() && !s.looked || s.Phase == "" && s.fourth()
}

// fourth reports whether none of the first three scenes applies, so that the body's Phase line is
// shown (N10).
func (s *Head) fourth() bool {
	return s.Active() == "" && !s.Next() && !s.Complete()
}

// Complete reports whether scene 3 applies: the percentage is 100, or there is at least one phase
// and all are completed (GSD-D14).
func (s *Head) Complete() bool {
	if Number(s.Percent) == 100 {
		return true
	}
	total := Number(s.TotalPhases)
	return total > 0 && Number(s.CompletedPhases) == total
}

// Number returns the number formed by the leading digits of a text, or -1 if there are none (N2).
// It is capped at a billion.
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

// readFront reads the lines "word: value" that are not indented. If a key occurs twice, the last
// value wins.
func (s *Head) readFront(block []byte) {
	flow, counted := false, false
	for rest := block; len(rest) > 0; {
		var line []byte
		line, rest = headLine(rest)
		key, value, ok := headPair(line)
		if !ok {
			continue
		}
		switch key {
		case "status":
			s.Status = headValue(value)
		case "milestone":
			s.Milestone = headValue(value)
		case "milestone_name":
			s.MilestoneName = headValue(value)
		case "active_phase":
			s.ActivePhase = headValue(value)
		case "current_phase":
			s.CurrentPhase = headValue(value)
		case "next_action":
			s.NextAction = headValue(value)
		case "next_phases":
			items, inFlow := headList(value, rest)
			if inFlow && !flow || !flow && s.NextPhases == nil { // the first flow list, or else the first block list
				s.NextPhases = items
			}
			flow = flow || inFlow
		case "progress":
			if len(bytes.TrimSpace(value)) == 0 && !counted {
				counted = s.readProgress(rest)
			}
		}
	}
}

// readProgress reads the indented lines directly after "progress:" up to the first line of another
// shape. It reports whether there was such a line.
func (s *Head) readProgress(rest []byte) (found bool) {
	for len(rest) > 0 {
		var line []byte
		line, rest = headLine(rest)
		inner := bytes.TrimLeft(line, " \t")
		key, value, ok := headPair(inner)
		if !ok || len(inner) == len(line) {
			return found
		}
		found = true
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
	return found
}

// readBody looks for the first complete Phase line and, if there is no status, for the first Status
// line. It starts at s.at and leaves s.at at the start of a last line that has no end.
func (s *Head) readBody(src []byte) {
	for s.at < len(src) {
		rest := src[s.at:]
		end := bytes.IndexByte(rest, '\n')
		found := false
		// Only lines that begin with P or S are looked at, because the file may be long.
		switch {
		case rest[0] == 'P' && s.Phase == "" && bytes.HasPrefix(rest, []byte("Phase:")):
			line, _ := headLine(rest)
			s.readPhase(line[len("Phase:"):])
			found = s.Phase != ""
		case rest[0] == 'S' && s.wantsStatus() && !s.looked && bytes.HasPrefix(rest, []byte("Status:")):
			line, _ := headLine(rest)
			s.readStatus(line[len("Status:"):])
			found = s.looked
		}
		if end < 0 {
			s.loose = found
			return
		}
		s.at += end + 1
		if s.Phase != "" && (!s.wantsStatus() || s.looked) {
			return
		}
	}
}

// readPhase reads "n of m (name)". The numbers must be whole, and the name must be in parentheses.
func (s *Head) readPhase(line []byte) {
	number, rest := headDigits(bytes.TrimLeft(line, " \t"))
	word := bytes.TrimLeft(rest, " \t")
	if number == "" || len(word) == len(rest) || !bytes.HasPrefix(word, []byte("of")) {
		return
	}
	rest = word[len("of"):]
	total := bytes.TrimLeft(rest, " \t")
	if len(total) == len(rest) {
		return
	}
	count, rest := headDigits(total)
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

func (s *Head) readStatus(line []byte) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	s.looked = true
	s.Running = running(string(line)) != "" && Canonical(string(line), false) == Canonical(s.Status, false)
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

func headDigits(text []byte) (digits string, rest []byte) {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return string(text[:n]), text[n:]
}

// headLine splits off the first line, without its terminator.
func headLine(text []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(text, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), rest
}

// headPair splits "word: value". A word is letters, digits and underscores.
func headPair(line []byte) (key string, value []byte, ok bool) {
	n := 0
	for n < len(line) && (isDigit(line[n]) || line[n] == '_' || line[n]|0x20 >= 'a' && line[n]|0x20 <= 'z') {
		n++
	}
	if n == 0 || n == len(line) || line[n] != ':' {
		return "", nil, false
	}
	return string(line[:n]), line[n+1:], true
}
