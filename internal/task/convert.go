package task

import (
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// ParseDialect reads the names that a person may convert to or create with: "v1" and "v2" (TS-D16). Kind Usage,
// code dialect_unknown.
func ParseDialect(name string) (Dialect, error) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "v1", "v1c":
		return V1C, nil
	case "v2":
		return V2, nil
	}
	return "", noDialect(name)
}

// noDialect refuses a name that is none of a dialect that is written.
func noDialect(name string) error {
	return usage("task.dialect", "dialect_unknown", 0, "there is no dialect "+quoteJSON(safetext.Runes(name, 20))+" to write", "the dialects are v1 and v2")
}

// Convert writes the file in another dialect, V1C or V2 (5.12.1): sections get their names and numbers, criteria
// and features are exchanged by text, metadata gets the keys of the dialect; missing sections are added. Sessions,
// inputs, output and everything that is not known keep their bytes; a git history stays in a v2 file, without a
// number. Nothing is inferred. A file that is in the dialect already comes back as it is.
//
// Kind Usage dialect_unknown; Violation opaque_section when a section cannot be read, unclosed_fence.
func (s *State) Convert(to Dialect, now time.Time) (*State, error) {
	if to != V1C && to != V2 {
		return nil, noDialect(string(to))
	}
	if s.Dialect == to {
		return s, nil
	}
	if err := s.convertible(); err != nil {
		return nil, err
	}
	next, err := s.Splice(s.renames(to)...)
	if err != nil {
		return nil, err
	}
	// The column is the target's from here on, also for a file that has too few sections to tell.
	next.Dialect = to
	steps := [...]func(*State, Dialect, time.Time) (*State, error){
		(*State).convertSections, (*State).convertCriteria, (*State).convertMeta,
	}
	for _, step := range steps {
		if next, err = step(next, to, now); err != nil {
			return nil, err
		}
		next.Dialect = to
	}
	return next.WithBytes(next.Bytes()).Reconcile(Reconciliation{Now: now}), nil
}

// convertible refuses a file of which a part cannot be read (5.12.1).
func (s *State) convertible() error {
	if line, what, open := s.unclosed(); open {
		return s.unclosedError(line, what)
	}
	for _, f := range s.Findings {
		if f.Code == "opaque_section" || f.Code == "metadata_invalid" {
			return &report.Error{
				Op: "task.convert", Kind: report.Violation, Code: "opaque_section", Path: StateName(s.ID), Line: f.Line,
				Message: StateName(s.ID) + " is not converted, because a part of it cannot be read: " + f.Text,
				Hint:    "repair that part first",
			}
		}
	}
	return nil
}

// renames gives title, sections and the requirements heading the names of the dialect.
func (s *State) renames(to Dialect) []markdown.Edit {
	var edits []markdown.Edit
	src := s.Bytes()
	put := func(h markdown.Span, text string) {
		if line := string(h.Of(src)); strings.HasSuffix(line, "\n") {
			text += s.doc.EOL(h.End)
		}
		edits = append(edits, markdown.Edit{Span: h, Text: []byte(text)})
	}
	for _, section := range s.Sections {
		if section.Kind == Unknown {
			continue
		}
		text := to.heading(section.Kind)
		if note := s.headingNote(section); note != "" {
			text += " " + note
		}
		put(section.Heading, text)
	}
	titled := false
	for _, h := range s.doc.Headings() {
		name := string(h.Text.Of(src))
		switch {
		case h.Level == 1 && !titled:
			if _, ok := titleOf(name, s.Dialect); ok {
				put(h.Span, s.titleLine(to))
				titled = true
			}
		case h.Level == 3 && s.within(ContextKind, h.Span):
			if fold := foldName(name); fold == "requirements" || fold == "task description" {
				put(h.Span, "### "+to.requirementsName())
			}
		}
	}
	return edits
}

// requirementsName is what the dialect calls the text of the requirements.
func (d Dialect) requirementsName() string {
	if d.V1() {
		return "Task Description"
	}
	return "Requirements"
}

// titleLine is the H1 of the dialect.
func (s *State) titleLine(to Dialect) string {
	line := "# Task " + s.ID.Ref()
	if s.Title != "" {
		line += ": " + s.Title
	}
	if to.V1() {
		return line + " - State"
	}
	if strings.HasSuffix(line, "#") {
		line += " #" // so that the title's own sign is not taken for a closing one (TS-45)
	}
	return line
}

// headingNote is the parenthetical at the end of a section heading, which stays.
func (s *State) headingNote(section Section) string {
	_, after, found := strings.Cut(string(section.Heading.Of(s.Bytes())), section.Name)
	after = strings.TrimRight(strings.TrimSpace(after), "# ")
	if !found || !strings.HasPrefix(after, "(") {
		return ""
	}
	return after
}

// within says whether a span stands in a section of the kind.
func (s *State) within(k Kind, span markdown.Span) bool {
	for _, section := range s.All(k) {
		if span.Start >= section.Body.Start && span.End <= section.Body.End {
			return true
		}
	}
	return false
}

// convertSections adds the sections that a file of the dialect has.
func (s *State) convertSections(to Dialect, _ time.Time) (*State, error) {
	kinds := []Kind{ContextKind, ProgressLog, ChainOutput}
	if to.V1() {
		kinds = []Kind{ContextKind, ChainInputs, FeatureChecklist, ProgressLog, GitHistory, ChainOutput}
	}
	next := s
	for _, k := range kinds {
		_, had := next.Find(k)
		after, section, err := next.EnsureSection(k)
		if err != nil {
			return nil, err
		}
		if words := newSectionText(to, k); !had && words != "" {
			if after, err = after.Splice(after.placeBlock(section, words, true)); err != nil {
				return nil, err
			}
		}
		next = after
		next.Dialect = to
	}
	return next, nil
}

// newSectionText is what an added section says.
func newSectionText(to Dialect, k Kind) string {
	switch {
	case k == ContextKind:
		return "### " + to.requirementsName() + "\n\n### Acceptance Criteria"
	case k == ProgressLog && to.V1():
		return "(Agent will append entries here)"
	case k == ProgressLog:
		return "(No sessions yet)"
	case k == ChainOutput && to.V1():
		return "(Agent will finalize when task is complete)"
	case k == ChainOutput:
		return "(To be completed)"
	}
	return ""
}
