package archive

import (
	"bytes"
	"cmp"

	"baton/internal/task"
)

// Filed returns the sessions of a task that an archive has, too: with the same bytes, or with the
// same text below the number that they had at first. A squash merge or a cherry-pick brings back
// sessions that were archived since, and the merge gives them new numbers.
func Filed(filed []byte, s *task.State) []task.Session {
	var out []task.Session
	var known map[string]bool
	for _, session := range s.Sessions {
		if session.Number == 0 {
			continue
		}
		if Contains(filed, session.Span.Of(s.Bytes())) {
			out = append(out, session)
			continue
		}
		if known == nil {
			known = map[string]bool{}
			for _, of := range task.ParseArchive(filed).Sessions {
				if text, ok := origin(filed, of); ok {
					known[text] = true
				}
			}
		}
		if text, ok := origin(s.Bytes(), session); ok && known[text] {
			out = append(out, session)
		}
	}
	return out
}

// origin returns the first number of a session, its time and its text. ok is false for a session
// without these, which could be any.
func origin(src []byte, s task.Session) (text string, ok bool) {
	_, below, _ := bytes.Cut(s.Span.Of(src), []byte("\n"))
	below = bytes.TrimSpace(bytes.ReplaceAll(below, []byte("\r\n"), []byte("\n")))
	if s.Number == 0 || !s.HasTime || len(below) == 0 {
		return "", false
	}
	return cmp.Or(s.Note, task.Note(s.Label)) + "\x00" + s.Stamp + "\x00" + string(below), true
}

// Contains reports whether an archive holds a session as whole lines: with one # less in its
// heading, or unchanged in archives that keep it (5.14.1).
func Contains(filed, session []byte) bool {
	session = bytes.TrimRight(session, "\r\n")
	sign := bytes.IndexByte(session, '#')
	if sign < 0 {
		return false
	}
	shorter := append(append([]byte{}, session[:sign]...), session[sign+1:]...)
	for _, text := range [...][]byte{shorter, session} {
		for from := 0; ; {
			at := bytes.Index(filed[from:], text)
			if at < 0 {
				break
			}
			at += from
			end := at + len(text)
			begins := at == 0 || filed[at-1] == '\n'
			if begins && (end == len(filed) || filed[end] == '\n' || filed[end] == '\r') {
				return true
			}
			from = at + 1
		}
	}
	return false
}
