package store

import "slices"

// Point is the state of a transaction at some moment. A repair that turns out to do harm is taken
// back to it, while the rest of the transaction stays.
type Point struct {
	now    *Tx // the transaction
	before Tx  // with the writes that it had
}

// Point returns the present state of the transaction.
func (t *Tx) Point() *Point {
	p := &Point{now: t, before: *t}
	p.before.wants = make(map[string]*want, len(t.wants))
	for name, w := range t.wants {
		copied := *w
		p.before.wants[name] = &copied
	}
	p.before.moves, p.before.discards = slices.Clip(t.moves), slices.Clip(t.discards)
	p.before.relocations, p.before.outcomeRecords = slices.Clip(t.relocations), slices.Clip(t.outcomeRecords)
	return p
}

// Read returns a document as it was at that moment, with the errors of Tx.Read.
func (p *Point) Read(name string) (Document, error) {
	doc, err := p.before.Read(name)
	p.now.unsure = p.now.unsure || p.before.unsure
	return doc, err
}

// Restore takes back what the transaction was asked for since then. What it has read stays read.
func (p *Point) Restore() {
	unsure := p.now.unsure || p.before.unsure
	*p.now = p.before
	p.now.unsure = unsure
}

// Changed returns the names of the documents that the transaction writes or discards otherwise than
// at that moment, sorted.
func (p *Point) Changed() []string {
	var names []string
	for name, w := range p.now.wants {
		was := p.before.wants[name]
		if was == nil || was.kind != w.kind || string(was.data) != string(w.data) {
			names = append(names, name)
		}
	}
	for _, d := range p.now.discards[len(p.before.discards):] {
		if d.Document != "" {
			names = append(names, d.Document)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
