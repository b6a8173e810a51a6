package edit

import (
	"bytes"
	"strings"
	"time"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/safetext"
	"baton/internal/task"
)

// splice makes edits of the file.
func (e *editor) splice(edits ...markdown.Edit) error {
	next, err := e.State.Splice(edits...)
	if err == nil {
		e.State = next
	}
	return err
}

func (e *editor) title() error {
	if e.r.Title == nil {
		return nil
	}
	title := safetext.OneLine(*e.r.Title)
	switch {
	case title == "":
		return invalid("the title is empty", "give a title")
	case title == e.State.Title:
		return nil
	}
	old := e.State.Title
	for _, h := range e.State.Document().Headings() {
		if h.Level != 1 {
			continue
		}
		text := h.Text.Of(e.State.Bytes())
		at := bytes.LastIndex(text, []byte(old))
		if at < 0 || old == "" {
			continue
		}
		span := markdown.Span{Start: h.Text.Start + at, End: h.Text.Start + at + len(old)}
		if strings.HasSuffix(title, "#") && span.End == h.Text.End {
			title += " #" // a closing sequence, so that the title keeps its own "#" (TS-45)
		}
		if err := e.splice(markdown.Edit{Span: span, Text: []byte(title)}); err != nil {
			return err
		}
		e.changed("title")
		e.Removed = append(e.Removed, Removed{"title", old})
		return nil
	}
	line := "# Task " + e.State.ID.Ref() + ": " + title + "\n\n"
	e.changed("title")
	return e.splice(markdown.Edit{Text: []byte(line)})
}

func (e *editor) epic() error {
	if e.r.Epic == nil {
		return nil
	}
	title, id := task.ParseEpic(*e.r.Epic)
	wasTitle, wasID := e.State.Epic()
	if title == wasTitle && id == wasID {
		return nil
	}
	text := title
	if ref := task.ID(id).Ref(); id != "" && title != "" {
		text += " (" + ref + ")"
	} else if id != "" {
		text = ref
	}
	if err := e.keyLine("Epic", text); err != nil {
		return err
	}
	if e.State.Meta.Valid && (id != "" || wasID != "") {
		if next, ok := e.State.SetMeta(task.KeyValue{Key: "epic_id", JSON: task.JSONID(id)}); ok {
			e.State = next
		}
	}
	e.changed("epic")
	return nil
}

func (e *editor) repository() error {
	if e.r.Repository == nil || safetext.OneLine(*e.r.Repository) == e.State.Context.Repository {
		return nil
	}
	e.changed("repository")
	return e.keyLine("Repository", safetext.OneLine(*e.r.Repository))
}

// keyLine sets a line "**Label:** value" of the context, adds it after the other ones, or removes
// it if value is empty.
func (e *editor) keyLine(label, value string) error {
	doc := e.State.Document()
	head := contextHead(e.State)
	at, found := head.Start, false
	for _, f := range doc.Fields(head) {
		line := doc.Lines()[f.Line]
		if !strings.EqualFold(f.Label, label) {
			at, found = line.Next, true
			continue
		}
		if value == "" {
			return e.splice(markdown.Edit{Span: markdown.Span{Start: line.Start, End: line.Next}})
		}
		return e.splice(markdown.Edit{
			Span: markdown.Span{Start: f.Span.End, End: line.End}, Text: []byte(" " + value),
		})
	}
	if value == "" {
		return nil
	}
	eol := doc.EOL(at)
	text := "**" + label + ":** " + value + eol
	if !found {
		text = eol + text
	}
	return e.splice(markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: []byte(text)})
}

// contextHead returns the part of the context with the key lines, or an empty span after the title.
func contextHead(s *task.State) markdown.Span {
	if section, ok := s.Find(task.ContextKind); ok {
		head := section.Body
		if headings := task.HeadingsIn(s.Document(), section.Body); len(headings) > 0 {
			head.End = headings[0].Span.Start
		}
		return head
	}
	at := 0
	if headings := s.Document().Headings(); len(headings) > 0 {
		at = headings[0].Span.End
	}
	return markdown.Span{Start: at, End: at}
}

func (e *editor) requirements() error {
	if e.r.Requirements == nil {
		return nil
	}
	text := markdown.Contain(*e.r.Requirements, 4)
	old := e.State.Context.Requirements
	if text == old {
		return nil
	}
	if strings.TrimSpace(old) != "" {
		e.Removed = append(e.Removed, Removed{"requirements", old})
	}
	e.changed("requirements")
	return e.writeRequirements(text)
}

// note adds a paragraph with the day below the requirements, where every session reads it.
func (e *editor) note() error {
	note := safetext.OneLine(e.r.Note)
	if note == "" {
		return nil
	}
	text := "Note (" + e.r.Now.Format(time.DateOnly) + "): " + note
	if strings.Contains(e.State.Context.Requirements, text) {
		return nil
	}
	if old := strings.TrimSpace(e.State.Context.Requirements); old != "" {
		text = old + "\n\n" + text
	}
	e.changed("note")
	return e.writeRequirements(text)
}

// writeRequirements replaces the text below the requirements' heading. Without one, it adds the
// heading before the criteria, or at the end of the context.
func (e *editor) writeRequirements(text string) error {
	doc := e.State.Document()
	section, ok := e.State.Find(task.ContextKind)
	if !ok {
		return invalid(task.StateName(e.State.ID)+" has no section for requirements",
			"convert the file first: baton task convert "+string(e.State.ID)+" --to v2 --apply")
	}
	headings := task.HeadingsIn(doc, section.Body)
	eol := doc.EOL(section.Body.Start)
	text = string(markdown.Fold(text, eol))
	at := task.ContentEnd(doc, section.Body)
	for i, h := range headings {
		name := task.FoldName(doc.View(h.Text))
		if h.Level == 3 && (name == "requirements" || name == "task description") {
			body := task.PartBody(headings, i, at)
			end := task.TrimEnd(doc, body.Start, body.End)
			span := markdown.Span{Start: body.Start, End: max(end, body.Start)}
			return e.splice(markdown.Edit{Span: span, Text: []byte(text + eol)})
		}
	}
	for _, h := range headings {
		if h.Level == 3 {
			at = h.Span.Start
			break
		}
	}
	name := "Requirements"
	if e.State.Dialect.V1() {
		name = "Task Description"
	}
	block := "### " + name + eol + text + eol + eol
	if at > 0 && e.State.Bytes()[at-1] != '\n' {
		block = eol + block
	}
	return e.splice(markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: []byte(block)})
}

// quoted is a JSON string.
func quoted(text string) string { return jsontext.Quote(text) }
