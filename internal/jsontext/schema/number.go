package schema

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"baton/internal/frontmatter"
)

// number is a decimal number without rounding: 0.digits × 10^exp. Zero has no digits.
type number struct {
	minus  bool
	digits string // without zeros at its ends
	exp    int
}

// farthest is the highest exponent that is kept. Numbers beyond it count as equal.
const farthest = math.MaxInt32

// readNumber reads a number in the notation of JSON.
func readNumber(text string) number {
	var n number
	text, n.minus = strings.CutPrefix(text, "-")
	mantissa, power := text, 0
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		mantissa = text[:at]
		p, err := strconv.Atoi(strings.TrimPrefix(text[at+1:], "+"))
		if err != nil && strings.HasPrefix(text[at+1:], "-") {
			p = -farthest
		} else if err != nil {
			p = farthest
		}
		power = min(max(p, -farthest), farthest)
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	n.exp = power + len(whole)
	n.digits = whole + fraction
	cut := strings.TrimLeft(n.digits, "0")
	n.exp -= len(n.digits) - len(cut)
	n.digits = strings.TrimRight(cut, "0")
	if n.digits == "" {
		return number{}
	}
	return n
}

// numberOf returns the number of a value of the schema; ok is false for other values.
func numberOf(value any) (n number, ok bool) {
	switch v := value.(type) {
	case int64:
		return readNumber(strconv.FormatInt(v, 10)), true
	case frontmatter.Number:
		return readNumber(string(v)), v != ""
	}
	return n, false
}

// whole reports whether the number is an integer, such as 1, 1.0 or 1e2.
func (n number) whole() bool { return n.exp >= len(n.digits) }

// compare returns -1, 0 or 1.
func (n number) compare(o number) int {
	if sign := cmp.Compare(n.sign(), o.sign()); sign != 0 || n.digits == "" {
		return sign
	}
	size := cmp.Compare(n.exp, o.exp)
	if size == 0 {
		size = strings.Compare(n.digits, o.digits)
	}
	return size * n.sign()
}

func (n number) sign() int {
	switch {
	case n.digits == "":
		return 0
	case n.minus:
		return -1
	}
	return 1
}
