package convert

import (
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/task"
)

// To writes the file in another dialect, V1C or V2 (5.12.1). Sections get the dialect's names and
// numbers, criteria become features or the reverse, metadata gets the dialect's keys, and missing
// sections are added. Sessions, inputs, output and all unknown parts keep their bytes. A git
// history stays in a v2 file, without a number. Nothing is guessed. A file that already has the
// dialect is returned unchanged.
//
// Errors: Usage dialect_unknown; Violation opaque_section if a section cannot be read,
// unclosed_fence.
func To(s *task.State, to task.Dialect, now time.Time) (*task.State, error) {
	if to != task.V1C && to != task.V2 {
		return nil, task.NoDialect(string(to))
	}
	if s.Dialect == to {
		return s, nil
	}
	if err := convertible(s); err != nil {
		return nil, err
	}
	next, err := s.Splice(renames(s, to)...)
	if err != nil {
		return nil, err
	}
	if to == task.V2 {
		if next, err = withoutAdded(next); err != nil {
			return nil, err
		}
	}
	// From here on the file counts as one of the target dialect, even if it has too few sections to
	// detect it.
	next.Dialect = to
	steps := []func(*task.State, task.Dialect, time.Time) (*task.State, error){
		convertSections, convertCriteria, convertMeta,
	}
	if to == task.V2 && s.Meta.Has(addedKey) {
		steps = steps[1:2] // the file was v2, and what it lacked then is not missing now
	}
	for _, step := range steps {
		if next, err = step(next, to, now); err != nil {
			return nil, err
		}
		next.Dialect = to
	}
	if to.V1() {
		return reconciled(withoutKept(noteAdded(next, s), s, now), now), nil
	}
	if as := reconciled(next, now); isUnedited(s, as, now) {
		return as, nil
	}
	return reconciled(keepTested(next, s), now), nil
}

func reconciled(s *task.State, now time.Time) *task.State {
	return s.WithBytes(s.Bytes()).Reconcile(task.Reconciliation{Now: now, Converted: true})
}

// convertible refuses a file with a part that cannot be read (5.12.1).
func convertible(s *task.State) error {
	if line, what, open := s.Unclosed(); open {
		return s.UnclosedError(line, what)
	}
	for _, f := range s.Findings {
		if f.Code == report.CodeOpaqueSection || f.Code == report.CodeMetadataInvalid {
			return &report.Error{
				Op: "task.convert", Kind: report.Violation, Code: report.CodeOpaqueSection, Path: task.StateName(s.ID),
				Line:    f.Line,
				Message: task.StateName(s.ID) + " is not converted, because a part of it cannot be read: " + f.Text,
				Hint:    "repair that part first",
			}
		}
	}
	return nil
}

// renames returns the edits that change title, section headings and the requirements heading to
// those of the dialect.
func renames(s *task.State, to task.Dialect) []markdown.Edit {
	var edits []markdown.Edit
	src := s.Bytes()
	put := func(h markdown.Span, text string) {
		end := closing(s, h)
		if end == "" && strings.HasSuffix(text, "#") {
			end = " #" // otherwise the text's own "#" would count as a closing sign (TS-45)
		}
		text += end
		if line := string(h.Of(src)); strings.HasSuffix(line, "\n") {
			text += s.Document().EOL(h.End)
		}
		edits = append(edits, markdown.Edit{Span: h, Text: []byte(text)})
	}
	for _, section := range s.Sections {
		if section.Kind == task.Unknown {
			continue
		}
		text := to.Heading(section.Kind)
		if note := headingNote(s, section); note != "" {
			text += " " + note
		}
		put(section.Heading, text)
	}
	titled := false
	for _, h := range s.Document().Headings() {
		name := string(h.Text.Of(src))
		switch {
		case h.Level == 1 && !titled:
			if _, ok := task.TitleOf(name, s.Dialect); ok {
				put(h.Span, titleLine(s, to))
				titled = true
			}
		case h.Level == 3 && within(s, task.ContextKind, h.Span):
			if fold := task.FoldName(name); fold == "requirements" || fold == "task description" {
				put(h.Span, "### "+requirementsName(to))
			}
		}
	}
	return edits
}

// closing returns what stands after the text of a heading in its line, such as a closing sequence.
// One that only protects a "#" at the end of a v2 title is not part of it.
func closing(s *task.State, h markdown.Span) string {
	for _, heading := range s.Document().Headings() {
		if heading.Span != h {
			continue
		}
		rest := strings.TrimRight(string(s.Bytes()[heading.Text.End:h.End]), "\r\n")
		if strings.Contains(rest, "\n") || rest == " #" && strings.HasSuffix(string(heading.Text.Of(s.Bytes())), "#") {
			return ""
		}
		return rest
	}
	return ""
}

// requirementsName returns the dialect's name for the requirements.
func requirementsName(d task.Dialect) string {
	if d.V1() {
		return "Task Description"
	}
	return "Requirements"
}

// titleLine returns the dialect's H1.
func titleLine(s *task.State, to task.Dialect) string {
	line := "# Task " + s.ID.Ref()
	if s.Title != "" {
		line += ": " + s.Title
	}
	if to.V1() {
		return line + " - State"
	}
	return line
}

// headingNote returns the text in parentheses at the end of a section heading, which stays.
func headingNote(s *task.State, section task.Section) string {
	_, after, found := strings.Cut(string(section.Heading.Of(s.Bytes())), section.Name)
	after = strings.TrimRight(strings.TrimSpace(after), "# ")
	if !found || !strings.HasPrefix(after, "(") {
		return ""
	}
	return after
}

// within reports whether a span is in a section of the kind.
func within(s *task.State, k task.Kind, span markdown.Span) bool {
	for _, section := range s.All(k) {
		if span.Start >= section.Body.Start && span.End <= section.Body.End {
			return true
		}
	}
	return false
}

// convertSections adds the sections that the dialect has and the file lacks.
func convertSections(s *task.State, to task.Dialect, _ time.Time) (*task.State, error) {
	kinds := []task.Kind{task.ContextKind, task.ProgressLog, task.ChainOutput}
	if to.V1() {
		kinds = []task.Kind{
			task.ContextKind, task.ChainInputs, task.FeatureChecklist, task.ProgressLog, task.GitHistory,
			task.ChainOutput,
		}
	}
	next := s
	for _, k := range kinds {
		_, had := next.Find(k)
		after, section, err := next.EnsureSection(k)
		if err != nil {
			return nil, err
		}
		if words := newSectionText(to, k); !had && words != "" {
			if after, err = after.Splice(after.PlaceBlock(section, words, true)); err != nil {
				return nil, err
			}
		}
		next = after
		next.Dialect = to
	}
	return next, nil
}

// newSectionText returns the content of a section that is added.
func newSectionText(to task.Dialect, k task.Kind) string {
	switch {
	case k == task.ContextKind:
		return "### " + requirementsName(to) + "\n\n### Acceptance Criteria"
	case k == task.ProgressLog && to.V1():
		return "(Agent will append entries here)"
	case k == task.ProgressLog:
		return "(No sessions yet)"
	case k == task.ChainOutput && to.V1():
		return "(Agent will finalize when task is complete)"
	case k == task.ChainOutput:
		return "(To be completed)"
	}
	return ""
}
