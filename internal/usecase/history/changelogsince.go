package history

import (
	"fmt"
	"strconv"
	"time"

	"baton/internal/report"
)

// sinceMoment reads a point in time: a date, a time of today (or of yesterday if it is still to
// come), both, a full timestamp, or an age in m, h, d or w. "" is the zero time. It fails with
// Usage since_invalid.
func sinceMoment(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, form := range [...]string{
		time.RFC3339, time.DateOnly, "2006-01-02 15:04", "2006-01-02T15:04", time.DateTime,
	} {
		if at, err := time.ParseInLocation(form, text, now.Location()); err == nil {
			return at, nil
		}
	}
	if clock, err := time.Parse("15:04", text); err == nil {
		at := time.Date(now.Year(), now.Month(), now.Day(), clock.Hour(), clock.Minute(), 0, 0, now.Location())
		if at.After(now) {
			at = at.AddDate(0, 0, -1)
		}
		return at, nil
	}
	if ago, ok := longAgo(text); ok {
		return now.Add(-ago), nil
	}
	return time.Time{}, &report.Error{
		Kind: report.Usage, Code: report.CodeSinceInvalid, Message: fmt.Sprintf("%q is not a time", text),
		Hint: "give a date like 2026-03-14, a time like 14:30, or how long ago it is: 30m, 2h, 3d, 1w",
	}
}

// longAgo reads a duration that may also be in days or weeks.
func longAgo(text string) (time.Duration, bool) {
	if d, err := time.ParseDuration(text); err == nil {
		return d, d >= 0
	}
	const day = 24 * time.Hour
	unit, last := time.Duration(0), len(text)-1
	switch text[last] {
	case 'd':
		unit = day
	case 'w':
		unit = 7 * day
	}
	n, err := strconv.Atoi(text[:last])
	return time.Duration(n) * unit, err == nil && unit > 0 && n >= 0 && n <= 36500
}
