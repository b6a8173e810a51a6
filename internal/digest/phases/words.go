package phases

import "strings"

// mentions reports whether a text names a version. v8.0 also matches v8.0-B unless exactly is set,
// but v2.0 never matches v2.0.1 (GSD-32).
func mentions(text, version string, exactly bool) bool {
	text, version = strings.ToLower(text), strings.ToLower(version)
	for at := 0; ; {
		i := strings.Index(text[at:], version)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(version)
		at = to
		if from > 0 && (word(text[from-1]) || text[from-1] == '.') {
			continue
		}
		if to == len(text) {
			return true
		}
		next := text[to]
		longer := word(next) || next == '.' && to+1 < len(text) && word(text[to+1])
		if !longer && (!exactly || next != '-') {
			return true
		}
	}
}

// closed reports whether a milestone's heading says that it is finished.
func closed(text string) bool {
	if containsAny(text, "🚧", "🔄") || hasWord(text, "started", "active", "wip", "in progress") {
		return false
	}
	return containsAny(text, "✅", "🗄") || hasWord(text, "closed", "archived", "abandoned", "shipped", "failed")
}

func containsAny(text string, marks ...string) bool {
	for _, m := range marks {
		if strings.Contains(text, m) {
			return true
		}
	}
	return false
}

// hasWord reports whether a text contains one of the words, in any case.
func hasWord(text string, words ...string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		for at := 0; ; {
			i := strings.Index(text[at:], w)
			if i < 0 {
				break
			}
			from, to := at+i, at+i+len(w)
			if (from == 0 || !word(text[from-1])) && (to == len(text) || !word(text[to])) {
				return true
			}
			at = to
		}
	}
	return false
}
