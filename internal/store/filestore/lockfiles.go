package filestore

import (
	"context"

	"baton/internal/store"
	"baton/internal/store/foreign"
)

// lockFiles returns what the locks of other programs need.
func (s *Store) lockFiles() *foreign.System {
	return &foreign.System{
		FS: s.fs, Env: s.o.Env, Alive: s.o.Alive, Process: s.o.Process,
		Path: s.lockFile, Shown: s.shown, Temporary: s.temporary,
	}
}

// lockFile returns the path of a lock file. It resolves the folder but not the file itself.
func (s *Store) lockFile(name string) (string, error) {
	p, err := s.direct(name)
	if err != nil {
		return "", refused(err, name, "written")
	}
	return p.path, s.writable(name, p)
}

// guard takes the foreign locks of the named documents; see foreign.Held.Take.
func (w *writer) guard(names ...string) (fresh bool, err error) {
	if w.o.Foreign == nil {
		return false, nil
	}
	var locks []foreign.Lock
	for _, name := range names {
		if l, ok := w.o.Foreign(name); ok {
			locks = append(locks, l)
		}
	}
	return w.locks.Take(locks)
}

// documents returns the names of the documents that a journal may touch.
func (j *journal) documents() []string {
	names := make([]string, 0, len(j.Files)+2*len(j.Moves))
	for _, f := range j.Files {
		names = append(names, f.Name)
	}
	for _, m := range j.Moves {
		names = append(names, m.From, m.To)
	}
	return names
}

// touched returns the names of the documents that a commit may touch: its edits, and the ends of
// moves, which recovery might have to change.
func touched(edits []*edit, moves []store.Move) []string {
	names := make([]string, 0, len(edits)+2*len(moves))
	for _, e := range edits {
		names = append(names, e.Name)
	}
	for _, m := range moves {
		names = append(names, m.From, m.To)
	}
	return names
}

// LookAtLock reports who holds a lock of the kind foreign.Aside, and whether the next writer would
// wait for it; see foreign.System.Look.
func (s *Store) LookAtLock(ctx context.Context, l foreign.Lock) (foreign.State, error) {
	if err := ctx.Err(); err != nil {
		return foreign.State{}, err
	}
	s.resolve()
	s.lookAgain()
	p, err := s.direct(l.Name)
	if err != nil {
		return foreign.State{}, refused(err, l.Name, "read")
	}
	return s.foreign.Look(l, p.path)
}

// BreakLock removes a lock of the kind foreign.Aside that nobody can hold any more. It works under
// this store's own lock, and returns the state of the foreign lock before that. If there is none,
// it does nothing. Errors: those of foreign.System.Break; Locked lock_timeout if it does not get
// baton's own lock.
func (s *Store) BreakLock(ctx context.Context, l foreign.Lock) (state foreign.State, removed bool, err error) {
	state, err = s.LookAtLock(ctx, l)
	if err != nil || !state.Held {
		return state, false, err
	}
	if s.refusal != nil {
		return state, false, s.refusal
	}
	defer s.hold()()
	p := s.patience()
	defer p.end.Stop()
	path, err := s.lockFile(l.Name)
	if err != nil {
		return state, false, err
	}
	if !state.Stale {
		return state, false, s.foreign.Keeps(l, path, state)
	}
	free, _, err := s.lock(ctx, p)
	if err != nil {
		return state, false, err
	}
	defer free(false) // the next writer still finds what a dead baton left
	return s.foreign.Break(l, path, state)
}
