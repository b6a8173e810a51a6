package protocol

import (
	"slices"
	"strings"

	"baton/internal/protocol/speech"
)

// A client that has the tools of baton's server may have no shell, or one in which baton is not
// found. So texts for it name a tool wherever there is one (F-40).

// aboutTools says once what a session does that cannot call the tools, because its user refused the
// server.
const aboutTools = "- The tools are those of the server baton. Without it, `task_log` is the command `baton task " +
	"log`, and so on."

// speak replaces the commands in a text of baton's own by calls of tools, if the client has them.
// Quotations from files stay as they are.
func (w wording) speak(text string) string { return Spoken(text, w.Tools) }

// Spoken returns a text of baton's own for a client that has the tools of baton's server, or not.
func Spoken(text string, tools bool) string {
	if !tools || !strings.Contains(text, "`baton ") {
		return text
	}
	return speech.Usual().Say(text)
}

// spoken is speak for everything in some sections.
func (w wording) spoken(all []section) []section {
	if !w.Tools {
		return all
	}
	calls := speech.Usual()
	for i := range all {
		s := &all[i]
		s.title, s.by = calls.Say(s.title), calls.Call(s.command)
		for k := range s.units {
			u := &s.units[k]
			if u.verbatim || u.lines[0] == aboutTools {
				continue
			}
			u.lines = slices.Clone(u.lines)
			for n, line := range u.lines {
				if !strings.HasPrefix(line, ">") {
					u.lines[n] = calls.Say(line)
				}
			}
		}
	}
	return all
}
