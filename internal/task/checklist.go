package task

import (
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// feature is one object of the checklist's array (5.7.2).
type feature struct {
	id, text, verify string
	passes           bool
	testedAt         bool          // the key is there
	span             markdown.Span // the object, in the file
}

// readFeatures reads the feature checklist; a section that cannot be read is opaque and named in a finding.
func (s *State) readFeatures() []feature {
	section, ok := s.Find(FeatureChecklist)
	if !ok {
		return nil
	}
	span, ok := s.jsonFence(section.Body)
	if !ok {
		s.note("opaque_section", report.Warning, section.Heading.Start, "the feature checklist holds no JSON in a closed code fence")
		return nil
	}
	text := span.Of(s.Bytes())
	node, err := scanJSON(text)
	if err != nil {
		s.note("opaque_section", report.Warning, span.Start+err.pos, "the feature checklist is not valid JSON: "+err.what)
		return nil
	}
	list := node
	if node.kind == '{' {
		member, _ := node.member("features")
		list = member.value
	}
	if list.kind != '[' {
		s.note("opaque_section", report.Warning, section.Heading.Start, "the feature checklist has no list \"features\"")
		return nil
	}
	s.features = span
	features := make([]feature, 0, len(list.items))
	for _, item := range list.items {
		features = append(features, featureOf(item, text, span.Start))
	}
	return features
}

func featureOf(item jsonNode, text []byte, base int) feature {
	found := feature{span: markdown.Span{Start: base + item.span.Start, End: base + item.span.End}}
	if item.kind != '{' {
		found.text, _ = item.text(text)
		return found
	}
	for _, member := range item.members { // a later duplicate wins
		word, _ := member.value.text(text)
		if member.value.kind == 'n' {
			word = ""
		}
		switch member.name {
		case "id":
			found.id = strings.TrimSpace(word)
		case "description":
			found.text = strings.TrimSpace(word)
		case "verify":
			found.verify = word
		case "passes":
			found.passes = member.value.kind == 't'
		case "tested_at":
			found.testedAt = true
		}
	}
	return found
}

// jsonFence finds the first closed fence with info json, jsonc or none in a section (5.3).
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

// checklist is the JSON of a new v1 file: one feature per criterion, none passing.
func (n NewTask) checklist() string {
	var b strings.Builder
	b.WriteString("{\n  \"features\": [")
	base, count := slug(n.Title), 0
	for _, criterion := range n.Criteria {
		text := safetext.OneLine(criterion.Text)
		if text == "" {
			continue
		}
		if count++; count > 1 {
			b.WriteString(",")
		}
		b.WriteString("\n    {\n      \"id\": " + quoteJSON(base+"-"+itoa(count)) + ",\n      \"description\": " + quoteJSON(text) + ",\n")
		if command := safetext.OneLine(criterion.Verify); command != "" {
			b.WriteString("      \"verify\": " + quoteJSON(command) + ",\n")
		}
		b.WriteString("      \"passes\": false,\n      \"tested_at\": null\n    }")
	}
	if count > 0 {
		b.WriteString("\n  ")
	}
	b.WriteString("],\n  \"overall_progress\": \"0%\"\n}")
	return b.String()
}
