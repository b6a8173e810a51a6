package renumber

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/task"
)

// SameTask reports whether two files are versions of one task: they have the same title, the same
// criteria, or a session in common. Two tasks that people created at the same time under one id
// share none of these.
func SameTask(a, b *task.State) bool {
	if a.Title == b.Title {
		return true
	}
	words := func(s *task.State) (all []string) {
		for _, c := range s.Criteria {
			all = append(all, c.Text)
		}
		return all
	}
	if len(a.Criteria) > 0 && slices.Equal(words(a), words(b)) {
		return true
	}
	for _, x := range a.Sessions {
		text := bytes.TrimSpace(x.Span.Of(a.Bytes()))
		if slices.ContainsFunc(b.Sessions, func(y task.Session) bool {
			return bytes.Equal(text, bytes.TrimSpace(y.Span.Of(b.Bytes())))
		}) {
			return true
		}
	}
	return false
}

// Created returns the time when a task was created according to its metadata, or else the time of
// its first session. ok is false if the file has neither.
func Created(s *task.State) (at time.Time, ok bool) {
	for _, key := range [...]string{"created_at", "created"} {
		if t, _, ok := task.ParseStamp(s.MetaWord(key), time.UTC); ok {
			return t, true
		}
	}
	for _, session := range s.Sessions {
		if t := session.At(time.UTC); session.HasTime && (!ok || t.Before(at)) {
			at, ok = t, true
		}
	}
	return at, ok
}

// Task returns the task with another id: in its title, in its metadata, and in the references to
// its archive, whose new path is archive (with slashes). Texts that people wrote stay. Errors:
// Violation unclosed_fence.
func Task(s *task.State, to task.ID, archive string) (*task.State, error) {
	var edits []markdown.Edit
	src := s.Bytes()
	for _, h := range s.Document().Headings() {
		if _, ok := task.TitleOf(string(h.Text.Of(src)), s.Dialect); h.Level != 1 || !ok {
			continue
		}
		edits = append(edits, markdown.Edit{Span: refAfterTask(src, h.Text), Text: []byte(to.Ref())})
		break
	}
	if s.Summary != nil {
		edits = append(edits, replacedIn(src, s.Summary.Span, task.ArchiveName(s.ID), task.ArchiveName(to))...)
	}
	next, err := s.Splice(edits...)
	if err != nil {
		return nil, err
	}
	next = task.Parse(to, next.Bytes())
	var set []task.KeyValue
	if next.Meta.Has("task_id") {
		set = append(set, task.KeyValue{Key: "task_id", JSON: task.JSONID(string(to))})
	}
	if next.Meta.ArchivePath != "" && archive != "" {
		set = append(set, task.KeyValue{Key: "archive_path", JSON: jsontext.Quote(archive)})
	}
	if changed, ok := next.SetMeta(set...); ok {
		next = changed
	}
	return next, nil
}

// TitleID returns the id in the title and the line of the title. id is "" if the title contains
// none.
func TitleID(s *task.State) (id task.ID, line int) {
	for _, h := range s.Document().Headings() {
		if _, ok := task.TitleOf(string(h.Text.Of(s.Bytes())), s.Dialect); h.Level != 1 || !ok {
			continue
		}
		if id, err := task.ParseID(string(refAfterTask(s.Bytes(), h.Text).Of(s.Bytes()))); err == nil {
			return id, s.Document().LineNumber(h.Span.Start)
		}
		break
	}
	return "", 0
}

// refAfterTask returns the place of the id after the word "Task" in a heading, including its "#".
// If there is none, the span is empty and at the end of the heading.
func refAfterTask(src []byte, heading markdown.Span) markdown.Span {
	text := strings.ToLower(string(heading.Of(src)))
	at := strings.Index(text, "task")
	if at < 0 {
		return markdown.Span{Start: heading.End, End: heading.End}
	}
	for at += len("task"); at < len(text) && (text[at] == ' ' || text[at] == '\t'); {
		at++
	}
	end := at
	if end < len(text) && text[end] == '#' {
		end++
	}
	for end < len(text) && task.IDByte(text[end]) {
		end++
	}
	return markdown.Span{Start: heading.Start + at, End: heading.Start + end}
}

// replacedIn replaces every occurrence of a text in a span.
func replacedIn(src []byte, within markdown.Span, old, with string) []markdown.Edit {
	var edits []markdown.Edit
	for from := within.Start; ; {
		at := bytes.Index(src[from:within.End], []byte(old))
		if at < 0 {
			return edits
		}
		at += from
		from = at + len(old)
		edits = append(edits, markdown.Edit{Span: markdown.Span{Start: at, End: from}, Text: []byte(with)})
	}
}

// Archive returns the archive with another id in its title. An archive without such a title is not
// changed.
func Archive(src []byte, to task.ID) []byte {
	doc := markdown.Parse(src)
	for _, h := range doc.Headings() {
		words := strings.Fields(string(h.Text.Of(src)))
		if h.Level != 1 || len(words) < 3 || !strings.EqualFold(words[0], "task") ||
			!strings.EqualFold(words[2], "archive") {
			continue
		}
		if out, err := markdown.Apply(src, markdown.Edit{
			Span: refAfterTask(src, h.Text), Text: []byte(to.Ref()),
		}); err == nil {
			return out
		}
	}
	return src
}

// Mentions returns the 1-based lines on which people mention a task: "#101", "task 101",
// "task-101-state.md", or an id of letters as a word.
func Mentions(src []byte, id task.ID) []int {
	var lines []int
	n := 0
	for line := range bytes.Lines(src) {
		n++
		if mentions(strings.ToLower(string(line)), id) {
			lines = append(lines, n)
		}
	}
	return lines
}

func mentions(line string, id task.ID) bool {
	word := strings.ToLower(string(id))
	for from := 0; ; {
		at := strings.Index(line[from:], word)
		if at < 0 {
			return false
		}
		at += from
		from = at + 1
		before, behind := line[:at], line[at+len(word):]
		if behind != "" && task.IDByte(behind[0]) && behind[0] != '.' && !strings.HasPrefix(behind, "-state.md") &&
			!strings.HasPrefix(behind, "-archive.md") {
			continue
		}
		signed := strings.HasSuffix(before, "#") || strings.HasSuffix(before, "task ") ||
			strings.HasSuffix(before, "task-")
		if signed || !id.Numeric() && (before == "" || !task.IDByte(before[len(before)-1])) {
			return true
		}
	}
}
