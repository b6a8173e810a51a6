package records_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"baton/internal/store/records"
)

// file is a file in memory whose writes fail once they have filled its room, in bytes.
type file struct {
	data []byte
	room int
}

var errFull = errors.New("full")

func (f *file) ReadAt(p []byte, at int64) (int, error) {
	n := copy(p, f.data[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *file) Write(p []byte) (int, error) {
	n := min(len(p), f.room)
	f.data = append(f.data, p[:n]...)
	if f.room -= n; n < len(p) {
		return n, errFull
	}
	return n, nil
}

func (f *file) Truncate(size int64) error { f.data = f.data[:size]; return nil }
func (f *file) Close() error              { return nil }

func TestReadEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		limits []int64
		lines  string
		last   string
		torn   bool
	}{
		{"", []int64{10}, "", "", false},
		{"one\ntwo\n", []int64{100}, "one\ntwo\n", "two", false},
		{"one\ntwo\n", []int64{5}, "\ntwo\n", "two", false},
		{"one\ntwo\n", []int64{4, 6}, "e\ntwo\n", "two", false}, // the first limit may have cut off the start of the line
		{"one\ntwo\nthr", []int64{100}, "one\ntwo\n", "two", true},
		{"one\n" + strings.Repeat("x", 50), []int64{10, 20}, "", "", true},
		{"one\n" + strings.Repeat("x", 50), []int64{10, 100}, "one\n", "one", true},
	} {
		f := &file{data: []byte(c.text)}
		e, err := records.ReadEnd(f, int64(len(c.text)), c.limits...)
		if err != nil || string(e.Lines) != c.lines || string(e.Last()) != c.last || e.Torn != c.torn {
			t.Errorf("%.20q, %v: %q, last %q, torn %v, %v", c.text, c.limits, e.Lines, e.Last(), e.Torn, err)
		}
		want := strings.TrimSuffix(c.text, c.text[strings.LastIndexByte(c.text, '\n')+1:])
		if err := e.Repair(f); c.torn && c.lines == "" && !errors.Is(err, records.ErrNoLine) {
			t.Errorf("%.20q: %v", c.text, err)
		} else if err == nil && string(f.data) != want {
			t.Errorf("%.20q becomes %q", c.text, f.data)
		}
	}
}

// TestEveryTornTailIsCut: if a crash leaves any part of a record, the records before it stay, and
// the next one follows them.
func TestEveryTornTailIsCut(t *testing.T) {
	t.Parallel()
	first, second := records.Line([]byte(`{"n":1}`)), records.Line([]byte(`{"n":2}`))
	for cut := range len(second) {
		f := &file{data: append(bytes.Clone(first), second[:cut]...), room: 1000}
		e, err := records.ReadEnd(f, int64(len(f.data)), 1000)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(e.Repair(f), records.Append(f, e.Size(), second)); err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range records.Backward(f.data) {
			record, ok := records.Record(line)
			got = append(got, fmt.Sprintf("%s %v", record, ok))
		}
		if want := []string{`{"n":2} true`, `{"n":1} true`}; !slices.Equal(got, want) {
			t.Errorf("cut after %d bytes: %q", cut, got)
		}
	}
}

func TestAFailedAppendLeavesTheFileAsItWas(t *testing.T) {
	t.Parallel()
	line := records.Line([]byte("record"))
	for room := range len(line) {
		f := &file{data: []byte("before\n"), room: room}
		if err := records.Append(f, 7, line); !errors.Is(err, errFull) || string(f.data) != "before\n" {
			t.Errorf("%d bytes of room: %v, %q", room, err, f.data)
		}
	}
	f := &file{data: []byte("before\n"), room: 100}
	if err := errors.Join(records.Append(f, 7, line), records.TakeBack(f, 7)); err != nil || string(f.data) != "before\n" {
		t.Errorf("%v, %q", err, f.data)
	}
}

func TestAnAlteredRecordIsIgnored(t *testing.T) {
	t.Parallel()
	line := bytes.TrimSuffix(records.Line([]byte("some record")), []byte{'\n'})
	if record, ok := records.Record(line); !ok || string(record) != "some record" || string(records.Body(line)) != "some record" {
		t.Errorf("%q, %v", record, ok)
	}
	for at := range line {
		other := bytes.Clone(line)
		other[at] ^= 1
		if _, ok := records.Record(other); ok {
			t.Errorf("%q counts", other)
		}
	}
	for _, text := range []string{"", " ", "abc", "some record", " record"} {
		if _, ok := records.Record([]byte(text)); ok {
			t.Errorf("%q counts", text)
		}
	}
}
