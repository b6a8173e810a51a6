package task

import (
	"strings"

	"baton/internal/markdown"
)

// SaysNothing says whether a line is a placeholder of a section (5.10).
func SaysNothing(line string) bool {
	for _, k := range [...]Kind{ProgressLog, ChainOutput, ChainInputs} {
		if isPlaceholder(k, strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}

// Recount brings the counters in step with what the file holds (5.6.4, 5.7.2). It writes no time of its own: who changes the file
// stamps it.
func (s *State) Recount() *State {
	next := s.recountFeatures()
	return next.recount(next, next)
}

// recountFeatures writes the share of features that pass, where the checklist has it.
func (s *State) recountFeatures() *State {
	features := s.readFeaturesQuietly()
	if s.features.Len() == 0 || !hasKey(s.features.Of(s.Bytes()), "overall_progress") {
		return s
	}
	passing := 0
	for _, f := range features {
		if f.passes {
			passing++
		}
	}
	text, ok := setJSON(s.features.Of(s.Bytes()), "overall_progress", quoteJSON(percent(passing, len(features))), s.doc.EOL(s.features.Start))
	if !ok {
		return s
	}
	next, err := s.Splice(markdown.Edit{Span: s.features, Text: text})
	if err != nil {
		return s
	}
	return next
}

// Room gives the file with the sections in which entries stand that come back: of sessions, boxes, features and an output. What cannot
// be made is not there.
func (s *State) Room(sessions, boxes, features, output bool) *State {
	for _, ask := range [...]struct {
		wanted bool
		kind   Kind
	}{{sessions, ProgressLog}, {boxes, ContextKind}, {features, FeatureChecklist}, {output, ChainOutput}} {
		if !ask.wanted {
			continue
		}
		next, section, err := s.EnsureSection(ask.kind)
		if err != nil {
			continue
		}
		s = next
		switch {
		case ask.kind == ContextKind && !s.hasCriteriaHeading():
			s = s.with(s.placeBlock(section, "### Acceptance Criteria", true))
		case ask.kind == FeatureChecklist:
			if _, found := s.jsonFence(section.Body); !found {
				s = s.with(s.placeBlock(section, "```json\n{\n  \"features\": []\n}\n```", true))
			}
		}
	}
	return s
}

func (s *State) with(edit markdown.Edit) *State {
	next, err := s.Splice(edit)
	if err != nil {
		return s
	}
	return next
}

func (s *State) hasCriteriaHeading() bool {
	for _, section := range s.All(ContextKind) {
		for _, heading := range headingsIn(s.doc, section.Body) {
			if heading.Level == 3 && foldName(s.doc.View(heading.Text)) == "acceptance criteria" {
				return true
			}
		}
	}
	return false
}

// FeaturePlace is where a feature goes in at the end of a checklist, inside of its list. empty says that it is the first one; ok is false when
// there is no such list.
func (s *State) FeaturePlace() (pos int, empty, ok bool) {
	section, found := s.Find(FeatureChecklist)
	span, fenced := s.jsonFence(section.Body)
	if !found || !fenced {
		return 0, false, false
	}
	node, err := scanJSON(span.Of(s.Bytes()))
	if err != nil {
		return 0, false, false
	}
	list := node
	if node.kind == '{' {
		member, _ := node.member("features")
		list = member.value
	}
	if list.kind != '[' {
		return 0, false, false
	}
	if n := len(list.items); n > 0 {
		return span.Start + list.items[n-1].span.End, false, true
	}
	return span.Start + list.span.Start + 1, true, true
}
