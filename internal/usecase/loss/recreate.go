package loss

import (
	"context"
	"slices"

	"baton/internal/ledger"
	"baton/internal/ledger/restore"
	"baton/internal/store"
	"baton/internal/store/history"
	"baton/internal/workspace"
)

// recreateAll recreates the documents that are gone or empty. It returns the keys of the entries
// that this brings back, by family. They may have been in another document of the family too, and
// must not be restored twice.
func (p Loss) recreateAll(
	ctx context.Context, c *workspace.Change, names []string,
) (there map[string]map[string]bool, err error) {
	there = map[string]map[string]bool{}
	for _, name := range names {
		doc, err := c.Tx.Read(name)
		if err != nil {
			return nil, err
		}
		if !store.Blank(doc.Data) {
			continue
		}
		family, ok := p.FamilyOf(name)
		if !ok { // it has no entries, like the record of a state folder
			if data, err := p.lastWritten(ctx, name); err != nil {
				return nil, err
			} else if len(data) > 0 {
				if err := p.writeAgain(ctx, c, name, data); err != nil {
					return nil, err
				}
			}
			continue
		}
		now, err := p.recreated(ctx, c, name)
		if err != nil {
			return nil, err
		}
		if there[family] == nil {
			there[family] = map[string]bool{}
		}
		for _, e := range p.EntriesOf(name, now) {
			there[family][e.Key] = true
		}
	}
	return there, nil
}

// recreated returns a document from the transaction. A missing or empty one is recreated from
// baton's last written version if that is kept, without the entries of the family's other
// documents. A document that baton itself removed is not recreated.
func (p Loss) recreated(ctx context.Context, c *workspace.Change, name string) ([]byte, error) {
	doc, err := c.Tx.Read(name)
	if err != nil || !store.Blank(doc.Data) {
		return doc.Data, err
	}
	// The document that a family is named after is always recreated.
	if family, _ := p.FamilyOf(name); name != family && p.TookAway(ctx, name) {
		return doc.Data, ctx.Err()
	}
	data, err := p.lastWritten(ctx, name)
	if err != nil {
		return nil, err
	}
	if data, err = p.withoutDoubled(ctx, c, name, data); err != nil || len(data) == 0 {
		return doc.Data, err
	}
	return data, p.writeAgain(ctx, c, name, data)
}

// writeAgain writes a document from its last version. If it was missing, at most those who can read
// that version can read it.
func (p Loss) writeAgain(ctx context.Context, c *workspace.Change, name string, data []byte) error {
	most, err := p.Kept.KeptMode(ctx, name)
	c.Tx.Write(name, data)
	c.Tx.AtMostMode(name, most)
	return err
}

// lastWritten returns the last version of a document that baton wrote, or nil if none is kept.
func (p Loss) lastWritten(ctx context.Context, name string) ([]byte, error) {
	list, err := p.Kept.Snapshots(ctx, name)
	if err != nil {
		return nil, err
	}
	for _, v := range slices.Backward(list) {
		if v.Outside || v.Kind == history.SnapshotFound {
			continue
		}
		data, err := p.Kept.SnapshotData(ctx, v)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue // an older one may still be readable
		}
		if !store.Blank(data) {
			return data, nil
		}
	}
	return nil, nil
}

// withoutDoubled returns a text without the entries that the family's other documents contain in
// the transaction. It returns nil if they cannot be removed without changing the rest.
func (p Loss) withoutDoubled(ctx context.Context, c *workspace.Change, name string, data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, nil
	}
	elsewhere, err := p.heldElsewhere(ctx, c, name)
	if err != nil || len(elsewhere) == 0 {
		return data, err
	}
	next, ok := restore.Without(data, func(data []byte) []ledger.Entry { return p.EntriesOf(name, data) }, elsewhere)
	if !ok {
		next = nil
	}
	return next, ctx.Err()
}

// heldElsewhere returns the keys of the entries in the other documents of a family.
func (p Loss) heldElsewhere(ctx context.Context, c *workspace.Change, name string) (map[string]bool, error) {
	family, ok := p.FamilyOf(name)
	if !ok {
		return nil, nil
	}
	out := map[string]bool{}
	for _, other := range p.familyNames(ctx, family) {
		if other == name {
			continue
		}
		doc, err := c.Tx.Read(other)
		if err != nil {
			return nil, err
		}
		for _, e := range p.EntriesOf(other, doc.Data) {
			out[e.Key] = true
		}
	}
	return out, ctx.Err()
}

// familyNames returns the documents of a family, including those that are only in its book.
func (p Loss) familyNames(ctx context.Context, family string) []string {
	names := p.FamilyDocs(family)
	if book, err := p.Kept.Book(ctx, family); err == nil && book != nil {
		names = append(names, workspace.SortedKeys(book.Docs)...)
	}
	return workspace.Compact(names)
}
