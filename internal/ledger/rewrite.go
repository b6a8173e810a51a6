package ledger

import (
	"maps"
	"slices"
	"time"
)

const marksWeight = 200 // size of the marks in a line, in bytes

// writtenKnown is an entry with its history, in a book that was rewritten.
type writtenKnown struct {
	writtenSighting
	State State    `json:"state"`
	How   How      `json:"how,omitempty"`
	Into  string   `json:"into,omitempty"`
	Later string   `json:"later,omitempty"` // without it, a reworded entry counts as lost after a checkout
	First Mark     `json:"first,omitzero"`
	Last  Mark     `json:"last,omitzero"`
	Gone  Mark     `json:"gone,omitzero"`
	Docs  []string `json:"docs,omitempty"`
}

// Lines encodes the whole book without what its records repeat. It forgets no entry.
func (b *Book) Lines() ([]byte, error) {
	var out []byte
	var p packer
	head := Record{Family: b.Family, Mark: Mark{At: b.Since}}
	var part []writtenKnown
	size := 0
	flush := func() error {
		if len(part) == 0 {
			return nil
		}
		var err error
		w := writtenBook{written: written{Record: head}, Known: part}
		w.More = true
		out, err = appendLine(out, &w)
		part, size = nil, 0
		return err
	}
	for _, k := range b.Entries {
		s, err := p.sighting(k.Sighting)
		if err != nil {
			return nil, err
		}
		n := s.weight() + marksWeight
		if size+n > lineShare {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		part = append(part, writtenKnown{s, k.State, k.How, k.Into, k.Later, k.First, k.Last, k.Gone, k.docs})
		size += n
	}
	if err := flush(); err != nil {
		return nil, err
	}
	last := writtenBook{written: written{Record: head}, Rewritten: true, Highest: b.Highest(), Found: b.Found}
	last.Lacking = b.Lacking()
	for _, name := range slices.Sorted(maps.Keys(b.Docs)) {
		last.Docs = append(last.Docs, b.Docs[name])
	}
	return appendLine(out, &last)
}

// restore adds entries of a book that was rewritten.
func (b *Book) restore(known []writtenKnown, u *unpacker) {
	for i := range known {
		w := &known[i]
		s, ok := u.sighting(&w.writtenSighting)
		if !ok {
			continue
		}
		k := b.by[s.Key]
		if k == nil {
			k = &Known{}
			b.by[s.Key] = k
		}
		k.Sighting, k.State, k.How, k.Into, k.Later = s, w.State, w.How, w.Into, w.Later
		k.First, k.Last, k.Gone, k.docs, k.turn = w.First, w.Last, w.Gone, w.Docs, b.turn
		b.stale = true
		b.rows.push(k)
	}
}

// resume adds the documents of a book that was rewritten.
func (b *Book) resume(r Record, found map[string]time.Time) {
	if b.Since.IsZero() {
		b.Since = r.At
	}
	for _, d := range r.Docs {
		b.Docs[d.Name] = d
	}
	maps.Copy(b.Found, found)
}
