package mcpserver

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"baton/internal/report"
)

const listMessage = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`

// agents.md 7.4: Origin, Host and token are checked before anything else.
func TestHTTPGuard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	inner := newServer(w.env, Options{}).httpHandler()
	local, open, remote := &guard{token: "s3cret", loopback: true}, &guard{loopback: true}, &guard{token: "s3cret"}
	for _, c := range []struct {
		name   string
		guard  *guard
		change func(*http.Request)
		status int
	}{
		{"the token", local, nil, 200},
		{"no token", local, func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		{"another token", local, func(r *http.Request) { r.Header.Set("Authorization", "Bearer s3crets") }, 401},
		{"another scheme", local, func(r *http.Request) { r.Header.Set("Authorization", "Basic s3cret") }, 401},
		{"no token where none is needed", open, func(r *http.Request) { r.Header.Del("Authorization") }, 200},
		{"localhost", local, func(r *http.Request) { r.Host = "localhost:8765" }, 200},
		{"IPv6", local, func(r *http.Request) { r.Host = "[::1]:8765" }, 200},
		{"a name that was bound to this address", local, func(r *http.Request) { r.Host = "evil.example:8765" }, 403},
		{
			"that, with its own origin", open,
			func(r *http.Request) { r.Host = "evil.example"; r.Header.Set("Origin", "http://evil.example") }, 403,
		},
		{"a page of another origin", open, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		{"a page of this machine, on another port", open, func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:3000") }, 403},
		{"a page without an origin", open, func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		{
			"what a browser says of a request across sites", open, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
			403,
		},
		{"F-86d: the same server as localhost", open, func(r *http.Request) {
			r.Header.Set("Origin", "http://localhost:8765")
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}, 200},
		{"F-86d: another port of localhost", open, func(r *http.Request) { r.Header.Set("Origin", "http://localhost:8766") }, 403},
		{"the same origin", open, func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:8765") }, 200},
		{"a name, beyond loopback", remote, func(r *http.Request) { r.Host = "build.example:8765" }, 200},
		{"another path", local, func(r *http.Request) { r.URL.Path = "/" }, 404},
		{"GET", local, func(r *http.Request) { r.Method = http.MethodGet }, 405},
		{"another type", local, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415},
		{"a large body", local, func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(strings.Repeat(" ", mostBody+1))) }, 413},
		{"no message", local, func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader("{")) }, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:8765/mcp", strings.NewReader(listMessage))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			r.Header.Set("Authorization", "Bearer s3cret")
			if c.change != nil {
				c.change(r)
			}
			got := httptest.NewRecorder()
			c.guard.around(inner).ServeHTTP(got, r)
			if got.Code != c.status {
				t.Errorf("%d, want %d: %s", got.Code, c.status, got.Body)
			}
			if (got.Code == 401) != (got.Header().Get("WWW-Authenticate") != "") {
				t.Errorf("WWW-Authenticate: %q", got.Header().Get("WWW-Authenticate"))
			}
		})
	}
}

// Nothing listens beyond loopback unless that was asked for, and then not without a token.
func TestHTTPAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		o    Options
		code report.Code
	}{
		{Options{HTTP: "127.0.0.1:0"}, ""},
		{Options{HTTP: "localhost:0", NoToken: true}, ""},
		{Options{HTTP: "[::1]:0"}, ""},
		{Options{HTTP: ":8765"}, "address_refused"},
		{Options{HTTP: "0.0.0.0:8765"}, "address_refused"},
		{Options{HTTP: "192.168.1.2:8765"}, "address_refused"},
		{Options{HTTP: "localhost.evil.example:1"}, "address_refused"},
		{Options{HTTP: "8765"}, "address_refused"},
		{Options{HTTP: "0.0.0.0:0", AllowRemote: true}, ""},
		{Options{HTTP: "0.0.0.0:0", AllowRemote: true, NoToken: true}, "address_refused"},
	} {
		if _, err := checkAddress(c.o); report.CodeOf(err) != c.code {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}

// The server tells its address and, where it made one, the token; it ends with its context; a command can be run only by
// who showed a token that crossed no network.
func TestHTTPFromStartToEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		o       Options
		token   string
		said    string
		command bool
	}{
		{"own token", Options{}, "mine", "", true},
		{"made token", Options{}, "", "baton: token ", true},
		{"none", Options{NoToken: true}, "", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			read, write := io.Pipe()
			env := w.env
			env.Stderr = write
			env.Getenv = func(name string) string { return map[string]string{tokenVariable: c.token}[name] }
			ctx, stop := context.WithCancel(context.Background())
			ended := make(chan error, 1)
			c.o.HTTP = "127.0.0.1:0"
			go func() { ended <- Run(ctx, env, c.o); _ = write.Close() }()
			buffer := make([]byte, 1<<10)
			n, err := read.Read(buffer)
			if err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = io.Copy(io.Discard, read) }()
			said := string(buffer[:n])
			url, rest, _ := strings.Cut(strings.TrimPrefix(said, "baton: MCP at "), "\n")
			if !strings.HasPrefix(rest, c.said) || c.said == "" && rest != "" {
				t.Errorf("%q", said)
			}
			token := c.token
			if fields := strings.Fields(rest); len(fields) > 2 {
				token = fields[2]
			}
			if got := post(t, url, token); strings.Contains(got, `"run"`) != c.command || !strings.Contains(got, "task_check") {
				t.Errorf("%.300s", got)
			}
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(url, "http://"), endpoint)); err == nil {
				_ = conn.Close()
				t.Error("the server still listens")
			}
		})
	}
}

func post(t *testing.T, url, token string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(listMessage))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%d %v %s", answer.StatusCode, err, body)
	}
	return string(body)
}
