package index

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"baton/internal/store"
	"baton/internal/task"
)

var texts = rapid.SampledFrom([]string{"", "Plain words", "a\tb", `back\slash\t`, "two\nlines", "x", " ", "ÄÖ\u200b"})

func ids(t *rapid.T, what string) []task.ID {
	out := rapid.SliceOfN(rapid.SampledFrom([]task.ID{"1", "22", "PROJ-3"}), 0, 3).Draw(t, what)
	if len(out) == 0 {
		return nil
	}
	return out
}

func row(t *rapid.T) Row {
	r := Row{
		Name:  rapid.SampledFrom([]string{"a/task-1-state.md", "a/task-2-state.md", "a\tb/task-1-state.md"}).Draw(t, "name"),
		Stamp: store.Stamp{Size: rapid.Int64Range(0, 99).Draw(t, "size"), ModTime: -5, Changed: 7, Inode: 1<<63 - 1},
		At:    rapid.Int64Range(0, 9).Draw(t, "at"), After: ids(t, "after"), Children: ids(t, "children"), Parent: "4",
	}
	if r.Plain = rapid.Bool().Draw(t, "plain"); !r.Plain {
		return r
	}
	r.Status, r.Title, r.Epic, r.EpicID = "ready", texts.Draw(t, "title"), texts.Draw(t, "epic"), texts.Draw(t, "epic id")
	r.Sessions, r.Blocked, r.Total = 3, texts.Draw(t, "blocked"), rapid.IntRange(0, 3).Draw(t, "total")
	if rapid.Bool().Draw(t, "input") {
		r.Inputs = []Input{{From: "9", InputReceived: task.InputReceived{Hash: "0a", Session: 2}}}
	}
	if rapid.Bool().Draw(t, "part") {
		for n := range r.Total {
			r.Criteria = append(r.Criteria, task.Criterion{Checked: n == 0, Text: texts.Draw(t, "criterion")})
		}
	}
	return r
}

func mark(t *rapid.T) *Mark {
	return &Mark{
		Base: 3, Lines: 4, Highest: rapid.Int64Range(-1, 9).Draw(t, "highest"),
		Folders: []Folder{{"a\tb", store.Stamp{Inode: 4, Changed: 1}}, {".baton/archive", store.Stamp{}}},
		Unsure:  rapid.SampledFrom([][]string{nil, {"a/task-1-state.md"}}).Draw(t, "unsure"),
	}
}

// TestPropertyAnIndexSaysWhatWasWritten: the last row of a file counts, a file that is gone has none, and the mark is
// that of the last line.
func TestPropertyAnIndexSaysWhatWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want, names := map[string]Row{}, []string{}
		var data []byte
		var last *Mark
		for range rapid.IntRange(0, 4).Draw(t, "writes") {
			rows := rapid.SliceOfN(rapid.Custom(row), 0, 3).Draw(t, "rows")
			var gone []string
			if rapid.Bool().Draw(t, "removal") {
				gone = []string{"a/task-2-state.md"}
			}
			last = nil
			if rapid.Bool().Draw(t, "whole") {
				last = mark(t)
			}
			data = append(data, Lines(rows, gone, last)...)
			for _, r := range rows {
				want[r.Name] = r
			}
			for _, name := range gone {
				delete(want, name)
			}
		}
		x := Parse(data)
		got := map[string]Row{}
		for _, r := range x.Rows {
			got[r.Name] = r
			names = append(names, r.Name)
			if other := x.Row(r.Name); other == nil || other.At != r.At {
				t.Fatalf("the row of %q is %v", r.Name, other)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(names) != len(got) {
			t.Fatalf("%v: %s", names, diff)
		}
		if diff := cmp.Diff(last, x.Mark); diff != "" {
			t.Fatal(diff)
		}
		end, torn := LastMark(data)
		if diff := cmp.Diff(last, end); diff != "" || torn {
			t.Fatal(torn, diff)
		}
		var brief []Brief
		for _, r := range x.Rows {
			brief = append(brief, Brief{r.Name, r.After, r.Status, r.Priority})
		}
		byName := cmpopts.SortSlices(func(a, b Brief) bool { return a.Name < b.Name })
		if diff := cmp.Diff(brief, Briefs(data), byName, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
		for _, r := range x.Rows {
			if strings.Join(strs(r.After), " ") != "" && !strings.Contains(strings.Join(Dependants(data, r.After[0]), "\n"), r.Name) {
				t.Fatalf("%s is no dependant of %s", r.Name, r.After[0])
			}
		}
	})
}

func strs(ids []task.ID) (out []string) {
	for _, id := range ids {
		out = append(out, string(id))
	}
	return out
}

// TestD43_ATornIndex cuts an index off at every byte, as a crash does, and damages every byte of it: what is left says
// nothing wrong, and it does not claim that every file has its row.
func TestD43_ATornIndex(t *testing.T) {
	t.Parallel()
	rows := []Row{
		{Name: "a/task-1-state.md", Stamp: store.Stamp{Size: 1, Changed: 1, Inode: 1}, At: 5, Plain: true, Status: "ready", Title: "One"},
		{Name: "a/task-2-state.md", Stamp: store.Stamp{Size: 2, Changed: 1, Inode: 2}, At: 6, Plain: true, Status: "complete"},
	}
	data := Lines(rows, nil, &Mark{Base: 2, Highest: 2, Folders: []Folder{{"a", store.Stamp{Inode: 9}}}})
	check := func(what string, at int, text []byte) {
		x := Parse(text)
		for _, r := range x.Rows {
			if diff := cmp.Diff(rows[int(r.Stamp.Size)-1], r); diff != "" {
				t.Fatalf("%s at %d: %s", what, at, diff)
			}
		}
		if end, _ := LastMark(text); x.Mark != nil || end != nil {
			t.Fatalf("%s at %d: it has a mark", what, at)
		}
		Briefs(text)
		Dependants(text, "1")
	}
	for at := range len(data) {
		check("cut", at, data[:at])
	}
	from := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
	for at := from; at < len(data); at++ {
		text := bytes.Clone(data)
		text[at] ^= 1
		check("damaged", at, text)
	}
}

func TestD43_ARowCountsForOneFile(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 9, 0, 0, 123, time.UTC).UnixNano()
	s := store.Stamp{Size: 5, ModTime: at, Changed: at, Inode: 7}
	old := Row{Stamp: s, At: at + int64(time.Second), Plain: true}
	larger, other, touched := s, s, s
	larger.Size, other.Inode, touched.Changed = 6, 8, at+1
	tests := []struct {
		name string
		row  Row
		now  store.Stamp
		want bool
	}{
		{"the file that was read", old, s, true},
		{"a row that is not plain", Row{Stamp: s, At: at + int64(time.Second)}, s, false},
		{"read in the tick of the change", Row{Stamp: s, At: at + int64(time.Millisecond), Plain: true}, s, false},
		{"a file from the future", Row{Stamp: s, At: at - int64(time.Hour), Plain: true}, s, false},
		{"another size", old, larger, false},
		{"another file", old, other, false},
		{"a time that was set back", old, touched, false},
		{"nothing known", Row{At: at, Plain: true}, store.Stamp{}, false},
	}
	for _, tt := range tests {
		if got := tt.row.For(tt.now); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	whole := at - 123
	coarse := store.Stamp{Size: 5, ModTime: whole, Changed: whole, Inode: 7}
	if r := (Row{Stamp: coarse, At: whole + int64(time.Second), Plain: true}); r.Sure() {
		t.Error("a second is one tick of a clock of whole seconds")
	}
}
