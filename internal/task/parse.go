package task

import (
	"bytes"
	"strconv"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Parse reads a task file. It never fails and never panics: text that cannot be understood stays as
// it is and is reported in Findings. The State keeps src without copying it, so src must not be
// changed afterwards.
func Parse(id ID, src []byte) *State {
	s := &State{ID: id, doc: markdown.Parse(src)}
	s.readStructure()
	s.readMeta()
	s.readContext()
	s.readCriteria()
	s.readLog()
	s.readInputs()
	s.readOutput()
	s.readHistory()
	s.check()
	return s
}

// ParseHead reads the first bytes of a file, for lists. A last line without a line end is assumed
// to be cut off and is ignored. The progress log and everything after it is not read, missing
// sections are not reported, and criteria have neither number nor key. If HeadComplete is false,
// read the whole file.
func ParseHead(id ID, head []byte) *State {
	if cut := bytes.LastIndexByte(head, '\n'); cut >= 0 {
		head = head[:cut+1]
	}
	s := &State{ID: id, head: true}
	if log := logStart(head); log >= 0 {
		s.doc = markdown.Parse(head[:log])
		if _, _, open := s.Unclosed(); open { // the log's heading is inside a fence or comment
			s.doc = nil
		}
	}
	if s.doc == nil {
		s.doc = markdown.Parse(head)
	}
	s.readStructure()
	s.readMeta()
	s.readContext()
	s.readCriteria()
	s.Findings = nil
	if s.Meta.Valid { // a list shows the status, so its finding is needed
		s.checkStatus()
	}
	return s
}

// logStart finds the first line that looks like the heading of the progress log and returns the end
// of that line, or -1 if there is none. Lists need nothing after it, so it is not even scanned.
func logStart(head []byte) int {
	for pos := 0; pos < len(head); {
		end := pos + bytes.IndexByte(head[pos:], '\n')
		if end < pos {
			return -1
		}
		if line := head[pos:end]; len(line) > 2 && line[0] == '#' && line[1] == '#' && line[2] == ' ' {
			_, name := CutNumber(string(bytes.TrimSpace(line[3:])))
			if KindOf(CutParenthetical(name)) == ProgressLog {
				return end + 1
			}
		}
		pos = end + 1
	}
	return -1
}

// HeadComplete reports whether the bytes given to ParseHead are sufficient: they contain the
// metadata with a status, every section that the dialect has before the progress log, and the log's
// heading.
func (s *State) HeadComplete() bool {
	found := func(k Kind) bool {
		_, ok := s.Find(k)
		return ok
	}
	return found(ProgressLog) && s.Meta.Status != "" &&
		(found(ContextKind) || s.Dialect == V3) && (found(FeatureChecklist) || s.Dialect.number(FeatureChecklist) < 0)
}

// Bytes returns the file's bytes. The caller must not change them.
func (s *State) Bytes() []byte { return s.doc.Bytes() }

// Document returns the file's lines, headings and fences.
func (s *State) Document() *markdown.Document { return s.doc }

// WithBytes parses other bytes for the same id.
func (s *State) WithBytes(src []byte) *State { return Parse(s.ID, src).WithAside(s.aside) }

// Splice returns the State after some edits. Edits after the opening of a fence or comment that is
// never closed are refused, because everything there is content (TS-12): Violation unclosed_fence.
// Edits that overlap are a bug in the caller: Internal.
func (s *State) Splice(edits ...markdown.Edit) (*State, error) {
	if len(edits) == 0 {
		return s, nil
	}
	if line, what, open := s.Unclosed(); open {
		limit := s.doc.Lines()[line].Start
		for _, edit := range edits {
			if edit.Span.End > limit || edit.Span.Start > limit {
				return nil, s.UnclosedError(line, what)
			}
		}
	}
	src, err := markdown.Apply(s.Bytes(), edits...)
	if err != nil {
		return nil, &report.Error{
			Op: "task.edit", Kind: report.Internal, Code: report.CodeEditOverlap, Message: err.Error(), Err: err,
		}
	}
	return s.WithBytes(src), nil
}

// Unclosed finds the 0-based line of a fence or comment that is never closed, if there is one. what
// is "code fence" or "comment".
func (s *State) Unclosed() (line int, what string, ok bool) {
	if fence, open := s.doc.Unclosed(); open {
		return fence.Open, "code fence", true
	}
	if line, open := s.doc.UnclosedComment(); open {
		return line, "comment", true
	}
	return 0, "", false
}

// UnclosedError returns the error for an edit that an unclosed fence or comment prevents: Violation
// unclosed_fence. line is the 0-based line on which it opens.
func (s *State) UnclosedError(line int, what string) error {
	name := StateName(s.ID)
	return &report.Error{
		Op: "task.edit", Kind: report.Violation, Code: report.CodeUnclosedFence, Path: name, Line: line + 1,
		Message: name + " has a " + what + " that opens in line " + strconv.Itoa(line+1) + " and is never closed",
		Hint:    "close the " + what + ", then repeat the command",
	}
}

// note adds a finding about the byte at pos, or about the whole file if pos is negative.
func (s *State) note(code report.Code, pos int, text string) {
	finding := code.Finding("", 0, text)
	if pos >= 0 {
		finding.Line = s.doc.LineNumber(pos)
	}
	s.Findings = append(s.Findings, finding)
}
