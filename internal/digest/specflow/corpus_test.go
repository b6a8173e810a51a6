package specflow

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// simpleQueue reads a queue as a person would: lines of the section that begin with a pipe, split at the pipes, with
// the header's words as names.
func simpleQueue(src string) (rows []map[string]string) {
	_, rest, _ := strings.Cut(src, "\n## Queue\n")
	section, _, _ := strings.Cut(rest, "\n## ")
	var header []string
	for _, line := range strings.Split(section, "\n") {
		if !strings.HasPrefix(line, "|") || strings.Trim(line, "|-— ") == "" {
			continue
		}
		var cells []string
		for _, c := range strings.Split(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.TrimSpace(c))
		}
		if header == nil {
			header = cells
			continue
		}
		row := map[string]string{}
		for k, name := range header {
			row[name] = cells[k]
		}
		rows = append(rows, row)
	}
	return rows
}

// simpleActive reads form B as a person would: the line below the heading and the blank line.
func simpleActive(src string) string {
	_, rest, _ := strings.Cut(src, "## Active Specification\n\n")
	line, _, _ := strings.Cut(rest, "\n")
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" `*/", r) }) {
		if strings.HasPrefix(word, "SPEC-") {
			return strings.TrimSuffix(word, ".md")
		}
	}
	return ""
}

func TestCorpusIsReadByColumnName(t *testing.T) {
	t.Parallel()
	rows := 0
	for name, src := range corpus(t) {
		m := Parse([]byte(src)).Model()
		active := ""
		if len(m.Active) > 0 {
			active = m.Active[0].ID
		}
		if want := simpleActive(src); active != want {
			t.Errorf("%s: active %q, want %q", name, active, want)
		}
		want := simpleQueue(src)
		if len(m.Queue) != len(want) {
			t.Errorf("%s: %d rows, want %d", name, len(m.Queue), len(want))
			continue
		}
		rows += len(want)
		for k, row := range m.Queue {
			got := map[string]string{
				"Priority": row.Priority, "ID": row.ID, "Title": row.Title, "Status": row.Status, "Complexity": row.Complexity,
				"Depends On": row.Depends,
			}
			if diff := cmp.Diff(want[k], got); diff != "" {
				t.Errorf("%s: row %d\n%s", name, k+1, diff)
			}
		}
	}
	if rows == 0 {
		t.Error("no queue of the corpus has a row")
	}
}

// TestSF34_CorpusSurvivesEveryEdit makes every edit on every real digest. Everything outside the edit stays byte for
// byte, and the change itself can be read back.
func TestSF34_CorpusSurvivesEveryEdit(t *testing.T) {
	t.Parallel()
	for name, src := range corpus(t) {
		for op, fn := range operations() {
			e, err := fn(Parse([]byte(src)))
			if err != nil {
				if op == "queue remove" || op == "queue move" {
					continue // the queue is empty
				}
				t.Errorf("%s of %s: %v", op, name, err)
				continue
			}
			n := len(Parse([]byte(src)).Queue())
			most := map[string][2]int{ // most lines that may be removed and added
				"active add": {3, 3}, "active remove": {3, 3}, "set status": {1, 1}, "set next": {1, 1}, "stamp": {1, 1}, "pause": {0, 1},
				"resume":    {0, 0},
				"queue add": {1, 1}, "queue remove": {n, n - 1}, "queue move": {2, 2}, "migrate": {7, 6}, "sync": {0, 6},
			}[op]
			gone, came := lineDiff(src, string(e.Text))
			if gone > most[0] || came > most[1] {
				t.Errorf("%s of %s: %d lines go and %d come", op, name, gone, came)
			}
		}
		e, err := Parse([]byte(src)).AddActive("SPEC-900", "drafting", "/sf:audit", true)
		m := Parse([]byte(must(t, e, err))).Model()
		if m.Form != "B" || len(m.Active) != 1 || m.Active[0].ID != "SPEC-900" || m.Active[0].Next != "/sf:audit" {
			t.Errorf("%s: %+v", name, m.Active)
		}
		back, err := Parse(e.Text).Set("active", simpleValue(src))
		back, err2 := Parse(back.Text).Set("status", Parse([]byte(src)).mustGet("status"))
		back, err3 := Parse(back.Text).Set("next", Parse([]byte(src)).mustGet("next"))
		if err != nil || err2 != nil || err3 != nil || normal(string(back.Text)) != normal(src) {
			t.Errorf("%s: there and back differs (%v %v %v)\n%s", name, err, err2, err3, cmp.Diff(src, string(back.Text)))
		}
	}
}

func TestCorpusMigratesWithoutLoss(t *testing.T) {
	t.Parallel()
	for name, src := range corpus(t) {
		before := Parse([]byte(src)).Model()
		e, err := Parse([]byte(src)).Migrate()
		text := must(t, e, err)
		after := Parse(e.Text).Model()
		if after.Form != "C" || ids(after.Queue) != ids(before.Queue) || len(after.Active) != len(before.Active) {
			t.Fatalf("%s: %+v", name, after)
		}
		for k, a := range before.Active {
			b := after.Active[k]
			if a.ID != b.ID || a.Title != b.Title || a.Status != b.Status || a.Next != b.Next {
				t.Errorf("%s: %+v became %+v", name, a, b)
			}
		}
		_, tail, _ := strings.Cut(src, "\n## Queue")
		if !strings.HasSuffix(text, tail) {
			t.Errorf("%s: what stands behind the section changed", name)
		}
		again, err := Parse(e.Text).Migrate()
		if must(t, again, err) != text {
			t.Errorf("%s: a second run changes something", name)
		}
	}
}

func simpleValue(src string) string {
	_, rest, _ := strings.Cut(src, "## Active Specification\n\n")
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

func (d *Doc) mustGet(name string) string {
	v, _ := d.Get(name)
	return v.Text
}

// normal replaces words for none by one form, because baton writes its own.
func normal(text string) string {
	return strings.ReplaceAll(text, "\nNone\n", "\nnone\n")
}

// lineDiff counts the lines of a that b lacks, and the reverse.
func lineDiff(a, b string) (gone, came int) {
	count := map[string]int{}
	for _, l := range strings.SplitAfter(a, "\n") {
		count[l]++
	}
	for _, l := range strings.SplitAfter(b, "\n") {
		count[l]--
	}
	for _, n := range count {
		gone += max(n, 0)
		came += max(-n, 0)
	}
	return gone, came
}
