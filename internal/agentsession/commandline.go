package agentsession

import (
	"strings"

	"baton/internal/protocol"
	"baton/internal/safetext"
)

// MostCommandLine is the length of a recorded command, in characters.
const MostCommandLine = 120

// CommandLine returns the first line of a command in the form in which it is recorded: short,
// without control characters, and without anything that looks like a secret. It cuts the line at
// the first such place, because only the shell knows where a secret ends.
func CommandLine(command string) string {
	first := ""
	for line := range strings.Lines(command[:min(len(command), 64<<10)]) {
		if first = safetext.Line(line); first != "" {
			break
		}
	}
	if at := secretAt(first); at >= 0 {
		first = strings.TrimRight(first[:at], ` '"`) + " …"
	}
	return safetext.Runes(strings.TrimSpace(first), MostCommandLine)
}

// secretAt returns the position of the first thing in a line that looks like a secret, or -1.
func secretAt(line string) int {
	words := strings.Fields(line)
	at := 0
	for i, word := range words {
		at += strings.Index(line[at:], word)
		bare := strings.Trim(word, `'"`)
		if keep, follows := secretTail(words, i); follows {
			return at + keep
		}
		name, _, assigned := strings.Cut(bare, "=")
		if !assigned {
			name, _, assigned = strings.Cut(bare, ":")
		}
		switch {
		case assigned && secretName(name):
			return at + strings.Index(word, name) + len(name) + 1
		case strings.HasPrefix(bare, "-") && secretName(bare) && i+1 < len(words):
			return at + len(word)
		case secretWord(bare), credentialsIn(bare):
			return at
		case secretSet(words, i):
			return at + len(word)
		case i > 0 && (strings.EqualFold(bare, "bearer") || strings.EqualFold(bare, "basic")) && i+1 < len(words):
			return at + len(word)
		}
		at += len(word)
	}
	return -1
}

// secretName reports whether a variable, a flag or a header usually has a secret value.
func secretName(name string) bool {
	if strings.HasSuffix(name, "KEY") { // environment variables; a flag such as --key is not secret
		return true
	}
	name = strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
	for _, part := range [...]string{
		"token", "secret", "passw", "passphrase", "pwd", "apikey", "accesskey", "privatekey", "credential",
		"authorization", "cookie", "sessionkey",
	} {
		if strings.Contains(name, part) {
			return name != "pwd" // the shell's current folder
		}
	}
	return name == "auth" || strings.HasSuffix(name, "pass") ||
		strings.HasSuffix(name, "auth") && strings.HasPrefix(name, "npm")
}

// secretWord reports whether a word has the form of a service's key.
func secretWord(word string) bool {
	return protocol.BeginsSecret(word[strings.LastIndexAny(word, "=:,@")+1:])
}

// credentialsIn reports whether a word is a URL with a password before its host. In a web URL, a
// user name alone is usually a token.
func credentialsIn(word string) bool {
	scheme, rest, ok := strings.Cut(word, "://")
	if !ok {
		return false
	}
	host, _, _ := strings.Cut(rest, "/")
	if host == "hooks.slack.com" { // the address itself gives access
		return true
	}
	user, _, at := strings.Cut(host, "@")
	return at &&
		(strings.Contains(user, ":") || strings.HasSuffix(scheme, "https") || strings.HasSuffix(scheme, "http"))
}
