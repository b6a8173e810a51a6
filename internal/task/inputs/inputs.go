package inputs

import (
	"strings"

	"baton/internal/markdown"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Block is what an upstream task passes to a task that depends on it, in the form in which the file
// will have it (5.11.2).
type Block struct {
	Task  task.ID
	Title string
	Body  string // LF line ends, no blank lines around it
	Hash  string // first 12 hex digits of the SHA-256 of Body
}

// inputBytes limits the part of an output that is passed on (5.11.2).
const inputBytes = 3 * 1024

// BuildInput returns the block that up passes on: summary, API contract, configuration and notes,
// in this order. It consists of whole parts, as long as they fit into 3 KB, with every line quoted.
// The list of files and parts with other names are not passed on. If anything is left out, a line
// with link follows, the relative path of the upstream file. A summary that is too long is cut at a
// line, because a block without any summary would be useless.
func BuildInput(up *task.State, link string) Block {
	text, whole := handOver(up)
	body := QuoteLines(text)
	if !whole && link != "" {
		body += "\n\n[Full chain output](" + link + ")"
	}
	return NewBlock(up.ID, up.Title, body)
}

// NewBlock returns a block whose body is ready to be written.
func NewBlock(id task.ID, title, body string) Block {
	return Block{Task: id, Title: safetext.OneLine(title), Body: body, Hash: task.BodyHash(body)}
}

// handOver returns the text to pass on, not yet quoted, and whether it is the whole output.
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

// OtherParts returns the headings of parts whose names are not known (5.9). These parts are not
// passed on.
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

// Embeddable prepares a part for use in a quote: headings become bold lines, and open fences and
// comments are closed.
func Embeddable(text string) string {
	return markdown.CloseBlocks(markdown.FlattenHeadings(text, markdown.BoldHeading))
}

// QuoteLines adds "> " to every line, or ">" to an empty one.
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

// cutLines keeps as many whole lines as fit into most bytes when they are quoted. If the first line
// does not fit, it is cut between characters.
func cutLines(text string, most int) string {
	var kept []string
	used := 0
	for line := range strings.SplitSeq(text, "\n") {
		if used += len(line) + 3; used > most-16 { // leaves room for the end of a fence
			break
		}
		kept = append(kept, line)
	}
	if len(kept) == 0 {
		line, _, _ := strings.Cut(text, "\n")
		return safetext.Runes(line, most/4-8)
	}
	return markdown.CloseBlocks(strings.TrimRight(strings.Join(kept, "\n"), "\n"))
}

// Record is what a completed task passes to programs (5.9).
type Record struct {
	TaskID    task.ID              `json:"task_id"`
	TaskTitle string               `json:"task_title"`
	Summary   string               `json:"summary"` // text of the whole section
	Parts     map[task.Part]string `json:"parts"`
	Timestamp string               `json:"timestamp"` // RFC 3339, UTC
}
