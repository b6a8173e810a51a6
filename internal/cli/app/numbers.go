package app

import (
	"fmt"
	"strconv"
	"time"

	"baton/internal/safetext"
	"baton/internal/usecase/digests"
)

// EntryCount writes a number of entries: "1 entry", "1,200 entries".
func EntryCount(n int) string { return Thousands(n) + " " + safetext.Noun(n, "entry", "entries") }

// Thousands writes a number with commas.
func Thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Ordinal pads a position so that the texts of a list line up.
func Ordinal(n, of int) string {
	return fmt.Sprintf("%*d", len(strconv.Itoa(of)), n)
}

// MovedWords says how many decisions moved, where they went, and how many entries of the sections
// in rotate.sections moved.
func MovedWords(r digests.StateChange) string {
	if r.Rotation.Moved == 0 && r.Rotation.OtherMoved > 0 {
		return fmt.Sprintf("%s moved to %s", OtherEntries(r.Rotation.OtherMoved), r.Rotation.Archive)
	}
	text := fmt.Sprintf("%s moved to %s", safetext.Count(r.Rotation.Moved, "decision"), r.Rotation.Archive)
	if r.Rotation.Kept > 0 {
		text += fmt.Sprintf(", %d stay", r.Rotation.Kept)
	}
	if n := r.Rotation.OtherMoved; n > 0 {
		text += "; " + OtherEntries(n) + " moved"
	}
	return text
}

// OtherEntries counts entries that are not decisions.
func OtherEntries(n int) string {
	return safetext.CountOf(n, "entry of another section", "entries of other sections")
}

// Kilobytes writes a size as the warnings of the size policy do: 1 KB = 1,024 bytes, rounded up to
// a tenth, so that two lines never differ about one file and nothing above a limit reads as being
// at it. Less than a tenth is in bytes.
func Kilobytes(size int64) string {
	if size > 0 && size < 103 {
		return safetext.Count(int(size), "byte")
	}
	tenths := (size*10 + 1023) / 1024
	return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10) + " KB"
}

// Held says who holds a task and until when.
func (p *Page) Held(by, until string) string { return "held by " + by + " until " + p.Clock(until) }

// Clock returns a moment for people, in their time zone: only the time if it is today.
func (p *Page) Clock(stamp string) string {
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return stamp
	}
	now := p.Env.Now()
	at = at.In(now.Location())
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}
