package ledger

import "testing"

// sessions returns sessions with these texts below one heading.
func sessions(texts ...string) (out []Entry) {
	for _, text := range texts {
		raw := "### Session 2 - 2026-03-01 09:07\n" + text
		e := NewEntry(Session, raw)
		e.Number, e.Date, e.Raw = 2, "2026-03-01 09:07", raw
		out = append(out, e)
	}
	return out
}

// A session is not missing where one with more items stands, whether the book knows that one or not (D53).
func TestD53_ASessionWithMoreItemsReplacesTheShortOne(t *testing.T) {
	t.Parallel()
	const short = "**Did:** read it\n\n**Issues:** None\n\n**Commits:** a7efdd8, fc02f66\n"
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"more items":      {"**Did:**\n- read it\n- wrote it\n\n**Commits:** a7efdd8, fc02f66, 8ec82bf\n", true},
		"other order":     {"**Did:**\n- wrote it\n- read it\n\n**Commits:** 8ec82bf, fc02f66, a7efdd8\n", true},
		"an item less":    {"**Did:** wrote it\n\n**Commits:** a7efdd8, fc02f66\n", false},
		"a commit less":   {"**Did:**\n- read it\n- wrote it\n\n**Commits:** a7efdd8\n", false},
		"a longer item":   {"**Did:** read it twice\n\n**Commits:** a7efdd8, fc02f66\n", false},
		"all in one line": {"**Did:** wrote it, read it\n\n**Commits:** a7efdd8, fc02f66\n", true},
	} {
		b := Parse(lines(t, doc(at(1), "f", sessions(short, c.text))))
		out := b.Missing(map[string][]Entry{"f": sessions(c.text)})
		if len(out) != 1 || (out[0].Into != nil) != c.want {
			t.Errorf("%s: %+v", name, out)
		}
	}
	other := sessions("**Did:**\n- read it\n- wrote it\n\n**Commits:** a7efdd8, fc02f66\n")
	other[0].Date = "2026-03-01 09:08"
	b := Parse(lines(t, doc(at(1), "f", append(sessions(short), other...))))
	if out := b.Missing(map[string][]Entry{"f": other}); len(out) != 1 || out[0].Into != nil {
		t.Errorf("of another time: %+v", out)
	}
}

// A merge may have given a session another number before it grew.
func TestD53_ASessionWithAnotherNumberAndMoreItems(t *testing.T) {
	t.Parallel()
	const was = "### Session 7 - 2026-03-01 09:07 (was session 2)\n**Did:** fixed the parser\n"
	e := NewEntry(Session, was)
	e.Number, e.Date, e.Raw = 7, "2026-03-01 09:07", was
	b := Parse(lines(t, doc(at(1), "f", []Entry{e})))
	for text, want := range map[string]bool{
		"**Did:**\n- fixed the parser\n- tested it\n": true, "**Did:** wrote another parser\n": false,
	} {
		now := sessions(text)
		if out := b.Missing(map[string][]Entry{"f": now}); len(out) != 1 || (out[0].Into != nil) != want {
			t.Errorf("%s: %+v", text, out)
		}
		if got := StandsFor(e, now[0]); got != want {
			t.Errorf("%s stands for it: %v", text, got)
		}
	}
}

// Two words are too few for a similar entry, but the session may be the same with more items.
func TestD53_AShortSessionWithMoreItems(t *testing.T) {
	t.Parallel()
	b := Parse(lines(t, doc(at(1), "f", sessions("**Did:** fixed it\n"))))
	for text, want := range map[string]bool{"**Did:**\n- fixed it\n- wrote tests\n": true, "**Did:**\n- did it\n- wrote tests\n": false} {
		if out := b.Missing(map[string][]Entry{"f": sessions(text)}); len(out) != 1 || (out[0].Into != nil) != want {
			t.Errorf("%s: %+v", text, out)
		}
	}
}

// A checkout may bring back the earlier words of an entry, and then the later ones. If both stood, the one that goes is
// missing.
func TestF30_RewordedEntriesComeAndGo(t *testing.T) {
	t.Parallel()
	const early, late = "use the red database for all of the orders", "use the blue database for all of the orders"
	now := func(texts ...string) map[string][]Entry { return map[string][]Entry{"f": decisions(texts...)} }
	b := Parse(lines(t, doc(at(1), "f", decisions(early))))
	look := func(second int, texts ...string) Record {
		r := b.Compare(now(texts...))
		r.Mark, r.Docs = at(second), []DocState{StateOf("f", nil, false)}
		b.Add(r)
		return r
	}
	look(2, late)
	look(3, early)
	again := func(b *Book) {
		t.Helper()
		if out := b.Missing(now(late)); len(out) != 1 || out[0].Into == nil || out[0].Into.Key != key(late) {
			t.Errorf("%+v", out)
		}
	}
	again(b)
	rewritten, err := b.Lines()
	if err != nil {
		t.Fatal(err)
	}
	again(Parse(rewritten))
	if r := look(4, late); len(r.Missing) != 0 || len(r.Left) != 1 {
		t.Errorf("%+v", r)
	}
	look(5, early, late)
	if r := look(6, late); len(r.Missing) != 1 {
		t.Errorf("one of two: %+v", r)
	}
}
