package jsontext

import "testing"

func TestItemsOfLists(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ src, added, without string }{
		{`[]`, `[9]`, ``},
		{`[1]`, `[1, 9]`, `[]`},
		{`[1, 2]`, `[1, 2, 9]`, `[2]`},
		{`[1,2]`, `[1,2,9]`, `[2]`},
		{"[\n  1,\n  2\n]", "[\n  1,\n  2,\n  9\n]", "[\n  2\n]"},
		{"[1, // one\n 2]", "[1, // one\n 2, 9]", "[// one\n 2]"},
		{`[1,]`, `[1,9]`, `[]`},
	} {
		list, err := Relaxed([]byte(c.src))
		if err != nil {
			t.Fatal(c.src, err)
		}
		if got := string(AddItem([]byte(c.src), list, "9", "", "\n")); got != c.added {
			t.Errorf("%q with 9: %q, want %q", c.src, got, c.added)
		}
		if len(list.Items) == 0 {
			continue
		}
		if got := string(RemoveItem([]byte(c.src), list, 0)); got != c.without {
			t.Errorf("%q without its first item: %q, want %q", c.src, got, c.without)
		}
	}
	src := []byte("[1, /* two */ 2]")
	list, _ := Relaxed(src)
	if got := string(RemoveItem(src, list, 1)); got != "[1 /* two */ ]" {
		t.Errorf("without the last one: %q", got)
	}
	empty := []byte("[]")
	list, _ = Relaxed(empty)
	if got := string(AddItem(empty, list, "9", "    ", "\n")); got != "[\n    9\n  ]" {
		t.Errorf("first item on its own line: %q", got)
	}
}
