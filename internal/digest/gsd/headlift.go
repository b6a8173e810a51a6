package gsd

import (
	"bytes"
	"fmt"
	"strings"

	"baton/internal/frontmatter"
)

// Lift fills in what YAML reads where the original parser obtained nothing (N2): comments and
// quotes inside progress, a block list with comments, one text in place of a list, and other ways
// to write a mapping. src are the bytes that ReadHead was given. YAML is parsed only when the block
// holds one of the keys in a form that was not understood.
func (s *Head) Lift(src []byte) {
	block := s.Front.Of(src)
	if len(block) == 0 || !s.unread(block) {
		return
	}
	front, err := frontmatter.ParseYAML(block)
	if err != nil {
		s.liftLines(block)
		return
	}
	for _, v := range s.scalars() {
		if *v.value != "" {
			continue
		}
		if e, ok := front.At(v.path); ok && e.Value != nil && e.Text != "null" && e.Text != "~" {
			*v.value = strings.TrimSpace(e.Text) // a block scalar ends in a line break
		}
	}
	for _, v := range s.numbers() {
		if e, ok := front.At(v.path); ok && *v.value == "" {
			*v.value, _ = headDigits([]byte(strings.TrimSpace(e.Text)))
		}
	}
	if e, ok := front.At("next_phases"); ok && s.NextPhases == nil {
		s.NextPhases = phaseTexts(e, block)
	}
	s.NeedsMore = s.lacking()
}

// liftLines is Lift for a block that is no valid YAML, as happens with an unquoted colon in some
// other value: the lines that can be understood still count (N2).
func (s *Head) liftLines(block []byte) {
	for len(block) > 0 {
		var line []byte
		line, block = headLine(block)
		inner := bytes.TrimLeft(line, " \t")
		key, value, ok := headPair(inner)
		if !ok || len(inner) == len(line) {
			continue
		}
		for _, v := range s.numbers() {
			if *v.value == "" && v.path == "progress."+key {
				*v.value, _ = headDigits([]byte(headValue(value)))
			}
		}
	}
	s.NeedsMore = s.lacking()
}

// place is a value of the Head with its path in the front matter.
type place struct {
	path  string
	value *string
}

func (s *Head) scalars() [5]place {
	return [...]place{
		{"status", &s.Status},
		{"milestone", &s.Milestone},
		{"milestone_name", &s.MilestoneName},
		{"active_phase", &s.ActivePhase},
		{"next_action", &s.NextAction},
	}
}

func (s *Head) numbers() [3]place {
	return [...]place{
		{"progress.completed_phases", &s.CompletedPhases},
		{"progress.total_phases", &s.TotalPhases},
		{"progress.percent", &s.Percent},
	}
}

// unread reports whether the block has a key without a value here that is not plainly null there.
func (s *Head) unread(block []byte) bool {
	for _, v := range s.scalars() {
		if *v.value == "" && written(block, v.path, false) {
			return true
		}
	}
	for _, v := range s.numbers() {
		if *v.value == "" && written(block, v.path[len("progress."):], false) {
			return true
		}
	}
	return s.NextPhases == nil && written(block, "next_phases", true)
}

// written looks for the key with something after it that is neither nothing nor null. After the key
// of a list the something may stand on the next line that is no comment.
func written(block []byte, key string, list bool) bool {
	for {
		at := bytes.Index(block, []byte(key))
		if at < 0 {
			return false
		}
		whole := at == 0 || bytes.IndexByte([]byte("\n \t{,\"'"), block[at-1]) >= 0
		block = block[at+len(key):]
		text, ok := bytes.CutPrefix(bytes.TrimLeft(block, "\"' \t"), []byte(":"))
		if !whole || !ok {
			continue
		}
		value, rest := headLine(text)
		if headValue(value) != "" && !isEmpty(headValue(value)) ||
			blockMark(string(withoutComment(bytes.TrimSpace(value)))) {
			return true
		}
		for list && len(rest) > 0 {
			value, rest = headLine(rest)
			value = bytes.TrimSpace(value)
			if len(value) > 0 && value[0] != '#' {
				return value[0] == '-'
			}
		}
	}
}

func isEmpty(text string) bool {
	return text == "~" || text == "[]" || text == "Null" || text == "NULL"
}

// phaseTexts returns the items of a list, or a single text as a list of one. Items of a block list
// keep their source text: 4.10 stays 4.10.
func phaseTexts(e frontmatter.Entry, block []byte) []string {
	list, ok := e.Value.([]any)
	if !ok {
		if e.Value == nil || e.Text == "" || e.Text == "null" {
			return nil
		}
		return []string{e.Text}
	}
	if items := dashed(block, e.Line); len(items) == len(list) {
		return items
	}
	var items []string
	for _, item := range list {
		if text := fmt.Sprint(item); item != nil && text != "" {
			items = append(items, text)
		}
	}
	return items
}

// dashed returns the items after the dashes that follow a line, 1-based, comments and blank lines
// between them allowed.
func dashed(block []byte, line int) []string {
	for ; line > 0; line-- {
		_, block = headLine(block)
	}
	var items []string
	for len(block) > 0 {
		var text []byte
		text, block = headLine(block)
		text = bytes.TrimSpace(text)
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		item, ok := bytes.CutPrefix(text, []byte("-"))
		if !ok {
			break
		}
		items = append(items, string(withoutComment(bytes.TrimSpace(item))))
	}
	return headItems(items)
}
