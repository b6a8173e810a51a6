// Package records keeps files that only grow: one record per line, each with its own checksum. A
// writer appends without a sync, so a crash may leave part of a line at the end. The next writer
// cuts it off, and a reader ignores every line whose checksum is wrong.
package records

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"iter"
	"unsafe"
)

// File is an open file that can be read at any offset and is written only at its end.
type File interface {
	io.ReaderAt
	io.Writer
	Truncate(size int64) error
}

// Ending is the end of a file, up to its last whole line.
type Ending struct {
	Lines []byte // whole lines; if From > 0, the first may lack its beginning
	From  int64  // offset of Lines in the file
	Torn  bool   // part of a line follows Lines
	Rest  []byte // that part, without a terminator
}

// Size returns the length of the file up to the end of its last whole line.
func (e *Ending) Size() int64 { return e.From + int64(len(e.Lines)) }

// Last returns the last whole line without its terminator. It returns nil if there is none, or if
// its beginning was not read.
func (e *Ending) Last() []byte {
	if len(e.Lines) == 0 {
		return nil
	}
	from := bytes.LastIndexByte(e.Lines[:len(e.Lines)-1], '\n') + 1
	if from == 0 && e.From > 0 {
		return nil
	}
	return e.Lines[from : len(e.Lines)-1]
}

// ReadEnd reads the end of a file of the given size. It tries the limits in order, in bytes, until
// what it read holds the last line as a whole.
func ReadEnd(f io.ReaderAt, size int64, limits ...int64) (Ending, error) {
	var e Ending
	for _, limit := range limits {
		n := min(size, limit)
		data := make([]byte, n)
		got, err := f.ReadAt(data, size-n)
		if err != nil && !errors.Is(err, io.EOF) {
			return Ending{}, err
		}
		data = data[:got]
		whole := bytes.LastIndexByte(data, '\n') + 1
		e = Ending{Lines: data[:whole:whole], From: size - n, Torn: whole < got, Rest: data[whole:]}
		if n == size || e.Last() != nil {
			break
		}
	}
	return e, nil
}

// ErrNoLine says that the part of a file that may be read holds no whole line. No writer of records
// leaves a file like that.
var ErrNoLine = errors.New("it holds no readable record")

// Repair cuts off the part of a line that a crash left at the end.
func (e *Ending) Repair(f File) error {
	switch {
	case !e.Torn:
		return nil
	case len(e.Lines) == 0 && e.From > 0:
		return ErrNoLine
	}
	return e.CutTo(f, len(e.Lines))
}

// Terminate writes the terminator of the last line, which must be whole.
func (e *Ending) Terminate(f File) error {
	if _, err := f.Write([]byte{'\n'}); err != nil {
		return errors.Join(err, f.Truncate(e.Size()+int64(len(e.Rest))))
	}
	e.Lines = append(append(e.Lines, e.Rest...), '\n')
	e.Torn, e.Rest = false, nil
	return nil
}

// CutTo truncates a file to its first lines: those before byte from of Lines.
func (e *Ending) CutTo(f File, from int) error {
	if err := f.Truncate(e.From + int64(from)); err != nil {
		return err
	}
	e.Lines, e.Torn, e.Rest = e.Lines[:from:from], false, nil
	return nil
}

// Append writes lines at the end of a file of the given size. If that fails, it restores the old
// length.
func Append(f File, size int64, lines []byte) error {
	_, err := f.Write(lines)
	if err != nil {
		return errors.Join(err, f.Truncate(size))
	}
	return nil
}

// Backward yields the whole lines of data from the last to the first, without their terminators.
func Backward(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		data := data[:bytes.LastIndexByte(data, '\n')+1]
		for len(data) > 0 {
			from := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
			if !yield(data[from : len(data)-1]) {
				return
			}
			data = data[:from]
		}
	}
}

// sumLength is the number of hex digits of the checksum before a record.
const sumLength = 12

// Line returns a record as a line: the first digits of its SHA-256, a blank, the record, and the
// line's terminator. A record holds no line break.
func Line(record []byte) []byte {
	line := make([]byte, 0, sumLength+len(record)+2)
	line = append(append(line, sumOf(record)...), ' ')
	return append(append(line, record...), '\n')
}

// Record returns the record of a line without its terminator; ok is false if its checksum is wrong.
func Record(line []byte) (record []byte, ok bool) {
	sum, record, cut := bytes.Cut(line, []byte{' '})
	if !cut {
		return record, false
	}
	want, hexed := sha256.Sum256(record), [sumLength]byte{}
	hex.Encode(hexed[:], want[:sumLength/2])
	return record, bytes.Equal(sum, hexed[:])
}

// Body returns the record of a line without comparing its checksum, for searches among many lines.
func Body(line []byte) []byte { return line[min(len(line), sumLength+1):] }

// BodyOf is Body for a text.
func BodyOf(line string) string { return line[min(len(line), sumLength+1):] }

// View returns data as a string without copying it, for a file of megabytes whose lines become
// strings. Nobody may change data from then on.
func View(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

func sumOf(record []byte) string {
	sum := sha256.Sum256(record)
	return hex.EncodeToString(sum[:sumLength/2])
}

// Growth is what one writer appended to a file, so that it can be taken back.
type Growth struct {
	Path   string
	Before int64 // length before anything was appended
	Kept   int64 // length with the part that stays true if the commit fails
	After  int64 // length with everything
}

// TakeBack truncates an open file to an earlier length, and closes it.
func TakeBack(f interface {
	File
	io.Closer
}, size int64,
) error {
	return errors.Join(f.Truncate(size), f.Close())
}
