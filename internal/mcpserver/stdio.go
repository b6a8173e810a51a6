package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/internal/report"
)

// A server is gone two seconds after the end of its input, and 100 ms after a signal. It waits for
// less than that, for calls that are being answered and for the client to read (agents.md 7.2).
const (
	signalGrace     = 60 * time.Millisecond
	endOfInputGrace = 1700 * time.Millisecond
)

// patience is how long the server waits for answers before it ends: after the end of input, and
// after a signal, which cancels calls.
type patience struct {
	input, cancelled time.Duration
	unread           int // bytes that it may leave unread
}

func usualPatience() patience {
	return patience{input: endOfInputGrace, cancelled: signalGrace, unread: mostUnread}
}

// mostLine bounds one message, in bytes.
const mostLine = 16 << 20

// serveStdio serves one client on standard input and output: one message a line, and nothing else
// on standard output. Refused when the client leaves too much unread.
func serveStdio(ctx context.Context, env report.Env, o Options, p patience) error {
	s := newServer(env, o)
	lines := newLines(env.Stdin, env.Stdout, p)
	calls, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	session, err := s.mcp.Connect(calls, lines, nil)
	if err != nil {
		return err
	}
	select {
	case <-lines.over:
	case <-ctx.Done():
		lines.stop() // the library then cancels what is being answered
	}
	settled := make(chan struct{})
	go func() {
		_ = session.Wait() // how a client went is nothing to act on
		s.working.Wait()
		<-lines.box.drained()
		close(settled)
	}()
	select {
	case <-settled:
	case <-time.After(p.cancelled):
	}
	if err := lines.box.leave(); errors.Is(err, errUnread) {
		return &report.Error{
			Op: "mcp", Kind: report.Refused, Code: report.CodeOutputRefused, Message: err.Error(),
			Hint: "read standard output while calls are made", Err: err,
		}
	}
	return nil
}

// lines is the transport: it differs from the library's own in that a line that is no message is
// answered and does not end the connection, and that the end of input lets calls finish that were
// asked for before.
type lines struct {
	in    *bufio.Reader
	box   *outbox
	grace time.Duration // for answers after the end of input

	stopped chan struct{}
	stop    func()        // closes stopped
	read    chan line     // what the reading goroutine found
	over    chan struct{} // closed when the library has read the last message
	finish  func()        // closes over

	mu      sync.Mutex
	open    map[jsonrpc.ID]bool // requests without an answer that an end waits for
	settled chan struct{}       // closed by the last answer when the input has ended, nil before
}

type line struct {
	data []byte
	err  error
}

func newLines(in io.Reader, out io.Writer, p patience) *lines {
	l := &lines{
		in: bufio.NewReaderSize(in, 64<<10), grace: p.input,
		stopped: make(chan struct{}), read: make(chan line), over: make(chan struct{}), open: map[jsonrpc.ID]bool{},
	}
	l.stop = sync.OnceFunc(func() { close(l.stopped) })
	l.finish = sync.OnceFunc(func() { close(l.over) })
	l.box = &outbox{out: out, limit: p.unread, broken: l.stop}
	return l
}

// Connect begins to read.
func (l *lines) Connect(context.Context) (mcp.Connection, error) {
	go func() {
		for {
			data, err := l.next()
			select {
			case l.read <- line{data, err}:
			case <-l.stopped:
				return
			}
			if err != nil && !errors.Is(err, errTooLong) {
				return
			}
		}
	}()
	return l, nil
}

func (l *lines) SessionID() string { return "" }

// Close ends reading. Standard input itself stays open: a read of it cannot be interrupted
// everywhere.
func (l *lines) Close() error {
	l.stop()
	return nil
}

var errTooLong = errors.New("the message is longer than 16 MB")

// next reads one line. A line that is too long is skipped, so that the next line is a line again.
func (l *lines) next() ([]byte, error) {
	var whole []byte
	long := false
	for {
		part, err := l.in.ReadSlice('\n')
		if long = long || len(whole)+len(part) > mostLine; !long {
			whole = append(whole, part...)
		} else {
			whole = nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(whole) > 0 && errors.Is(err, io.EOF):
			return whole, nil // a last line without its end; the next read says that it was the last
		case err != nil:
			return nil, err
		case long:
			return nil, errTooLong
		}
		return whole, nil
	}
}

// Read returns the next message.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := l.message(ctx)
	if err != nil {
		l.finish()
	}
	return msg, err
}

// message is Read.
func (l *lines) message(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.stopped:
			return nil, io.EOF
		case got := <-l.read:
			switch {
			case errors.Is(got.err, errTooLong):
				l.refuse(jsonrpc.CodeInvalidRequest, got.err.Error())
				continue
			case got.err != nil:
				l.drain()
				return nil, io.EOF
			}
			data := bytes.TrimSpace(got.data)
			if len(data) == 0 {
				continue
			}
			if msg, ok := l.decode(data); ok {
				return msg, nil
			}
		}
	}
}

// decode reads one message; a line that is none is answered and skipped.
func (l *lines) decode(data []byte) (jsonrpc.Message, bool) {
	switch {
	case !json.Valid(data):
		l.refuse(jsonrpc.CodeParseError, "the line is not JSON")
		return nil, false
	case data[0] != '{':
		l.refuse(jsonrpc.CodeInvalidRequest, "one message a line, and each an object")
		return nil, false
	}
	msg, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		l.refuse(jsonrpc.CodeInvalidRequest, "the line is not a JSON-RPC message")
		return nil, false
	}
	if r, ok := msg.(*jsonrpc.Request); ok && r.IsCall() && waitsFor(r) {
		l.mu.Lock()
		l.open[r.ID] = true
		l.mu.Unlock()
	}
	return msg, true
}

// waitsFor reports whether the end of input waits for the answer of a request: not of a stream that
// only ends with the client, nor of a command that may run for minutes.
func waitsFor(r *jsonrpc.Request) bool {
	if r.Method == "subscriptions/listen" {
		return false
	}
	var call struct {
		Arguments struct {
			Run json.RawMessage `json:"run"`
		} `json:"arguments"`
	}
	return r.Method != "tools/call" || json.Unmarshal(r.Params, &call) != nil || call.Arguments.Run == nil
}

// refuse answers a line that is no message. It has no id, so the answer has none.
func (l *lines) refuse(code int, message string) {
	object := struct {
		Version string `json:"jsonrpc"`
		ID      *int   `json:"id"`
		Error   struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}{Version: "2.0"}
	object.Error.Code, object.Error.Message = code, message
	data, _ := json.Marshal(object)   // a number and texts always have JSON
	_ = l.box.put(append(data, '\n')) // a client that cannot be told has gone, which the next read says
}

// Write sends one message.
func (l *lines) Write(_ context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	err = l.box.put(append(data, '\n'))
	if r, ok := msg.(*jsonrpc.Response); ok {
		l.mu.Lock()
		delete(l.open, r.ID)
		if l.settled != nil && len(l.open) == 0 {
			close(l.settled)
			l.settled = nil
		}
		l.mu.Unlock()
	}
	return err
}

// drain waits, at the end of input, for the answers that are still to come, and for the client to
// have read them.
func (l *lines) drain() {
	enough := time.NewTimer(l.grace)
	defer enough.Stop()
	settled := make(chan struct{})
	l.mu.Lock()
	if len(l.open) == 0 {
		close(settled)
	} else {
		l.settled = settled
	}
	l.mu.Unlock()
	select {
	case <-settled:
	case <-l.stopped:
		return
	case <-enough.C:
		return
	}
	select {
	case <-l.box.drained():
	case <-l.stopped:
	case <-enough.C:
	}
}
