package importing

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"baton/internal/report"
	"baton/internal/task/create"
)

func item(key, parent string, after ...string) Item {
	return Item{Request: create.Request{Title: key}, Key: key, Place: key, Parent: parent, After: after}
}

func linked(t *testing.T, items ...Item) ([]Link, *List) {
	t.Helper()
	list := &List{}
	for _, it := range items {
		list.Add(it)
	}
	links, err := list.Links()
	if err != nil {
		t.Fatal(err)
	}
	return links, list
}

// A whole waits for its parts, and a part that waits for no other part waits for what the whole waits for.
func TestPartsAndWholes(t *testing.T) {
	t.Parallel()
	links, list := linked(t, item("w", "", "x"), item("a", "w"), item("b", "w", "a"), item("x", ""))
	for i, want := range [][]int{{3, 1, 2}, {3}, {1}, {}} {
		if !slices.Equal(links[i].After, want) {
			t.Errorf("%d: %v, not %v", i, links[i].After, want)
		}
	}
	if list.Items[1].EpicTitle != "w" {
		t.Errorf("%+v", list.Items[1])
	}
	// What the whole waits for waits for a part: then the parts inherit nothing.
	links, _ = linked(t, item("w", "", "x"), item("a", "w"), item("x", "", "a"))
	if len(links[1].After) != 0 || !slices.Equal(links[0].After, []int{2, 1}) {
		t.Errorf("%+v", links)
	}
}

func TestDoneItemsAreMet(t *testing.T) {
	t.Parallel()
	done, gone := item("d", "w"), item("g", "")
	done.State, gone.State = Done, Dropped
	links, list := linked(t, done, gone, item("w", "", "d", "g", "d", "elsewhere"))
	if links[2].Met != 2 || !slices.Equal(links[2].Elsewhere, []string{"elsewhere"}) || len(list.Losses()) != 1 {
		t.Errorf("%+v %v", links, list.Losses())
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		items []Item
		code  report.Code
	}{
		"twice":   {[]Item{item("a", ""), item("a", "")}, report.CodeValueInvalid},
		"itself":  {[]Item{item("a", "", "a")}, report.CodeDependencyCycle},
		"circle":  {[]Item{item("a", "", "b"), item("b", "", "c"), item("c", "", "a")}, report.CodeDependencyCycle},
		"part":    {[]Item{item("a", ""), item("b", "a", "a")}, report.CodeDependencyCycle},
		"unknown": {[]Item{item("a", "", "b")}, report.CodeDependencyMissing},
		"title":   {[]Item{{Key: "a", Place: "a"}}, report.CodeTitleMissing},
	} {
		list := &List{Strict: true}
		for _, it := range c.items {
			list.Add(it)
		}
		if _, err := list.Links(); report.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// 10,000 items in a row, and 10,000 parts of one whole, are ordered in time that grows with their number.
func TestManyItems(t *testing.T) {
	t.Parallel()
	const n = 10_000
	row, parts := make([]Item, n), []Item{item("w", "")}
	for i := range row {
		row[i] = item(strconv.Itoa(i), "", strconv.Itoa(i+1))
		parts = append(parts, item(strconv.Itoa(i), "w"))
	}
	links, _ := linked(t, row...)
	if len(links[n-1].After) != 0 || links[0].After[0] != 1 {
		t.Error("wrong order")
	}
	if links, _ = linked(t, parts...); len(links[0].After) != n {
		t.Error("wrong parts")
	}
	row[n-1].After = []string{"0"}
	list := &List{}
	for _, it := range row {
		list.Add(it)
	}
	if _, err := list.Links(); report.CodeOf(err) != report.CodeDependencyCycle || len(err.Error()) > 200 {
		t.Error(err)
	}
}

func TestLossesAreFew(t *testing.T) {
	t.Parallel()
	list := &List{}
	for i := range 1000 {
		list.Lose(fmt.Sprintf("field %d", i), 1)
	}
	losses := list.Losses()
	if len(losses) != mostKinds+1 || losses[len(losses)-1] != (Loss{"other fields", 1000 - mostKinds}) {
		t.Error(losses)
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	rest, criteria, ticked := Body("Do it.\r\n\r\n- [ ] a\r\n- [x] b\r\n\r\nThen rest.\r\n")
	if rest != "Do it.\n\nThen rest." || len(criteria) != 2 || ticked != 1 {
		t.Errorf("%q %v %d", rest, criteria, ticked)
	}
	criteria, ticked = Criteria("## When\n\n- [x] a\n* b\n2. c\n#3 d\nplain words\n")
	var got []string
	for _, c := range criteria {
		got = append(got, c.Text)
	}
	if want := []string{"a", "b", "c", "#3 d", "plain words"}; !slices.Equal(got, want) || ticked != 1 {
		t.Errorf("%q %d", got, ticked)
	}
	if got := Parts([2]string{"", "\na\n"}, [2]string{"B", " "}, [2]string{"C", "c"}); got != "a\n\n#### C\n\nc" {
		t.Errorf("%q", got)
	}
}
