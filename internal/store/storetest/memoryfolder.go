package storetest

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/store"
)

// Scan returns the documents in a folder as files, and the folders that their names imply. Item.ID
// is the version of a document: it changes with each write.
func (m *Memory) Scan(ctx context.Context, dir string) (store.Folder, error) {
	entries, err := m.List(ctx, dir)
	if err != nil {
		return store.Folder{}, err
	}
	dir = path.Clean(dir)
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, file := m.docs[dir]; file {
		return store.Folder{}, refused(report.CodeNotDirectory, dir, "a file is where a folder should be")
	}
	f := store.Folder{Exists: len(entries) > 0 || dir == "."}
	for _, e := range entries {
		item, _ := m.item(path.Join(dir, e.Name))
		f.Items = append(f.Items, item)
	}
	return f, nil
}

// item describes the document or folder with that name. The caller holds the mutex.
func (m *Memory) item(name string) (store.Item, bool) {
	if data, ok := m.docs[name]; ok {
		return store.Item{Name: path.Base(name), Mode: 0o644, Size: int64(len(data)), ID: m.ids[name]}, true
	}
	for other := range m.docs {
		if strings.HasPrefix(other, name+"/") {
			return store.Item{Name: path.Base(name), Mode: fs.ModeDir | 0o755}, true
		}
	}
	return store.Item{}, false
}

// afterwards carries out relocations, recorded outcomes and discards, once the documents are
// written.
func (m *Memory) afterwards(tx *store.Tx) []store.Outcome {
	m.mu.Lock()
	defer m.mu.Unlock()
	own := map[string]bool{}
	for _, c := range tx.Changes() {
		own[c.Name] = true
	}
	var outcomes []store.Outcome
	for _, r := range tx.Relocations() {
		o := store.Outcome{From: r.From, To: r.To, Name: r.Name, NewName: r.Target()}
		o.State = m.relocate(r, own[r.From+"/"+r.Name])
		outcomes = append(outcomes, o)
	}
	for _, name := range tx.OutcomeRecords() {
		if data, ok := m.docs[name]; ok && m.Outcomes != nil {
			if next := m.Outcomes(name, bytes.Clone(data), outcomes); next != nil {
				m.put(name, next)
			}
		}
	}
	m.discard(tx, own)
	return outcomes
}

func (m *Memory) relocate(r store.Relocation, own bool) string {
	src, dst := r.From+"/"+r.Name, r.To+"/"+r.Target()
	now, ok := m.item(src)
	switch {
	case !ok:
		return store.Vanished
	case r.Seen.Mode.Type() != now.Mode.Type(), !r.Seen.Same(now) && !r.Always && !own:
		return store.Changed
	}
	if _, taken := m.item(dst); taken {
		return store.Changed
	}
	for _, name := range slices.Collect(maps.Keys(m.docs)) {
		if rest, ok := strings.CutPrefix(name, src); ok && (rest == "" || rest[0] == '/') {
			m.docs[dst+rest], m.ids[dst+rest] = m.docs[name], m.ids[name]
			delete(m.docs, name)
			delete(m.ids, name)
		}
	}
	return store.Moved
}

// discard removes documents. Folders need no removal, because a folder exists only while something
// is in it.
func (m *Memory) discard(tx *store.Tx, own map[string]bool) {
	reads := tx.Reads()
	for _, d := range tx.Discards() {
		name := d.Document
		data, ok := m.docs[name]
		if _, stays := m.item(d.Folder); stays && d.Folder != "" || !ok {
			continue
		}
		known := own[name] || slices.ContainsFunc(reads, func(s store.Seen) bool {
			return s.Name == name && s.Whole && s.Matches(true, int64(len(data)), data)
		})
		if known {
			delete(m.docs, name)
		}
	}
}
