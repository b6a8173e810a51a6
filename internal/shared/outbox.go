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

// Lines returns the lines of an outbox after those that were taken, and how many there are in all.
// A line that was cut off does not count; one that cannot be read counts and is nil. If there are
// fewer lines than were taken, the outbox is a new one.
func Lines(data []byte, taken int) (rest []*Line, all int) {
	var lines []*Line
	for line := range bytes.Lines(data) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		l := &Line{}
		if json.Unmarshal(line, l) != nil {
			l = nil
		}
		lines = append(lines, l)
	}
	if all = len(lines); taken > all || taken < 0 {
		taken = 0
	}
	return lines[taken:], all
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
