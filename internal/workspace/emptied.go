package workspace

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"baton/internal/report"
	"baton/internal/store"
)

// emptiedPause is how long baton waits before it reads an emptied document again: an editor may
// just have truncated it and is about to write it (F-28).
const emptiedPause = 50 * time.Millisecond

// Emptied reports whether a document is empty although it had content when baton last knew it, and
// nobody has accepted that. It reads the log only if the document is empty.
func (p *Workspace) Emptied(ctx context.Context, doc store.Document) bool {
	return doc.Exists && store.Blank(doc.Data) && p.Kept.HadContent(ctx, doc.Name, doc.Data)
}

// Steady returns a document that is to be changed, and reads it again if it is emptied. If it stays
// empty: Corrupt emptied.
func (p *Workspace) Steady(ctx context.Context, c *Change, doc store.Document) (store.Document, error) {
	if c.Refills || !p.Emptied(ctx, doc) {
		return doc, nil
	}
	wait := time.After
	if p.Env.After != nil {
		wait = p.Env.After
	}
	select {
	case <-ctx.Done():
		return doc, ctx.Err()
	case <-wait(emptiedPause):
	}
	again, err := c.Tx.Before(doc.Name)
	if err != nil {
		return doc, err
	}
	if !p.Emptied(ctx, again) {
		return again, nil
	}
	return doc, &report.Error{
		Kind: report.Corrupt, Code: report.CodeEmptied, Path: doc.Name,
		Message: doc.Name + " is empty, but it had content before",
		Hint: "`baton lost --restore` restores it; if it was emptied on purpose, `baton lost --accept " +
			doc.Name + "`",
	}
}

// steadyAll applies Steady to every document that a change writes. A document that has its content
// again is no longer what the change read, so the store runs the change again.
func (p *Workspace) steadyAll(ctx context.Context, c *Change) error {
	for _, w := range c.Tx.Changes() {
		if w.Kind == store.Create || !c.Tx.MayBeBlank(&w) {
			continue
		}
		doc, err := c.Tx.Before(w.Name)
		if err == nil {
			_, err = p.Steady(ctx, c, doc)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// EmptiedFindings warns readers about a document if it is emptied.
func (p *Workspace) EmptiedFindings(ctx context.Context, doc store.Document) []report.Finding {
	if !p.Emptied(ctx, doc) {
		return nil
	}
	return []report.Finding{report.CodeEmptied.Finding(doc.Name, 0,
		doc.Name+" is empty, but it had content before: `baton lost --restore` restores it, or "+
			"`baton lost --accept "+doc.Name+"` if it was emptied on purpose")}
}

// EmptiedDocs returns the names of the emptied documents, sorted.
func (p *Workspace) EmptiedDocs(ctx context.Context) ([]string, error) {
	known, err := p.Kept.Known(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, name := range SortedKeys(known) {
		info, err := os.Lstat(filepath.Join(p.Root, filepath.FromSlash(name)))
		was := known[name]
		if err != nil || was.Size > 0 && info.Size() == was.Size && info.ModTime().Equal(was.ModTime) {
			continue
		}
		head, err := p.Store.Head(ctx, name, 64)
		if err != nil || !head.Exists || !store.Blank(head.Data) {
			continue
		}
		doc, err := p.Store.Read(ctx, name)
		if err == nil && p.Emptied(ctx, doc) {
			out = append(out, name)
		}
	}
	return out, ctx.Err()
}
