// Package aside keeps the status of tasks whose files have no metadata section, in this checkout
// (specflux.md 5.11.3).
package aside

import (
	"encoding/json"
	"maps"

	"baton/internal/task"
)

// Caches are files in the checkout's runtime folder.
type Caches interface {
	ReadCache(name string) ([]byte, error)
	WriteCache(name string, data []byte) error
}

// file returns the name of the cache for a task.
func file(id task.ID) string { return "aside/task-" + string(id) + ".json" }

// Over returns a state with what is kept beside its file.
func Over(s Caches, state *task.State) *task.State {
	if state.Meta.Present {
		return state
	}
	var kept task.Aside
	if data, err := s.ReadCache(file(state.ID)); err == nil && json.Unmarshal(data, &kept) == nil {
		return state.WithAside(kept)
	}
	return state
}

// Keep writes what a change put beside a task's file. Without it the file counts as one that says
// nothing about its status.
func Keep(s Caches, was, is *task.State) error {
	if is.Meta.Present || maps.Equal(was.Aside(), is.Aside()) {
		return nil
	}
	data, err := json.Marshal(is.Aside())
	if err != nil {
		return err
	}
	return s.WriteCache(file(is.ID), data)
}
