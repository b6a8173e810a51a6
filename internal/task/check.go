package task

import (
	"slices"
	"strconv"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// check adds the findings that can be made from the file alone (5.22), in a fixed order.
func (s *State) check() {
	if problem, bad := markdown.Unsafe(s.Bytes()); bad {
		text := StateName(s.ID) + " cannot be changed: " + problem.Text
		if problem.Code == report.CodeConflictMarkers {
			text = StateName(s.ID) + " has merge conflict markers, from line " + strconv.Itoa(problem.Line) +
				" on: both versions are read as one text, and baton does not change the file"
		}
		s.Findings = append(s.Findings, problem.Code.Finding("", problem.Line, text).As(report.Severe))
	}
	if line, what, open := s.Unclosed(); open {
		s.Findings = append(s.Findings, report.CodeUnclosedFence.Finding("", line+1,
			"a "+what+" opens in line "+strconv.Itoa(line+1)+" and is never closed; "+
				"everything below it counts as its content"))
	}
	s.checkSections()
	s.checkMeta()
	s.checkNumbers()
	switch {
	case s.External:
		s.note(report.CodeCriteriaExternal, -1, "the criteria are kept outside this file")
	case len(s.Criteria) == 0:
		s.note(report.CodeNoCriteria, -1, "the task has no acceptance criteria")
	}
	if s.Meta.Valid && s.Status() == StatusComplete && s.Output.State == OutputEmpty {
		s.note(report.CodeOutputEmpty, -1,
			"the task is complete but passes nothing on: its chain output is empty")
	}
}

// Torn reports whether a merge left conflict markers in the file. Everything read from such a file
// mixes both sides.
func (s *State) Torn() bool {
	for _, f := range s.Findings {
		if f.Code == report.CodeConflictMarkers {
			return true
		}
	}
	return false
}

// checkSections looks for duplicate, misnumbered and missing sections (5.3 rule 2, TS-D5).
func (s *State) checkSections() {
	seen := map[Kind]bool{}
	for _, section := range s.Sections {
		if section.Kind == Unknown {
			continue
		}
		if seen[section.Kind] {
			s.note(report.CodeDuplicateSection, section.Heading.Start,
				"the section \""+safetext.Runes(section.Name, 60)+"\" is in the file twice; both are read")
		}
		seen[section.Kind] = true
		if want := s.Dialect.number(section.Kind); section.Number >= 0 && section.Number != want {
			text := "the section \"" + safetext.Runes(section.Name, 60) + "\" has number " +
				strconv.Itoa(section.Number)
			if want >= 0 {
				text += "; a file of dialect " + string(s.Dialect) + " has it as " + strconv.Itoa(want)
			}
			s.note(report.CodeNumberNameMismatch, section.Heading.Start, text+"; the name counts")
		}
	}
	for _, kind := range [...]Kind{
		Metadata, ContextKind, ChainInputs, FeatureChecklist, ProgressLog, GitHistory, ChainOutput,
	} {
		// Where chain inputs are optional, the section is created with the first input (5.11.5), so
		// its absence is not an error (TS-46).
		if s.Dialect.required(kind) && !seen[kind] {
			s.note(report.CodeMissingSection, -1, "the section \""+strings.TrimLeft(s.Dialect.Heading(kind), "# ")+
				"\" is missing")
		}
	}
}

// checkMeta compares the metadata with the file.
func (s *State) checkMeta() {
	if !s.Meta.Valid {
		return
	}
	at := s.Meta.Span.Start
	if id := strings.TrimPrefix(s.Meta.TaskID, "#"); id != "" && id != string(s.ID) {
		s.note(report.CodeTaskIDMismatch, at, "the metadata names task "+safetext.Runes(id, 64)+
			", the file's name says "+string(s.ID)+"; the file's name counts")
	}
	s.checkStatus()
	switch there := s.TotalSessions(); {
	case s.Meta.Total > there: // neither the file nor its summary of the archive accounts for the number
		s.note(report.CodeSessionsMismatch, at, "the metadata counts "+safetext.Count(s.Meta.Total, "session")+
			", the file and its archive have "+strconv.Itoa(there)+
			"; where none is missing, the next write repairs it")
	case s.Meta.Total >= 0 && s.Meta.Total != there:
		s.Findings = append(s.Findings, report.CodeSessionsMismatch.Finding("", s.doc.LineNumber(at),
			"the metadata counts "+
				safetext.Count(s.Meta.Total, "session")+", the file has "+strconv.Itoa(there)+
				"; the next write repairs it").As(report.Info))
	}
	if s.Meta.ArchivePath != "" && !ArchivePathInside(s.Meta.ArchivePath) {
		s.note(report.CodeArchivePathOutside, at, "the archive path \""+safetext.Runes(s.Meta.ArchivePath,
			120)+"\" is outside the project and is ignored")
	}
}

// checkStatus warns about an unknown status: such a task is never ready, and tasks that depend on
// it wait forever.
func (s *State) checkStatus() {
	word := s.Meta.Status
	if _, known := CanonicalStatus(word); known || strings.TrimSpace(word) == "" {
		return
	}
	text := "the status \"" + safetext.Runes(word, 40) + "\" is not known, so the task is neither " +
		"ready nor done"
	best, most := "", 3
	for _, status := range [...]Status{
		StatusBacklog, StatusReady, StatusInProgress, StatusInReview, StatusBlocked, StatusComplete, StatusCancelled,
		StatusDecomposed,
	} {
		if d := report.Letters(strings.ToLower(word), string(status), 2); d < most && d < len(word) {
			best, most = string(status), d
		}
	}
	if best != "" {
		text += "; did you mean \"" + best + "\"?"
	}
	s.note(report.CodeTaskStatusUnknown, s.Meta.Span.Start, text)
}

// checkNumbers looks for session numbers that are missing or used twice. baton never renumbers them
// (TS-D7).
func (s *State) checkNumbers() {
	if s.numbersInStep() {
		return
	}
	labels := make(map[string]bool, len(s.Sessions))
	numbers := make(map[int]bool, len(s.Sessions))
	lowest := 0
	for _, session := range s.Sessions {
		if session.Number == 0 {
			if session.Style != StyleD {
				s.note(report.CodeSessionNumberGap, session.Span.Start, "\"session "+safetext.Runes(session.Label,
					40)+"\" has no usable number; it counts as a session without one")
			}
			continue
		}
		name := strings.ToLower(strings.TrimLeft(session.Label, "0"))
		if labels[name] {
			s.note(report.CodeSessionNumberDuplicate, session.Span.Start,
				"session "+session.Label+" is in the log twice")
		}
		labels[name], numbers[session.Number] = true, true
		if lowest == 0 || session.Number < lowest {
			lowest = session.Number
		}
	}
	if s.rangeEnd > 0 {
		lowest = min(lowest, s.rangeEnd+1)
	}
	var present []int
	for n := range numbers {
		if n > s.rangeEnd {
			present = append(present, n)
		}
	}
	slices.Sort(present)
	if gaps := gapsBetween(max(lowest, s.rangeEnd+1), present); gaps != "" {
		s.note(report.CodeSessionNumberGap, -1, gaps+" missing in the log")
	}
}

// gapsBetween lists the missing numbers from lowest on, at most the first three ranges.
func gapsBetween(lowest int, present []int) string {
	var gaps []string
	count := 0
	for _, n := range present {
		if n > lowest {
			gap := strconv.Itoa(lowest)
			if n-1 > lowest {
				gap += "-" + strconv.Itoa(n-1)
			}
			gaps = append(gaps, gap)
			count += n - lowest
		}
		lowest = max(lowest, n+1)
	}
	if len(gaps) > 3 {
		gaps = append(gaps[:3], "\u2026")
	}
	switch count {
	case 0:
		return ""
	case 1:
		return "session " + gaps[0] + " is"
	}
	return "sessions " + strings.Join(gaps, ", ") + " are"
}

// numbersInStep reports whether each number is one more than the number before. This usual case
// needs no tables.
func (s *State) numbersInStep() bool {
	for i, session := range s.Sessions {
		expected := session.Number
		if i > 0 {
			expected = s.Sessions[i-1].Number + 1
		} else if s.rangeEnd > 0 {
			expected = s.rangeEnd + 1
		}
		if session.Number != expected || session.Number == 0 {
			return false
		}
	}
	return true
}
