package agentsession

import (
	"strconv"
	"strings"
	"time"
)

// LimitEnd returns when a limit of use ends, from what a client says about it, RFC 3339 UTC; "" if
// it does not say. Clients write "resets 3pm (Europe/Berlin)", "resets Oct 6, 1:30pm", "limit
// reached|1749924000", "try again in 20m", or a time stamp. A time of day is the next one after
// now, in the zone of now: the zone that Claude Code adds is that of the machine.
func LimitEnd(said string, now time.Time) string {
	words := strings.Fields(strings.NewReplacer("|", " | ", ",", " ", "·", " ", "∙", " ").Replace(said))
	for i, word := range words {
		word = strings.Trim(word, ".;()\"'")
		if at, err := time.Parse(time.RFC3339, word); err == nil {
			return stampOf(at)
		}
		rest := words[i+1:]
		switch strings.ToLower(strings.TrimRight(word, ":")) {
		case "|":
			if n, err := strconv.ParseInt(first(rest), 10, 64); err == nil && n > 1e9 && n < 1e11 {
				return stampOf(time.Unix(n, 0))
			}
		case "reset", "resets":
			if at, ok := clockIn(rest, now); ok {
				return stampOf(at)
			}
		case "in":
			if after, ok := lengthIn(rest); ok {
				return stampOf(now.Add(after))
			}
		}
	}
	return ""
}

func stampOf(at time.Time) string { return at.UTC().Truncate(time.Second).Format(time.RFC3339) }

func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return strings.ToLower(strings.Trim(words[0], ".;()"))
}

// clockIn reads a time of day, with or without a month and a day before it.
func clockIn(words []string, now time.Time) (time.Time, bool) {
	for first(words) == "at" || first(words) == "on" {
		words = words[1:]
	}
	year, month, day := now.Date()
	dated := false
	if len(words) > 2 {
		if d, err := time.Parse("Jan 2", title(words[0])+" "+first(words[1:])); err == nil {
			month, day, dated, words = d.Month(), d.Day(), true, words[2:]
		}
	}
	if first(words) == "at" {
		words = words[1:]
	}
	word := first(words)
	if next := first(words[min(len(words), 1):]); next == "am" || next == "pm" {
		word += next
	}
	for _, form := range [...]string{"3pm", "3:04pm", "15:04"} {
		clock, err := time.Parse(form, word)
		if err != nil {
			continue
		}
		at := time.Date(year, month, day, clock.Hour(), clock.Minute(), 0, 0, now.Location())
		switch {
		case at.After(now):
		case dated:
			at = at.AddDate(1, 0, 0)
		default:
			at = at.AddDate(0, 0, 1)
		}
		return at, true
	}
	return time.Time{}, false
}

// title returns the first three letters of a month's name as time.Parse expects them.
func title(month string) string {
	month = month[:min(len(month), 3)]
	return strings.ToUpper(month[:min(len(month), 1)]) + strings.ToLower(month[min(len(month), 1):])
}

// mostLimit is the longest limit that is believed.
const mostLimit = 31 * 24 * time.Hour

// lengthIn reads a length of time such as "20s", "1h30m" or "5 minutes".
func lengthIn(words []string) (time.Duration, bool) {
	word := first(words)
	if d, err := time.ParseDuration(word); err == nil {
		return d, d > 0 && d <= mostLimit
	}
	n, err := strconv.Atoi(word)
	unit := strings.TrimSuffix(first(words[min(len(words), 1):]), "s")
	one := map[string]time.Duration{
		"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour,
	}[unit]
	if err != nil || n <= 0 || n > 1<<20 || one == 0 {
		return 0, false
	}
	d := time.Duration(n) * one
	return d, d > 0 && d <= mostLimit
}
