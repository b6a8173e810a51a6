package record

import (
	"strings"
	"time"
)

// MomentForm is the format of moments: ISO 8601 with milliseconds, UTC.
const MomentForm = "2006-01-02T15:04:05.000Z"

// MomentText returns a moment in the form of the record.
func MomentText(t time.Time) string { return t.UTC().Format(MomentForm) }

// parseMoment reads a moment: ISO 8601 with or without time and zone, and with T or a blank before
// the time. Without a zone it is UTC (4.2).
func parseMoment(text string) (time.Time, bool) {
	if len(text) < len("2006-01-02") || len(text) > 64 {
		return time.Time{}, false
	}
	day, clock := text[:len("2006-01-02")], text[len("2006-01-02"):]
	if clock == "" {
		t, err := time.Parse("2006-01-02", day)
		return t, err == nil
	}
	if !strings.Contains("Tt ", clock[:1]) {
		return time.Time{}, false
	}
	clock, zone := cutZone(clock[1:])
	for _, form := range [...]string{"15:04:05", "15:04"} {
		if t, err := time.Parse("2006-01-02T"+form+zoneForm(zone), day+"T"+clock+zone); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// cutZone separates the zone, which begins with a letter or a sign, from a time of day.
func cutZone(clock string) (rest, zone string) {
	if at := strings.IndexAny(clock, "Zz+-"); at >= 0 {
		return clock[:at], strings.ToUpper(clock[at:])
	}
	return clock, ""
}

// zoneForm returns the layout of a zone.
func zoneForm(zone string) string {
	switch len(zone) {
	case 0:
		return ""
	case 1:
		return "Z07:00"
	case len("+01"):
		return "-07"
	case len("+0100"):
		return "-0700"
	}
	return "-07:00"
}
