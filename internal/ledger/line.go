package ledger

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"time"
	"unicode/utf8"

	"baton/internal/report"
)

// A line of a book is twelve hex digits of the SHA-256 of the record, a blank, the record as JSON.
// One without the right digits was torn by a crash and counts for nothing (D37).
const sumLength = 12

// Limits of lines.
const (
	packFrom  = 512     // bytes of an entry from which on packing it saves something
	packAbove = 8 << 10 // bytes of all entries of a change up to which packing costs more than it saves
	// bytes of entries in one line, unless it is only one: commits look for the last states at the
	// end of a book
	lineShare = 8 << 10
	mostRaw   = report.MostBytes // of an entry
	// bytes that the packed entries of a book may have together: a made-up line may claim any size
	mostBook = 256 << 20
)

// written is a record in the form of a line.
type written struct {
	Record
	Seen []writtenSighting `json:"seen,omitempty"`
}

// writtenBook is any line of a book. It is a type of its own because a commit, which writes one
// record, need not learn the rest.
type writtenBook struct {
	written
	Known     []writtenKnown `json:"known,omitempty"` // of a book that was rewritten
	Rewritten bool           `json:"anew,omitempty"`  // the documents of a book that was rewritten: its last line

	Found map[string]time.Time `json:"found,omitempty"` // with Again, see Book.Found
}

// writtenSighting is a sighting whose Raw may be packed.
type writtenSighting struct {
	Sighting
	Packed string `json:"packed,omitempty"` // Raw, deflated, in base64
	Size   int    `json:"size,omitempty"`   // of Raw where it is packed, in bytes
}

// weight is about what a sighting takes in a line.
func (w *writtenSighting) weight() int {
	const names = 200 // of fields, and the short ones
	return names + len(w.Raw) + len(w.Packed) + len(w.Section) + len(w.Head) + len(w.Doc)
}

// Lines writes a record: in one line, or in several where it has seen much. They belong together
// and in this order. After a crash that left only some of them, those count as far as they go, but
// the documents' states are in the last one.
func (r *Record) Lines() ([]byte, error) {
	total := 0
	for i := range r.Seen {
		total += len(r.Seen[i].Raw)
	}
	p := packer{small: total <= packAbove}
	var out []byte
	var part []writtenSighting
	size := 0
	for i := range r.Seen {
		s, err := p.sighting(r.Seen[i])
		if err != nil {
			return nil, err
		}
		n := s.weight()
		if size > 0 && size+n > lineShare {
			more := written{Record: Record{Family: r.Family, Mark: r.Mark, Outside: r.Outside, More: true}, Seen: part}
			if out, err = appendLine(out, &more); err != nil {
				return nil, err
			}
			part, size = nil, 0
		}
		part, size = append(part, s), size+n
	}
	last := written{Record: *r, Seen: part}
	last.More = false
	return appendLine(out, &last)
}

func appendLine(to []byte, w any) ([]byte, error) {
	record, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	to = append(to, sumOf(record)[:sumLength]...)
	return append(append(append(to, ' '), record...), '\n'), nil
}

// packer packs what is long. Its writer costs more than a commit has to spend on it, so few entries
// go as they are.
type packer struct {
	small bool
	out   bytes.Buffer
	pack  *flate.Writer
}

func (p *packer) sighting(s Sighting) (writtenSighting, error) {
	w := writtenSighting{Sighting: s}
	if utf8.ValidString(s.Raw) && (p.small || len(s.Raw) < packFrom) {
		return w, nil
	}
	p.out.Reset()
	if p.pack == nil {
		var err error
		if p.pack, err = flate.NewWriter(&p.out, flate.BestSpeed); err != nil {
			return w, err
		}
	} else {
		p.pack.Reset(&p.out)
	}
	if _, err := p.pack.Write([]byte(s.Raw)); err != nil {
		return w, err
	}
	if err := p.pack.Close(); err != nil {
		return w, err
	}
	w.Raw, w.Packed, w.Size = "", base64.StdEncoding.EncodeToString(p.out.Bytes()), len(s.Raw)
	return w, nil
}

// unpacker returns Raw back, within the bounds of a book.
type unpacker struct {
	left int
	from io.ReadCloser
}

// sighting is false for one whose packed text is not what packing made.
func (u *unpacker) sighting(w *writtenSighting) (Sighting, bool) {
	s := w.Sighting
	if w.Packed == "" {
		return s, w.Size == 0
	}
	if w.Size <= 0 || w.Size > min(mostRaw, u.left) {
		return s, false
	}
	packed, err := base64.StdEncoding.DecodeString(w.Packed)
	if err != nil {
		return s, false
	}
	if u.from == nil {
		u.from = flate.NewReader(bytes.NewReader(packed))
	} else if err := u.from.(flate.Resetter).Reset(bytes.NewReader(packed), nil); err != nil {
		return s, false
	}
	// What it holds is not made room for before it is there: a made-up size may be any.
	raw, err := io.ReadAll(io.LimitReader(u.from, int64(w.Size)+1))
	if err != nil || len(raw) != w.Size {
		return s, false
	}
	u.left -= w.Size
	s.Raw = string(raw)
	return s, true
}

// parseLine reads what appendLine wrote; false for anything else.
func parseLine(line []byte) (w writtenBook, ok bool) {
	return w, readLine(line, &w) && w.Family != ""
}

// readLine reads of a line what is asked for, and is false where its sum is not that of the rest.
func readLine(line []byte, into any) bool {
	said, record, cut := bytes.Cut(line, []byte{' '})
	return cut && len(said) == sumLength && sumOf(record)[:sumLength] == string(said) &&
		json.Unmarshal(record, into) == nil
}

// Whole returns how many bytes of the end of a book are whole lines; what follows is a line that
// was torn.
func Whole(end []byte) int { return bytes.LastIndexByte(end, '\n') + 1 }

// LastState returns what the end of a book says last of a document, nil when nothing; end may begin
// within a line.
func LastState(end []byte, name string) *DocState {
	quoted, err := json.Marshal(name)
	if err != nil {
		return nil
	}
	quoted = append([]byte(`{"name":`), append(quoted, ',')...)
	var found *DocState
	backward(end, func(line []byte) bool {
		if !bytes.Contains(line, quoted) {
			return true
		}
		var w struct {
			Docs []DocState `json:"docs"`
		}
		if !readLine(line, &w) {
			return true
		}
		for i := range w.Docs {
			if w.Docs[i].Name == name {
				found = &w.Docs[i]
			}
		}
		return found == nil
	})
	return found
}

// LastLacking returns how many entries are missing after the last record; end may begin within a
// line.
func LastLacking(end []byte) (n int, ok bool) {
	backward(end, func(line []byte) bool {
		var w struct {
			Lacking int  `json:"lacking"`
			More    bool `json:"more"`
		}
		whole := readLine(line, &w)
		n, ok = w.Lacking, whole && !w.More
		return !whole
	})
	return n, ok
}

// FamilyOf returns the family of a book by its last whole line, "" where there is none; end may
// begin within a line.
func FamilyOf(end []byte) (family string) {
	backward(end, func(line []byte) bool {
		var w struct {
			Family string `json:"family"`
		}
		if readLine(line, &w) {
			family = w.Family
		}
		return family == ""
	})
	return family
}

// backward calls see for every line from the last one on, without terminators, until it gives
// false.
func backward(end []byte, see func(line []byte) bool) {
	end = end[:Whole(end)]
	for len(end) > 0 {
		end = end[:len(end)-1]
		from := bytes.LastIndexByte(end, '\n') + 1
		if !see(end[from:]) {
			return
		}
		end = end[:from]
	}
}
