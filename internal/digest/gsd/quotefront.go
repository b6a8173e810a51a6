package gsd

import (
	"slices"

	"baton/internal/markdown"
)

// QuoteFront puts quotes around the values of the front matter that YAML rejects without them, and
// returns the digest and the names of their keys. If quotes alone do not repair the front matter,
// it returns the parsed bytes themselves and no names.
func (d *Doc) QuoteFront() ([]byte, []string) {
	if d.sheet == nil || d.sheet.Err() == nil {
		return d.src, nil
	}
	sheet, names := d.sheet.Quote()
	if len(names) == 0 {
		return d.src, nil
	}
	text, err := markdown.Apply(d.src, markdown.Edit{Span: d.front.body, Text: sheet.Bytes()})
	if err != nil || Parse(text).sheet == nil || Parse(text).sheet.Err() != nil {
		return d.src, nil
	}
	return text, slices.Clip(names)
}
