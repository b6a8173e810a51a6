package protocol

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A pack never exceeds its limit, whatever it is.
func TestPackNeverPassesItsLimit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f, n := anyFacts().Draw(t, "facts"), rapid.IntRange(1, 3000).Draw(t, "limit")
		if p := Pack(f, Limit{Tokens: n}); Tokens(p.Text) > n || p.Tokens != Tokens(p.Text) {
			t.Fatalf("%d of %d tokens", Tokens(p.Text), n)
		}
		if p := Orientation(f, Limit{Target: n, Characters: n}); units(p.Text) > n {
			t.Fatalf("%d of %d characters", units(p.Text), n)
		}
		if p := Orientation(f, start()); units(p.Text) > 8000 {
			t.Fatalf("%d characters", units(p.Text))
		}
	})
}

// No line of text from a file ends in the middle of a sentence. In these facts every sentence ends with "end.".
func TestPackNeverCutsASentence(t *testing.T) {
	t.Parallel()
	cut := regexp.MustCompile(`Word$|Word …|Word\x60|Word;`)
	rapid.Check(t, func(t *rapid.T) {
		f, n := anyFacts().Draw(t, "facts"), rapid.IntRange(1, 3000).Draw(t, "limit")
		for _, text := range []string{Pack(f, Limit{Tokens: n}).Text, Orientation(f, start()).Text} {
			for line := range strings.SplitSeq(text, "\n") {
				if cut.MatchString(line) {
					t.Fatalf("%q", line)
				}
			}
		}
	})
}

// A larger budget shows everything that a smaller one shows.
func TestPackGrowsWithItsBudget(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts().Draw(t, "facts")
		n := rapid.IntRange(1, 2500).Draw(t, "budget")
		small, large := Pack(f, Limit{Tokens: n}), Pack(f, Limit{Tokens: n + rapid.IntRange(1, 500).Draw(t, "more")})
		order := []string{"left_out", "brief", "full"}
		for i, part := range small.Parts {
			if slices.Index(order, large.Parts[i].Form) < slices.Index(order, part.Form) {
				t.Fatalf("%s: %s with %d tokens, %s with more", part.Name, part.Form, n, large.Parts[i].Form)
			}
		}
		for line := range strings.SplitSeq(small.Text, "\n") {
			if !strings.HasPrefix(line, "Left out") && !strings.HasPrefix(line, "> ") && !strings.Contains(large.Text, line) {
				t.Fatalf("with %d tokens there is %q, and not with more", n, line)
			}
		}
	})
}

// Parts that are missing or shortened are listed in the answer and in the last line, with the command that prints them.
func TestPackNamesWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f, n := anyFacts().Draw(t, "facts"), rapid.IntRange(200, 3000).Draw(t, "limit")
		p := Pack(f, Limit{Tokens: n})
		missing := 0
		for _, part := range p.Parts {
			if part.Form != "full" {
				missing++
			}
		}
		if missing != len(p.Left) {
			t.Fatalf("%d parts are not full, %d are named", missing, len(p.Left))
		}
		if p.Text == "" {
			return
		}
		lines := strings.Split(strings.TrimSpace(p.Text), "\n")
		last := lines[len(lines)-1]
		for _, left := range p.Left {
			if left.Command == "" || !strings.Contains(last, left.Name) || !strings.Contains(last, "`"+left.Command+"`") {
				t.Fatalf("%+v is not in %q", left, last)
			}
		}
		if strings.HasPrefix(last, "Left out") != (len(p.Left) > 0) {
			t.Fatalf("left out %+v, last line %q", p.Left, last)
		}
	})
}

// The same facts give the same text.
func TestPackIsDeterministic(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts().Draw(t, "facts")
		first, second := Pack(f, Limit{Tokens: 700}), Pack(f, Limit{Tokens: 700})
		if first.Text != second.Text {
			t.Fatal("two texts")
		}
	})
}

// A pack contains everything that is always needed. An input is there in full if there is room, otherwise in brief.
func TestPackEmbedsInputs(t *testing.T) {
	t.Parallel()
	f := shop()
	full := Pack(f, Limit{Tokens: 2000})
	wants(t, full.Text, "From #100 “Gateway”:", "> ### Summary", "> ```json\n> {\"keys\": []}\n> ```",
		"Already checked:\n- 1. “Tokens are signed”", "`baton task show 101 --all`", "- 3. “Expired tokens are refused”",
		"(the file has 3 KB)")
	if lacks(t, full.Text, "Left out"); len(full.Left) != 0 {
		t.Errorf("left out %+v", full.Left)
	}
	f.Task.Inputs[0].Full += "\n\n" + strings.Repeat("It has much more to say. ", 400)
	brief := Pack(f, Limit{Tokens: 1000})
	wants(t, brief.Text, "> The gateway reads /keys. It asks once a minute.", "input #100 in full (`baton task output 100`)",
		"Already checked")
	lacks(t, brief.Text, "```json")
}

// Without room for anything, the text is empty and every part is listed as left out.
func TestPackWithoutRoom(t *testing.T) {
	t.Parallel()
	p := Pack(shop(), Limit{Tokens: 10})
	if p.Text != "" || len(p.Left) != len(p.Parts) || p.Tokens != 0 {
		t.Errorf("%+v", p)
	}
	if p := Pack(shop(), Limit{}); p.Text == "" || len(p.Left) != 0 {
		t.Errorf("without a limit: left out %+v", p.Left)
	}
}

// A block of code in the requirements is shown as a whole or not at all.
func TestPackNeverCutsABlockOfCode(t *testing.T) {
	t.Parallel()
	f := shop()
	f.Task.Requirements = "Do it.\n\n```go\n" + strings.Repeat("x := 1\n", 60) + "```\n\nThen stop."
	for n := 200; n < 1200; n += 10 {
		if fences := strings.Count(Pack(f, Limit{Tokens: n}).Text, "> ```go") - strings.Count(Pack(f, Limit{Tokens: n}).Text,
			"x := 1")/60; fences != 0 {
			t.Errorf("%d tokens: a block was cut", n)
		}
	}
}
