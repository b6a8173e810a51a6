package project

import (
	"bytes"
	"context"
	"slices"

	"baton/internal/store/filestore"
)

// reviveAll makes of all documents that are gone or empty what baton wrote there last, and gives the entries that are there with that, by
// family: they may have stood in another of its documents too, and are not put there once more.
func (p *Project) reviveAll(ctx context.Context, c *change, names []string) (there map[string]map[string]bool, err error) {
	there = map[string]map[string]bool{}
	for _, name := range names {
		doc, err := c.tx.Read(name)
		if err != nil {
			return nil, err
		}
		family, ok := p.familyOf(name)
		if !ok || len(bytes.TrimSpace(doc.Data)) > 0 {
			continue
		}
		now, err := p.revived(ctx, c, name)
		if err != nil {
			return nil, err
		}
		if there[family] == nil {
			there[family] = map[string]bool{}
		}
		for _, e := range p.entriesOf(name, now) {
			there[family][e.Key] = true
		}
	}
	return there, nil
}

// revived gives a document as it is in the transaction. One that is gone or empty becomes what baton wrote there last, where that is kept.
func (p *Project) revived(ctx context.Context, c *change, name string) ([]byte, error) {
	doc, err := c.tx.Read(name)
	if err != nil || len(bytes.TrimSpace(doc.Data)) > 0 {
		return doc.Data, err
	}
	list, err := p.store.Snapshots(ctx, name)
	if err != nil {
		return nil, err
	}
	for _, v := range slices.Backward(list) {
		if v.Outside || v.Kind == filestore.SnapshotFound {
			continue
		}
		data, err := p.store.SnapshotData(ctx, v)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue // an older one may be at hand
		}
		if len(bytes.TrimSpace(data)) > 0 {
			c.tx.Write(name, data)
			return data, nil
		}
	}
	return doc.Data, nil
}
