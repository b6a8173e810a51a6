package gsd

import (
	"bytes"
	"fmt"
	"strings"

	"baton/internal/frontmatter"
)

// Lift fills in values that YAML reads but the original parser does not (N2): comments and quotes
// inside progress, a block list with comments, a single text instead of a list, and other ways to
// write a mapping. src is the text that ReadHead was given. YAML is parsed only if the block
// contains one of the keys in a form that ReadHead did not understand.
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
			*v.value = strings.TrimSpace(e.Text) // a block scalar ends with a line break
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

// liftLines does the same for a block that is not valid YAML, for example because of an unquoted
// colon in another value. The lines that can be understood still count (N2).
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

// place is a value of the Head and its path in the front matter.
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

// unread reports whether the block has a key that ReadHead found no value for, although the block
// does not plainly say null.
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

// written reports whether the block has the key with a value other than nothing or null. A list may
// begin on the next line that is not a comment.
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

// phaseTexts returns the items of a list, or a single text as a list of one item. Items of a block
// list keep their source text: 4.10 stays 4.10.
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

// dashed returns the items after the dashes on the lines that follow a line (1-based). Comments and
// blank lines may come between them.
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
