// Package gittest gives tests a git that is independent of the machine: of the developer's settings
// and of the time of day.
package gittest

import (
	"os"
	"strings"
	"time"
)

// Environ returns the part of an environment that git may see in a test. It removes git's own
// variables, except the one that says where its programs are. Settings and ignore files of the user
// and the machine are not read. The committer is who, at a time that the test chooses. Settings of
// the repository itself apply.
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
