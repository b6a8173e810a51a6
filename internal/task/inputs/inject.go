package inputs

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

// The values of Injection.Change.
const (
	InputInserted   = "inserted"
	InputReplaced   = "replaced"
	InputUnchanged  = "unchanged"
	InputKeptEdited = "kept_edited"
)

// Injection is the result of passing a block to a task.
type Injection struct {
	Task     task.ID // upstream task
	Change   string  // inserted, replaced, unchanged or kept_edited
	Previous string  // body of the block that was replaced
	// Batch is the text to append to the archive, or "" unless a block was replaced. It begins with
	// a blank line and has no title (D12).
	Batch    []byte
	Remember *task.InputReceived // set if the file has no place for it; the caller keeps it in the sidecar (5.11.3)
	Findings []report.Finding
}

// Inject writes a block into the chain inputs, which have one block per upstream task (5.11.3). A
// missing block is inserted; an equal one stays. A block that is unchanged since it was received is
// replaced. A block that somebody edited is kept and reported, unless force is set. lastSession is
// the number of the newest session. remembered is what the sidecar knows about the block, or nil;
// the metadata takes precedence. The section is created if necessary (5.11.5, TS-46). Errors:
// Violation unclosed_fence if the section is after an unclosed fence.
func Inject(s *task.State, b Block, lastSession int, force bool, remembered *task.InputReceived) (*task.State,
	Injection, error,
) {
	in := Injection{Task: b.Task}
	old, found := s.InputOf(b.Task)
	if known, ok := s.Meta.Inputs[b.Task]; ok {
		remembered = &known
	}
	switch {
	case !found:
		in.Change = InputInserted
	case old.Body == b.Body:
		in.Change = InputUnchanged
		return s, in, nil
	case !force && (remembered == nil || remembered.Hash != old.Hash):
		in.Change = InputKeptEdited
		in.Findings = append(in.Findings, report.CodeChainInputEdited.Finding("",
			s.Document().LineNumber(old.Span.Start),
			"the input from task "+b.Task.Ref()+" was edited by hand and is kept; that task now passes on "+
				"another text"))
		return s, in, nil
	default:
		in.Change, in.Previous = InputReplaced, old.Body
		in.Batch = ReplacedInput(b.Task, lastSession, old.Body)
	}
	next, err := writeInput(s, b, old, found)
	if err != nil {
		return nil, Injection{}, err
	}
	received := task.InputReceived{Hash: b.Hash, Session: lastSession}
	if kept, ok := next.RememberInput(b.Task, received); ok {
		return kept, in, nil
	}
	in.Remember = &received
	return next, in, nil
}

// writeInput writes the block into the file.
func writeInput(s *task.State, b Block, old task.Input, found bool) (*task.State, error) {
	heading := "### From Task " + b.Task.Ref()
	if b.Title != "" {
		heading += ": " + b.Title
	}
	text := heading + "\n" + b.Body
	if found {
		eol := s.Document().EOL(old.Span.Start + 1)
		out := markdown.Fold(text, eol)
		if was := old.Span.Of(s.Bytes()); was[len(was)-1] == '\n' {
			out = append(out, eol...)
		}
		if s.TextAt(old.Span.End) { // a "---" right after the text would turn it into a heading
			out = append(out, eol...)
		}
		return s.Splice(markdown.Edit{Span: old.Span, Text: out})
	}
	next, section, err := s.EnsureSection(task.ChainInputs)
	if err != nil {
		return nil, err
	}
	return next.Splice(next.PlaceBlock(section, text, true))
}

// ReplacedInput returns the text that goes to the archive when a block is replaced, so that the
// difference can be shown later (D12). session is the newest session that worked with the block.
func ReplacedInput(id task.ID, session int, body string) []byte {
	return []byte("\n" + task.ReplacedHeading(id) + " (until session " + strconv.Itoa(session) + ")\n\n" + body + "\n")
}

// PreviousInput finds the last replaced block from an upstream task in the tail of an archive
// (D12). It returns the block's body and the last session that worked with it.
func PreviousInput(tail []byte, id task.ID) (body string, session int, ok bool) {
	doc := markdown.Parse(tail)
	headings := doc.Headings()
	for i, h := range slices.Backward(headings) {
		if h.Level != 2 {
			continue
		}
		rest, found := strings.CutPrefix("## "+safetext.OneLine(string(h.Text.Of(tail))),
			task.ReplacedHeading(id)+" (until session ")
		if !found {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSuffix(rest, ")"))
		if err != nil {
			continue
		}
		span := doc.Body(i)
		// The body ends before the sessions of a later batch, because these are headings, too.
		return strings.Trim(string(markdown.Fold(string(span.Of(tail)), "\n")), "\n"), n, true
	}
	return "", 0, false
}

// Orphans reports the blocks of tasks on which this one no longer depends. They are kept (5.11.3).
func Orphans(s *task.State, dependencies []task.ID) []report.Finding {
	var found []report.Finding
	expected := make(map[task.ID]bool, len(dependencies))
	for _, id := range dependencies {
		expected[id] = true
	}
	for _, in := range s.Inputs {
		if !expected[in.Task] && in.Task != s.Meta.Parent {
			found = append(found, report.CodeChainInputOrphan.Finding("", s.Document().LineNumber(in.Span.Start),
				"there is an input from task "+in.Task.Ref()+", which this task does not depend on"))
		}
	}
	return found
}

// Downstream returns the record that a task passes on (5.9).
func Downstream(up *task.State, at time.Time) Record {
	parts := map[task.Part]string{}
	maps.Copy(parts, up.Output.Parts)
	return Record{
		TaskID: up.ID, TaskTitle: up.Title, Summary: up.Output.Text, Parts: parts, Timestamp: task.JSONStamp(at),
	}
}
