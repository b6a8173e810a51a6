package specflow

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"baton/internal/report"
	"github.com/google/go-cmp/cmp"
)

// operations returns one edit of each kind, for tests of what must hold for all of them.
func operations() map[string]func(*Doc) (Edited, error) {
	return map[string]func(*Doc) (Edited, error){
		"active add":   func(d *Doc) (Edited, error) { return d.AddActive("SPEC-900", "drafting", "/sf:audit", true) },
		"set status":   func(d *Doc) (Edited, error) { return d.Set("status", "auditing") },
		"set next":     func(d *Doc) (Edited, error) { return d.Set("next", "/sf:fix") },
		"queue add":    func(d *Doc) (Edited, error) { return d.AddQueue(QueueEntry{ID: "SPEC-901", Title: "New"}) },
		"queue remove": func(d *Doc) (Edited, error) { return d.RemoveQueue(firstQueued(d)) },
		"queue move":   func(d *Doc) (Edited, error) { return d.MoveQueue(firstQueued(d), 2) },
		"migrate":      func(d *Doc) (Edited, error) { return d.Migrate() },
		"pause":        func(d *Doc) (Edited, error) { return d.Pause(noon(), "a note") },
		"resume":       func(d *Doc) (Edited, error) { return d.Resume() },
		"sync":         func(d *Doc) (Edited, error) { return d.SyncExecution([]ExecutionFile{{ID: "SPEC-902"}}) },
		"stamp":        func(d *Doc) (Edited, error) { return d.Stamp(noon()), nil },
		"active remove": func(d *Doc) (Edited, error) {
			if _, active := d.active(); len(active) > 0 {
				return d.RemoveActive(nameOf(active[0]))
			}
			return d.unchanged(), nil
		},
	}
}

func firstQueued(d *Doc) string {
	if rows := d.Queue(); len(rows) > 0 {
		return rows[0].ID
	}
	return ""
}

func TestSF1_CRLFStaysCRLF(t *testing.T) {
	t.Parallel()
	for _, src := range []string{formA, formB, formC} {
		for name, op := range operations() {
			lf, err := op(Parse([]byte(src)))
			e, err2 := op(Parse([]byte(crlf(src))))
			if err != nil || err2 != nil {
				if (err == nil) != (err2 == nil) {
					t.Errorf("%s: %v against %v", name, err, err2)
				}
				continue
			}
			if diff := cmp.Diff(crlf(string(lf.Text)), string(e.Text)); diff != "" {
				t.Errorf("%s:\n%s", name, diff)
			}
		}
	}
}

func TestSF2_MixedTerminators(t *testing.T) {
	t.Parallel()
	src := "## Queue\n\n| ID | Title |\r\n|---|---|\n| SPEC-1 | One |\r\n| SPEC-2 | Two |\n\n## Notes\r\n"
	e, err := Parse([]byte(src)).AddQueue(QueueEntry{ID: "SPEC-3", Title: "Three", After: "SPEC-1"})
	want := replaced(t, src, "| SPEC-1 | One |\r\n", "| SPEC-1 | One |\r\n| SPEC-3 | Three |\r\n")
	if diff := cmp.Diff(want, must(t, e, err)); diff != "" {
		t.Error(diff)
	}
}

func TestSF3_SF4_SF8_SF9_OtherBytesStay(t *testing.T) {
	t.Parallel()
	tail := "\n\n## Notes\n\na\rb\u2028c\fd\n\n\n\n"
	for _, src := range []string{"\ufeff" + formA + tail, formB + strings.TrimRight(tail, "\n"), "\ufeff" + formC + tail} {
		e, err := Parse([]byte(src)).AddActive("SPEC-77", "x", "y", true)
		got := must(t, e, err)
		if !strings.HasSuffix(got, src[strings.Index(src, "## Notes"):]) || strings.HasPrefix(src, "\ufeff") != strings.HasPrefix(got,
			"\ufeff# SpecFlow") {
			t.Errorf("%q", got)
		}
		if _, active := Parse(e.Text).active(); active[len(active)-1].ID != "SPEC-77" {
			t.Errorf("%v", active)
		}
	}
}

func TestSF7_EmptyAndBlankFiles(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "\n", " \n\t\n", "\ufeff", "\r\n"} {
		for name, op := range operations() {
			e, err := op(Parse([]byte(src)))
			if err != nil {
				if report.As(err).Kind == report.Internal {
					t.Errorf("%s of %q: %v", name, src, err)
				}
				continue
			}
			if d := Parse(e.Text); !bytes.Equal(e.Text, []byte(src)) && len(d.sections) == 0 {
				t.Errorf("%s of %q gives %q", name, src, e.Text)
			}
		}
	}
}

func TestSF10_SF11_SF13_HiddenTextIsNoStructure(t *testing.T) {
	t.Parallel()
	hidden := "## Active Specification\n\nSPEC-666\n\n**Status:** wrong\n\n## Queue\n\n| ID | Title |\n|---|---|\n| SPEC-666 | hidden |\n"
	for name, block := range map[string]string{
		"fence":         "```markdown\n" + hidden + "```\n\n",
		"tildes":        "~~~\n" + hidden + "```\n~~~\n\n",
		"nested fences": "````\n```\n" + hidden + "```\n````\n\n",
		"comment":       "<!--\n" + hidden + "-->\n\n",
		"quote":         "> " + strings.ReplaceAll(strings.TrimSuffix(hidden, "\n"), "\n", "\n> ") + "\n\n",
		"list fence":    "- item\n\n  ```\n  " + strings.ReplaceAll(strings.TrimSuffix(hidden, "\n"), "\n", "\n  ") + "\n  ```\n\n",
		"indented code": "    " + strings.ReplaceAll(strings.TrimSuffix(hidden, "\n"), "\n", "\n    ") + "\n\n",
	} {
		src := "# S\n\n" + block + strings.TrimPrefix(formB, "# SpecFlow State\n\n")
		m := Parse([]byte(src)).Model()
		if len(m.Active) != 1 || m.Active[0].ID != "SPEC-GSD-A" || ids(m.Queue) != "SPEC-GSD-A SPEC-GSD-C" {
			t.Errorf("%s: %+v", name, m)
		}
		for op, fn := range operations() {
			e, err := fn(Parse([]byte(src)))
			if err == nil && !strings.Contains(string(e.Text), block) {
				t.Errorf("%s changed the %s:\n%s", op, name, e.Text)
			}
		}
	}
}

func TestSF12_NoEditBehindAnUnclosedFence(t *testing.T) {
	t.Parallel()
	for _, open := range []string{"```\n", "~~~~\ntext\n~~~\n", "<!-- never closed\n"} {
		src := formB + "\n" + open + "## Execution Status\n"
		d := Parse([]byte(src))
		e, err := d.SyncExecution([]ExecutionFile{{ID: "SPEC-1"}})
		if !errors.As(err, new(*report.Error)) || report.CodeOf(err) != "unclosed_fence" || string(e.Text) != src {
			t.Errorf("%q: %v", open, err)
		}
		e, err = d.Set("status", "review") // edits before the fence work
		if text := must(t, e, err); text != replaced(t, src, "**Status:** running", "**Status:** review") {
			t.Errorf("%s", text)
		}
	}
}

func TestSF14_SF16_SF47_Headings(t *testing.T) {
	t.Parallel()
	for heading, known := range map[string]bool{
		"## Queue": true, "## Queue ": true, "## Queue ##": true, "##  queue": true, "## QUEUE\t": true, "   ## Queue": true,
		"## Queue\r": true,
		"##Queue":    false, "### Queue": false, "# Queue": false, "## 🚀 Queue": false, "## 1. Queue": false, "## Fila": false,
		"    ## Queue": false,
	} {
		src := "# S\n\n" + heading + "\n\n| ID |\n|---|\n| SPEC-1 |\n"
		if got := len(Parse([]byte(src)).Queue()); (got == 1) != known {
			t.Errorf("%q: %d rows", heading, got)
		}
	}
	if rows := Parse([]byte("Queue\n-----\n\n| ID |\n|---|\n| SPEC-1 |\n")).Queue(); len(rows) != 0 {
		t.Errorf("an underlined heading counts: %v", rows)
	}
	swapped := "## Decisions\n\n## Queue\n\n| ID |\n|---|\n| SPEC-1 |\n\n## Active Specification\nSPEC-2"
	if m := Parse([]byte(swapped)).Model(); ids(m.Queue) != "SPEC-1" || m.Active[0].ID != "SPEC-2" {
		t.Errorf("another order: %+v", m)
	}
}

func TestSF15_OfTwoSectionsTheFirstIsEdited(t *testing.T) {
	t.Parallel()
	src := "## Queue\n\n| ID |\n|---|\n| SPEC-1 |\n\n## Queue\n\n| ID |\n|---|\n| SPEC-2 |\n"
	e, err := Parse([]byte(src)).AddQueue(QueueEntry{ID: "SPEC-3"})
	if got := must(t, e, err); got != replaced(t, src, "| SPEC-1 |\n", "| SPEC-1 |\n| SPEC-3 |\n") {
		t.Errorf("%s", got)
	}
}

func TestSF20_WrittenCellsAreReadBack(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a | b", `a \| b`, "`x|y`", `ends \`, "two\nlines", "  blanks  ", "|", `\|`, `\\|`, "\ttab", "\x00nul", "—",
	} {
		e, err := Parse([]byte(withQueue("| ID | Title | Status |\n|---|---|---|\n"))).AddQueue(QueueEntry{ID: "SPEC-1", Title: text})
		rows := Parse([]byte(must(t, e, err))).Queue()
		want := strings.ReplaceAll(fold(text), `\|`, "|")
		if len(rows) != 1 || rows[0].Title != want || rows[0].Status != "draft" {
			t.Errorf("%q was written as %q and is read as %+v", text, e.Text, rows)
		}
	}
}

func TestSF23_OtherScripts(t *testing.T) {
	t.Parallel()
	title := "出力 👩‍👩‍👧 e\u0301 \u202eעברית"
	e, err := Parse([]byte(formA)).AddQueue(QueueEntry{ID: "SPEC-9", Title: title})
	rows := Parse([]byte(must(t, e, err))).Queue()
	if got := rows[len(rows)-1].Title; got != title {
		t.Errorf("%q", got)
	}
}

func TestSF31_EveryEditTwiceIsTheEditOnce(t *testing.T) {
	t.Parallel()
	for _, src := range []string{formA, formB, formC, "", "# S"} {
		for name, op := range operations() {
			if name == "queue move" || strings.HasSuffix(name, "remove") {
				continue // a second run of these edits names another row
			}
			once, err := op(Parse([]byte(src)))
			if err != nil {
				continue
			}
			twice, err := op(Parse(once.Text))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if diff := cmp.Diff(string(once.Text), string(twice.Text)); diff != "" || len(twice.Changed) > 0 {
				t.Errorf("%s changes something the second time: %v\n%s", name, twice.Changed, diff)
			}
		}
	}
}
