package ledger

import "testing"

func TestFirstSeenCountsFromTheFirstWords(t *testing.T) {
	t.Parallel()
	old, other, now := NewEntry(Session, "old words"), NewEntry(Session, "other"), NewEntry(Session, "new words")
	reworded := doc(at(3), "doc", []Entry{now, other})
	reworded.Left = []Departure{{Key: old.Key, How: Reworded, Into: now.Key}}
	seen := Parse(lines(t, doc(at(1), "doc", []Entry{old}), doc(at(2), "doc", []Entry{old, other}), reworded)).FirstSeen()
	for _, c := range []struct {
		key  string
		want int
	}{{old.Key, 1}, {now.Key, 1}, {other.Key, 2}} {
		if got := seen(c.key); !got.Equal(at(c.want).At) {
			t.Errorf("%s: %v, want minute %d", c.key[:8], got, c.want)
		}
	}
	if !seen("unknown").IsZero() || !(*Book)(nil).FirstSeen()(old.Key).IsZero() {
		t.Error("an unknown entry has a time")
	}
}
