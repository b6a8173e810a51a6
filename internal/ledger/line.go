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

// A line of a book is twelve hex digits of the SHA-256 of the record, a blank, and the record as
// JSON. A line with other digits was torn by a crash and is ignored (D37).
const sumLength = 12

// Limits of lines.
const (
	packFrom  = 512     // size from which packing an entry saves something, in bytes
	packAbove = 8 << 10 // size of all entries of a change up to which packing costs more than it saves, in bytes
	// bytes of entries in one line, unless it has only one; lines are short because commits search
	// the end of a book for the last states
	lineShare = 8 << 10
	mostRaw   = report.MostBytes // bytes of an entry's text
	// bytes of all packed entries of a book, because a forged line may claim any size
	mostBook = 256 << 20
)

// written is a record in the form of a line.
type written struct {
	Record
	Seen []writtenSighting `json:"seen,omitempty"`
}

// writtenBook is any line of a book. It is a separate type because a commit writes only single
// records, and need not encode the other fields.
type writtenBook struct {
	written
	Known     []writtenKnown `json:"known,omitempty"`   // entries of a book that was rewritten
	Rewritten bool           `json:"anew,omitempty"`    // last line of a rewritten book: has its documents
	Highest   int            `json:"highest,omitempty"` // with Rewritten, see Book.Highest

	Found map[string]time.Time `json:"found,omitempty"` // with Rewritten, see Book.Found
}

// writtenSighting is a sighting whose Raw may be packed.
type writtenSighting struct {
	Sighting
	Packed string `json:"packed,omitempty"` // Raw, deflated, in base64
	Size   int    `json:"size,omitempty"`   // length of a packed Raw, in bytes
}

// weight returns about how many bytes a sighting takes in a line.
func (w *writtenSighting) weight() int {
	const names = 200 // of the fields' names, and the short fields
	return names + len(w.Raw) + len(w.Packed) + len(w.Section) + len(w.Head) + len(w.Doc)
}

// Lines encodes a record, in one line or, if it has many sightings, in several. These belong
// together, in this order. If a crash leaves only some of them, the entries of what somebody else
// did count, but the documents' states are only in the last line.
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

// packer packs long texts. Its writer costs more than a commit should spend on a few entries, so
// those are not packed.
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

// unpacker restores Raw, within the limits of a book.
type unpacker struct {
	left int
	from io.ReadCloser
}

// sighting returns false if the packed text cannot come from packer.
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
	// Memory is only allocated for what is there, because a forged line may claim any size.
	raw, err := io.ReadAll(io.LimitReader(u.from, int64(w.Size)+1))
	if err != nil || len(raw) != w.Size {
		return s, false
	}
	u.left -= w.Size
	s.Raw = string(raw)
	return s, true
}

// parseLine parses a line of appendLine, and returns false for anything else.
func parseLine(line []byte) (w writtenBook, ok bool) {
	return w, readLine(line, &w) && w.Family != ""
}

// readLine decodes a line into a struct. It returns false if the checksum is wrong.
func readLine(line []byte, into any) bool {
	said, record, cut := bytes.Cut(line, []byte{' '})
	return cut && len(said) == sumLength && sumOf(record)[:sumLength] == string(said) &&
		json.Unmarshal(record, into) == nil
}

// Whole returns how many bytes at the end of a book are whole lines. A torn line may follow them.
func Whole(end []byte) int { return bytes.LastIndexByte(end, '\n') + 1 }

// LastState returns the last state of a document in the end of a book, or nil. end may begin within
// a line.
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

// LastLacking returns how many entries are missing after the last record. end may begin within a
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

// Intent parses the last line of a book if it has no terminator: the record of a change by baton
// that may not have been made. from is the offset in end where the record begins, with all its
// lines as far as end has them.
func Intent(end []byte) (docs []DocState, from int, ok bool) {
	from = Whole(end)
	w, ok := parseLine(end[from:])
	if !ok || w.Outside || w.Rewritten {
		return nil, from, false
	}
	backward(end, func(line []byte) bool {
		part, is := parseLine(line)
		if !is || !part.More || part.Mark != w.Mark || part.Outside {
			return false
		}
		from -= len(line) + 1
		return true
	})
	return w.Docs, from, true
}

// FamilyOf returns the family of a book, from its last line; "" if there is none. end may begin
// within a line.
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
	if w, ok := parseLine(end[Whole(end):]); ok && family == "" {
		return w.Family
	}
	return family
}

// backward calls see for every line from the last one on, without terminators, until it returns
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
