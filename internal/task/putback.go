package task

import (
	"strconv"
	"strings"
	"time"

	"baton/internal/jsontext"
	"baton/internal/markdown"
)

// SaysNothing reports whether a line is a placeholder of a section (5.10).
func SaysNothing(line string) bool {
	for _, k := range [...]Kind{ProgressLog, ChainOutput, ChainInputs} {
		if isPlaceholder(k, strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}

// Recount updates the counters to match the content of the file (5.6.4, 5.7.2). It writes no time
// stamp; the caller does.
func (s *State) Recount() *State {
	next := s.recountFeatures()
	return next.RecountFrom(next, next)
}

// recountFeatures updates the percentage of features that pass, if the checklist has it.
func (s *State) recountFeatures() *State {
	features := s.readFeaturesQuietly()
	if s.Features.Len() == 0 || !hasKey(s.Features.Of(s.Bytes()), "overall_progress") {
		return s
	}
	passing := 0
	for _, f := range features {
		if f.passes {
			passing++
		}
	}
	text, ok := jsontext.Set(s.Features.Of(s.Bytes()), "overall_progress",
		jsontext.Quote(Percent(passing, len(features))), s.doc.EOL(s.Features.Start))
	if !ok {
		return s
	}
	next, err := s.Splice(markdown.Edit{Span: s.Features, Text: text})
	if err != nil {
		return s
	}
	return next
}

// Room returns the file with the sections that restored entries need: sessions, boxes, features and
// an output. A section that cannot be created is left out.
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
			s = s.with(s.PlaceBlock(section, "### Acceptance Criteria", true))
		case ask.kind == FeatureChecklist:
			if _, found := s.jsonFence(section.Body); !found {
				s = s.with(s.PlaceBlock(section, "```json\n{\n  \"features\": []\n}\n```", true))
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
		for _, heading := range HeadingsIn(s.doc, section.Body) {
			if heading.Level == 3 && FoldName(s.doc.View(heading.Text)) == "acceptance criteria" {
				return true
			}
		}
	}
	return false
}

// FeaturePlace returns the position at the end of the checklist's array where a feature can be
// inserted. empty reports whether it would be the first one. ok is false if there is no readable
// array.
func (s *State) FeaturePlace() (pos int, empty, ok bool) {
	section, found := s.Find(FeatureChecklist)
	span, fenced := s.jsonFence(section.Body)
	if !found || !fenced {
		return 0, false, false
	}
	node, err := jsontext.Relaxed(span.Of(s.Bytes()))
	if err != nil {
		return 0, false, false
	}
	list := node
	if node.Kind == '{' {
		member, _ := node.Member("features")
		list = member.Value
	}
	if list.Kind != '[' {
		return 0, false, false
	}
	if n := len(list.Items); n > 0 {
		return span.Start + list.Items[n-1].Span.End, false, true
	}
	return span.Start + list.Span.Start + 1, true, true
}

// RecountFrom updates the counters to match the sessions (5.6.4). The time stamps come from the two
// sides, because merging is not work on the task.
func (s *State) RecountFrom(a, b *State) *State {
	if !s.Meta.Valid {
		return s
	}
	archived := max(a.KnownArchived(), b.KnownArchived())
	if s.Summary == nil {
		archived = s.KnownArchived()
	}
	var set []KeyValue
	put := func(key, value string) {
		if s.Meta.Has(key) {
			set = append(set, KeyValue{key, value})
		}
	}
	put("total_sessions", strconv.Itoa(archived+len(s.Sessions)))
	put("recent_sessions", strconv.Itoa(len(s.Sessions)))
	put("archived_sessions", strconv.Itoa(archived))
	if newest, ok := s.Newest(); ok && s.MetaWord("last_session_at") != "" {
		last := ""
		for _, side := range [...]*State{a, b} {
			if text := side.MetaWord("last_session_at"); text > last {
				last = text
			}
		}
		if t, _, ok := ParseStamp(last, time.UTC); !ok || t.Before(newest.At(time.UTC).Add(-24*time.Hour)) {
			last = JSONStamp(newest.At(time.UTC))
		}
		put("last_session_at", jsontext.Quote(last))
	}
	next, ok := s.SetMeta(set...)
	if !ok {
		return s
	}
	if sized, ok := next.SizeFixpoint(); ok {
		return sized
	}
	return next
}

// MetaWord returns a metadata value as text, or "" if there is none.
func (s *State) MetaWord(key string) string {
	if !s.Meta.Valid || s.Meta.bullets != nil {
		return ""
	}
	text := s.Meta.Span.Of(s.Bytes())
	node, err := jsontext.Relaxed(text)
	if err != nil {
		return ""
	}
	member, _ := node.Member(key)
	return member.Value.Word(text)
}
