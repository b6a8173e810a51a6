// Package gittest gives tests a git that knows nothing of the machine: neither the developer's
// settings nor the time of day.
package gittest

import (
	"os"
	"strings"
	"time"
)

// Environ is what of an environment git may see in a test. Every variable of git's own goes but the
// one that says where its programs are, settings and ignore files of the user and the machine are
// not read, and who commits is who, at a time of the test's own. Settings of the repository itself
// hold.
func Environ(environ []string, who string, at time.Time) []string {
	out := make([]string, 0, len(environ)+14)
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		switch {
		case strings.HasPrefix(name, "GIT_") && name != "GIT_EXEC_PATH", name == "XDG_CONFIG_HOME", name == "LC_ALL",
			name == "EMAIL":
			continue
		}
		out = append(out, entry)
	}
	email, date := who+"@example.org", at.Format(time.RFC3339)
	return append(
		out, "LC_ALL=C", "XDG_CONFIG_HOME="+
			os.DevNull, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_ATTR_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "GIT_AUTHOR_NAME="+
			who, "GIT_AUTHOR_EMAIL="+email, "GIT_AUTHOR_DATE="+date,
		"GIT_COMMITTER_NAME="+who, "GIT_COMMITTER_EMAIL="+email, "GIT_COMMITTER_DATE="+date,
	)
}
