package phases

import "strings"

// unnamed is the name of a milestone without a name (1.2).
const unnamed = "milestone"

// version returns the first "v1.2" in a text, with the parts that follow.
func version(text string) string {
	for i := 0; i+3 < len(text); i++ {
		if text[i]|0x20 != 'v' || !digit(text[i+1]) || i > 0 && word(text[i-1]) {
			continue
		}
		n := i + 1
		for n < len(text) && digit(text[n]) {
			n++
		}
		if more := dotted(text[n:]); more > 0 {
			return text[i : n+more]
		}
	}
	return ""
}

// marked returns the version of the current milestone: 🚧 or 🔄 before "**v1.2 ".
func marked(roadmap string) string {
	for _, mark := range [...]string{"🚧", "🔄"} {
		rest := roadmap
		for {
			_, after, found := strings.Cut(rest, mark)
			if !found {
				break
			}
			rest = after
			text, bold := strings.CutPrefix(strings.TrimLeft(after, " \t"), "**")
			v := version(text)
			if bold && v != "" && strings.HasPrefix(text, v) {
				return v
			}
		}
	}
	return ""
}

// current returns version and name if the digest has no version: those of the current milestone,
// else of the first heading that is neither done nor folded, else the first version in the roadmap
// (1.2).
func (o *outline) current(roadmap string) (v, name string) {
	if v = marked(roadmap); v != "" {
		return v, o.nameOf(roadmap, v)
	}
	for _, h := range o.headings {
		if h.level < 2 || o.folded[h.line] || strings.Contains(h.text, "✅") || h.phase {
			continue
		}
		if v = version(h.text); v != "" {
			return v, o.nameOf(roadmap, v)
		}
	}
	return version(roadmap), unnamed
}

// nameOf returns the name of a version: after the mark of the current milestone, else from the
// first heading that has the version and is not done, else "milestone".
func (o *outline) nameOf(roadmap, v string) string {
	if v == "" {
		return unnamed
	}
	if name := markedName(roadmap, v); name != "" {
		return name
	}
	for _, h := range o.headings {
		if h.level < 2 || strings.Contains(h.text, "✅") || !mentions(h.text, v, true) {
			continue
		}
		at := strings.Index(strings.ToLower(h.text), strings.ToLower(v)) + len(v)
		name, _, _ := strings.Cut(h.text[min(at, len(h.text)):], "(")
		if name = cleanName(name); name != "" {
			return name
		}
	}
	return unnamed
}

// markedName reads "🚧 **v1.2 Name**", with or without bold marks.
func markedName(roadmap, v string) string {
	for rest := roadmap; ; {
		_, after, found := strings.Cut(rest, "🚧")
		if !found {
			return ""
		}
		rest = after
		text, bold := strings.CutPrefix(strings.TrimLeft(after, " \t"), "**")
		if len(text) < len(v) || !strings.EqualFold(text[:len(v)], v) {
			continue
		}
		text, _, _ = strings.Cut(text[len(v):], "\n")
		if text == "" || text[0] != ' ' && text[0] != ':' && text[0] != '\t' {
			continue
		}
		text, _, _ = strings.Cut(text, "*")
		if !bold {
			text, _, _ = strings.Cut(text, " (")
		}
		if name := cleanName(text); name != "" {
			return name
		}
	}
}

func cleanName(name string) string {
	name = strings.TrimLeft(name, " \t-–—:")
	return strings.TrimRight(name, " \t\r*:-–—")
}
