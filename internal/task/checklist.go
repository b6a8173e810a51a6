package task

import (
	"strings"
	"unicode"

	"baton/internal/jsontext"
	"baton/internal/markdown"
	"baton/internal/report"
)

// feature is one object in the checklist's array (5.7.2).
type feature struct {
	id, text, verify string
	passes           bool
	testedAt         bool          // the key exists
	span             markdown.Span // the object in the file
}

// readFeatures reads the feature checklist. A checklist that cannot be read becomes opaque, with a
// finding.
func (s *State) readFeatures() []feature {
	section, ok := s.Find(FeatureChecklist)
	if !ok {
		return nil
	}
	span, ok := s.jsonFence(section.Body)
	if !ok {
		s.note(report.CodeOpaqueSection, section.Heading.Start,
			"the feature checklist has no JSON in a closed code fence")
		return nil
	}
	text := span.Of(s.Bytes())
	node, err := jsontext.Relaxed(text)
	if err != nil {
		s.note(report.CodeOpaqueSection, span.Start+err.Pos, "the feature checklist is not valid JSON: "+
			err.What)
		return nil
	}
	list := node
	if node.Kind == '{' {
		member, _ := node.Member("features")
		list = member.Value
	}
	if list.Kind != '[' {
		s.note(report.CodeOpaqueSection, section.Heading.Start,
			"the feature checklist has no list \"features\"")
		return nil
	}
	s.Features = span
	features := make([]feature, 0, len(list.Items))
	for _, item := range list.Items {
		features = append(features, featureOf(item, text, span.Start))
	}
	return features
}

func featureOf(item jsontext.Node, text []byte, base int) feature {
	found := feature{span: markdown.Span{Start: base + item.Span.Start, End: base + item.Span.End}}
	if item.Kind != '{' {
		found.text, _ = item.Text(text)
		return found
	}
	for _, member := range item.Members { // the last of several equal keys counts
		word, _ := member.Value.Text(text)
		if member.Value.Kind == 'n' {
			word = ""
		}
		switch member.Name {
		case "id":
			found.id = strings.TrimSpace(word)
		case "description":
			found.text = strings.TrimSpace(word)
		case "verify":
			found.verify = word
		case "passes":
			found.passes = member.Value.Kind == 't'
		case "tested_at":
			found.testedAt = true
		}
	}
	return found
}

// jsonFence finds the first closed fence in a section whose info string is json, jsonc or empty
// (5.3).
func (s *State) jsonFence(within markdown.Span) (markdown.Span, bool) {
	lines := s.doc.Lines()
	for _, fence := range s.doc.Fences() {
		start := lines[fence.Open].Start
		if start < within.Start || start >= within.End || fence.Close < 0 {
			continue
		}
		info, _, _ := strings.Cut(strings.ToLower(fence.Info), " ")
		switch strings.Trim(info, "{}.") {
		case "", "json", "jsonc", "json5":
			return fence.Body, true
		}
	}
	return markdown.Span{}, false
}

// Slug returns the prefix of new feature ids: the first word of the title in lower case, at most 12
// characters.
func Slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if len(words) == 0 {
		return "f"
	}
	runes := []rune(words[0])
	return string(runes[:min(len(runes), 12)])
}

// JSONObject writes an object with one key on each line, indented by two blanks.
func JSONObject(keys []KeyValue) string {
	var b strings.Builder
	b.WriteString("{")
	for i, key := range keys {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  " + jsontext.Quote(key.Key) + ": " + key.JSON)
	}
	b.WriteString("\n}")
	return b.String()
}

// JSONID writes an id as task files do: a numeric id as a number (D21), "" as null.
func JSONID(id string) string {
	switch {
	case id == "":
		return "null"
	case ID(id).Numeric():
		return id
	}
	return jsontext.Quote(id)
}

// JSONIDs writes ids as a list on one line, each as JSONID does.
func JSONIDs(ids []ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = JSONID(string(id))
	}
	return "[" + strings.Join(words, ", ") + "]"
}
