package shared

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"syscall"

	"baton/internal/task"
)

// OutboxName is the file in a checkout's runtime folder with what could not be written into the
// shared book. Lines are only appended.
const OutboxName = "outbox"

// MostOutbox is the size of the largest outbox that is read, in bytes.
const MostOutbox = 1 << 20

// Line is one entry of an outbox: a mark, or the end of a claim.
type Line struct {
	Mark  *Mark   `json:"mark,omitempty"`
	Ended task.ID `json:"ended,omitempty"` // the task whose claim ended
	By    string  `json:"by,omitempty"`    // its holder
	Fence int64   `json:"fence,omitempty"` // its fence; 0 in lines of earlier versions
}

// Encode returns a line as it is appended to an outbox.
func (l Line) Encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(l)
	return b.Bytes(), err
}

// Taken says which lines of an outbox were taken.
type Taken struct {
	Lines int    // how many
	Sum   string // checksum of the last one; "" if it is not known, as in books of earlier versions
}

// Lines returns the lines of an outbox after those that were taken, and what was taken with them. A
// line that was cut off does not count; one that cannot be read counts and is nil. An outbox with
// fewer lines, or with another one in the place of the last, is a new one: `git clean -x` removes
// it, for example.
func Lines(data []byte, before Taken) (rest []*Line, now Taken) {
	from, last := 0, []byte(nil)
	for line := range bytes.Lines(data) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		rest, last = append(rest, parseLine(line)), line
		if len(rest) == before.Lines && (before.Sum == "" || before.Sum == task.BodyHash(string(line))) {
			from = before.Lines
		}
	}
	if len(rest) > 0 {
		now = Taken{len(rest), task.BodyHash(string(last))}
	}
	return rest[from:], now
}

// parseLine returns nil for a line that cannot be read. Where a full disk cut one off, the next
// begins behind it.
func parseLine(line []byte) *Line {
	from := max(0, bytes.LastIndex(line, []byte(`{"mark":{`)), bytes.LastIndex(line, []byte(`{"ended":"`)))
	for _, text := range [...][]byte{line, line[from:]} {
		l := &Line{}
		if json.Unmarshal(text, l) == nil {
			return l
		}
	}
	return nil
}

func (b *Book) taken(worktree string) Taken {
	return Taken{b.Outboxes[worktree], b.OutboxSums[worktree]}
}

// take notes what was taken from the outbox of a worktree.
func (b *Book) take(worktree string, now Taken) {
	if now == b.taken(worktree) {
		return
	}
	if b.Outboxes == nil {
		b.Outboxes = map[string]int{}
	}
	if b.OutboxSums == nil {
		b.OutboxSums = map[string]string{}
	}
	b.Outboxes[worktree], b.OutboxSums[worktree] = now.Lines, now.Sum
}

// ReadPlain reads a regular file of another checkout, at most so many bytes. It follows no link in
// the place of the file, and waits for nothing.
func ReadPlain(path string, most int64) ([]byte, bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil, false
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	data, err := io.ReadAll(io.LimitReader(f, most))
	return data, err == nil
}
