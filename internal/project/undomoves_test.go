package project

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"baton/internal/store"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/history"
	"baton/internal/workspace"
)

// returnsByCounting returns the same as leaving.returns, by counting every block and every line in each other document.
func returnsByCounting(docs map[string]*history.UndoneDoc, name string) (moves []store.Move) {
	comes := func(text []byte) bool {
		if len(bytes.TrimSpace(text)) == 0 {
			return true
		}
		for _, from := range workspace.SortedKeys(docs) {
			if o := docs[from]; from != name && bytes.Count(o.Now.Data, text) > bytes.Count(o.Then.Data, text) {
				moves = append(moves, store.Move{From: from, To: name, Lost: text, Gained: text})
				return true
			}
		}
		return false
	}
	d := docs[name]
	lines := bytes.SplitAfter(d.Then.Data, []byte("\n"))
	fresh := digests.NewLines(d.Now.Data, d.Then.Data)
	for i := 0; i < len(fresh); {
		end := i + 1
		for end < len(fresh) && fresh[end] == fresh[end-1]+1 {
			end++
		}
		if block := lines[fresh[i]-1 : fresh[end-1]]; !comes(bytes.Join(block, nil)) {
			for _, line := range block {
				comes(line)
			}
		}
		i = end
	}
	return moves
}

// TestUndoFindsWhatComesBack checks that the moves are the same as if every text were counted in every document: also
// if a line is the end of another one, if documents have it several times, and if the last line has no line end.
func TestUndoFindsWhatComesBack(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{"a\n", "b\n", "aa\n", "ba\n", "ab\n", "\n", " \n", "b\r\n", "\r\n"})
	text := rapid.Custom(func(t *rapid.T) []byte {
		tail := rapid.SampledFrom([]string{"", "", "a", "ab", " "}).Draw(t, "tail")
		return []byte(strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, "lines"), "") + tail)
	})
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		docs := map[string]*history.UndoneDoc{}
		for _, name := range []string{"a", "b", "c"}[:rapid.IntRange(1, 3).Draw(t, "documents")] {
			docs[name] = &history.UndoneDoc{Now: store.Document{
				Exists: true, Data: text.Draw(t, "now"),
			}, Then: store.Document{Exists: true, Data: text.Draw(t, "then")}}
			if rapid.IntRange(0, 5).Draw(t, "same") == 0 {
				docs[name].Then = docs[name].Now
			}
		}
		leaves := history.LeavingOf(docs)
		for name, d := range docs {
			if !d.Changed() {
				continue
			}
			want, got := returnsByCounting(docs, name), leaves.Returns(name, d)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: %s", name, diff)
			}
			found += len(got)
		}
	})
	if found == 0 {
		t.Error("nothing ever came back")
	}
}

// BenchmarkUndoFindsWhatComesBack moves an archive of many lines back into its document, which still has every other
// line.
func BenchmarkUndoFindsWhatComesBack(b *testing.B) {
	var stayed, all, archive strings.Builder
	for i := range 5000 {
		text := strings.Repeat("words of decision ", 5) + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + "\n"
		all.WriteString(text)
		if i%2 == 0 {
			stayed.WriteString(text)
		} else {
			archive.WriteString(text)
		}
	}
	docs := map[string]*history.UndoneDoc{
		"state": {Now: store.Document{
			Exists: true, Data: []byte(stayed.String()),
		}, Then: store.Document{Exists: true, Data: []byte(all.String())}},
		"archive": {Now: store.Document{Exists: true, Data: []byte(archive.String())}, Then: store.Document{}},
	}
	for b.Loop() {
		if len(history.LeavingOf(docs).Returns("state", docs["state"])) == 0 {
			b.Fatal("nothing came back")
		}
	}
}
