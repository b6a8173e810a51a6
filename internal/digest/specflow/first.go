package specflow

import "bytes"

// FirstActive returns the first active specification and the number of further ones, from the
// beginning of a digest in any of the three forms (specflow.md 5.3, 5.14). ok is false if none is
// active. For the sake of the status line, it parses no more than the section with the active
// specifications.
func FirstActive(head []byte) (id, status string, more int, ok bool) {
	d := Parse(head[:activeEnd(head)])
	if _, open := d.md.Unclosed(); open {
		d = Parse(head) // a heading inside a fence ended the part too early
	} else if _, open := d.md.UnclosedComment(); open {
		d = Parse(head)
	}
	_, active := d.active()
	for _, a := range active {
		if a.ID == "" {
			continue
		}
		if ok {
			more++
			continue
		}
		id, status, ok = a.ID, a.Status, true
		if isNone(status) {
			status = ""
		}
	}
	return id, status, more, ok
}

// activeEnd returns the end of the last section whose heading may be that of active specifications,
// judging by the text of the line only.
func activeEnd(head []byte) int {
	end, inside := 0, false
	for pos := 0; pos < len(head); {
		next := len(head)
		if n := bytes.IndexByte(head[pos:], '\n'); n >= 0 {
			next = pos + n + 1
		}
		line := bytes.TrimLeft(head[pos:min(next, pos+120)], " \ufeff")
		if len(line) > 0 && line[0] == '#' {
			// Only a heading at the very start of its line certainly ends a section, because an
			// indented one may be part of a list.
			if inside && head[pos] == '#' && (bytes.HasPrefix(line, []byte("# ")) ||
				bytes.HasPrefix(line, []byte("## "))) {
				end, inside = pos, false
			}
			title := bytes.ToLower(bytes.TrimLeft(line, "# \t"))
			if bytes.HasPrefix(title, []byte("active spec")) || bytes.HasPrefix(title, []byte("current position")) {
				inside = true
			}
		}
		pos = next
	}
	if inside {
		return len(head)
	}
	return end
}
