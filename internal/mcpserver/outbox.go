package mcpserver

import (
	"errors"
	"io"
	"sync"

	"baton/internal/report"
)

// mostUnread bounds what a client may leave unread, in bytes. One that leaves more has stopped
// reading.
const mostUnread = report.MostBytes

// errUnread is why the server gives up on a client that does not read; errLeft is the error of
// writing to it afterwards.
var (
	errUnread = errors.New("the client left more than 64 MB of answers unread")
	errLeft   = errors.New("the server has ended")
)

// outbox is what is still to be written to a client, in order. put does not wait for the client:
// the goroutine that reads requests also answers some, and a client that does not read must not
// keep the server from noticing that it leaves.
type outbox struct {
	out    io.Writer
	limit  int    // bytes that may wait
	broken func() // called once, with the lock held, when nothing more can be written

	mu     sync.Mutex
	queue  [][]byte
	bytes  int           // in the queue and in the write that runs
	err    error         // why nothing more is written
	active bool          // a goroutine writes
	empty  chan struct{} // closed when that goroutine ends; nil while nobody waits for it
}

// put adds a message, which the outbox then owns. The error is that of an earlier message.
func (b *outbox) put(data []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil && b.bytes+len(data) > b.limit {
		b.fail(errUnread)
	}
	if b.err != nil {
		return b.err
	}
	b.queue, b.bytes = append(b.queue, data), b.bytes+len(data)
	if !b.active {
		b.active = true
		go b.write()
	}
	return nil
}

// write writes until the queue is empty.
func (b *outbox) write() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.err == nil && len(b.queue) > 0 {
		data := b.queue[0]
		b.queue = b.queue[1:]
		b.mu.Unlock()
		_, err := b.out.Write(data)
		b.mu.Lock()
		b.bytes -= len(data)
		if err != nil && b.err == nil {
			b.fail(err)
		}
	}
	b.active = false
	if b.empty != nil {
		close(b.empty)
		b.empty = nil
	}
}

// fail drops what waits. The lock is held.
func (b *outbox) fail(err error) {
	b.err, b.queue = err, nil
	b.broken()
}

// leave stops writing, except for a write that has begun and cannot be taken back. It returns why
// the server had given up on the client before, nil if it had not.
func (b *outbox) leave() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.err
	if before == nil {
		b.err, b.queue = errLeft, nil
	}
	return before
}

// drained is closed when everything has been written, or nothing more can be.
func (b *outbox) drained() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.empty == nil {
		empty := make(chan struct{})
		if !b.active {
			close(empty)
			return empty
		}
		b.empty = empty
	}
	return b.empty
}
