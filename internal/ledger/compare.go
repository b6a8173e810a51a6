package ledger

import (
	"maps"
	"slices"
	"time"
)

// Diff returns what a change by baton did, given the entries of the changed documents before and
// after it. seen are the entries that are new, in other documents, or have other bytes. gone are
// the keys of those that are no longer in any of these documents.
func Diff(before, after []Sighting) (seen []Sighting, gone []string) {
	type stand struct{ doc, key string }
	stood, stands := map[stand]string{}, map[stand]bool{}
	moved, now := map[string]bool{}, map[string]bool{}
	for i := range before {
		stood[stand{before[i].Doc, before[i].Key}] = before[i].Raw
	}
	for i := range after {
		s := &after[i]
		now[s.Key], stands[stand{s.Doc, s.Key}] = true, true
		if raw, ok := stood[stand{s.Doc, s.Key}]; !ok || raw != s.Raw {
			moved[s.Key] = true
		}
	}
	for i := range before {
		switch key := before[i].Key; {
		case !now[key]:
			now[key] = true
			gone = append(gone, key)
		case !stands[stand{before[i].Doc, key}]:
			moved[key] = true
		}
	}
	for _, s := range after {
		if moved[s.Key] { // including the places where it stays: see Book.see
			seen = append(seen, s)
		}
	}
	return seen, gone
}

// Sightings returns the entries of a document as sightings.
func Sightings(doc string, entries []Entry) []Sighting {
	out := make([]Sighting, len(entries))
	for i := range entries {
		out[i] = Sighting{Doc: doc, Entry: entries[i]}
	}
	return out
}

// Compare returns a record of what somebody else did to documents; now holds their current entries.
// The caller adds the mark and the documents' states.
func (b *Book) Compare(now map[string][]Entry) Record {
	r := Record{Family: b.Family, Outside: true}
	stands := map[string][]string{}
	for doc, entries := range now {
		for i := range entries {
			if key := entries[i].Key; !slices.Contains(stands[key], doc) {
				stands[key] = append(stands[key], doc)
			}
		}
	}
	for _, doc := range slices.Sorted(maps.Keys(now)) {
		for _, e := range now[doc] {
			if k := b.by[e.Key]; k == nil || k.State != Present || k.Raw != e.Raw || !k.stoodIn(stands[e.Key], now) {
				r.Seen = append(r.Seen, Sighting{Doc: doc, Entry: e})
			}
		}
	}
	into := map[string]*Entry{}
	for _, a := range b.Missing(now) {
		if a.Into != nil {
			into[a.Known.Key] = a.Into
		}
	}
	for _, k := range b.Entries {
		switch there := stands[k.Key]; {
		case len(there) > 0:
		case into[k.Key] != nil:
			r.Left = append(r.Left, Departure{Key: k.Key, How: Reworded, Into: into[k.Key].Key})
		case slices.ContainsFunc(k.docs, func(doc string) bool { _, looked := now[doc]; return looked }):
			r.Missing = append(r.Missing, k.Key)
		}
	}
	b.wornAway(&r, stands, into)
	return r
}

// wornAway adds to r entries that were reworded before but are no longer similar enough to the
// current text, as StandsFor judges. Many small steps can replace all words of an entry. Its last
// version may also be gone.
func (b *Book) wornAway(r *Record, stands map[string][]string, into map[string]*Entry) {
	gone := map[string]bool{}
	for _, key := range r.Missing {
		gone[key] = true
	}
	for _, k := range b.Entries {
		end := b.Became(k)
		if end == k || len(stands[k.Key]) > 0 {
			continue
		}
		last := end.Entry
		if next := into[end.Key]; next != nil {
			last = *next
		} else if !gone[end.Key] {
			continue
		}
		if !StandsFor(k.Entry, last) {
			r.Missing = append(r.Missing, k.Key)
		}
	}
}

// Became follows an entry through its rewordings to its current version. An entry that was not
// reworded is its own.
func (b *Book) Became(k *Known) *Known {
	for range b.Entries {
		next := b.by[k.Into]
		if k.State != Left || k.How != Reworded || next == nil {
			break
		}
		k = next
	}
	return k
}

// Before reports whether an entry was known before a moment. A nil entry was not.
func (k *Known) Before(at time.Time) bool { return k != nil && k.First.At.Before(at) }

// stoodIn reports whether an entry is exactly where the book has it, among the documents that were
// looked at.
func (k *Known) stoodIn(there []string, now map[string][]Entry) bool {
	for _, doc := range k.docs {
		if _, looked := now[doc]; looked && !slices.Contains(there, doc) {
			return false
		}
	}
	return !slices.ContainsFunc(there, func(doc string) bool { return !slices.Contains(k.docs, doc) })
}

// Absence is an entry of the book that is no longer where it was.
type Absence struct {
	Known *Known
	Into  *Entry // the entry that it became, see Similar; nil if there is none
}

// Missing returns the entries that are in none of the documents, in the order of Entries. It leaves
// out entries whose loss was accepted, and those that baton removed or that were reworded before.
// now holds the entries of documents of the family; a document that is not in it is as the book
// says. An entry that the book does not know replaces at most one missing entry, the most similar
// one. An entry that it knows replaces one that became it before, and a session that it extends.
func (b *Book) Missing(now map[string][]Entry) []Absence {
	here := map[string]bool{}
	var fresh []*Entry
	for _, doc := range slices.Sorted(maps.Keys(now)) {
		for i := range now[doc] {
			e := &now[doc][i]
			if !here[e.Key] && b.by[e.Key] == nil {
				fresh = append(fresh, e)
			}
			here[e.Key] = true
		}
	}
	var out []Absence
	for _, k := range b.Entries {
		if k.State != Left && k.How != Accepted && !here[k.Key] && !k.elsewhere(now) {
			out = append(out, Absence{Known: k})
		}
	}
	pair(out, fresh, mostCompared)
	if len(out) > 0 {
		b.again(out, now)
	}
	return out
}
