package project

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/ledger"
	"baton/internal/ledger/restore"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/task/create"
	"baton/internal/task/inputs"
)

// made is a document and its name, as baton's own operations made it.
type made struct{ name, text string }

// madeDocuments draws documents of every kind and dialect.
func madeDocuments(t *rapid.T) []made {
	day := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	out := []made{}
	for _, l := range [...]struct {
		dir  string
		form decision.Form
		text []byte
	}{
		{".specflow", decision.Specflow, specflow.New(day, "relay")},
		{".planning", decision.GSD, gsd.New(gsd.Planning, day, "relay")},
		{".baton", decision.Own, gsd.New(gsd.Own, day, "relay")},
	} {
		settings := decision.DefaultSettings()
		settings.Direction = rapid.SampledFrom([]decision.Direction{decision.OldestFirst, decision.NewestFirst}).Draw(t, "direction")
		text := l.text
		for n := range rapid.IntRange(0, 9).Draw(t, "decisions") {
			added, err := decision.Add(text, nil, l.form, settings, decision.Entry{
				Date: day.AddDate(0, 0, n/2).Format(time.DateOnly), Spec: "SPEC-1", Phase: fmt.Sprint(1 + n/3),
				Text: fmt.Sprintf("Decision %d of %s stands", n, l.dir),
			})
			if err != nil {
				t.Fatal(err)
			}
			text = added.Digest
		}
		if l.form != decision.Specflow {
			for n := range rapid.IntRange(0, 3).Draw(t, "blockers") {
				edited, err := gsd.Parse(text).AddBlocker(fmt.Sprintf("Blocker %d of %s", n, l.dir), "1", day)
				if err != nil {
					t.Fatal(err)
				}
				text = edited.Text
			}
		}
		keep := 2
		rotated, err := decision.Rotate(text, nil, false, l.form, settings, decision.RotateOptions{Keep: &keep})
		if err != nil {
			t.Fatal(err)
		}
		out = append(
			out, made{name: l.dir + "/STATE.md", text: string(text)},
			made{name: l.dir + "/DECISIONS_ARCHIVE.md", text: string(rotated.Archive)},
		)
	}
	for i, dialect := range [...]task.Dialect{task.V2, task.V1C} {
		state, filed := madeTask(t, task.ID(fmt.Sprint(i+1)), dialect, day)
		out = append(out, state, filed)
	}
	return out
}

func madeTask(t *rapid.T, id task.ID, dialect task.Dialect, day time.Time) (state, old made) {
	n := create.Request{ID: id, Title: "Sign", Dialect: dialect, Now: day, Requirements: "Sign it."}
	for k := range rapid.IntRange(0, 4).Draw(t, "criteria") {
		n.Criteria = append(n.Criteria, create.Criterion{Text: fmt.Sprintf("Criterion %d holds", k), Verify: "make test"})
	}
	s := task.Parse(id, create.New(n))
	ok := func(next *task.State, err error) {
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	for k := range rapid.IntRange(0, 6).Draw(t, "sessions") {
		at := day.AddDate(0, 0, k)
		e := task.Entry{
			Did:  []string{fmt.Sprintf("Step %d was made", k), "Tests:\n```\nok\n```"},
			Next: []string{fmt.Sprintf("Step %d", k+1)}, Commits: []task.Commit{{Hash: "1a2b3c4"}},
		}
		ok(s.Append(k+1, at, e))
		s = s.Reconcile(task.Reconciliation{Now: at})
	}
	if rapid.Bool().Draw(t, "output") {
		ok(inputs.SetOutput(s, map[task.Part]string{task.PartSummary: "Sign gives a signature.", task.PartAPI: "POST /sign"}, ""))
	}
	state = made{name: ".baton/tasks/" + task.StateName(id), text: string(s.Bytes())}
	done, err := archive.Sessions(s, 1, "asked for", day, ".baton/archive/"+task.ArchiveName(id), archive.Facts{})
	if err != nil {
		t.Fatal(err)
	}
	return state, made{name: ".baton/archive/" + task.ArchiveName(id), text: string(done.Batch)}
}

// damaged draws what an agent might turn a text into.
func damaged(t *rapid.T, text string) string {
	for range rapid.IntRange(1, 4).Draw(t, "damages") {
		lines := strings.SplitAfter(text, "\n")
		i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		j := rapid.IntRange(i, min(i+8, len(lines)-1)).Draw(t, "to")
		switch rapid.SampledFrom([]string{"delete", "truncate", "shuffle", "reword", "drop", "empty", "add", "crlf"}).Draw(t, "damage") {
		case "delete":
			lines = slices.Delete(lines, i, j)
		case "truncate":
			text = strings.ToValidUTF8(text[:rapid.IntRange(0, len(text)).Draw(t, "at")], "")
			continue
		case "shuffle":
			copy(lines[i:j], rapid.Permutation(lines[i:j]).Draw(t, "order"))
		case "reword":
			words := strings.NewReplacer("Decision", "Ruling", "Step", "Stride", "stands", "is law", "Criterion", "Condition")
			lines[i] = words.Replace(lines[i])
		case "drop":
			for i > 0 && !strings.HasPrefix(lines[i], "#") {
				i--
			}
			for j = min(i+1, len(lines)); j < len(lines) && !strings.HasPrefix(lines[j], "#"); j++ {
			}
			lines = slices.Delete(lines, i, j)
		case "empty":
			lines = nil
		case "add":
			lines = slices.Insert(lines, i, rapid.SampledFrom([]string{
				"A line.\n", "\n", "- A bullet\n", "| a | b |\n", "## A section\n", "---\n", "```\n", "<!-- open\n",
				"### Session 2 - 2026-01-02 18:00\n",
			}).Draw(t, "new"))
		case "crlf":
			text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
			continue
		}
		text = strings.Join(lines, "")
	}
	return text
}

// TestD37_WhateverIsWipedComesBack checks that after any damage to any document, everything that disappeared comes
// back, and nothing else changes.
func TestD37_WhateverIsWipedComesBack(t *testing.T) {
	p := newWorld(t).as("a")
	rapid.Check(t, func(t *rapid.T) {
		doc := rapid.SampledFrom(madeDocuments(t)).Draw(t, "document")
		putBack(t, p, doc.name, doc.text, damaged(t, doc.text))
	})
}

// TestD37_RemovedEntriesComeBackInPlace checks that if only entries are missing, the document is afterwards as it was.
func TestD37_RemovedEntriesComeBackInPlace(t *testing.T) {
	p := newWorld(t).as("a")
	rapid.Check(t, func(t *rapid.T) {
		doc := rapid.SampledFrom(madeDocuments(t)).Draw(t, "document")
		now := doc.text
		for _, e := range p.EntriesOf(doc.name, []byte(doc.text)) {
			at := strings.Index(now, e.Raw)
			if !rapid.Bool().Draw(t, "cut") || at < 0 {
				continue
			}
			// A criterion with a feature and a check box is not lost with the box.
			if without := now[:at] + now[at+len(e.Raw):]; keysBack(p, doc.name, []ledger.Entry{e}, without)[e.Key] {
				now = without
			}
		}
		got := putBack(t, p, doc.name, doc.text, now)
		if want := linesOf(doc.text); !slices.Equal(linesOf(got), want) {
			t.Fatalf("got:\n%s\nof:\n%s\nwant:\n%s", got, now, doc.text)
		}
	})
}

// linesOf returns the lines of a text that have content and are not counters, without the commas of JSON.
func linesOf(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !restore.IsCounter(line) {
			out = append(out, strings.TrimSuffix(line, ","))
		}
	}
	return out
}

func TestD37_ManyEntriesComeBack(t *testing.T) {
	p := newWorld(t).as("a")
	var full, now strings.Builder
	for _, b := range [...]*strings.Builder{&full, &now} {
		b.WriteString("# SpecFlow Decisions Archive\n\n| Date | Specification | Decision |\n|---|---|---|\n")
	}
	for n := range 3000 {
		row := fmt.Sprintf("| 2026-%02d-%02d | SPEC-%d | Decision %d stands as long as nobody changes it |\n", 1+n/280, 1+n/10%28, n%7, n)
		full.WriteString(row)
		if n%5 == 0 {
			now.WriteString(row)
		}
	}
	if got := putBack(t, p, specArchiveName, full.String(), now.String()); got != full.String() {
		t.Error("the rows are not in their order")
	}
}

// FuzzLostRestore restores entries into any text: either they come back and nothing is lost, or an error says why
// nothing was done.
func FuzzLostRestore(f *testing.F) {
	for _, text := range [...]string{specText, gsdText, taskText} {
		f.Add([]byte(text), uint8(0), uint16(0xffff))
		f.Add([]byte(text[:len(text)/2]), uint8(1), uint16(3))
		f.Add([]byte(strings.ReplaceAll(text, "\n", "\r\n")), uint8(2), uint16(7))
	}
	f.Add([]byte("<!--\n```\n\x00"), uint8(2), uint16(1))
	p := newWorld(f).as("a")
	f.Fuzz(func(t *testing.T, now []byte, which uint8, keys uint16) {
		doc := [...]made{
			{name: specDigest, text: specText},
			{name: gsdDigest, text: gsdText},
			{name: taskDigest, text: taskText},
			{name: taskOld, text: taskText},
			{name: specArchiveName, text: specText},
		}[which%5]
		known, back := p.EntriesOf(doc.name, []byte(doc.text)), map[string]bool{}
		for i, e := range known {
			if keys>>(i%16)&1 == 1 {
				back[e.Key] = true
			}
		}
		next, left, err := p.Loss.WithEntries(doc.name, now, known, back, nil)
		if err != nil {
			_, unsafe := markdown.Unsafe(now)
			if e := new(report.Error); !errors.As(err, &e) || next != nil || unsafe != (e.Kind == report.Corrupt) {
				t.Fatalf("%v", err)
			}
			return
		}
		for _, e := range left {
			delete(back, e.Key)
		}
		heldToLaws(t, p, doc.name, known, string(now), string(next), back)
		if again, err := withAll(p, doc.name, next, known, back); err != nil || string(again) != string(next) {
			t.Fatalf("the second time (%v):\n%q\nis not\n%q", err, again, next)
		}
	})
}
