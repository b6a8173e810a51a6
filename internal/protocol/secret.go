package protocol

import "strings"

// secretForm describes the keys of a service.
type secretForm struct {
	begins string
	least  int // letters, digits, dashes and underscores that must follow in an unmistakable key; 0 if no key is
	kind   string
}

// secretForms returns the beginnings of keys, which services publish so that leaked keys can be
// found.
func secretForms() [18]secretForm {
	return [...]secretForm{
		{"AKIA", 16, "a cloud access key"},
		{"ASIA", 16, "a cloud access key"},
		{"ghp_", 30, "an access token"},
		{"gho_", 30, "an access token"},
		{"ghs_", 30, "an access token"},
		{"ghu_", 30, "an access token"},
		{"github_pat_", 30, "an access token"},
		{"glpat-", 20, "an access token"},
		{"npm_", 36, "an access token"},
		{"hf_", 0, "an access token"},
		{"pypi-", 100, "an access token"},
		{"eyJ", 0, "a signed token"},
		{"xoxb-", 20, "a chat token"},
		{"xoxp-", 20, "a chat token"},
		{"sk-", 32, "an API key"},
		{"sk_live_", 16, "an API key"},
		{"rk_live_", 16, "an API key"},
		{"AIza", 35, "an API key"},
	}
}

// BeginsSecret reports whether a word begins like the key of a service and is longer than that
// beginning. It finds more than Secret, with false positives, so use it only for text that may be
// left out without harm.
func BeginsSecret(word string) bool {
	const enough = 12 // bytes after the beginning
	for _, f := range secretForms() {
		if strings.HasPrefix(word, f.begins) && len(word) >= len(f.begins)+enough {
			return true
		}
	}
	return strings.Contains(word, "-----BEGIN")
}

// Secret reports whether a text contains something like a credential, and of which kind. It
// recognises only unmistakable forms. It is a reminder, not a protection.
func Secret(text string) (kind string, found bool) {
	if at := strings.Index(text, "-----BEGIN "); at >= 0 && strings.Contains(text[at:min(at+64, len(text))],
		"PRIVATE KEY") {
		return "a private key", true
	}
	for _, f := range secretForms() {
		for from := 0; f.least > 0; {
			i := strings.Index(text[from:], f.begins)
			if i < 0 {
				break
			}
			at := from + i
			from = at + len(f.begins)
			if at > 0 && wordByte(text[at-1]) {
				continue
			}
			if run := wordRun(text[from:]); run >= f.least {
				return f.kind, true
			}
		}
	}
	return "", false
}

func wordByte(c byte) bool {
	return c == '-' || c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

func wordRun(text string) int {
	for i := range len(text) {
		if !wordByte(text[i]) {
			return i
		}
	}
	return len(text)
}
