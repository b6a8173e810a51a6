package gsd

import (
	"strconv"
	"strings"

	"baton/internal/digest/gsd/template"
	"baton/internal/markdown"
)

// velocity recomputes the totals and the trend (D39) if a program computed the present ones: the
// section has the template's shape, and its total equals the previous number of rows. Anything else
// was written by a person, and stays.
func (e *editor) velocity(before int) {
	if e.err != nil {
		return
	}
	total, ok := e.d.bulletValue("Total plans completed")
	text := string(total.Of(e.d.src))
	if !ok || !(digitsOnly(text) && Number(text) == before || template.Unfilled(text) || text == "-") {
		return
	}
	rows := e.d.metrics()
	e.bullet("Total plans completed", strconv.Itoa(len(rows)))
	minutes := make([]float64, 0, len(rows))
	last := make([]string, 0, 5)
	sum := 0.0
	for i, r := range rows {
		if i >= len(rows)-5 {
			last = append(last, r.duration)
		}
		if m, ok := minutesOf(r.duration); ok {
			minutes = append(minutes, m)
			sum += m
		}
	}
	e.bullet("Last 5 plans", strings.Join(last, ", "))
	if len(minutes) < len(rows) {
		return // a duration in words has no average
	}
	e.bullet("Average duration", strconv.FormatFloat(sum/float64(len(rows)), 'f', 1, 64)+" min")
	e.bullet("Total execution time", strconv.FormatFloat(sum/60, 'f', 1, 64)+" hours")
	e.bullet("Trend", trend(minutes))
}

// bulletValue finds "- Label: value" in Performance Metrics.
func (d *Doc) bulletValue(label string) (markdown.Span, bool) {
	i := d.titled(1, 6, "Performance Metrics")
	if i < 0 {
		return markdown.Span{}, false
	}
	for _, it := range d.md.ListItems(d.local(d.titles[i].full)) {
		text := it.Text.Of(d.md.Bytes())
		colon := strings.IndexByte(string(text), ':')
		if colon < 0 || !strings.EqualFold(strings.Trim(string(text[:colon]), "* "), label) {
			continue
		}
		span := d.move(markdown.Span{Start: it.Text.Start + colon + 1, End: it.Text.End})
		for span.Start < span.End && isBlank(d.src[span.Start]) {
			span.Start++
		}
		return span, true
	}
	return markdown.Span{}, false
}

// bullet writes a computed value.
func (e *editor) bullet(label, value string) {
	span, ok := e.d.bulletValue(label)
	if !ok || e.err != nil {
		return
	}
	old := string(span.Of(e.d.src))
	if old == value {
		return
	}
	text := value
	if span.Start > 0 && e.d.src[span.Start-1] == ':' {
		text = " " + text
	}
	e.splice(markdown.Edit{Span: span, Text: []byte(text)})
	e.changedField(label, old, value)
}

// minutesOf reads a duration such as "5min", "1h 20m" or "45 s". A bare number without a unit is
// not a duration.
func minutesOf(text string) (minutes float64, ok bool) {
	rest := strings.TrimLeft(strings.ToLower(strings.TrimSpace(text)), "~")
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimLeft(rest, " ,") {
		n := 0
		for n < len(rest) && (isDigit(rest[n]) || rest[n] == '.') {
			n++
		}
		value, err := strconv.ParseFloat(rest[:n], 64)
		if err != nil {
			return 0, false
		}
		rest = strings.TrimLeft(rest[n:], " ")
		n = 0
		for n < len(rest) && rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z' {
			n++
		}
		switch rest[:n] {
		case "s", "sec", "secs", "second", "seconds":
			value /= 60
		case "m", "min", "mins", "minute", "minutes":
		case "h", "hr", "hrs", "hour", "hours":
			value *= 60
		default:
			return 0, false
		}
		minutes, ok = minutes+value, true
		rest = rest[n:]
	}
	return minutes, ok
}

// trend compares the mean of the last plans, at most five, with that of as many plans before them.
// A difference of up to a tenth does not count as a change.
func trend(minutes []float64) string {
	n := min(5, len(minutes)/2)
	if n == 0 {
		return "-"
	}
	mean := func(part []float64) (sum float64) {
		for _, m := range part {
			sum += m
		}
		return sum / float64(len(part))
	}
	now, then := mean(minutes[len(minutes)-n:]), mean(minutes[len(minutes)-2*n:len(minutes)-n])
	switch {
	case now < then*0.9:
		return "Improving"
	case now > then*1.1:
		return "Degrading"
	}
	return "Stable"
}
