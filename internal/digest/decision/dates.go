package decision

// undated is the value for an unknown date. Such a row counts as older than all others (SF-D11).
const undated = 0

// day reads a date YYYY-MM-DD, alone or followed by a time, as the number YYYYMMDD. All other
// texts, and dates that do not exist, are undated (SF-D11).
func day(cell []byte) int {
	if len(cell) < 10 || cell[4] != '-' || cell[7] != '-' {
		return undated
	}
	year, month, date := number(cell[:4]), number(cell[5:7]), number(cell[8:10])
	if year < 1 || month < 1 || month > 12 || date < 1 || date > daysIn(year, month) || !clock(cell[10:]) {
		return undated
	}
	return year*10000 + month*100 + date
}

// number reads digits. It returns -1 if there is anything else.
func number(digits []byte) int {
	n := 0
	for _, c := range digits {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// daysIn returns the number of days of a month.
func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// clock reports whether rest is empty, or a time of day after a date: a blank or T, then hours and
// minutes.
func clock(rest []byte) bool {
	if len(rest) == 0 {
		return true
	}
	if rest[0] != ' ' && rest[0] != 'T' {
		return false
	}
	rest = rest[1:]
	k := 0
	for k < len(rest) && rest[k] >= '0' && rest[k] <= '9' {
		k++
	}
	return (k == 1 || k == 2) && len(rest) >= k+3 && rest[k] == ':' && number(rest[k+1:k+3]) >= 0
}

// phaseNumber reads the number in a bullet that begins with "[Phase 3…]" or "[03-01…]", so that
// numbers compare as phases do: 2 < 2.1 < 10. It returns 0 if there is none. The value is one
// higher than the phase, so that phase 0 is distinct.
func phaseNumber(text string) int64 {
	if len(text) == 0 || text[0] != '[' {
		return 0
	}
	text = text[1:]
	if len(text) > 6 && (text[0] == 'P' || text[0] == 'p') && text[1:5] == "hase" && text[5] == ' ' {
		text = text[6:]
	}
	return phaseValue(text)
}

// phaseValue reads up to three numbers joined by dots, each below 1,000,000.
func phaseValue(text string) int64 {
	var value int64
	k := 0
	for part := range 3 {
		start, n := k, int64(0)
		for k < len(text) && text[k] >= '0' && text[k] <= '9' && k-start < 6 {
			n = n*10 + int64(text[k]-'0')
			k++
		}
		if k == start {
			if part == 0 {
				return 0
			}
			break
		}
		value += n * [...]int64{1e12, 1e6, 1}[part]
		if k >= len(text) || text[k] != '.' {
			break
		}
		k++
	}
	return value + 1
}
