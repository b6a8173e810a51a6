package task

// MetaText gives the text of a metadata key as read: a string without quotes, anything else as written. It is "" when
// the key is absent, null, or the metadata cannot be read. Of duplicate keys the last counts.
func (s *State) MetaText(key string) string {
	if !s.Meta.Valid {
		return ""
	}
	src := s.Bytes()
	if s.Meta.bullets != nil {
		found := ""
		for _, b := range s.Meta.bullets {
			if b.key != key {
				continue
			}
			raw := b.value.Of(src)
			found = string(raw)
			if node, err := scanJSON(raw); err == nil && node.kind == '"' {
				found, _ = node.text(raw)
			}
		}
		return found
	}
	text := s.Meta.Span.Of(src)
	node, err := scanJSON(text)
	if err != nil {
		return ""
	}
	member, ok := node.member(key)
	if !ok || member.value.kind == 'n' {
		return ""
	}
	word, _ := member.value.text(text)
	return word
}
