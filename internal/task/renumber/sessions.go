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
	old := task.ParseArchive(filed)
	for _, one := range slices.Concat(
		numbered(old.Doc, old.Sessions, true), numbered(s.Document(), s.Sessions, false),
	) {
		key := strings.ToLower(strings.TrimLeft(one.label, "0"))
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], one)
	}
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

// numbered returns the sessions of a document that have a number, in the order of the file.
func numbered(doc *markdown.Document, sessions []task.Session, archived bool) []Twice {
	ends := make(map[int]int, len(sessions)) // of the headings
	for _, h := range doc.Headings() {
		ends[h.Span.Start] = h.Text.End
	}
	var out []Twice
	for _, one := range sessions {
		if one.Number == 0 {
			continue
		}
		t := Twice{
			Number: one.Number, Archived: archived, Line: doc.LineNumber(one.Span.Start),
			span: one.Span, label: one.Label, note: -1, at: one.At(time.UTC), known: one.HasTime,
		}
		if i := ends[one.Span.Start]; one.Note == "" && i > 0 {
			t.note = i
		}
		out = append(out, t)
	}
	return out
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

// Sessions gives other numbers to sessions that share a number with an earlier one (D40), in their
// headings, in the archive's footers and in the summary: the next free ones, or the number after
// the session before if others follow in the file, which then move up as far as they have to. So
// numbers ascend in time. A heading notes the first number that its session had (D44). If no number
// is shared, next is s and archived is old. path is the archive's path relative to the project's
// root; now is in the local zone. Errors: Violation unclosed_fence.
func Sessions(s *task.State, old []byte, path string, now time.Time, ledger Ledger) (
	next *task.State, archived []byte, done []Renumbering, err error,
) {
	twice := FindTwice(s, old, ledger)
	if len(twice) == 0 {
		return s, old, nil, nil
	}
	parsed := task.ParseArchive(old)
	filed := 0
	for _, one := range parsed.Sessions {
		filed = max(filed, one.Number)
	}
	highest := max(filed, s.NextNumber(old, ledger.Highest)-1)
	var live, gone []markdown.Edit
	numbers := map[string]int{}
	if moved := movedUp(s, twice, filed); moved != nil {
		twice = slices.DeleteFunc(twice, func(t Twice) bool { return !t.Archived })
		for _, m := range moved {
			live = append(live, m.session.edits(s.Bytes(), m.to)...)
			done = append(done, Renumbering{m.session.Number, m.to, false})
		}
	}
	shared := len(done) // of the file; those of the archive follow
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
	gone = append(gone, footersOf(parsed, old, twice, done[shared:])...)
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

// moving is a session of the file and its new number.
type moving struct {
	session Twice
	to      int
}

// movedUp returns the sessions of the file that get other numbers if one that shares its number is
// followed by others: itself, and those after it whose numbers would not be higher. It returns nil
// if none is followed, or if the file is not in the order of time, or has the same session twice:
// then the next free numbers do less harm. filed is the highest number in the archive.
func movedUp(s *task.State, twice []Twice, filed int) []moving {
	shares, texts := map[int]bool{}, map[string]bool{}
	for _, t := range twice {
		if t.Archived {
			continue
		}
		if texts[t.text] {
			return nil
		}
		shares[t.span.Start], texts[t.text] = true, true
	}
	list := numbered(s.Document(), s.Sessions, false)
	var out []moving
	followed, last := false, 0
	for i, one := range list {
		if i > 0 && one.known && list[i-1].known && one.at.Before(list[i-1].at) {
			return nil
		}
		to := one.Number
		if shares[one.span.Start] {
			followed = followed || i+1 < len(list) && !shares[list[i+1].span.Start]
			to = max(last, filed) + 1
		} else if to <= last {
			to = last + 1
		}
		if to != one.Number {
			out = append(out, moving{one, to})
		}
		last = to
	}
	if !followed {
		return nil
	}
	return out
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
