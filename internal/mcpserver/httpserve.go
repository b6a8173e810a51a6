package mcpserver

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"baton/internal/report"
)

// httpTimes are how long clients may take. An answer may take any time: it can be a stream.
type httpTimes struct {
	header  time.Duration // to send the headers
	request time.Duration // to send all of a request
	idle    time.Duration // between two requests
	goodbye time.Duration // for calls that run when the server ends
}

func usualTimes() httpTimes {
	return httpTimes{header: 5 * time.Second, request: 10 * time.Second, idle: 2 * time.Minute, goodbye: time.Second}
}

// serveOn serves until ctx ends, and then gives calls that run a moment to finish.
func serveOn(ctx context.Context, listener net.Listener, handler http.Handler, times httpTimes) error {
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	clients := connections{open: map[net.Conn]*connection{}}
	server := &http.Server{
		Handler: received(handler), MaxHeaderBytes: mostHeader,
		ReadHeaderTimeout: times.header, ReadTimeout: times.request, IdleTimeout: times.idle,
		BaseContext: func(net.Listener) context.Context { return requests },
		ConnContext: clients.opened, ConnState: clients.changed,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return &report.Error{
			Op: "mcp", Kind: report.Refused, Code: report.CodeListenRefused,
			Message: "the server ended: " +
				err.Error(), Err: err,
		}
	case <-ctx.Done():
	}
	cancel() // streams end with their requests
	server.SetKeepAlivesEnabled(false)
	_ = listener.Close()
	<-failed // from here on no connection comes
	select {
	case <-clients.answered():
	case <-time.After(times.goodbye):
	}
	_ = server.Close() // what did not end by itself
	return nil
}

// connections are the open ones. They are counted here because the library, when it ends, waits for
// every client that began a request, and for one that was refused while it still sent.
type connections struct {
	mu   sync.Mutex
	open map[net.Conn]*connection
	done chan struct{} // closed when no answer is due any more; nil before the end
}

// connection knows whether a request has come whole, so that an answer is due.
type connection struct {
	all *connections
	due bool
}

type connectionKey struct{}

func (c *connections) opened(ctx context.Context, conn net.Conn) context.Context {
	one := &connection{all: c}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[conn] = one
	return context.WithValue(ctx, connectionKey{}, one)
}

func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateIdle: // the answer has gone out
		if one := c.open[conn]; one != nil {
			one.due = false
		}
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
	}
	c.closeQuiet()
}

// answered begins the end: it closes each connection as soon as no answer is due on it. The channel
// that it returns is closed when none is left.
func (c *connections) answered() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	done := make(chan struct{})
	c.done = done
	c.closeQuiet()
	return done
}

// closeQuiet closes those connections, once the end has begun. The lock is held.
func (c *connections) closeQuiet() {
	if c.done == nil {
		return
	}
	for conn, one := range c.open {
		if !one.due {
			_ = conn.Close()
			delete(c.open, conn)
		}
	}
	if len(c.open) == 0 {
		close(c.done)
		c.done = nil
	}
}

// cameWhole notes that an answer is due.
func (c *connection) cameWhole() {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	c.due = true
}

// received notes when a request has come whole.
func received(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		one, known := r.Context().Value(connectionKey{}).(*connection)
		switch {
		case !known:
		case r.Body == nil || r.Body == http.NoBody:
			one.cameWhole()
		default:
			request := *r // the library looks at its own body after the answer
			request.Body = &body{ReadCloser: r.Body, ended: one.cameWhole}
			r = &request
		}
		next.ServeHTTP(w, r)
	})
}

// body calls ended when it has been read to its end.
type body struct {
	io.ReadCloser
	ended func()
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.ended()
	}
	return n, err
}
