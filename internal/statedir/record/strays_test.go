package record

import "testing"

// 5.6.2 rule 7, SD-D16: lines below a value that are no part of it are kept, unless they would become a part
// of the new value. devt reads keys in them.
func TestSDD16_StrayLinesBelowAValueStay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{"a key", "phase: plan\n  task: x\nz: 1\n", "phase: test\n  task: x\nz: 1\n"},
		{"behind tabs", "phase:\tplan\n\ttask: x\n\tb: c\n", "phase:\ttest\n\ttask: x\n\tb: c\n"},
		{"CRLF", "phase: plan\r\n  task: x\r\n", "phase: test\r\n  task: x\r\n"},
		{"a part of the old value", "phase: plan\n  more\nz: 1\n", "phase: test\nz: 1\n"},
		{"a part of the new value", "phase: \"plan\"\n  more\nz: 1\n", "phase: test\nz: 1\n"},
		{"a block", "phase:\n  task: x\n", "phase: test\n"},
	} {
		d := newDraft(Read([]byte(c.src)))
		d.put("phase", "test")
		if got := d.apply().text; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// 5.6.3: a new key leaves no empty line where the last line, which had no line end, is removed.
func TestSDD16_NoEmptyLineInPlaceOfTheLast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ src, want string }{
		{"phase: plan\nvalidation_status: warned\nvalidation_warnings: 2", "phase: plan\na: b"},
		{"phase: plan\r\nvalidation_status: warned", "phase: plan\r\na: b"},
		{"validation_status: warned", "a: b"},
		{"\ufeffvalidation_status: warned", "\ufeffa: b"},
		{"phase: plan", "phase: plan\na: b"},
	} {
		d := newDraft(Read([]byte(c.src)))
		d.put("a", "b")
		d.drop("validation_status", "validation_warnings")
		if got := d.apply().text; got != c.want {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
}
