package task

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"baton/internal/markdown"
)

// Held is one part of a task file or an archive that must not get lost.
type Held struct {
	Number  int           // of a session; 0 for other kinds and for a bullet of style D
	Note    string        // of a session: the note of its old number, see Note; or ""
	Text    string        // identifies it, in the task file and in the archive alike
	Date    string        // of a session: its stamp, YYYY-MM-DD HH:MM:SS, or ""
	Label   string        // its name in messages, on one line; may be long
	Span    markdown.Span // its lines with their line ends; of a feature, its JSON object
	Section markdown.Span // text of the heading above it; empty above the first heading
}

// Holdings are the parts of a task file or an archive that must not get lost, each kind in the
// order of the file.
type Holdings struct {
	Sessions, Criteria, Outputs []Held
}

// Hold finds the parts of a task file that must not get lost. It reads no fields and makes no
// findings, so it costs a fraction of Parse.
//
// The text of a session consists of its stamp and body. Its number is left out, because a merge may
// change it. A chain output is a single part. Placeholders do not count.
func Hold(src []byte) Holdings {
	s := &State{doc: markdown.Parse(src), head: true}
	s.readStructure()
	return Holdings{Sessions: s.holdSessions(), Criteria: s.holdCriteria(), Outputs: s.holdOutputs()}
}

// HoldArchive finds the sessions in an archive, or in the text that was appended to one.
func HoldArchive(src []byte) []Held {
	doc := markdown.Parse(src)
	a := readArchive(doc, lightReader(doc, markdown.Span{End: len(src)}))
	out := make([]Held, 0, len(a.Sessions))
	above := above{doc: doc}
	for _, session := range a.Sessions {
		out = append(out, holdSession(doc, session, above.heading(session.Span.Start)))
	}
	return out
}

// RemovedHeading begins the heading in an archive above what `task edit` took out of the task.
const RemovedHeading = "## Removed from the Task"

// HoldRemoved finds the criteria in an archive that were taken out of the task.
func HoldRemoved(src []byte) []Held {
	if !bytes.Contains(src, []byte(RemovedHeading)) {
		return nil
	}
	doc := markdown.Parse(src)
	var out []Held
	for i, h := range doc.Headings() {
		line := headingLine(doc, h.Span)
		if h.Level != 2 || !strings.HasPrefix(doc.View(line), RemovedHeading) {
			continue
		}
		for _, item := range doc.TaskItems(doc.Body(i)) {
			at := doc.Lines()[item.Line]
			span := markdown.Span{Start: at.Start, End: at.Next}
			out = addCriterion(out, strings.TrimSpace(doc.View(item.Text)), span, line)
		}
	}
	return out
}

// lightReader reads entries without their fields.
func lightReader(doc *markdown.Document, within markdown.Span) *logReader {
	return &logReader{
		doc: doc, text: doc.View(within), base: within.Start, items: doc.ListItems(within), light: true,
	}
}

func (s *State) holdSessions() []Held {
	var out []Held
	for _, section := range s.Sections {
		if section.Kind != ProgressLog {
			continue
		}
		log := lightReader(s.doc, section.Body)
		log.walk(section.Body)
		out = slices.Grow(out, len(log.sessions))
		for _, session := range log.sessions {
			out = append(out, holdSession(s.doc, session, headingLine(s.doc, section.Heading)))
		}
	}
	return out
}

// holdSession describes a session. An entry of style D has a heading only in the archive, so its
// bullet identifies it.
func holdSession(doc *markdown.Document, session Session, section markdown.Span) Held {
	span := markdown.Span{Start: session.Span.Start, End: ruleEnd(doc, session.Span)}
	held := Held{Number: session.Number, Note: session.Note, Span: span, Section: section}
	start := span.Start
	if session.Style != StyleD {
		start = min(doc.Lines()[doc.LineAt(span.Start)].Next, span.End)
	}
	body := doc.View(markdown.Span{Start: start, End: span.End})
	held.Text = body
	if session.Style != StyleD && !(strings.Contains(body[:min(3, len(body))], " [") && IsLogBullet([]byte(body))) {
		held.Text = session.Stamp + "\n" + body
	}
	if strings.TrimSpace(held.Text) == "" {
		held.Text = "Session " + session.Label
	}
	if session.HasTime {
		held.Date = session.At(time.UTC).Format(time.DateTime)
	}
	held.Label = sessionLabel(session, body)
	return held
}

// ruleEnd returns the end of a session without a "---" after it. The rule separates it from the
// next session or closes the section, and which of the two it does changes with every new entry.
func ruleEnd(doc *markdown.Document, span markdown.Span) int {
	for end := span.End; end > span.Start; {
		line := doc.Lines()[doc.LineAt(end-1)]
		if line.Class != markdown.Rule || line.Start <= span.Start {
			return end
		}
		end = TrimEnd(doc, span.Start, line.Start)
	}
	return span.End
}

// sessionLabel returns the number of a session and the beginning of its text.
func sessionLabel(session Session, body string) string {
	name := "Session " + session.Label
	if session.Number == 0 {
		name = "Entry"
	}
	for line := range strings.Lines(body) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-*+ ")
		word, rest, found := strings.Cut(line, ":")
		if found {
			if field, _ := label(strings.Trim(word, "*_ ")); field != "" {
				line = rest
			}
		}
		if line = strings.Trim(line, "*_ "); !SaysNone(line) && line != "#" {
			return name + ": " + line
		}
	}
	return name
}

// holdCriteria returns the check boxes, and the features that have no box with the same text.
func (s *State) holdCriteria() []Held {
	boxes, features := s.readBoxes(), s.readFeatures()
	out := make([]Held, 0, len(boxes)+len(features))
	above := above{doc: s.doc}
	lines := s.doc.Lines()
	for i, box := range boxes {
		line := s.doc.LineAt(box.Box.Start)
		span := markdown.Span{Start: lines[line].Start, End: lines[line].Next}
		for _, item := range s.doc.ListItems(span) {
			span.End = max(span.End, item.Full.End)
		}
		if i+1 < len(boxes) { // a box below this one is a separate criterion
			next := lines[s.doc.LineAt(boxes[i+1].Box.Start)].Start
			span.End = max(lines[line].Next, min(span.End, next))
		}
		out = addCriterion(out, box.Text, span, above.heading(span.Start))
	}
	seen := make(map[string]bool, len(boxes))
	for _, box := range boxes {
		seen[box.Text] = true
	}
	section, _ := s.Find(FeatureChecklist)
	for _, f := range features {
		if !seen[f.text] {
			out = addCriterion(out, f.text, f.span, headingLine(s.doc, section.Heading))
		}
	}
	return out
}

func addCriterion(out []Held, text string, span, section markdown.Span) []Held {
	if strings.TrimSpace(text) == "" {
		return out
	}
	return append(out, Held{Text: text, Label: text, Span: span, Section: section})
}

// holdOutputs returns the texts of the chain outputs.
func (s *State) holdOutputs() []Held {
	var out []Held
	for _, section := range s.Sections {
		if section.Kind != ChainOutput {
			continue
		}
		within := markdown.Span{Start: section.Body.Start, End: ContentEnd(s.doc, section.Body)}
		if sole, _ := soleText(s.doc, within); isPlaceholder(ChainOutput, sole) || !s.saysMore(within) {
			continue
		}
		span := markdown.Span{Start: s.skipBlank(within.Start, within.End), End: within.End}
		text := s.doc.View(span)
		out = append(out, Held{
			Text: text, Label: outputLabel(text), Span: span, Section: headingLine(s.doc, section.Heading),
		})
	}
	return out
}

// outputLabel returns the first line of an output that is neither empty nor a heading.
func outputLabel(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return "chain output"
}

// skipBlank returns the start of the first non-blank line from start on, or end if there is none.
func (s *State) skipBlank(start, end int) int {
	lines := s.doc.Lines()
	for i := s.doc.LineAt(start); i < len(lines) && lines[i].Start < end; i++ {
		if lines[i].Start >= start && lines[i].Class != markdown.Blank {
			return lines[i].Start
		}
	}
	return end
}

// above finds the headings above a series of ascending positions.
type above struct {
	doc  *markdown.Document
	next int                 // heading after the last position
	last [7]markdown.Heading // the last heading of each level whose section is still open
	has  [7]bool
}

// heading returns the line of the nearest heading above pos. If pos itself is a heading, that is
// the entry's own; then heading returns the nearest one of a higher level and ignores other entries
// between.
func (a *above) heading(pos int) markdown.Span {
	all := a.doc.Headings()
	for a.next < len(all) && all[a.next].Span.Start < pos {
		h := all[a.next]
		a.last[h.Level], a.has[h.Level] = h, true
		for deeper := h.Level + 1; deeper < len(a.has); deeper++ {
			a.has[deeper] = false
		}
		a.next++
	}
	level := len(a.has)
	if a.next < len(all) && all[a.next].Span.Start == pos {
		level = all[a.next].Level
	}
	for level--; level > 0; level-- {
		if a.has[level] {
			return headingLine(a.doc, a.last[level].Span)
		}
	}
	return markdown.Span{}
}

// headingLine returns the first line of a span, without its line end.
func headingLine(doc *markdown.Document, span markdown.Span) markdown.Span {
	if len(doc.Lines()) == 0 || span.Len() == 0 {
		return markdown.Span{}
	}
	line := doc.Lines()[doc.LineAt(span.Start)]
	return markdown.Span{Start: line.Start, End: line.End}
}
