package task

import (
	"slices"
	"strings"

	"baton/internal/markdown"
)

// Held is one thing that a task file or an archive holds and that must not get lost.
type Held struct {
	Number  int           // of a session, 0 for anything else and for a bullet of style D
	Text    string        // what tells it from others, the same in task file and archive
	Label   string        // what a message calls it, in one line; it may be long
	Span    markdown.Span // its lines with their terminators; of a feature, its JSON object
	Section markdown.Span // text of the heading under which it stands, empty above the first
}

// Holdings are the things that a task file or an archive holds, each kind in the order of the file.
type Holdings struct {
	Sessions, Criteria, Outputs []Held
}

// Hold finds what a task file holds. It reads no fields and says nothing about what is wrong, so it
// costs a part of Parse.
//
// A session's text is its stamp and its body: the number is not in it, because a merge may give it
// another one. A chain output is one thing. Placeholders are none.
func Hold(src []byte) Holdings {
	s := &State{doc: markdown.Parse(src), head: true}
	s.readStructure()
	return Holdings{Sessions: s.holdSessions(), Criteria: s.holdCriteria(), Outputs: s.holdOutputs()}
}

// HoldArchive finds the sessions that an archive holds, or that were appended to one.
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

// lightReader walks entries without their fields.
func lightReader(doc *markdown.Document, within markdown.Span) *logReader {
	return &logReader{doc: doc, text: doc.View(within), base: within.Start, items: doc.ListItems(within)}
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

// holdSession describes a session. An entry of style D has a heading in the archive only: its
// bullet is what tells it.
func holdSession(doc *markdown.Document, session Session, section markdown.Span) Held {
	span := markdown.Span{Start: session.Span.Start, End: ruleEnd(doc, session.Span)}
	held := Held{Number: session.Number, Span: span, Section: section}
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
	held.Label = sessionLabel(session, body)
	return held
}

// ruleEnd leaves a "---" at the end of a session out: it stands between that and the next one, or
// closes the section, and which of the two changes with every entry after it.
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

// sessionLabel is the number of a session and the first thing that it says.
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

// holdCriteria takes boxes, and features without a box of the same words.
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
		if i+1 < len(boxes) { // a box below it is a criterion of its own
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

// holdOutputs takes what chain outputs say.
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

// outputLabel is the first line of an output that says something, without the heading of a part.
func outputLabel(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return "chain output"
}

// skipBlank returns the start of the first line from start on that is not blank, end without one.
func (s *State) skipBlank(start, end int) int {
	lines := s.doc.Lines()
	for i := s.doc.LineAt(start); i < len(lines) && lines[i].Start < end; i++ {
		if lines[i].Start >= start && lines[i].Class != markdown.Blank {
			return lines[i].Start
		}
	}
	return end
}

// above finds the headings above places that ascend.
type above struct {
	doc  *markdown.Document
	next int                 // heading after the last place
	last [7]markdown.Heading // the newest of each rank that still holds
	has  [7]bool
}

// heading returns the line of the nearest heading above pos. A heading at pos itself is an entry's
// own: then it is the nearest of a higher rank, whatever entries of the same rank stand between.
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

// headingLine is the first line of a span without its terminator.
func headingLine(doc *markdown.Document, span markdown.Span) markdown.Span {
	if len(doc.Lines()) == 0 || span.Len() == 0 {
		return markdown.Span{}
	}
	line := doc.Lines()[doc.LineAt(span.Start)]
	return markdown.Span{Start: line.Start, End: line.End}
}
