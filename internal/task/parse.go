package task

import (
	"bytes"
	"strconv"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Parse reads a task state file. It never fails and never panics: what cannot be understood stays
// as it is and is named in Findings. src is kept, not copied, and must not be changed afterwards.
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

// ParseHead reads the first bytes of a file, for lists. A last line without terminator is taken as
// cut and left out. Nothing from the progress log on is read, nothing is said about what is
// missing, and criteria have neither number nor key. Where HeadComplete is false, the whole file is
// needed.
func ParseHead(id ID, head []byte) *State {
	if cut := bytes.LastIndexByte(head, '\n'); cut >= 0 {
		head = head[:cut+1]
	}
	s := &State{ID: id, head: true}
	if log := logStart(head); log >= 0 {
		s.doc = markdown.Parse(head[:log])
		if _, _, open := s.Unclosed(); open { // the heading is in a fence or comment
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
	if s.Meta.Valid { // a list shows the status
		s.checkStatus()
	}
	return s
}

// logStart finds the first line that looks like the heading of the progress log and gives the end
// of that line; -1 if there is none. What stands after it is of no use to a list, so it is not even
// scanned.
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

// HeadComplete reports whether the bytes that ParseHead was given are enough: they hold the
// metadata, the status in it, and every section that its dialect has before the progress log, down
// to that.
func (s *State) HeadComplete() bool {
	found := func(k Kind) bool {
		_, ok := s.Find(k)
		return ok
	}
	return found(ProgressLog) && s.Meta.Status != "" &&
		(found(ContextKind) || s.Dialect == V3) && (found(FeatureChecklist) || s.Dialect.number(FeatureChecklist) < 0)
}

// Bytes returns the file as it is; do not change them.
func (s *State) Bytes() []byte { return s.doc.Bytes() }

// Document returns the file's lines, headings and fences.
func (s *State) Document() *markdown.Document { return s.doc }

// WithBytes parses other bytes under the same id.
func (s *State) WithBytes(src []byte) *State { return Parse(s.ID, src) }

// Splice makes a State from the bytes with the edits done. An edit that reaches after the opening
// of a fence or comment that is never closed is refused, because everything there is content
// (TS-12): kind Violation, code unclosed_fence. Edits that overlap are a defect of the caller: kind
// Internal.
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

// Unclosed finds the 0-based line from which on everything is the inside of a fence or comment.
func (s *State) Unclosed() (line int, what string, ok bool) {
	if fence, open := s.doc.Unclosed(); open {
		return fence.Open, "code fence", true
	}
	if line, open := s.doc.UnclosedComment(); open {
		return line, "comment", true
	}
	return 0, "", false
}

// UnclosedError returns the error of an edit that a fence or comment without an end prevents, in a
// 0-based line. Kind Violation, code unclosed_fence.
func (s *State) UnclosedError(line int, what string) error {
	name := StateName(s.ID)
	return &report.Error{
		Op: "task.edit", Kind: report.Violation, Code: report.CodeUnclosedFence, Path: name, Line: line + 1,
		Message: name + " has a " + what + " that opens in line " + strconv.Itoa(line+1) + " and is never closed",
		Hint:    "close the " + what + ", then repeat the command",
	}
}

// note adds a finding about the byte at pos; a negative pos means the file as a whole.
func (s *State) note(code report.Code, pos int, text string) {
	finding := code.Finding("", 0, text)
	if pos >= 0 {
		finding.Line = s.doc.LineNumber(pos)
	}
	s.Findings = append(s.Findings, finding)
}
