package specflow

import (
	"bytes"
	"testing"
)

// FuzzSpecflow checks that no digest makes reading or editing panic, that a refused edit changes nothing, and that a
// successful one can be repeated. As in the properties, the number of lines that an edit removes is limited.
func FuzzSpecflow(f *testing.F) {
	for _, src := range []string{
		formA, formB, formC, withQueue(layouts()["#,ID,Title,Priority,Status"]), spec18, "", "\ufeff## Queue\r\n|",
		"## Current Position\n- **Status:",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<16 {
			return
		}
		kept := bytes.Clone(src)
		d := Parse(src)
		m := d.Model()
		d.Findings(Facts{CellCap: 10})
		NextInQueue(m.Queue)
		FirstActive(src)
		ReadSpec("a.md", src)
		_, _ = ReadExecution("a-state.json", src)
		_, _ = ReadContinue(src)
		for op, fn := range operations() {
			e, err := fn(d)
			if err != nil && !bytes.Equal(e.Text, src) {
				t.Fatalf("%s failed and changed the text: %v", op, err)
			}
			if gone, _ := lineDiff(withLast(string(src)), withLast(string(e.Text))); gone > allowed(op, d) {
				t.Fatalf("%s takes %d lines, at most %d:\n%q\n%q", op, gone, allowed(op, d), src, e.Text)
			}
			Parse(e.Text).Model()
		}
		if !bytes.Equal(kept, src) {
			t.Fatal("the source changed")
		}
	})
}
