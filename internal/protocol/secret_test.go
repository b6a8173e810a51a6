package protocol_test

import (
	"strings"
	"testing"

	"baton/internal/protocol"
)

// TestSecretsThatAreUnmistakable: a credential is found anywhere in a text, and text that only begins like one is not
// reported.
func TestSecretsThatAreUnmistakable(t *testing.T) {
	t.Parallel()
	run := func(n int) string { return strings.Repeat("aB3", n)[:n] }
	for text, kind := range map[string]string{
		"the key is AKIA" + run(16) + ".":                   "a cloud access key",
		"token: ghu_" + run(36):                             "an access token",
		"ghp_short and ghp_" + run(30):                      "an access token",
		"PYPI=pypi-" + run(100):                             "an access token",
		"rk_live_" + run(16):                                "an API key",
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r": "a private key",
		"-----BEGIN CERTIFICATE-----":                       "",
		"ghp_" + run(29):                                    "",
		"task-" + run(40):                                   "", // not sk-
		"hf_model_loader_configuration_path_of_the_project": "",
		"eyJ" + run(200):                                    "", // JSON of any kind
		"":                                                  "",
	} {
		if got, found := protocol.Secret(text); got != kind || found != (kind != "") {
			t.Errorf("%q: %q, %v, want %q", text, got, found, kind)
		}
	}
}

// TestSecretsThatMayBe: a word that begins like a key counts if enough follows.
func TestSecretsThatMayBe(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{
		"hf_abcdefghijkl": true, "eyJhbGciOiJIUzI1NiJ9": true, "sk-abcdefghijkl": true, "-----BEGIN": true,
		"hf_abcdefghijk": false, "sk-": false, "xhf_abcdefghijkl": false, "": false,
	} {
		if got := protocol.BeginsSecret(word); got != want {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
	}
}
