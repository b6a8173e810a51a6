package renumber

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/task/archive"
)

// Twice is a session with the number of an earlier session and another text.
type Twice struct {
	Number   int
	Archived bool // it is in the archive
	Line     int  // 1-based line of its heading

	span  markdown.Span
	label string
	note  int    // where the note of the old number goes, or -1 if the heading has one
	text  string // its words without the "#" of its heading: equal texts are one session
	at    time.Time
	known bool // at is known
	seen  time.Time
}

// Ledger is what the ledger knows about the sessions of a task. The zero value knows nothing.
type Ledger struct {
	Highest int // highest number of a session
	// First returns when the ledger saw a session first, given task.Held.Text; the zero time if it
	// does not know it.
	First func(text string) time.Time
}

// firsts returns when the ledger saw the sessions of a document first, by where they begin.
func (l Ledger) firsts(sessions []task.Held) map[int]time.Time {
	out := make(map[int]time.Time, len(sessions))
	for _, s := range sessions {
		out[s.Span.Start] = l.First(s.Text)
	}
	return out
}

// FindTwice finds sessions in the file or its archive whose number an earlier one has. An archived
// session counts as earlier; otherwise the one with the earlier stamp does. With equal stamps it is
// the one that the ledger saw first, or else the one that comes first. The result is sorted by
// time.
func FindTwice(s *task.State, filed []byte, ledger Ledger) []Twice {
	groups, order := map[string][]Twice{}, []string{}
	look := func(doc *markdown.Document, sessions []task.Session, archived bool) {
		ends := make(map[int]int, len(sessions)) // of the headings
		for _, h := range doc.Headings() {
			ends[h.Span.Start] = h.Text.End
		}
		for _, one := range sessions {
			if one.Number == 0 {
				continue
			}
			key := strings.ToLower(strings.TrimLeft(one.Label, "0"))
			if groups[key] == nil {
				order = append(order, key)
			}
			twice := Twice{
				Number: one.Number, Archived: archived, Line: doc.LineNumber(one.Span.Start),
				span: one.Span, label: one.Label, note: -1, at: one.At(time.UTC), known: one.HasTime,
			}
			if i := ends[one.Span.Start]; one.Note == "" && i > 0 {
				twice.note = i
			}
			groups[key] = append(groups[key], twice)
		}
	}
	old := task.ParseArchive(filed)
	look(old.Doc, old.Sessions, true)
	look(s.Document(), s.Sessions, false)
	var out []Twice
	if ledger.First != nil && len(order) < len(s.Sessions)+len(old.Sessions) {
		live, archived := ledger.firsts(task.Hold(s.Bytes()).Sessions), ledger.firsts(task.HoldArchive(filed))
		for _, group := range groups {
			for i := range group {
				if group[i].seen = live[group[i].span.Start]; group[i].Archived {
					group[i].seen = archived[group[i].span.Start]
				}
			}
		}
	}
	for _, key := range order {
		out = append(out, laterOf(s, groups[key], filed)...)
	}
	return sorting.By(out, Twice.compare)
}

func (t Twice) compare(o Twice) int {
	switch {
	case t.Archived != o.Archived:
		if t.Archived {
			return -1
		}
		return 1
	case t.known && o.known && !t.at.Equal(o.at):
		return t.at.Compare(o.at)
	case !t.seen.IsZero() && !o.seen.IsZero():
		return t.seen.Compare(o.seen)
	}
	return 0
}

// laterOf returns all sessions with one number except the earliest. Sessions with equal texts are
// one session that is stored several times, and all of these are returned.
func laterOf(s *task.State, group []Twice, filed []byte) []Twice {
	if len(group) < 2 {
		return nil
	}
	for i := range group {
		src := s.Bytes()
		if group[i].Archived {
			src = filed
		}
		group[i].text = string(bytes.TrimLeft(bytes.TrimSpace(group[i].span.Of(src)), "#"))
	}
	sorting.By(group, Twice.compare)
	earliest := group[0].text
	return slices.DeleteFunc(group, func(t Twice) bool { return t.text == earliest })
}

// Renumbering is a session that got a new number.
type Renumbering struct {
	From, To int
	Archived bool
}

// Sessions gives the next free numbers to sessions that share a number with an earlier one (D40),
// in their headings, in the archive's footers and in the summary. A heading notes the first number
// that its session had (D44). If there is none, next is s and
// archived is old. path is the archive's path relative to the project's root; now is in the local
// zone. Errors: Violation unclosed_fence.
func Sessions(s *task.State, old []byte, path string, now time.Time, ledger Ledger) (
	next *task.State, archived []byte, done []Renumbering, err error,
) {
	twice := FindTwice(s, old, ledger)
	if len(twice) == 0 {
		return s, old, nil, nil
	}
	parsed := task.ParseArchive(old)
	highest := s.NextNumber(old, ledger.Highest) - 1
	for _, one := range parsed.Sessions {
		highest = max(highest, one.Number)
	}
	var live, gone []markdown.Edit
	numbers := map[string]int{}
	for _, t := range twice {
		if numbers[t.text] == 0 {
			highest++
			numbers[t.text] = highest
		}
		done = append(done, Renumbering{t.Number, numbers[t.text], t.Archived})
		if t.Archived {
			gone = append(gone, t.edits(old, numbers[t.text])...)
		} else {
			live = append(live, t.edits(s.Bytes(), numbers[t.text])...)
		}
	}
	gone = append(gone, footersOf(parsed, old, twice, done)...)
	done = slices.Compact(done) // copies of one session have one number
	if next, err = s.Splice(live...); err != nil {
		return s, old, nil, err
	}
	if len(gone) == 0 {
		return next, old, done, nil
	}
	if archived, err = markdown.Apply(old, gone...); err != nil {
		return s, old, nil, err
	}
	rebuilt, err := archive.RebuildSummary(next, archived, path, now)
	if report.CodeOf(err) == report.CodeArchiveGone { // the summary is all that is left of some sessions
		return next, archived, done, nil
	}
	return rebuilt, archived, done, err
}

// edits returns the edits that change the number in the heading, and note the old one there.
func (t Twice) edits(src []byte, to int) []markdown.Edit {
	at := t.span.Start
	if word := bytes.Index(bytes.ToLower(t.span.Of(src)), []byte("session")); word >= 0 {
		at += word + len("session")
	}
	at += bytes.Index(src[at:t.span.End], []byte(t.label))
	edits := []markdown.Edit{{
		Span: markdown.Span{Start: at, End: at + len(t.label)}, Text: []byte(strconv.Itoa(to)),
	}}
	if t.note >= 0 {
		edits = append(edits, markdown.Edit{
			Span: markdown.Span{Start: t.note, End: t.note}, Text: []byte(task.Note(t.label)),
		})
	}
	return edits
}

// footersOf returns the edits that put the new numbers into the footers of the batches with
// renumbered sessions.
func footersOf(a *task.Archive, src []byte, twice []Twice, done []Renumbering) []markdown.Edit {
	var edits []markdown.Edit
	begin := 0
	for _, f := range a.Footers {
		var numbers []int
		changed := false
		for _, one := range a.Sessions {
			if one.Span.Start < begin || one.Span.Start >= f.Span.Start {
				continue
			}
			number := one.Number
			for i, t := range twice {
				if t.Archived && t.span == one.Span {
					number, changed = done[i].To, true
				}
			}
			numbers = append(numbers, number)
		}
		begin = f.Span.End
		at := bytes.LastIndex(f.Span.Of(src), []byte(f.Range))
		if !changed || f.Range == "" || at < 0 {
			continue
		}
		at += f.Span.Start
		edits = append(edits, markdown.Edit{
			Span: markdown.Span{Start: at, End: at + len(f.Range)}, Text: []byte(task.WriteRanges(numbers)),
		})
	}
	return sorting.By(edits, func(x, y markdown.Edit) int { return cmp.Compare(x.Span.Start, y.Span.Start) })
}
