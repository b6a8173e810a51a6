package task

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"strconv"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/sorting"
)

// readInputs reads the blocks "### From Task #100: Title" (5.11.2).
func (s *State) readInputs() {
	for _, section := range s.All(ChainInputs) {
		end := ContentEnd(s.doc, section.Body)
		headings := HeadingsIn(s.doc, section.Body)
		for i, heading := range headings {
			id, title, ok := inputHeading(string(heading.Text.Of(s.Bytes())))
			if heading.Level != 3 || !ok {
				continue
			}
			body := PartBody(headings, i, max(end, heading.Span.End))
			body.End = TrimEnd(s.doc, body.Start, body.End)
			text := s.trimmed(body)
			s.Inputs = append(s.Inputs, Input{
				Task: id, Title: title, Text: unquote(text), Body: text, Hash: BodyHash(text),
				Span: markdown.Span{Start: heading.Span.Start, End: body.End},
			})
		}
	}
}

// BodyHash returns the hash that identifies an input block: the first 12 hex digits of the SHA-256
// of its body, with LF line ends and without blank lines around it (5.11.3).
func BodyHash(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:6])
}

// inputHeading reads "From Task #101: Title" and "From Task PROJ-41: Title" (TS-D12).
func inputHeading(text string) (id ID, title string, ok bool) {
	rest, ok := CutFold(text, "from task")
	if !ok || rest == "" || rest[0] != ' ' && rest[0] != '\t' && rest[0] != '#' {
		return "", "", false
	}
	name, title, _ := strings.Cut(strings.TrimLeft(rest, " \t"), ":")
	id, err := ParseID(strings.TrimSpace(name))
	return id, strings.TrimSpace(title), err == nil
}

// unquote removes one quote mark from each line that has one.
func unquote(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), ">"); ok {
			lines[i] = strings.TrimPrefix(rest, " ")
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// readOutput reads the chain output. A placeholder counts only if the section contains nothing else
// (5.10, TS-43). Headings without text also count as an empty output.
func (s *State) readOutput() {
	s.Output.State = OutputEmpty
	s.Output.Parts, s.Output.Spans = map[Part]string{}, map[Part]markdown.Span{}
	for _, section := range s.All(ChainOutput) {
		within := markdown.Span{Start: section.Body.Start, End: ContentEnd(s.doc, section.Body)}
		sole, _ := soleText(s.doc, within)
		switch {
		case sole == "(Small fix - minimal output needed)": // TS-D29
			if s.Output.State == OutputEmpty {
				s.Output.State = OutputMinimal
			}
			continue
		case isPlaceholder(ChainOutput, sole) || !s.saysMore(within):
			continue
		}
		s.Output.State = OutputWritten
		s.Output.Text = joinTexts(s.Output.Text, s.trimmed(within))
		s.readParts(within)
	}
}

// saysMore reports whether a span contains anything besides headings, blank lines, comments and
// rules.
func (s *State) saysMore(within markdown.Span) bool {
	lines := s.doc.Lines()
	if len(lines) == 0 {
		return false
	}
	for i := s.doc.LineAt(within.Start); i < len(lines) && lines[i].Start < within.End; i++ {
		switch lines[i].Class {
		case markdown.Blank, markdown.Comment, markdown.Rule, markdown.ATX, markdown.SetextText,
			markdown.SetextUnderline:
			continue
		}
		if lines[i].Start >= within.Start {
			return true
		}
	}
	return false
}

// readParts reads the parts of an output by the names of their H3 headings. Text before the first
// H3 is the summary, unless there is a part with that name (5.9).
func (s *State) readParts(within markdown.Span) {
	headings := HeadingsIn(s.doc, within)
	intro := markdown.Span{Start: within.Start, End: within.End}
	if len(headings) > 0 {
		intro.End = headings[0].Span.Start
	}
	for i, heading := range headings {
		if part, ok := PartOf(string(heading.Text.Of(s.Bytes()))); ok && heading.Level == 3 {
			s.addPart(part, PartBody(headings, i, within.End))
		}
	}
	if _, ok := s.Output.Parts[PartSummary]; !ok && s.saysMore(intro) {
		s.addPart(PartSummary, intro)
	}
}

func (s *State) addPart(part Part, body markdown.Span) {
	if _, ok := s.Output.Spans[part]; !ok {
		s.Output.Spans[part] = body
	}
	s.Output.Parts[part] = joinTexts(s.Output.Parts[part], s.trimmed(body))
}

// PartOf recognises a part by its heading (5.9).
func PartOf(name string) (Part, bool) {
	switch FoldName(name) {
	case "summary":
		return PartSummary, true
	case "files created/modified", "files created", "files modified", "files":
		return PartFiles, true
	case "api contract", "api":
		return PartAPI, true
	case "configuration required", "configuration", "config":
		return PartConfiguration, true
	case "integration notes", "integration notes for downstream tasks", "for downstream tasks", "integration", "notes":
		return PartNotes, true
	}
	return "", false
}

// readHistory reads the commit lines of the git history, newest last.
func (s *State) readHistory() {
	for _, section := range s.All(GitHistory) {
		s.History = append(s.History, CommitLines(s.doc, section.Body)...)
	}
}

// CommitLines reads lines of the form "- `hash` - subject" and ignores all others, which are
// people's notes.
func CommitLines(doc *markdown.Document, within markdown.Span) []Commit {
	var commits []Commit
	for _, item := range doc.ListItems(within) {
		text := string(item.Text.Of(doc.Bytes()))
		hash, rest, _ := strings.Cut(text, " ")
		ticked := len(hash) > 2 && hash[0] == '`' && hash[len(hash)-1] == '`'
		if !ticked && !isHash(hash) {
			continue
		}
		subject := strings.TrimLeft(strings.TrimSpace(rest), "-\u2013\u2014: ")
		commits = append(commits, Commit{Hash: strings.Trim(hash, "`"), Subject: subject})
	}
	return commits
}

// isHash reports whether a word looks like a commit: 6 to 40 hexadecimal digits.
func isHash(word string) bool {
	if len(word) < 6 || len(word) > 40 {
		return false
	}
	for i := 0; i < len(word); i++ {
		if c := word[i] | 0x20; (word[i] < '0' || word[i] > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// InputOf returns the block from an upstream task.
func (s *State) InputOf(id ID) (Input, bool) {
	for _, in := range s.Inputs {
		if in.Task == id {
			return in, true
		}
	}
	return Input{}, false
}

// RememberInput adds an entry to input_hashes in the metadata, which is sorted by id (D12). ok is
// false if the file has no readable metadata.
func (s *State) RememberInput(id ID, received InputReceived) (*State, bool) {
	if !s.Meta.Valid {
		return s, false
	}
	all := map[ID]InputReceived{id: received}
	for other, known := range s.Meta.Inputs {
		if other != id {
			all[other] = known
		}
	}
	var parts []string
	for _, key := range sorting.Collected(maps.Keys(all), CompareIDs) {
		parts = append(parts, jsontext.Quote(string(key))+`: {"hash": `+jsontext.Quote(all[key].Hash)+`, "session": `+
			strconv.Itoa(all[key].Session)+"}")
	}
	return s.SetMeta(KeyValue{"input_hashes", "{" + strings.Join(parts, ", ") + "}"})
}

// ReplacedHeading returns the start of the heading above an input block that was replaced.
func ReplacedHeading(id ID) string { return "## Replaced input from Task " + id.Ref() }
