package statusline

import (
	"fmt"
	"math"
	"strconv"
)

// Scale is what counts as 100 % of the context window.
type Scale string

// The scales. The zero value means the default of the layout: usable with a GSD digest or without a
// project, otherwise real.
const (
	ScaleReal   Scale = "real"   // the window itself
	ScaleUsable Scale = "usable" // the part that can be used before the agent compacts
)

// defaultBuffer is the percentage of the window that an agent reserves for compaction. defaultTotal
// is the window from which it is computed if the agent does not state one (gsd.md 1.10).
const (
	defaultBuffer = 16.5
	defaultTotal  = 1_000_000
)

// used returns how full the context window is, from 0 to 100. ok is false if that is unknown.
func used(in Input, f Facts, o Options) (percent int, ok bool) {
	if in.Remaining == nil || math.IsNaN(*in.Remaining) {
		return 0, false
	}
	remaining := *in.Remaining
	scaled := f.scaled()
	if o.Scale != "" {
		scaled = o.Scale == ScaleUsable
	}
	switch {
	case !scaled:
		return clamp(100 - round(remaining)), true
	case f.Digest == Specflow: // the tool of this layout counts 80 % as full (specflow.md 5.14)
		return clamp(round((100 - remaining) / 0.8)), true
	}
	buffer := defaultBuffer
	if o.AutoCompact > 0 {
		total := float64(in.Total)
		if total == 0 {
			total = defaultTotal
		}
		buffer = max(0, min(100, (1-float64(o.AutoCompact)/total)*100))
	}
	if buffer >= 100 {
		return 100, true
	}
	return clamp(round(100 - max(0, (remaining-buffer)/(100-buffer)*100))), true
}

// round returns the nearest whole number; halves are rounded up.
func round(f float64) int {
	return int(math.Floor(max(-1e6, min(1e6, f)) + 0.5))
}

func clamp(n int) int { return max(0, min(100, n)) }

// meter returns the bar, the percentage and, if wanted, the tokens of the context window, and the
// colour for its fill level.
func meter(in Input, f Facts, o Options, m marks) (text, color string) {
	n, ok := used(in, f, o)
	if !ok {
		return "", ""
	}
	text = m.cells(n) + " " + strconv.Itoa(n) + "%"
	if o.Tokens {
		text += tokenText(in.Tokens)
	}
	switch {
	case n < 50:
		return text, green
	case n < 65:
		return text, yellow
	case n < 80:
		return text, orange
	}
	return m.skull + text, alarm
}

// tokenText returns a number of tokens with about three digits, or "" for none (gsd.md 1.10).
func tokenText(n int) string {
	switch {
	case n <= 0:
		return ""
	case n < 1000:
		return fmt.Sprintf(" (%d)", n)
	case n < 999_500:
		return fmt.Sprintf(" (%dk)", (n+500)/1000)
	}
	return fmt.Sprintf(" (%.1fM)", float64(n)/1e6)
}
