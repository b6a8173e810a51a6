package inputs

import (
	"strings"

	"baton/internal/markdown"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Block is what an upstream task hands to one that depends on it, as it will are in the file
// (5.11.2).
type Block struct {
	Task  task.ID
	Title string
	Body  string // LF line ends, no blank lines around
	Hash  string // first 12 hex digits of the SHA-256 of Body
}

// inputBytes is how much of an output goes downstream: whole parts while they fit (5.11.2).
const inputBytes = 3 * 1024

// BuildInput makes the block that up hands on: its summary, API contract, configuration and notes,
// in this order, whole parts while they fit into 3 KB, every line quoted. The files list and parts
// of other names stay after; when anything does, a line with link, the relative path of the
// upstream file, follows. A summary that is too long by itself is cut at a line, because a
// hand-over without any would say nothing.
func BuildInput(up *task.State, link string) Block {
	text, whole := handOver(up)
	body := QuoteLines(text)
	if !whole && link != "" {
		body += "\n\n[Full chain output](" + link + ")"
	}
	return NewBlock(up.ID, up.Title, body)
}

// NewBlock makes a block of a body that is ready to be written.
func NewBlock(id task.ID, title, body string) Block {
	return Block{Task: id, Title: safetext.OneLine(title), Body: body, Hash: task.BodyHash(body)}
}

// handOver is the text that goes downstream, not yet quoted, and whether it is all of the output.
func handOver(s *task.State) (text string, whole bool) {
	if s.Output.State != task.OutputWritten {
		return "(completed without a written output)", true
	}
	whole = len(OtherParts(s)) == 0
	for _, part := range [...]struct {
		name  task.Part
		label string
	}{
		{task.PartSummary, ""},
		{task.PartAPI, "**API Contract:**"},
		{task.PartConfiguration, "**Configuration:**"},
		{task.PartNotes, "**Notes:**"},
	} {
		body := s.Output.Parts[part.name]
		if strings.TrimSpace(body) == "" {
			continue
		}
		body = Embeddable(body)
		if part.label != "" {
			body = part.label + "\n" + body
		}
		next := body
		if text != "" {
			next = text + "\n\n" + body
		}
		if len(QuoteLines(next)) > inputBytes {
			whole = false
			if text == "" {
				text = cutLines(body, inputBytes)
			}
			break
		}
		text = next
	}
	if _, has := s.Output.Parts[task.PartFiles]; has {
		whole = false
	}
	if text == "" {
		text = "(see the full output)"
	}
	return text, whole
}

// OtherParts returns the headings of the output's parts under names that are not known (5.9): they
// are not handed on.
func OtherParts(s *task.State) []string {
	var names []string
	for _, section := range s.All(task.ChainOutput) {
		for _, h := range task.HeadingsIn(s.Document(), section.Body) {
			name := safetext.OneLine(string(h.Text.Of(s.Bytes())))
			if _, known := task.PartOf(name); h.Level == 3 && !known {
				names = append(names, name)
			}
		}
	}
	return names
}

// Embeddable makes a part ready to are in a quote: headings become bold lines, what is left open
// is closed.
func Embeddable(text string) string {
	return task.CloseBlocks(task.FlattenHeadings(text, task.BoldHeading))
}

// QuoteLines prefixes every line with "> ", an empty one with ">".
func QuoteLines(text string) string {
	lines := strings.Split(strings.Trim(string(markdown.Fold(text, "\n")), "\n"), "\n")
	for i, line := range lines {
		if line = strings.TrimRight(line, " \t\r"); line == "" {
			lines[i] = ">"
		} else {
			lines[i] = "> " + line
		}
	}
	return strings.Join(lines, "\n")
}

// cutLines keeps as many whole lines as fit into most bytes when quoted; a first line that does not
// fit is cut between characters.
func cutLines(text string, most int) string {
	var kept []string
	used := 0
	for line := range strings.SplitSeq(text, "\n") {
		if used += len(line) + 3; used > most-16 { // room for the closing of a fence
			break
		}
		kept = append(kept, line)
	}
	if len(kept) == 0 {
		line, _, _ := strings.Cut(text, "\n")
		return safetext.Runes(line, most/4-8)
	}
	return task.CloseBlocks(strings.TrimRight(strings.Join(kept, "\n"), "\n"))
}

// Record is what a completed task hands to programs (5.9).
type Record struct {
	TaskID    task.ID              `json:"task_id"`
	TaskTitle string               `json:"task_title"`
	Summary   string               `json:"summary"` // the whole section's text
	Parts     map[task.Part]string `json:"parts"`
	Timestamp string               `json:"timestamp"` // RFC 3339, UTC
}
