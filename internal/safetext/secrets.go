package safetext

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
)

// leastSecret is the shortest value that counts as a secret, in bytes. Shorter ones would replace
// ordinary words.
const leastSecret = 8

// WithoutSecrets returns a text in which the values of variables that hold secrets are replaced by
// their names in brackets, also in base64 and in the form of URLs (D55). environ has entries of the
// form NAME=VALUE. The caller shortens the text afterwards, not before: of a value that was cut,
// nothing would be recognised.
func WithoutSecrets(text string, environ []string) string {
	type secret struct{ form, name string }
	var all []secret
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if len(value) < leastSecret || !holdsSecret(name) {
			continue
		}
		coded := base64.StdEncoding.EncodeToString([]byte(value))
		for _, form := range [...]string{
			value, coded, strings.TrimRight(coded, "="), base64.RawURLEncoding.EncodeToString([]byte(value)),
			url.QueryEscape(value), url.PathEscape(value),
		} {
			if strings.Contains(text, form) {
				all = append(all, secret{form, name})
			}
		}
	}
	for len(all) > 0 { // the longest first, because a form may be part of another
		longest := 0
		for i := range all {
			if len(all[i].form) > len(all[longest].form) {
				longest = i
			}
		}
		text = strings.ReplaceAll(text, all[longest].form, "["+all[longest].name+"]")
		all = slices.Delete(all, longest, longest+1)
	}
	return text
}

// holdsSecret reports whether a variable's name says that its value is a secret.
func holdsSecret(name string) bool {
	name = strings.ToUpper(name)
	for _, end := range [...]string{"TOKEN", "KEY", "SECRET", "PASSWORD", "PASSWD", "CREDENTIALS"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
