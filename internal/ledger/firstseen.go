package ledger

import "time"

// FirstSeen returns a function that says when the book saw an entry first, by the entry's key. An
// entry that was reworded is as old as its first words. The time is zero if the book does not know
// the entry; a nil book knows none.
func (b *Book) FirstSeen() func(key string) time.Time {
	first := map[string]time.Time{}
	if b != nil {
		for _, k := range b.Entries {
			key := b.Became(k).Key
			if at, known := first[key]; !known || k.First.At.Before(at) {
				first[key] = k.First.At
			}
			if _, known := first[k.Key]; !known {
				first[k.Key] = k.First.At
			}
		}
	}
	return func(key string) time.Time { return first[key] }
}
