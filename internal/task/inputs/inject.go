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

// The words of Injection.Change.
const (
	InputInserted   = "inserted"
	InputReplaced   = "replaced"
	InputUnchanged  = "unchanged"
	InputKeptEdited = "kept_edited"
)

// Injection is the outcome of handing a block to a task.
type Injection struct {
	Task     task.ID // upstream task
	Change   string  // inserted, replaced, unchanged or kept_edited
	Previous string  // body of the block that was replaced
	// what the archive is to get, "" unless replaced; begins with a blank line, has no title (D12)
	Batch    []byte
	Remember *task.InputReceived // set when the file has no place for it: to be kept in the sidecar (5.11.3)
	Findings []report.Finding
}

// Inject writes a block into the chain inputs, one per upstream task (5.11.3): a missing one is
// inserted, an equal one stays, one that is as it was received is replaced, one that somebody
// edited is kept and reported unless force is set. lastSession is the number of the newest session
// now. remembered is what the sidecar knows of the block, or nil if nothing; the metadata goes
// before it. The section is made when it is needed (5.11.5, TS-46). Kind Violation code
// unclosed_fence when the section lies after an unclosed fence.
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
			"the input from task "+b.Task.Ref()+" was edited by hand and is kept; the task hands on something "+
				"else now"))
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

// writeInput puts the block into the file.
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
		if s.TextAt(old.Span.End) { // a "---" right after the text would make a heading of it
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

// ReplacedInput is what the archive gets when a block is replaced, so that the difference can be
// shown later (D12). session is the newest session that worked with it.
func ReplacedInput(id task.ID, session int, body string) []byte {
	return []byte("\n" + task.ReplacedHeading(id) + " (until session " + strconv.Itoa(session) + ")\n\n" + body + "\n")
}

// PreviousInput finds the newest replaced block from an upstream task in the end of an archive, for
// the difference (D12): its body and the session until which it stood.
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
		// A later batch begins with sessions, which are headings too; only its footer-free text may
		// follow.
		return strings.Trim(string(markdown.Fold(string(span.Of(tail)), "\n")), "\n"), n, true
	}
	return "", 0, false
}

// Orphans reports the blocks whose task is not among the dependencies any more; they are kept
// (5.11.3).
func Orphans(s *task.State, dependencies []task.ID) []report.Finding {
	var found []report.Finding
	for _, in := range s.Inputs {
		if !slices.Contains(dependencies, in.Task) && in.Task != s.Meta.Parent {
			found = append(found, report.CodeChainInputOrphan.Finding("", s.Document().LineNumber(in.Span.Start),
				"there is an input from task "+in.Task.Ref()+", which this task does not depend on"))
		}
	}
	return found
}

// Downstream is the record that a task hands on (5.9).
func Downstream(up *task.State, at time.Time) Record {
	parts := map[task.Part]string{}
	maps.Copy(parts, up.Output.Parts)
	return Record{
		TaskID: up.ID, TaskTitle: up.Title, Summary: up.Output.Text, Parts: parts, Timestamp: task.JSONStamp(at),
	}
}
