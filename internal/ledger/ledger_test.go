package ledger

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func at(minute int) Mark {
	return Mark{At: time.Date(2026, 1, 1, 10, minute, 0, 0, time.UTC), Head: fmt.Sprint("c", minute), By: "me", Command: "test"}
}

func lines(t interface{ Fatal(...any) }, records ...Record) []byte {
	var out []byte
	for _, r := range records {
		r.Family = "f"
		data, err := r.Lines()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, data...)
	}
	return out
}

// decisions returns entries in the order of a document.
func decisions(texts ...string) []Entry {
	var out []Entry
	after := ""
	for _, text := range texts {
		e := NewEntry(Decision, text)
		e.Raw, e.After = "- "+text+"\n", after
		out, after = append(out, e), e.Key
	}
	return out
}

func key(text string) string { return NewEntry(Decision, text).Key }

// doc returns a record of the whole content of a document.
func doc(m Mark, name string, seen []Entry) Record {
	return Record{Mark: m, Docs: []DocState{StateOf(name, []byte(name), false)}, Seen: Sightings(name, seen)}
}

func labels(b *Book, state State) (out []string) {
	for _, k := range b.Entries {
		if k.State == state {
			out = append(out, k.Doc+":"+k.Label)
		}
	}
	return out
}

func TestEntriesKeepTheOrderOfTheirDocuments(t *testing.T) {
	t.Parallel()
	between := decisions("one", "one and a half")[1:]
	first := decisions("zero")
	b := Parse(lines(t, doc(at(1), "f", decisions("one", "two", "three")), doc(at(2), "f", between), doc(at(3), "f", first)))
	want := []string{"f:zero", "f:one", "f:one and a half", "f:two", "f:three"}
	if diff := cmp.Diff(want, labels(b, Present)); diff != "" {
		t.Error(diff)
	}
	if !b.Since.Equal(at(1).At) {
		t.Error(b.Since)
	}
}

// D9: an entry records the commit at which it was last there, not only the one at which it came.
func TestD9_AnEntryThatStaysWasLastSeenAtTheLastLook(t *testing.T) {
	t.Parallel()
	b := Parse(lines(t, doc(at(1), "f", decisions("one")), doc(at(2), "f", nil), Record{
		Mark: at(3), Missing: []string{key("one")}, Docs: []DocState{{Name: "f"}},
	}))
	k := b.Get(key("one"))
	if k.First != at(1) || k.Last != at(2) || k.Gone != at(3) || k.State != Missing || b.Lacking() != 1 {
		t.Errorf("%+v", k)
	}
}

func TestAMovedEntryIsInOneDocument(t *testing.T) {
	t.Parallel()
	live, archive := StateOf("f", []byte("live"), false), StateOf("a", []byte("archive"), true)
	moved := Record{Mark: at(2), Docs: []DocState{live, archive}, Seen: Sightings("a", decisions("one"))}
	b := Parse(lines(t, doc(at(1), "f", decisions("one", "two")), moved))
	if diff := cmp.Diff([]string{"f:two", "a:one"}, labels(b, Present)); diff != "" {
		t.Error(diff)
	}
	// It was in the live file a second time and is removed there, but it is still in the archive.
	b.Add(Record{Mark: at(3), Docs: []DocState{live}, Seen: Sightings("f", decisions("one"))})
	b.Add(Record{Mark: at(4), Docs: []DocState{live}, Left: []Departure{{Key: key("one"), How: Removed}}})
	if k := b.Get(key("one")); k.State != Present || k.Doc != "a" {
		t.Errorf("%+v", k)
	}
	b.Add(Record{Mark: at(5), Docs: []DocState{archive}, Missing: []string{key("one")}})
	if k := b.Get(key("one")); k.State != Missing || k.Doc != "a" {
		t.Errorf("%+v", k)
	}
}

// D7: a commit that appends to an archive removes nothing from it.
func TestD7_AnAppendRemovesNothing(t *testing.T) {
	t.Parallel()
	live, archive := StateOf("f", []byte("live"), false), DocState{Name: "a", Exists: true, Size: 9, Tail: 4, Hash: sumOf([]byte("last"))}
	b := Parse(lines(t, Record{
		Mark: at(1), Docs: []DocState{live, archive}, Seen: append(Sightings("f", decisions("one")), Sightings("a", decisions("one"))...),
	},
		Record{Mark: at(2), Docs: []DocState{live, archive}, Left: []Departure{{Key: key("one"), How: Removed}}}))
	if k := b.Get(key("one")); k.State != Present || k.Doc != "a" {
		t.Errorf("%+v", k)
	}
}

func TestCompareFindsWhatSomebodyElseDid(t *testing.T) {
	t.Parallel()
	b := Parse(lines(t, doc(at(1), "f", decisions("use the blue database for all of the orders we keep", "two", "three", "four")),
		doc(at(2), "a", decisions("three"))))
	r := b.Compare(map[string][]Entry{"f": decisions("use the red database for all of the orders we keep", "four", "five")})
	var seen []string
	for _, s := range r.Seen {
		seen = append(seen, s.Label)
	}
	if diff := cmp.Diff([]string{"use the red database for all of the orders we keep", "five"}, seen); diff != "" {
		t.Error(diff)
	}
	if len(r.Left) != 1 || r.Left[0].How != Reworded || r.Left[0].Into != key("use the red database for all of the orders we keep") {
		t.Errorf("%+v", r.Left)
	}
	r.Mark, r.Docs = at(3), []DocState{StateOf("f", nil, false)}
	b.Add(r)
	if diff := cmp.Diff([]string{"f:two"}, labels(b, Missing)); diff != "" {
		t.Error(diff)
	}
	if k := b.Get(key("three")); k.State != Present || k.Doc != "a" {
		t.Errorf("entry in the archive: %+v", k)
	}
	if again := b.Compare(map[string][]Entry{
		"f": decisions("use the red database for all of the orders we keep", "four", "five"),
	}); !again.Idle() {
		t.Errorf("a second look returns %+v", again)
	}
}

func TestNewEntryReplacesOneAbsentEntry(t *testing.T) {
	t.Parallel()
	b := Parse(lines(t, doc(at(1), "f", decisions("a b c d e f g h i j", "a b c d e f g h i x"))))
	out := b.Missing(map[string][]Entry{"f": decisions("a b c d e f g h i j new")})
	if len(out) != 2 || out[0].Into == nil || out[1].Into != nil {
		t.Errorf("%+v", out)
	}
	if out := b.Missing(nil); len(out) != 0 {
		t.Errorf("without a look at a document: %+v", out)
	}
}

func TestSimilar(t *testing.T) {
	t.Parallel()
	of := func(kind Kind, number int, text string) Entry {
		e := NewEntry(kind, text)
		e.Number, e.Raw = number, text
		return e
	}
	for _, c := range []struct {
		lost, now Entry
		want      bool
	}{
		{of(Decision, 0, "a b c d e f g h i j"), of(Decision, 0, "A B C, D E F G and more"), true},
		{of(Decision, 0, "a b c d e f g h i j"), of(Decision, 0, "a b c d e f and more"), false},
		{of(Decision, 0, "a a a a"), of(Decision, 0, "a"), false},
		{of(Decision, 0, "a b"), of(Blocker, 0, "a b"), false},
		{of(Session, 1, "a b c"), of(Session, 1, "a b c d"), true},
		{of(Session, 1, "a b c"), of(Session, 2, "a b c d"), false},
		{of(Session, 1, "a b"), of(Session, 1, "a b c"), false},
		{of(Decision, 0, "—"), of(Decision, 0, "—"), false},
	} {
		if got := Similar(c.lost, c.now); got != c.want {
			t.Errorf("%q %q: %v", c.lost.Raw, c.now.Raw, got)
		}
	}
}

func TestD7_AStateIdentifiesAGrowingDocumentByItsEnd(t *testing.T) {
	t.Parallel()
	long := bytes.Repeat([]byte("0123456789"), 1000)
	st, plain, short := StateOf("a", long, true), StateOf("a", long, false), StateOf("a", long[:100], true)
	end := long[len(long)-EndLength:]
	if !st.IsEnd(10000, end) || st.IsEnd(10001, end) || plain.IsEnd(10000, end) || !short.IsEnd(100, long[:100]) || !st.Is(long) ||
		st.Is(long[1:]) {
		t.Error("the end is not known")
	}
	appended := DocState{Exists: true, Size: 10000, Tail: EndLength, Hash: sumOf(end)}
	if !appended.Is(long) || !appended.IsEnd(10000, end) {
		t.Error("an appended document is not known")
	}
	appended.Unsure = true
	if appended.Is(long) || appended.IsEnd(10000, end) {
		t.Error("a state that was not compared matched")
	}
}

func TestD37_ABookOfManyEntriesHasShortLines(t *testing.T) {
	t.Parallel()
	var texts []string
	for i := range 400 {
		texts = append(texts, fmt.Sprint(i, " ", strings.Repeat("some words of a session ", 40)))
	}
	texts = append(texts, "bad \xff bytes")
	seen := decisions(texts...)
	data := lines(t, doc(at(1), "f", seen))
	for line := range bytes.Lines(data) {
		if len(line) > 12<<10 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	if len(data) > 250<<10 {
		t.Errorf("%d bytes for %d", len(data), 400*960)
	}
	b := Parse(data)
	for i, e := range seen {
		if b.Entries[i].Raw != e.Raw || b.Entries[i].First != at(1) {
			t.Fatalf("%d: %q", i, b.Entries[i].Raw)
		}
	}
	if st := LastState(data[len(data)-16<<10:], "f"); st == nil || *st != b.Docs["f"] {
		t.Errorf("%+v", st)
	}
	// If a crash took its end, nothing of a change by baton counts (F-27). What somebody else did
	// counts, but no state says that all is known.
	foreign := doc(at(1), "f", seen)
	foreign.Outside = true
	for _, whole := range [][]byte{lines(t, foreign), data} {
		torn := whole[:bytes.LastIndexByte(whole[:len(whole)-1], '\n')+10]
		own := &whole[0] == &data[0]
		if half := Parse(torn); (len(half.Entries) == 0) != own || len(half.Docs) != 0 || LastState(torn, "f") != nil {
			t.Errorf("%d entries, %v", len(half.Entries), half.Docs)
		}
	}
	torn := data[:bytes.LastIndexByte(data[:len(data)-1], '\n')+10]
	if _, from, ok := Intent(data[:len(data)-1]); !ok || from != 0 {
		t.Errorf("the record without its terminator begins at %d, %v", from, ok)
	}
	next := Parse(append(torn[:Whole(torn)], lines(t, doc(at(2), "f", seen))...))
	if len(next.Entries) != len(seen) || next.Entries[0].First != at(2) || next.Docs["f"].Name != "f" {
		t.Errorf("%d entries after the next commit", len(next.Entries))
	}
}

// histories returns books as commits and looks write them.
func histories(t *rapid.T) []Record {
	texts := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,6}( [a-z]{1,6}){0,4}`), 2, 8, rapid.ID).Draw(t, "texts")
	some := func(what string) []Entry {
		return decisions(rapid.SliceOfDistinct(rapid.SampledFrom(texts), rapid.ID).Draw(t, what)...)
	}
	b := New("f")
	held := map[string][]Entry{"f": nil, "a": nil}
	var out []Record
	for i := range rapid.IntRange(1, 6).Draw(t, "records") {
		next := map[string][]Entry{}
		for _, name := range []string{"f", "a"} {
			if rapid.Bool().Draw(t, "changes "+name) {
				next[name] = some(name)
			}
		}
		r := Record{}
		if rapid.Bool().Draw(t, "outside") {
			r = b.Compare(next)
		} else {
			var before, after []Sighting
			for name, entries := range next {
				before, after = append(before, Sightings(name, held[name])...), append(after, Sightings(name, entries)...)
			}
			var gone []string
			r.Seen, gone = Diff(before, after)
			for _, k := range gone {
				r.Left = append(r.Left, Departure{Key: k, How: Removed})
			}
		}
		r.Mark, r.Family = at(i), "f"
		for name, entries := range next {
			held[name] = entries
			r.Docs = append(r.Docs, StateOf(name, fmt.Append(nil, entries), false))
		}
		slices.SortFunc(r.Docs, func(a, b DocState) int { return strings.Compare(a.Name, b.Name) })
		b.Add(r)
		out = append(out, r)
		check(t, b, held)
	}
	return out
}

// check compares a book with what documents hold: an entry is present if and only if some document
// has it.
func check(t *rapid.T, b *Book, held map[string][]Entry) {
	where := map[string][]string{}
	for name, entries := range held {
		for _, e := range entries {
			where[e.Key] = append(where[e.Key], name)
		}
	}
	for k, docs := range where {
		if got := b.Get(k); got == nil || got.State != Present || !slices.Contains(docs, got.Doc) {
			t.Fatalf("%s is in %v, the book has %+v", k, docs, got)
		}
	}
	for _, k := range b.Entries {
		if where[k.Key] == nil && k.State == Present {
			t.Fatalf("%q is nowhere and present in %v", k.Label, k.docs)
		}
	}
	if out := b.Missing(held); len(out) != b.Lacking() {
		t.Fatalf("%d are missing, %d lack", len(out), b.Lacking())
	}
}

// plain returns the content of a book in a form that can be compared.
func plain(b *Book) (out []string) {
	for _, k := range b.Entries {
		out = append(out, fmt.Sprint(k.Sighting, k.State, k.How, k.Into, k.First, k.Last, k.Gone))
	}
	return append(out, fmt.Sprint(b.Family, b.Since, b.Docs))
}

func TestLinesThatWereWrittenAreReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		records := histories(t)
		data := lines(t, records...)
		b := New("f")
		for _, r := range records {
			b.Add(r)
		}
		if diff := cmp.Diff(plain(b), plain(Parse(data))); diff != "" {
			t.Fatal(diff)
		}
		// A rewritten book says the same, and continues in the same way.
		rewritten, err := b.Lines()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(plain(b), plain(Parse(rewritten))); diff != "" {
			t.Fatal(diff)
		}
		more := Record{Mark: at(50), Docs: []DocState{StateOf("f", nil, false)}, Seen: Sightings("f", decisions("another", "one"))}
		if diff := cmp.Diff(plain(Parse(append(data, lines(t, more)...))), plain(Parse(append(rewritten, lines(t, more)...)))); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestD37_TornLinesAreIgnored(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := lines(t, histories(t)...)
		cut := rapid.IntRange(0, len(data)).Draw(t, "cut")
		whole := Whole(data[:cut])
		torn, want := Parse(data[:cut]), Parse(data[:whole])
		if (torn == nil) != (want == nil) || torn != nil && !slices.Equal(plain(torn), plain(want)) {
			t.Fatalf("cut at %d", cut)
		}
		if whole == cut {
			return
		}
		zeros := append(slices.Clone(data[:cut]), make([]byte, len(data)-cut)...)
		if got := Parse(zeros); want != nil && !slices.Equal(plain(got), plain(want)) {
			t.Fatalf("cut at %d and filled", cut)
		}
	})
}

func TestAMadeUpLineIsBounded(t *testing.T) {
	t.Parallel()
	p := packer{}
	s, err := p.sighting(Sighting{Doc: "f", Entry: Entry{Kind: Decision, Key: "k", Raw: strings.Repeat("x", 4<<20)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, -1, 1000, 5 << 20, 1 << 40} {
		s.Size = size
		data, err := appendLine(nil, &written{Record: Record{Family: "f"}, Seen: []writtenSighting{s}})
		if err != nil {
			t.Fatal(err)
		}
		if b := Parse(data); len(b.Entries) != 0 {
			t.Errorf("size %d: %d entries", size, len(b.Entries))
		}
	}
}

func FuzzParse(f *testing.F) {
	data := lines(f, doc(at(1), "f", decisions("one", "two")), Record{
		Mark: at(2), Missing: []string{key("one")}, Docs: []DocState{{Name: "f"}},
	})
	f.Add(data)
	f.Add([]byte("000000000000 {}\n"))
	f.Add([]byte(`{"family":"f","seen":[{"key":"a","packed":"AA==","size":3}]}`))
	f.Add([]byte(`{"family":"f","anew":true,"known":[{"key":"a","after":"a","state":"left","docs":["x","x"]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if b := Parse(data); b != nil {
			b.Compare(map[string][]Entry{"f": decisions("one")})
		}
		// The same as the bytes of a record with a valid checksum.
		line := append([]byte(sumOf(data)[:sumLength]+" "), append(data, '\n')...)
		if bytes.IndexByte(data, '\n') >= 0 {
			return
		}
		b := Parse(line)
		if b == nil {
			return
		}
		rewritten, err := b.Lines()
		if err != nil {
			t.Fatal(err)
		}
		if again := Parse(rewritten); b.Family != again.Family || len(again.Entries) != len(b.Entries) {
			t.Fatalf("%d entries, %d again", len(b.Entries), len(again.Entries))
		}
		LastState(line, "f")
		LastLacking(line)
	})
}

// TestSimilarIsWhatAnEntrySays: headings, labels and "None" are in every session, so they make no
// session similar to another.
func TestSimilarIsWhatAnEntrySays(t *testing.T) {
	t.Parallel()
	session := func(did, next string) Entry {
		e := NewEntry(Session, did)
		e.Number, e.Raw = 1, "### Session 1 - 2026-03-01 10:00\n**Accomplished:**\n- "+did+"\n\n**Issues:** None\n\n- **Next**: "+next+"\n"
		return e
	}
	before := session("Built the parser for tokens", "Write its tests")
	for _, tt := range [...]struct {
		name string
		now  Entry
		want bool
	}{
		{"the same", before, true},
		{"another story", session("Wrote everything differently now", "Go home"), false},
		{"two words changed", session("Built a parser for tokens", "Write the tests"), true},
		{"half of it", session("Built the parser for tokens", "Go home at once"), false},
		{"labels only", Entry{Kind: Session, Number: 1, Raw: "### Session 1\n**Issues:** None\n"}, false},
	} {
		if got := Similar(before, tt.now); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
