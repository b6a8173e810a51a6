package decision

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// raws returns rows whose exact bytes are the words.
func raws(words string) []Row {
	var out []Row
	for _, w := range strings.Fields(words) {
		out = append(out, Row{Raw: w})
	}
	return out
}

func TestContainsAndWithout(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ rows, stay, want string }{
		"none stay":     {"a b", "", "a b"},
		"one of two":    {"a a b", "a b", "a"},
		"more than are": {"a", "a a", ""},
		"all stay":      {"a b", "b a", ""},
	} {
		got := Without(raws(c.rows), raws(c.stay))
		if diff := cmp.Diff(raws(c.want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for _, raw := range []string{"a", "b", "c"} {
			if want := strings.Contains(c.want, raw); Contains(got, raw) != want {
				t.Errorf("%s: contains %s: %v", name, raw, !want)
			}
		}
	}
}

func TestInTime(t *testing.T) {
	t.Parallel()
	list := func(days string) []Row { // "05a" is row a of the fifth day, "-b" a row b without a day
		var out []Row
		for _, w := range strings.Fields(days) {
			row := Row{Text: w}
			if day, _, _ := strings.Cut(w, "-"); day != "" {
				row.Date = "2026-01-" + w[:2]
			}
			out = append(out, row)
		}
		return out
	}
	for name, c := range map[string]struct{ archived, live, want string }{
		"nothing":                     {"", "", ""},
		"one after the other":         {"01a 02b", "03c", "01a 02b 03c"},
		"one into the other":          {"01a 04b", "02c 05d", "01a 02c 04b 05d"},
		"the archive first on a day":  {"02a", "02b", "02a 02b"},
		"a row without a day":         {"01a -b 03c", "02d", "01a -b 02d 03c"},
		"no day in the digest":        {"01a 03b", "-c -d", "01a 03b -c -d"},
		"no day in the archive":       {"-a -b", "01c", "-a -b 01c"},
		"a row without a day is wall": {"05a", "-b 01c", "05a -b 01c"},
	} {
		got := []string{}
		for _, row := range InTime(list(c.archived), list(c.live)) {
			got = append(got, row.Text)
		}
		if diff := cmp.Diff(strings.Fields(c.want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAlike(t *testing.T) {
	t.Parallel()
	moves := func(n int, same bool) []Move {
		out := make([]Move, n)
		for i := range out {
			text := "| row " + strconv.Itoa(i) + " |\n"
			if same {
				text = "| row |\n"
			}
			out[i].Gained = []byte(text)
		}
		return out
	}
	for name, c := range map[string]struct {
		archive string
		moves   []Move
		want    bool
	}{
		"nothing moves":          {"| row 0 |\n", nil, false},
		"none is there":          {"| row 9 |\n", moves(3, false), false},
		"one is there":           {"# A\n| row 2 |\n", moves(3, false), true},
		"two that move":          {"", moves(2, true), true},
		"as many as are looked":  {"", moves(200, false), false},
		"more than are compared": {"", moves(201, false), true},
	} {
		if got := Alike([]byte(c.archive), c.moves); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
