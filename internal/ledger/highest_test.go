package ledger

import "testing"

// TestF21_TheHighestNumberOfABook: sessions that are missing count, and those that an undo removed do not. The end of a
// book tells the same as the whole one, also after the book was rewritten.
func TestF21_TheHighestNumberOfABook(t *testing.T) {
	t.Parallel()
	var seen []Entry
	for n := range 4 {
		e := NewEntry(Session, "session")
		e.Key, e.Number = NewEntry(Session, string(rune('a'+n))).Key, n+1
		seen = append(seen, e)
	}
	left := func(how How, e Entry) Record {
		r := doc(at(9), "doc", nil)
		r.Docs = []DocState{StateOf("doc", []byte("without"), false)}
		if r.Outside = how == ""; r.Outside {
			r.Missing, r.Lacking = []string{e.Key}, 1
		} else {
			r.Left = []Departure{{Key: e.Key, How: how}}
		}
		return r
	}
	for _, c := range []struct {
		name    string
		records []Record
		want    int
	}{
		{"all are there", []Record{doc(at(1), "doc", seen)}, 4},
		{"one was wiped", []Record{doc(at(1), "doc", seen), left("", seen[3])}, 4},
		{"one was taken back", []Record{doc(at(1), "doc", seen), left(Removed, seen[3])}, 3},
	} {
		data := lines(t, c.records...)
		book := Parse(data)
		rewritten, err := book.Lines()
		if err != nil {
			t.Fatal(err)
		}
		if got := [...]int{book.Highest(), LastHighest(data), LastHighest(rewritten)}; got != [...]int{c.want, c.want, c.want} {
			t.Errorf("%s: %v, want %d", c.name, got, c.want)
		}
	}
	if got := LastHighest([]byte("half a line")); got != 0 {
		t.Errorf("%d", got)
	}
}
