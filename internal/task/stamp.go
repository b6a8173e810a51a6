package task

import (
	"strings"
	"time"
)

// FormatStamp returns a stamp as session headings and footers have it: local date and time from one
// clock (TS-D8).
func FormatStamp(t time.Time, loc *time.Location) string {
	return t.In(loc).Format("2006-01-02 15:04")
}

// JSONStamp returns a stamp as JSON has it: RFC 3339 in UTC with Z (TS-D8).
func JSONStamp(t time.Time) string {
	return t.UTC().Format("2006-01-02T15:04:05Z")
}

// ParseStamp reads the stamps of 5.3 rule 7: "YYYY-MM-DD HH:MM", with seconds, with "T", with a
// zone, or a date alone (hasTime is false, and t is midnight). A stamp without a zone is read in
// loc. ok is false for all other texts.
func ParseStamp(text string, loc *time.Location) (t time.Time, hasTime, ok bool) {
	scan, rest, ok := scanStamp(strings.TrimSpace(text))
	if !ok || rest != "" {
		return time.Time{}, false, false
	}
	if scan.zoned {
		return scan.time, scan.clock, true
	}
	return InZone(scan.time, loc), scan.clock, true
}

// At returns the session's time as an instant. A stamp without a zone is read as wall clock time in
// loc.
func (s Session) At(loc *time.Location) time.Time {
	if s.Zoned || !s.HasTime {
		return s.Time
	}
	return InZone(s.Time, loc)
}

// InZone returns the time at which a clock in another zone shows the same date and time.
func InZone(t time.Time, loc *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), loc)
}

// scanned is a stamp at the start of a text.
type scanned struct {
	time  time.Time
	clock bool // hours and minutes are given
	zoned bool // a zone is given
}

// scanStamp reads a stamp at the start of text and returns the rest.
func scanStamp(text string) (found scanned, rest string, ok bool) {
	year, rest, ok1 := digits(text, 4, '-')
	month, rest, ok2 := digits(rest, 2, '-')
	day, rest, ok3 := digits(rest, 2, 0)
	if !ok1 || !ok2 || !ok3 || month < 1 || month > 12 || day < 1 || day > daysOf(year, month) {
		return scanned{}, text, false
	}
	if found, rest, ok := scanClock(year, time.Month(month), day, rest); ok {
		return found, rest, true
	}
	found.time = time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return found, rest, true
}

// daysOf returns the number of days of a month. It avoids package time, because it runs for every
// session of a file.
func daysOf(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// scanClock reads the time of day after a date and what may follow it. ok is false if there is
// none.
func scanClock(year int, month time.Month, day int, text string) (found scanned, rest string, ok bool) {
	if text == "" || text[0] != ' ' && text[0] != '\t' && text[0] != 'T' && text[0] != 't' {
		return scanned{}, text, false
	}
	hour, after, ok1 := digits(strings.TrimLeft(text[1:], " \t"), 2, ':')
	minute, after, ok2 := digits(after, 2, 0)
	if !ok1 || !ok2 || hour > 23 || minute > 59 {
		return scanned{}, text, false
	}
	second := 0
	if strings.HasPrefix(after, ":") {
		if n, more, ok := digits(after[1:], 2, 0); ok && n <= 60 {
			second, after = n, skipFraction(more)
		}
	}
	found.clock = true
	offset, after, zoned := scanZone(after)
	found.zoned = zoned
	found.time = time.Date(year, month, day, hour, minute, second, 0,
		time.UTC).Add(-time.Duration(offset) * time.Minute)
	return found, after, true
}

// digits reads exactly n digits and the byte behind after them; 0 means that no byte is required.
func digits(text string, n int, behind byte) (value int, rest string, ok bool) {
	if len(text) < n {
		return 0, text, false
	}
	for i := range n {
		if text[i] < '0' || text[i] > '9' {
			return 0, text, false
		}
		value = value*10 + int(text[i]-'0')
	}
	rest = text[n:]
	if behind == 0 {
		return value, rest, true
	}
	if rest == "" || rest[0] != behind {
		return 0, text, false
	}
	return value, rest[1:], true
}

func skipFraction(text string) string {
	if len(text) < 2 || text[0] != '.' && text[0] != ',' || text[1] < '0' || text[1] > '9' {
		return text
	}
	n := 1
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return text[n:]
}

// scanZone reads "Z", "UTC", "GMT", "+02:00", "+0200" or "+02", with or without a blank before it,
// and returns minutes east of UTC.
func scanZone(text string) (minutes int, rest string, ok bool) {
	trimmed := strings.TrimLeft(text, " \t")
	for _, name := range [...]string{"UTC", "GMT", "Z", "z"} {
		if after, found := strings.CutPrefix(trimmed, name); found && (after == "" || !IDByte(after[0])) {
			return 0, after, true
		}
	}
	if trimmed == "" || trimmed[0] != '+' && trimmed[0] != '-' {
		return 0, text, false
	}
	hours, after, found := digits(trimmed[1:], 2, 0)
	if !found || hours > 14 {
		return 0, text, false
	}
	minutes = hours * 60
	if m, more, found := digits(strings.TrimPrefix(after, ":"), 2, 0); found && m < 60 {
		minutes, after = minutes+m, more
	}
	if trimmed[0] == '-' {
		minutes = -minutes
	}
	return minutes, after, true
}
