package safetext

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestD55_SecretsAreReplacedByTheirNames(t *testing.T) {
	t.Parallel()
	environ := []string{
		"API_TOKEN=abc+def/12", "SHORT_KEY=abc", "db_password=correct horse", "HOME=/home/somebody", "BOTH_KEY=abc+def/12 and more", "X",
	}
	for text, want := range map[string]string{
		"curl -H abc+def/12":                   "curl -H [API_TOKEN]",
		"abc+def/12 and more":                  "[BOTH_KEY]",
		"abc, /home/somebody":                  "abc, /home/somebody",
		"PGPASSWORD='correct horse' psql":      "PGPASSWORD='[db_password]' psql",
		"https://x/?t=" + "abc%2Bdef%2F12":     "https://x/?t=[API_TOKEN]",
		"Basic YWJjK2RlZi8xMg== and the like":  "Basic [API_TOKEN] and the like",
		"nothing at all":                       "nothing at all",
		"abc+def/12abc+def/12":                 "[API_TOKEN][API_TOKEN]",
		"correct%20horse, and correct+horse":   "[db_password], and [db_password]",
		"the value is cut here: abc+def/1 end": "the value is cut here: abc+def/1 end",
	} {
		if got := WithoutSecrets(text, environ); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestD55_NoFormOfASecretStays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		value := rapid.StringN(8, 40, -1).Filter(func(s string) bool {
			return !strings.Contains("[MY_SECRET]", s)
		}).Draw(rt, "value")
		for _, form := range []string{value, base64.StdEncoding.EncodeToString([]byte(value)), url.QueryEscape(value)} {
			text := rapid.StringN(0, 20, -1).Draw(rt, "before") + form + rapid.StringN(0, 20, -1).Draw(rt, "after")
			got := WithoutSecrets(text, []string{"MY_SECRET=" + value})
			if strings.Contains(got, form) && !strings.Contains("[MY_SECRET]", form) {
				rt.Fatalf("%q has %q", got, form)
			}
		}
	})
}
