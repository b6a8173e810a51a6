package store

import "bytes"

// Blank reports whether data has no content: nothing but blanks, line breaks, NULs and a byte-order
// mark.
func Blank(data []byte) bool {
	return len(bytes.Trim(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n\v\f\x00")) == 0
}

// Before reads a document without what the transaction does to it.
func (t *Tx) Before(name string) (Document, error) { return t.from.Read(t.ctx, name) }

// MayBeBlank reports whether a document that the transaction changes may have been blank before, as
// far as its bytes were seen.
func (t *Tx) MayBeBlank(c *Change) bool {
	if c.Seen != nil {
		return c.Seen.Exists && Blank(c.Seen.data)
	}
	part, err := t.from.Head(t.ctx, c.Name, 64)
	return err == nil && part.Exists && Blank(part.Data)
}
