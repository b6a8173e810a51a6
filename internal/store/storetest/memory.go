package storetest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"baton/internal/report"
	"baton/internal/store"
)

// Memory keeps documents in a map. It is safe for concurrent use, and runs one transaction at a
// time.
type Memory struct {
	writing sync.Mutex // held by the transaction that runs
	mu      sync.Mutex
	docs    map[string][]byte
	ids     map[string]uint64 // a new number for every version of a document, instead of times
	last    uint64

	// Outcomes completes a document that a transaction names by RecordOutcomes; nil leaves it
	// unchanged.
	Outcomes func(name string, data []byte, outcomes []store.Outcome) []byte
}

var _ store.Store = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{docs: map[string][]byte{}, ids: map[string]uint64{}} }

// Put sets a document outside any transaction, as an editor does.
func (m *Memory) Put(name string, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(name, bytes.Clone(data))
}

func (m *Memory) put(name string, data []byte) {
	m.last++
	m.docs[name], m.ids[name] = data, m.last
}

// Remove removes a document outside any transaction.
func (m *Memory) Remove(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.docs, name)
}

// Files returns a copy of all documents.
func (m *Memory) Files() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string]string{}
	for name, data := range m.docs {
		out[name] = string(data)
	}
	return out
}

func (m *Memory) get(ctx context.Context, name string) ([]byte, bool, error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	if err := store.CheckName(name); err != nil {
		return nil, false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for other := range m.docs {
		if strings.HasPrefix(other, name+"/") {
			return nil, false, refused(report.CodeIsDirectory, name, "it is a folder")
		}
		if strings.HasPrefix(name, other+"/") {
			return nil, false, refused(report.CodeNotDirectory, name, "a file is where a folder should be")
		}
	}
	data, ok := m.docs[name]
	return bytes.Clone(data), ok, nil
}

func refused(code report.Code, name, why string) error {
	return &report.Error{
		Kind: report.Refused, Code: code, Path: name, Hint: "choose another name",
		Message: fmt.Sprintf("%s cannot be used: %s", name, why),
	}
}

// Read returns a whole document.
func (m *Memory) Read(ctx context.Context, name string) (store.Document, error) {
	data, ok, err := m.get(ctx, name)
	if ok && len(data) > store.MaxSize {
		err = &report.Error{
			Kind: report.Corrupt, Code: report.CodeTooLarge, Path: name,
			Message: name + " is too large",
		}
	}
	if err != nil {
		return store.Document{Name: name}, err
	}
	return store.Document{Name: name, Data: data, Exists: ok, Size: int64(len(data))}, nil
}

// Head returns the first limit bytes.
func (m *Memory) Head(ctx context.Context, name string, limit int) (store.Part, error) {
	data, ok, err := m.get(ctx, name)
	return store.Part{Data: data[:min(limit, len(data))], Size: int64(len(data)), Exists: ok}, err
}

// Tail returns the last limit bytes.
func (m *Memory) Tail(ctx context.Context, name string, limit int) (store.Part, error) {
	data, ok, err := m.get(ctx, name)
	at := max(0, len(data)-limit)
	return store.Part{Data: data[at:], Size: int64(len(data)), Exists: ok, Offset: int64(at)}, err
}

// List returns the entries of a folder.
func (m *Memory) List(ctx context.Context, dir string) ([]store.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	prefix := ""
	if dir = path.Clean(dir); dir != "." {
		if err := store.CheckName(dir); err != nil {
			return nil, err
		}
		prefix = dir + "/"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	found := map[string]store.Entry{}
	for name, data := range m.docs {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			base, _, deeper := strings.Cut(rest, "/")
			e := store.Entry{Name: base, Dir: deeper}
			if !deeper {
				e.Size = int64(len(data))
			}
			found[base] = e
		}
	}
	var out []store.Entry
	for _, base := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[base])
	}
	return out, nil
}

// Update runs fn; see store.Store.
func (m *Memory) Update(ctx context.Context, fn func(*store.Tx) error) (store.Commit, error) {
	if err := ctx.Err(); err != nil {
		return store.Commit{}, err
	}
	m.writing.Lock()
	defer m.writing.Unlock()
	for range store.Attempts {
		tx := store.NewTx(ctx, m)
		if err := fn(tx); err != nil {
			return store.Commit{}, err
		}
		if err := tx.Err(); err != nil {
			return store.Commit{}, err
		}
		written, again, err := m.commit(ctx, tx.Changes())
		if again {
			continue
		}
		c := store.Commit{Written: written}
		if err == nil {
			c.Outcomes = m.afterwards(tx)
		}
		return c, err
	}
	return store.Commit{}, &report.Error{
		Kind: report.Conflict, Code: report.CodeChangedUnderUs, Message: "the documents changed during every attempt",
		Hint: "find out what keeps changing them, then run the command again",
	}
}

// commit makes all changes. If a document changed since its read, it makes none, and again is true.
func (m *Memory) commit(ctx context.Context, changes []store.Change) (written []string, again bool, err error) {
	next := map[string][]byte{}
	for _, c := range changes {
		now, exists, err := m.get(ctx, c.Name)
		if err != nil {
			return nil, false, err
		}
		if c.Seen != nil && !c.Seen.Matches(exists, int64(len(now)), now) {
			return nil, true, nil
		}
		switch {
		case c.Kind == store.Create && exists:
			return nil, false, store.Exists(c.Name)
		case c.Kind == store.Append:
			next[c.Name] = append(now, c.Data...)
		case !exists || !bytes.Equal(now, c.Data):
			next[c.Name] = bytes.Clone(c.Data)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(next)) {
		m.put(name, next[name])
	}
	return slices.Sorted(maps.Keys(next)), false, nil
}

// Close does nothing: the store holds no resources.
func (m *Memory) Close() error { return nil }
