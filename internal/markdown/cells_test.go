package markdown

import "testing"

func TestCells(t *testing.T) {
	t.Parallel()
	for name, got := range map[string][2]string{
		"set":           {SetCell("| a | b |", 1, 2, "c", "—"), "| a | c |"},
		"set an empty":  {SetCell("| a |  |", 1, 2, "c", "—"), "| a | c |"},
		"add":           {SetCell("| a |", 2, 3, "c", "—"), "| a | — | c |"},
		"add, open row": {SetCell("a | b\\|  ", 2, 3, "c", "—"), "a | b\\| | c |  "},
		"surplus":       {SetCell("| a | b | c |", 1, 2, "d", "—"), "| a | d |"},
		"row":           {Row("a", EscapeCell("b|c")), `| a | b\|c |`},
		"escaped":       {EscapeCell(`a\|b|c`), `a\\|b\|c`},
		"unescaped":     {UnescapeCell(`a\|b`), "a|b"},
		"and back":      {UnescapeCell(EscapeCell(`a\|b|c`)), `a\|b|c`},
		"closed":        {ClosedRow("| a |"), "| a |"},
		"not closed":    {ClosedRow(`| a \|`), `| a \| |`},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: %q, want %q", name, got[0], got[1])
		}
	}
	for line, want := range map[string]int{"": 1, "|": 1, "| a | b |": 2, `a \| b | c`: 2, "||": 1, " | a": 1} {
		if got := SplitCells(line, 0); len(got) != want {
			t.Errorf("%q has %d cells, want %d", line, len(got), want)
		}
	}
	for line, want := range map[string]int{"": -1, "a": -1, "|": 0, `\|`: -1, `\||`: 2, "a|b|": 1} {
		if got := Pipe(line, 0); got != want {
			t.Errorf("the pipe of %q is at %d, want %d", line, got, want)
		}
	}
}
