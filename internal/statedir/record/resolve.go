package record

import "strings"

// resolves reports whether YAML 1.1 or 1.2 reads a text without quotes as something else: a
// boolean, null, a number, a date, or one of its two special characters (acceptance 6). Times of
// day and base-60 numbers need no check, because a colon already requires quotes. Case is ignored,
// as YAML does for most of these words.
func resolves(s string) bool {
	const longestWord = len("-.inf")
	if s == "~" || s == "<<" || s == "=" {
		return true
	}
	if len(s) <= longestWord {
		switch strings.ToLower(s) {
		case "y", "n", "yes", "no", "on", "off", "true", "false", "null", ".inf", "+.inf", "-.inf", ".nan":
			return true
		}
	}
	return looksNumber(s) || looksDate(s)
}

// looksNumber reports whether YAML reads a text as a number: digits with a base prefix, or digits
// with a decimal point and an exponent, optionally with underscores.
func looksNumber(s string) bool {
	s = strings.TrimLeft(s[:1], "+-") + s[1:]
	if len(s) > 2 && s[0] == '0' {
		digits := ""
		switch s[1] | 0x20 {
		case 'x':
			digits = "0123456789abcdefABCDEF_"
		case 'o':
			digits = "01234567_"
		case 'b':
			digits = "01_"
		}
		if digits != "" {
			return strings.Trim(s[2:], digits) == ""
		}
	}
	if s == "" || s[0] == '_' {
		return false
	}
	rest := strings.TrimLeft(s, "0123456789_")
	point := strings.HasPrefix(rest, ".")
	if point {
		rest = strings.TrimLeft(rest[1:], "0123456789_")
	}
	if !strings.ContainsAny(s[:len(s)-len(rest)], "0123456789") {
		return false
	}
	if rest == "" {
		return true
	}
	if rest[0]|0x20 != 'e' || len(rest) < 2 {
		return false
	}
	exponent := strings.TrimLeft(rest[1:2], "+-") + rest[2:]
	return exponent != "" && strings.Trim(exponent, "0123456789") == ""
}

// looksDate reports whether a text is a date: a year of four digits, and a month and a day of one
// or two.
func looksDate(s string) bool {
	parts := strings.Split(s, "-")
	if len(s) > len("2006-01-02") || len(parts) != 3 || len(parts[0]) != 4 {
		return false
	}
	for _, part := range parts {
		if part == "" || strings.Trim(part, "0123456789") != "" {
			return false
		}
	}
	return len(parts[1]) <= 2 && len(parts[2]) <= 2
}
