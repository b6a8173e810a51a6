package hook

import (
	"bytes"
	"encoding/json"
	"sync"

	"baton/internal/report"
)

// mostInput is the size above which an event is ignored, in bytes (agents.md 2.2).
const mostInput = 10 << 20

// inbox collects standard input. It is sealed when the input ends, or by anyone who has waited long
// enough.
type inbox struct {
	mu     sync.Mutex
	data   []byte
	size   int
	sealed bool
}

// readAll reads standard input to its end, so that the client's write never fails, and keeps no
// more than an event may have. fault says why there is nothing to answer; mine is false if somebody
// else took what had come.
func (b *inbox) readAll(env report.Env) (data []byte, fault string, mine bool) {
	if env.Stdin == nil || env.Prompt {
		return b.seal()
	}
	buf := make([]byte, 4<<10) // most events are shorter
	for {
		n, err := env.Stdin.Read(buf)
		if !b.take(buf[:n]) {
			return nil, "", false
		}
		if err != nil {
			return b.seal()
		}
	}
}

// take keeps a piece; false when the inbox is sealed.
func (b *inbox) take(piece []byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sealed {
		return false
	}
	if b.size += len(piece); b.size <= mostInput {
		b.data = append(b.data, piece...)
	} else {
		b.data = nil // what is ignored need not be kept
	}
	return true
}

// heard returns how many bytes have come so far.
func (b *inbox) heard() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.size
}

// whole reports whether what came so far is JSON from its beginning to its end.
func (b *inbox) whole() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return json.Valid(bytes.TrimPrefix(b.data, []byte("\xef\xbb\xbf")))
}

// patience waits for a client that leaves the pipe open after its event.
type patience struct{ heard, pauses int }

// over reports, after one more pause, whether the client has said everything: nothing came in the
// pause and the event is whole, or nothing came in several pauses.
func (w *patience) over(b *inbox) bool {
	if more := b.heard(); more > w.heard { // it is still coming
		w.heard, w.pauses = more, 0
		return false
	}
	w.pauses++
	return w.pauses >= mostPauses || b.whole()
}

// seal ends the reading and returns what came. mine is true for the first caller.
func (b *inbox) seal() (data []byte, fault string, mine bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	mine, b.sealed = !b.sealed, true
	switch {
	case b.size > mostInput:
		return nil, "an event over 10 MB", mine
	case len(bytes.TrimSpace(b.data)) == 0:
		return nil, "no event on standard input", mine
	}
	return b.data, "", mine
}

// payload is the JSON object that a client sends. Unknown fields are there and not looked at,
// missing ones are normal, and a value of another type than expected counts as missing
// (agents.md 2.2).
type payload map[string]json.RawMessage

// parse reads an object; nil for anything else. A byte order mark before it, which PowerShell
// writes, is skipped.
func parse(data []byte) payload {
	var p payload
	if json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &p) != nil {
		return nil
	}
	return p
}

// raw returns the first of the named fields that is there.
func (p payload) raw(names ...string) json.RawMessage {
	for _, name := range names {
		if v := p[name]; len(v) > 0 && !bytes.Equal(v, []byte("null")) {
			return v
		}
	}
	return nil
}

func (p payload) has(names ...string) bool { return p.raw(names...) != nil }

// text returns the first of the named fields that is a string.
func (p payload) text(names ...string) string {
	s, _ := p.words(names...)
	return s
}

func (p payload) words(names ...string) (string, bool) {
	for _, name := range names {
		if v := p[name]; len(v) > 0 && v[0] == '"' {
			var s string
			if json.Unmarshal(v, &s) == nil {
				return s, true
			}
		}
	}
	return "", false
}

func (p payload) truth(names ...string) bool {
	for _, name := range names {
		if string(p[name]) == "true" {
			return true
		}
	}
	return false
}

func (p payload) number(names ...string) (float64, bool) {
	for _, name := range names {
		if v := p[name]; len(v) > 0 && (v[0] == '-' || v[0] >= '0' && v[0] <= '9') {
			var f float64
			if json.Unmarshal(v, &f) == nil {
				return f, true
			}
		}
	}
	return 0, false
}

// object returns the first of the named fields that is an object, or a text that holds one, as
// Copilot's toolArgs may.
func (p payload) object(names ...string) payload {
	for _, name := range names {
		v := p[name]
		if len(v) > 0 && v[0] == '"' {
			v = json.RawMessage(p.text(name))
		}
		if v = bytes.TrimLeft(v, " \t\r\n"); len(v) > 0 && v[0] == '{' {
			if o := parse(v); o != nil {
				return o
			}
		}
	}
	return nil
}

// list returns the named field's items.
func (p payload) list(names ...string) []json.RawMessage {
	var items []json.RawMessage
	if v := p.raw(names...); len(v) > 0 && v[0] == '[' {
		_ = json.Unmarshal(v, &items) // what is no list is an empty one
	}
	return items
}
