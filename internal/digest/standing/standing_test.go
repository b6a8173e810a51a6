package standing

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"baton/internal/digest/gsd"
	"baton/internal/markdown"
	"baton/internal/threeway"
)

const digest = "---\ngsd_state_version: '1.0'\n---\n\n# Project State\n\n## Accumulated Context\n### Decisions\n" +
	"| Date | Phase | Decision |\n|------|-------|----------|\n"

func facts(complete, total int) Facts {
	f := Facts{Focus: &Task{ID: "4", Title: "JWT service"}, Others: 2}
	f.Last = &Entry{Task: "4", At: "2026-03-14 12:01", N: 7, Next: "rotate keys"}
	f.Counted(complete, total)
	return f
}

const sample = "<!-- baton: the next lines come from the tasks -->\nProgress: [█████░░░░░] 50%, 3 of 6 tasks complete\n" +
	"Focus: #4 JWT service (and 2 more in progress)\nLast activity: 2026-03-14 12:01, session 7 of #4\n" +
	"Stopped at: #4, next: rotate keys\n<!-- baton: end -->\n"

func TestF12_TheBlockStandsBelowTheTitle(t *testing.T) {
	t.Parallel()
	got := string(Put([]byte(digest), facts(3, 6)))
	if want := strings.Replace(digest, "\n## ", "\n"+sample+"\n## ", 1); got != want {
		t.Fatalf("%s", got)
	}
	if n := strings.Count(sample, "\n"); n > 6 {
		t.Errorf("the block has %d lines", n)
	}
	if again := string(Put([]byte(got), facts(3, 6))); again != got {
		t.Errorf("the same facts change something:\n%s", again)
	}
	if back := string(Without([]byte(got))); back != digest {
		t.Errorf("without its block:\n%s", back)
	}
	if empty := string(Put([]byte(got), Facts{})); empty != digest {
		t.Errorf("nothing to say:\n%s", empty)
	}
}

func TestF12_PlacesOfTheBlock(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"empty": "", "no title": "## Decisions\n- a\n", "only a title": "# P", "CRLF": strings.ReplaceAll(digest, "\n", "\r\n"),
		"text below the title": "# P\n\nMine.\n\n## A\n", "fence": "# P\n```\n<!-- baton: end -->\n## x\n```\n## A\n",
	} {
		with := Put([]byte(src), facts(1, 3))
		f, ok := Read(with)
		if !ok || f.Complete != 1 || f.Total != 3 {
			t.Errorf("%s: read %+v of %q", name, f, with)
		}
		if strings.Contains(src, "\r\n") && strings.Count(string(with), "\n") != strings.Count(string(with), "\r\n") {
			t.Errorf("%s: line ends are mixed: %q", name, with)
		}
		for _, line := range strings.SplitAfter(src, "\n") {
			if !strings.Contains(string(with), strings.TrimRight(line, "\r\n")) {
				t.Errorf("%s: %q is gone", name, line)
			}
		}
	}
}

// A formatter may put blank lines between Markdown and comments.
func TestF12_BlankLinesInTheBlock(t *testing.T) {
	t.Parallel()
	spread := strings.Replace(string(Put([]byte(digest), facts(3, 6))), "-->\nProgress", "-->\n\nProgress", 1)
	spread = strings.Replace(spread, "keys\n<!--", "keys\n\n<!--", 1)
	got := string(Put([]byte(spread), facts(4, 6)))
	if strings.Count(got, "<!-- baton: end -->") != 1 || !strings.Contains(got, "4 of 6") || strings.Contains(got, "3 of 6") {
		t.Errorf("%s", got)
	}
	if got := string(Without([]byte(spread))); got != digest {
		t.Errorf("%s", got)
	}
}

// An example between fences is not the block.
func TestF12_AnExampleIsNotTheBlock(t *testing.T) {
	t.Parallel()
	src := digest + "\n```\n" + sample + "```\n"
	got := string(Put([]byte(src), facts(1, 2)))
	if !strings.HasSuffix(got, "```\n"+sample+"```\n") || !strings.Contains(got, "1 of 2") {
		t.Errorf("%s", got)
	}
}

// A person's text between the markers stays, below the block, and is moved only once.
func TestF12_WhatSomebodyWroteIntoTheBlockStays(t *testing.T) {
	t.Parallel()
	src := strings.Replace(string(Put([]byte(digest), facts(3, 6))), "Focus: ", "We wait for legal.\nOwner: Kim\nFocus: ", 1)
	got := string(Put([]byte(src), facts(4, 6)))
	if !strings.Contains(got, "<!-- baton: end -->\n\nWe wait for legal.\nOwner: Kim\n\n## ") || strings.Count(got, "Progress: ") != 1 {
		t.Errorf("%s", got)
	}
	if again := string(Put([]byte(got), facts(4, 6))); again != got {
		t.Errorf("%s", again)
	}
	want := strings.Replace(digest, "\n## ", "\nWe wait for legal.\nOwner: Kim\n\n## ", 1)
	if got := string(Without([]byte(src))); got != want {
		t.Errorf("%s", got)
	}
	open := strings.Replace(src, "<!-- baton: end -->\n", "", 1)
	if got := string(Without([]byte(open))); got != open {
		t.Errorf("a block without an end was removed:\n%s", got)
	}
	twice := strings.Replace(src, "\n## ", "\n"+sample+"\n## ", 1)
	got = string(Put([]byte(twice), facts(4, 6)))
	if strings.Count(got, "Progress: ") != 1 || !strings.Contains(got, "We wait for legal.") {
		t.Errorf("%s", got)
	}
}

func TestF12_WhatIsWrittenIsReadBack(t *testing.T) {
	t.Parallel()
	texts := rapid.OneOf(rapid.StringN(1, 40, -1), rapid.SampledFrom([]string{
		"<!-- baton: end -->", "a\nb", "x (and 3 more in progress)", "# A", "--> x", "```", "- [ ] a", "\u202e", "a: b, next: c",
	}))
	rapid.Check(t, func(rt *rapid.T) {
		var f Facts
		total := rapid.IntRange(1, 9).Draw(rt, "total")
		f.Counted(rapid.IntRange(0, total).Draw(rt, "complete"), total)
		if rapid.Bool().Draw(rt, "focus") {
			f.Focus = &Task{ID: "12", Title: texts.Draw(rt, "title")}
		}
		if rapid.Bool().Draw(rt, "last") {
			f.Last = &Entry{Task: "3", At: "2026-03-14 12:01", N: 2, Next: texts.Draw(rt, "next")}
		}
		src := Put([]byte(digest), f)
		got, ok := Read(src)
		if !ok || got.Complete != f.Complete || got.Total != f.Total || got.Percent != f.Percent ||
			(got.Last == nil) != (f.Last == nil) || got.Last != nil && (got.Last.At != f.Last.At || got.Last.Task != "3") {
			rt.Fatalf("read %+v of\n%s", got, src)
		}
		if again := Put(src, got); string(again) != string(src) {
			rt.Fatalf("writing what was read changes\n%s\nto\n%s", src, again)
		}
		if string(Without(src)) != digest {
			rt.Fatalf("other lines changed:\n%s", src)
		}
		if len(markdown.Parse(src).Headings()) != len(markdown.Parse([]byte(digest)).Headings()) {
			rt.Fatalf("a text became a heading:\n%s", src)
		}
	})
}

func TestF12_MergeAddsUpWhatBothSidesDid(t *testing.T) {
	t.Parallel()
	with := func(complete, total int, at string, extra string) []byte {
		f := facts(complete, total)
		f.Last.At = at
		return []byte(strings.Replace(string(Put([]byte(digest), f)), "|----------|\n", "|----------|\n"+extra, 1))
	}
	base := with(1, 4, "2026-03-14 12:00", "")
	ours := with(2, 5, "2026-03-14 13:00", "| 2026-03-14 | - | ours |\n")
	theirs := with(3, 6, "2026-03-14 12:30", "| 2026-03-14 | - | theirs |\n")
	for _, r := range []threeway.Result{Merge(base, ours, theirs, gsd.Merge), Merge(base, theirs, ours, gsd.Merge)} {
		f, ok := Read(r.Text)
		if !ok || r.Conflicts > 0 || f.Complete != 4 || f.Total != 7 || f.Last.At != "2026-03-14 13:00" {
			t.Errorf("%+v, %d conflicts:\n%s", f, r.Conflicts, r.Text)
		}
		for _, want := range []string{"| ours |", "| theirs |"} {
			if strings.Count(string(r.Text), want) != 1 {
				t.Errorf("%s is missing:\n%s", want, r.Text)
			}
		}
	}
	// One side began a phase, so its block is gone.
	if r := Merge(base, Without(ours), theirs, gsd.Merge); strings.Contains(string(r.Text), "baton:") {
		t.Errorf("the block came back:\n%s", r.Text)
	}
	// Both sides made their first tasks.
	if f, _ := Read(Merge([]byte(digest), with(0, 2, "", ""), with(1, 1, "", ""), gsd.Merge).Text); f.Complete != 1 || f.Total != 3 {
		t.Errorf("%+v", f)
	}
	// Only one side changed something.
	if r := Merge(base, base, theirs, gsd.Merge); string(r.Text) != string(theirs) {
		t.Errorf("%s", r.Text)
	}
}
