package task

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// readCriteria builds the single list of 5.7.3: first the features, then the check boxes whose text
// differs from all features. A feature and a box with equal texts are one criterion, which is
// checked if both are.
func (s *State) readCriteria() {
	features, boxes := s.readFeatures(), s.readBoxes()
	used := make([]bool, len(boxes))
	for i, f := range features {
		criterion := Criterion{FeatureID: f.id, Text: f.text, Checked: f.passes, Feature: i, Verify: f.verify}
		for j, box := range boxes {
			if used[j] || box.Text != f.text {
				continue
			}
			used[j] = true
			criterion.Box, criterion.Group = box.Box, box.Group
			criterion.Checked = f.passes && box.Checked
			if criterion.Verify == "" {
				criterion.Verify = box.Verify
			}
			break
		}
		s.Criteria = append(s.Criteria, criterion)
	}
	for j, box := range boxes {
		if !used[j] {
			s.Criteria = append(s.Criteria, box)
		}
	}
	if !s.head { // a list of tasks only counts criteria and needs no keys
		s.nameCriteria()
	}
	s.External = s.Dialect == V3 && len(s.Criteria) == 0
}

// nameCriteria sets the number and the key of every criterion.
func (s *State) nameCriteria() {
	count := make(map[string]int, len(s.Criteria))
	for i := range s.Criteria {
		criterion := &s.Criteria[i]
		criterion.N = i + 1
		criterion.Key = criterion.FeatureID
		if criterion.Key == "" {
			criterion.Key = TextKey(criterion.Text)
		}
		count[criterion.Key]++
		if n := count[criterion.Key]; n > 1 {
			criterion.Key += "-" + strconv.Itoa(n)
		}
	}
}

// TextKey returns the key of a criterion without an id: the first 8 hex digits of the SHA-256 of
// its trimmed text with folded blanks (D6).
func TextKey(text string) string {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(text), " ")))
	return hex.EncodeToString(sum[:4])
}

// readBoxes reads the check boxes below the context's H3 "Acceptance Criteria". Boxes in other
// places are not criteria (5.7.1).
func (s *State) readBoxes() []Criterion {
	var boxes []Criterion
	for _, section := range s.All(ContextKind) {
		headings := HeadingsIn(s.doc, section.Body)
		for i, heading := range headings {
			if heading.Level == 3 && FoldName(s.doc.View(heading.Text)) == "acceptance criteria" {
				boxes = append(boxes, s.boxesIn(PartBody(headings, i, section.Body.End), headings[i+1:])...)
			}
		}
	}
	return boxes
}

// boxesIn reads the boxes of one part. H4 headings and bold lines name the groups of the boxes
// below them (5.15).
func (s *State) boxesIn(within markdown.Span, headings []markdown.Heading) []Criterion {
	items := s.doc.TaskItems(within)
	boxes := make([]Criterion, 0, len(items))
	lines := s.doc.Lines()
	group, line := "", 0
	if len(items) > 0 {
		line = s.doc.LineAt(within.Start)
	}
	for i, item := range items {
		for ; line < item.Line; line++ {
			if lines[line].Start >= within.Start {
				group = s.groupAt(line, headings, group)
			}
		}
		if item.Variant {
			s.note(report.CodeCheckboxVariant, item.Box.Start,
				"the check box \"["+string(item.Box.Of(s.Bytes()))+"]\" is read as checked")
		}
		last := s.doc.LineAt(max(within.End-1, 0))
		if i+1 < len(items) {
			last = items[i+1].Line - 1
		}
		boxes = append(boxes, Criterion{
			Text: strings.TrimSpace(s.doc.View(item.Text)), Group: group, Checked: item.Checked,
			Box: item.Box, Feature: -1, Verify: s.verifyBelow(item.Line+1, last),
		})
	}
	return boxes
}

// groupAt returns the group that begins on a line, or the current group.
func (s *State) groupAt(line int, headings []markdown.Heading, group string) string {
	switch s.doc.Lines()[line].Class {
	case markdown.ATX, markdown.SetextText:
		for _, heading := range headings {
			if heading.Line == line {
				return string(heading.Text.Of(s.Bytes()))
			}
			if heading.Line > line {
				break
			}
		}
	case markdown.Text:
		if s.doc.Lines()[line].Depth > 0 {
			return group
		}
		text := strings.TrimSuffix(strings.TrimSpace(string(s.doc.Text(line))), ":")
		for _, mark := range [...]string{"**", "__"} {
			inner, ok := strings.CutPrefix(text, mark)
			inner, closed := strings.CutSuffix(inner, mark)
			if ok && closed && inner != "" && !strings.Contains(inner, mark) {
				return strings.TrimSpace(strings.TrimSuffix(inner, ":"))
			}
		}
	}
	return group
}

// verifyBelow reads the line "Verify: `command`" from the lines that belong to a box.
func (s *State) verifyBelow(from, to int) string {
	lines := s.doc.Lines()
	for i := from; i <= to && i < len(lines); i++ {
		if lines[i].Class != markdown.Text || lines[i].Depth == 0 {
			return ""
		}
		rest, ok := strings.CutPrefix(strings.TrimSpace(string(s.doc.Text(i))), "Verify:")
		if ok {
			return CodeSpan(strings.TrimSpace(rest))
		}
	}
	return ""
}

// VerifyLine returns the line below a box that holds its command. Its run of back-ticks is longer
// than any in the command, so that the command is read back unchanged.
func VerifyLine(command string) string {
	longest, run := 0, 0
	for _, r := range command {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	mark := strings.Repeat("`", longest+1)
	if longest > 0 {
		return "  Verify: " + mark + " " + command + " " + mark
	}
	return "  Verify: " + mark + command + mark
}

// VerifyEdit returns the edit that writes the line below a box that holds its command, or removes
// it. ok is false if the line is already so.
func (s *State) VerifyEdit(box markdown.Span, command string) (edit markdown.Edit, ok bool) {
	lines, line := s.doc.Lines(), s.doc.LineAt(box.Start)
	text := string(s.doc.Text(line))
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	for i := line + 1; i < len(lines) && lines[i].Class == markdown.Text && lines[i].Depth > 0; i++ {
		was, found := strings.CutPrefix(strings.TrimSpace(string(s.doc.Text(i))), "Verify:")
		switch {
		case !found:
			continue
		case command == "":
			return markdown.Edit{Span: markdown.Span{Start: lines[i].Start, End: lines[i].Next}}, true
		case CodeSpan(strings.TrimSpace(was)) == command:
			return markdown.Edit{}, false
		}
		span := markdown.Span{Start: lines[i].Start, End: lines[i].End}
		return markdown.Edit{Span: span, Text: []byte(indent + VerifyLine(command))}, true
	}
	if command == "" {
		return markdown.Edit{}, false
	}
	at, eol := lines[line].Next, s.doc.EOL(lines[line].Start)
	written := indent + VerifyLine(command) + eol
	if at == lines[line].End { // the file ends without a line end
		written = eol + indent + VerifyLine(command)
	}
	return markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: []byte(written)}, true
}

// CodeSpan returns the content of a text that is one code span, or "" for any other text.
func CodeSpan(text string) string {
	run := len(text) - len(strings.TrimLeft(text, "`"))
	if run == 0 || len(text) < 2*run+1 || !strings.HasSuffix(text, text[:run]) {
		return ""
	}
	inner := text[run : len(text)-run]
	if len(inner) > 2 && inner[0] == ' ' && inner[len(inner)-1] == ' ' && strings.Contains(inner, "`") {
		inner = inner[1 : len(inner)-1]
	}
	return strings.TrimSpace(inner)
}
