package threeway

import (
	"strings"
	"testing"

	"baton/internal/threeway/laws"
)

// keeping is a form in which a program writes one label and a person all others.
func keeping() Form {
	return Form{
		Value: func(label string) bool { return label == "count" || label == "note" || label == "told" },
		Fate: func(label, _ string, _ bool) Fate {
			switch label {
			case "count":
				return Passes
			case "told":
				return Reported
			}
			return Kept
		},
		Cell: func(column, _ string) Fate {
			if column == "status" {
				return Passes
			}
			return Kept
		},
		Key: func([]string) int { return 0 },
		Day: func(src []byte) string { return stampIn(string(src)) },
	}
}

func TestWordsOfBothSidesStay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, ours, theirs, want, asides string }{
		"a program's": {"Count: 1\n", "Count: 2\n", "Count: 3\n", "Count: 3\n", ""},
		"a person's": {
			"Note: x\n", "Note: b\n", "Note: a 2026-01-02\n", "Note: b\nNote (other side, 2026-01-02): a 2026-01-02\n",
			"Note=a 2026-01-02 kept",
		},
		"told only":      {"Told: x\n", "Told: b\n", "Told: a\n", "Told: b\n", "Told=a"},
		"one side only":  {"Note: x\n", "Note: b\n", "Note: x\nmore\n", "Note: b\nmore\n", ""},
		"the same words": {"Note: x\n", "Note: b\nmore\n", "Note:  b\n", "Note: b\nmore\n", ""},
		"both add it":    {"", "Note: b\n", "Note: a\n", "Note: b\nNote (other side): a\n", "Note=a kept"},
		"in bold":        {"**Note:** x\n", "**Note:** b\n", "**Note:** a\n", "**Note:** b\n**Note (other side):** a\n", "Note=a kept"},
		"colon outside": {
			"- **Note**: x\n", "- **Note**: b\n", "- **Note**: a\n", "- **Note**: b\n- **Note (other side)**: a\n", "Note=a kept",
		},
		"behind a note": {
			"Note: x\n", "Note: c\nNote (other side): q\n\nend\n", "Note: a\n",
			"Note: c\nNote (other side): q\nNote (other side): a\n\nend\n", "Note=a kept",
		},
		"newer of the same": {
			"Note: a\n", "Note: c\nNote (other side): a\n", "Note: b\n", "Note: c\nNote (other side): b\n", "Note=b kept",
		},
		"known already": {"Note: x\n", "Note: a\nNote (other side): b\n", "Note: b\n", "Note: a\nNote (other side): b\n", ""},
		"front matter": {
			"---\nowner: x\n---\n", "---\nowner: b\n---\n", "---\nowner: a\n---\n", "---\nowner: b\n# owner (other side): a\n---\n",
			"owner=a kept",
		},
		"front and body": {
			"---\nnote: x\n---\n\nNote: x\n", "---\nnote: b\n---\n\nNote: b\n", "---\nnote: a\n---\n\nNote: a\n",
			"---\nnote: b\n---\n\nNote: b\nNote (other side): a\n", "Note=a kept",
		},
		"cells": {
			"| Id | What | Status |\n|-|-|-|\n| 1 | x | s |\n", "| Id | What | Status |\n|-|-|-|\n| 1 | b | t |\n",
			"| Id | What | Status |\n|-|-|-|\n| 1 | a | u |\n", "| Id | What | Status |\n|-|-|-|\n| 1 | b (other side: a) | t |\n",
			"what=a kept",
		},
		"a pipe in a cell": {
			"| Id | What |\n|-|-|\n| 1 | x |\n", "| Id | What |\n|-|-|\n| 1 | b \\| c |\n", "| Id | What |\n|-|-|\n| 1 | a |\n",
			"| Id | What |\n|-|-|\n| 1 | b \\| c (other side: a) |\n", "what=a kept",
		},
		"other cells": {
			"| Id | What |\n|-|-|\n| 1 | x |\n", "| Id | What |\n|-|-|\n| 1 | b |\n", "| Id | What |\n|-|-|\n| 1 | a | c |\n",
			"| Id | What |\n|-|-|\n<<<<<<< ours\n| 1 | b |\n=======\n| 1 | a | c |\n>>>>>>> theirs\n", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Merge(keeping(), []byte(c.base), []byte(c.ours), []byte(c.theirs))
			var asides []string
			for _, a := range r.Asides {
				text := a.Label + "=" + a.Text
				if a.Kept {
					text += " kept"
				}
				asides = append(asides, text)
			}
			if string(r.Text) != c.want || strings.Join(asides, ", ") != c.asides || (r.Conflicts > 0) != strings.Contains(c.want,
				"<<<<<<<") {
				t.Errorf("%d conflicts, asides %q:\n%q\nwant\n%q", r.Conflicts, asides, r.Text, c.want)
			}
			if back := Merge(keeping(), []byte(c.base), []byte(c.theirs), []byte(c.ours)); r.Conflicts == 0 && string(back.Text) != c.want {
				t.Errorf("the other way:\n%q", back.Text)
			}
		})
	}
}

// Notes, comments and cells keep every word. Merging the result with one of the sides again adds nothing.
func TestWordsOfBothSidesKeepTheLaws(t *testing.T) {
	t.Parallel()
	base := "---\nowner: nobody\ncount: 1\n---\n\n# Page\n\nNote: none\n**Note:** bold\n\n- Note: item\n- other\n\n| Id | What " +
		"|\n|---|---|\n| 1 | one |\n| 2 | two |\n"
	laws.Check(t, merged(keeping()), base, nil,
		laws.Replace(`^(owner): .*`, "$1: %s"), laws.Replace(`^(Note): .*`, "$1: %s"), laws.Replace(`^(\*\*Note:\*\*) .*`, "$1 %s"),
		laws.Replace(`^(- Note): .*`, "$1: %s and more"), laws.Replace(`^(\| \d \|) \w+ \|$`, "$1 %s |"), laws.Behind(`^- other`, "- %s"))
}
