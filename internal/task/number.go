package task

import (
	"strconv"
	"strings"
)

// maxNumber is the highest number after which sessions are counted on. A heading with a higher
// number counts as a session without one, so that a typing error does not decide the numbers of all
// later sessions.
const maxNumber = 999_999_999

// NextNumber returns the number of the next session (D44). It is one more than the highest number
// among the live sessions, the range of the archived summary, the "Sessions archived:" lines in the
// tail of the archive, and known, which is the higher one of CountedBefore and what the ledger
// knows, so that a number is not given out again after sessions were wiped. Entries of
// style D have no number; they are counted from the last archived one. If no higher number is
// possible, NextNumber returns the lowest that no live session has.
func (s *State) NextNumber(archiveTail []byte, known int) int {
	next := max(s.LastNumber(archiveTail), known)
	used := make(map[int]bool, len(s.Sessions))
	for _, n := range s.Numbers(archiveTail) {
		next = max(next, n)
		used[n] = true
	}
	if next < maxNumber {
		return next + 1
	}
	for next = 1; used[next]; {
		next++
	}
	return next
}

// CountedBefore returns total_sessions if the metadata counts more sessions than there are, because
// some were wiped. Otherwise it returns 0, so that a session that is in the file and in its archive
// makes no gap in the numbers.
func (s *State) CountedBefore() int {
	if s.Meta.Total > s.TotalSessions() {
		return s.Meta.Total
	}
	return 0
}

const noteMark = " (was session "

// Note returns the note of an old number, " (was session 1)". A session that got another number has
// it at the end of its heading (D44). It is not part of the entry, so the ledger still knows it.
func Note(label string) string { return noteMark + label + ")" }

// CutNote separates the text of a heading from the note of an old number at its end. note is "" if
// there is none.
func CutNote(heading string) (rest, note string) {
	at := strings.LastIndex(heading, noteMark)
	if at <= 0 || !strings.HasSuffix(heading, ")") {
		return heading, ""
	}
	label := heading[at+len(noteMark) : len(heading)-1]
	if label == "" || strings.Trim(strings.ToLower(label), "0123456789abcdefghijklmnopqrstuvwxyz") != "" {
		return heading, ""
	}
	return heading[:at], heading[at:]
}

// FirstNumber returns the number that a session had before it got another one, or the one it has.
func (s Session) FirstNumber() int {
	if s.Note == "" {
		return s.Number
	}
	n, _ := strconv.Atoi(s.Note[len(noteMark) : len(s.Note)-1])
	return n
}

// LastNumber returns the highest number of an archived session, according to the file and the tail
// of the archive.
func (s *State) LastNumber(archiveTail []byte) int {
	return max(s.rangeEnd, LastArchived(archiveTail))
}

// Numbers returns the numbers of the live sessions in file order, or 0 for a heading without a
// valid number. Bullets have no number of their own. They are counted from the last archived
// session and from the session before them, skipping numbers that headings have, so that a bullet
// never shares its number with another session (D7).
func (s *State) Numbers(archiveTail []byte) []int {
	return numbersFrom(s.Sessions, s.LastNumber(archiveTail))
}

// numbersFrom returns the numbers of sessions. base is the number of the last archived one.
func numbersFrom(sessions []Session, base int) []int {
	written := map[int]bool{}
	for _, session := range sessions {
		if session.Number > 0 {
			written[session.Number] = true
		}
	}
	numbers := make([]int, len(sessions))
	last := base
	for i, session := range sessions {
		numbers[i] = session.Number
		if session.Style == StyleD && session.Number == 0 {
			for last++; written[last]; {
				last++
			}
			numbers[i] = last
		}
		last = max(last, numbers[i])
	}
	return numbers
}
