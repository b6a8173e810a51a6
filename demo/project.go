package main

// The code that the tasks produce. It is small, but it is real: the criteria run its tests.

const jwtCode = `// Package jwt signs and verifies tokens.
package jwt

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
)

// ErrInvalid is returned for a token that was changed or has expired.
var ErrInvalid = errors.New("invalid token")

// Sign returns a token for subject that is good until the given Unix time.
func Sign(key []byte, subject string, until int64) string {
	body := base64.RawURLEncoding.EncodeToString([]byte(subject)) + "." + strconv.FormatInt(until, 10)
	return body + "." + signature(key, body)
}

// Verify returns the subject of a token, or ErrInvalid.
func Verify(key []byte, token string, now int64) (string, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || !hmac.Equal([]byte(signature(key, parts[0]+"."+parts[1])), []byte(parts[2])) {
		return "", ErrInvalid
	}
	until, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || now > until {
		return "", ErrInvalid
	}
	subject, err := base64.RawURLEncoding.DecodeString(parts[0])
	if err != nil {
		return "", ErrInvalid
	}
	return string(subject), nil
}

func signature(key []byte, body string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(body))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
`

const jwtTest = `package jwt

import "testing"

var key = []byte("a key for tests only")

func TestSign(t *testing.T) {
	if subject, err := Verify(key, Sign(key, "42", 100), 50); err != nil || subject != "42" {
		t.Fatal(subject, err)
	}
}

func TestChanged(t *testing.T) {
	if _, err := Verify(key, "x"+Sign(key, "42", 100), 50); err == nil {
		t.Fatal("a changed token was accepted")
	}
}

func TestExpired(t *testing.T) {
	if _, err := Verify(key, Sign(key, "42", 100), 101); err == nil {
		t.Fatal("an expired token was accepted")
	}
}
`

const serviceOutput = `### Summary
Tokens are signed with HMAC-SHA256. A token that was changed or has expired gives an error.

### Files
- ` + "`jwt/jwt.go`" + ` - the service
- ` + "`jwt/jwt_test.go`" + ` - its tests

### API Contract
` + "```go" + `
func Sign(key []byte, subject string, until int64) string
func Verify(key []byte, token string, now int64) (string, error)
` + "```" + `

### Integration Notes
- Times are Unix seconds; the caller brings the clock
- Check the error first: the subject is empty when there is one
`

const authCode = `// Package auth signs users in.
package auth

import (
	"crypto/subtle"
	"errors"

	"relay.example/jwt"
)

// ErrDenied is returned for an unknown user and for a wrong password alike.
var ErrDenied = errors.New("denied")

// Service signs users in against a table of passwords.
type Service struct {
	Key       []byte
	Passwords map[string]string
}

// SignIn returns a token that is good for a quarter of an hour.
func (s Service) SignIn(email, password string, now int64) (string, error) {
	want, known := s.Passwords[email]
	if same := subtle.ConstantTimeCompare([]byte(want), []byte(password)) == 1; !known || !same {
		return "", ErrDenied
	}
	return jwt.Sign(s.Key, email, now+900), nil
}
`

const authTest = `package auth

import (
	"testing"

	"relay.example/jwt"
)

var service = Service{Key: []byte("a key for tests only"), Passwords: map[string]string{"a@example.com": "secret"}}

func TestRightPassword(t *testing.T) {
	token, err := service.SignIn("a@example.com", "secret", 100)
	if err != nil {
		t.Fatal(err)
	}
	if subject, err := jwt.Verify(service.Key, token, 200); err != nil || subject != "a@example.com" {
		t.Fatal(subject, err)
	}
}

func TestWrongPassword(t *testing.T) {
	if _, err := service.SignIn("a@example.com", "guess", 100); err == nil {
		t.Fatal("a wrong password was accepted")
	}
}
`
