package gsd

import (
	"slices"

	"baton/internal/markdown"
)

// QuoteFront returns the digest with quotes around those values of its front matter that YAML
// rejects without them, and the names of their keys. The very bytes that were parsed come back,
// with no names, where quotes alone do not repair it.
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
