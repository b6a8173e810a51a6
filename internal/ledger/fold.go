package ledger

import "slices"

// fold adds a record to the book. Departures come first, because an entry that is also seen is
// there.
func (b *Book) fold(r Record) {
	b.turn++
	if b.Since.IsZero() {
		b.Since = r.At
	}
	changed := make([]string, 0, len(r.Docs)) // documents that may have lost entries
	for _, d := range r.Docs {
		if d.Tail == 0 { // otherwise it was only appended to
			changed = append(changed, d.Name)
		}
	}
	for _, d := range r.Left {
		b.depart(d, changed, r.Mark)
	}
	for _, key := range r.Missing {
		b.miss(key, changed, r.Mark)
	}
	for _, s := range r.Seen {
		b.see(s, changed, &r)
	}
	for _, d := range r.Docs {
		if _, known := b.Docs[d.Name]; !known && d.Exists && (r.Outside || d.Size > d.Tail && d.Tail > 0) {
			b.Found[d.Name] = r.At
		}
		b.Docs[d.Name] = d
		if d.Exists && !d.Unsure {
			b.looks[d.Name] = look{b.turn, r.Mark}
		}
	}
}

func (b *Book) see(s Sighting, changed []string, r *Record) {
	k, at, how := b.by[s.Key], r.Mark, How("")
	if k == nil {
		k = &Known{First: at}
		b.by[s.Key] = k
	} else if k.turn != b.turn {
		// The entry was seen in a changed document. It is in another changed document only if the
		// record says so, too.
		b.leave(k, changed)
	}
	if s.After == s.Key { // the same text twice in a row: the first one's position counts
		s.After = k.After
	}
	if r.Outside && k.How == Accepted {
		how = Accepted // another branch still has it, so it may be lost again, until baton writes it again
	}
	if k.State == Left && k.How == Reworded {
		k.Later = k.Into
	}
	raw := k.Raw
	k.Sighting, k.State, k.How, k.Into, k.Gone, k.Last, k.turn = s, Present, how, "", Mark{}, at, b.turn
	if k.Raw == "" {
		k.Raw = raw
	}
	if !slices.Contains(k.docs, s.Doc) {
		k.docs = append(k.docs, s.Doc)
	}
	b.stale = true
	b.rows.put(k, b.by[s.After])
}

// depart records that an entry is no longer missed. If another document of the family still has it,
// it has not left.
func (b *Book) depart(d Departure, changed []string, at Mark) {
	k := b.by[d.Key]
	if k == nil || d.How == Removed && b.leave(k, changed) {
		return
	}
	b.leave(k, k.docs)
	k.State, k.How, k.Into, k.Gone = Left, d.How, d.Into, at
}

func (b *Book) miss(key string, changed []string, at Mark) {
	k := b.by[key]
	if k == nil || b.leave(k, changed) || k.State == Missing {
		return
	}
	k.State, k.Into, k.Gone = Missing, "", at
	if k.How == Accepted {
		k.State = Left
		return
	}
	k.How = ""
}

// leave removes an entry from documents, and reports whether another document still has it.
func (b *Book) leave(k *Known, changed []string) bool {
	if len(k.docs) == 0 {
		return false
	}
	rest := make([]string, 0, len(k.docs))
	for _, doc := range k.docs {
		if !slices.Contains(changed, doc) {
			rest = append(rest, doc)
		} else {
			k.thereAt(b.looks[doc])
		}
	}
	k.docs = rest
	if len(rest) > 0 && !slices.Contains(rest, k.Doc) {
		k.Doc, b.stale = rest[0], true
		b.rows.put(k, nil)
	}
	return len(rest) > 0
}
