package gsd

import "baton/internal/digest/gsd/words"

// Whole returns the digest as GSD 1.14 writes it if whole is set (D47): a status is stored as its
// canonical word only if the whole text is a known one.
func (d *Doc) Whole(whole bool) *Doc {
	out := *d
	out.whole = whole
	return &out
}

// stored returns what the front matter stores for a status of the body: its canonical word, or the
// text itself where the project's GSD would not guess a word from a part of it.
func (d *Doc) stored(text string) string {
	if word := Canonical(text, false); word != statusUnknown && (!d.whole || words.Whole(text)) {
		return word
	}
	return text
}
