package mcpserver

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// served is a server on a free port.
type served struct {
	t     *testing.T
	addr  string
	stop  context.CancelFunc
	ended chan error
}

func serveTest(t *testing.T, times httpTimes, handler http.HandlerFunc) *served {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &served{t: t, addr: listener.Addr().String(), stop: stop, ended: make(chan error, 1)}
	go func() { s.ended <- serveOn(ctx, listener, handler, times) }()
	t.Cleanup(stop)
	return s
}

// say opens a connection and sends some bytes on it.
func (s *served) say(words string) net.Conn {
	s.t.Helper()
	conn, err := (&net.Dialer{}).DialContext(s.t.Context(), "tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	if err = conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		s.t.Fatal(err)
	}
	if _, err = io.WriteString(conn, words); err != nil {
		s.t.Fatal(err)
	}
	return conn
}

// patient are times that no test waits for.
func patient() httpTimes {
	return httpTimes{header: time.Minute, request: time.Minute, idle: time.Minute, goodbye: time.Minute}
}

const (
	wholeRequest = "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
	halfRequest  = "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"
)

// agents.md 7.4: a client that never sends all of its request does not keep a connection; an answer may take longer than
// that, because it can be a stream.
func TestRequestsHaveATimeLimitAndAnswersHaveNone(t *testing.T) {
	t.Parallel()
	times := patient()
	times.request = 30 * time.Millisecond
	s := serveTest(t, times, func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		select {
		case <-time.After(3 * times.request):
			_, _ = io.WriteString(w, "later")
		case <-r.Context().Done():
		}
	})
	for name, c := range map[string]struct{ said, want string }{
		"half":    {halfRequest, "400 Bad Request"},
		"whole":   {wholeRequest, "later"},
		"chunked": {"POST /mcp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", "later"},
		"none":    {"GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n", "later"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := bufio.NewReader(s.say(c.said))
			answer, err := http.ReadResponse(conn, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			if got := answer.Status + " " + string(text); err != nil || !strings.Contains(got, c.want) {
				t.Errorf("%q, %v", got, err)
			}
			if c.said == halfRequest {
				if _, err = conn.ReadByte(); !errors.Is(err, io.EOF) {
					t.Errorf("the connection stays open: %v", err)
				}
			}
		})
	}
}

// Only calls that run are waited for: not connections on which no request has come whole.
func TestTheEndDoesNotWaitForHalfRequests(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]string{
		"nothing":      "",
		"half headers": "POST /mcp HTTP/1.1\r\n",
		"half a body":  halfRequest,
		"refused":      strings.Replace(halfRequest, "/mcp", "/refused", 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begun := make(chan struct{}, 1)
			s := serveTest(t, patient(), func(w http.ResponseWriter, r *http.Request) {
				begun <- struct{}{}
				if r.URL.Path == "/refused" {
					http.Error(w, "no", http.StatusUnauthorized)
					return
				}
				_, _ = io.ReadAll(r.Body)
			})
			s.say(said)
			if strings.HasSuffix(said, "{") {
				<-begun
			}
			s.stop()
			select {
			case err := <-s.ended:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(4 * time.Second): // 10 ms on a quiet machine; the library's own end takes more than 5 s
				t.Error("the server waits")
			}
		})
	}
}

// A call that runs hears of the end, and what it then says still reaches the client. One that does not listen has a
// moment.
func TestTheEndWaitsForCalls(t *testing.T) {
	t.Parallel()
	for name, deaf := range map[string]bool{"one that listens": false, "one that does not": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			times, begun, forever := patient(), make(chan struct{}), make(chan struct{})
			if deaf {
				times.goodbye = 30 * time.Millisecond
			}
			t.Cleanup(func() { close(forever) })
			s := serveTest(t, times, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.ReadAll(r.Body)
				close(begun)
				<-r.Context().Done()
				if deaf {
					<-forever
				}
				_, _ = io.WriteString(w, "cancelled")
			})
			conn := s.say(wholeRequest)
			<-begun
			s.stop()
			said, err := io.ReadAll(conn)
			if err == nil && strings.HasSuffix(string(said), "cancelled") == deaf {
				t.Errorf("%q", said)
			}
			if err := <-s.ended; err != nil {
				t.Error(err)
			}
		})
	}
}
