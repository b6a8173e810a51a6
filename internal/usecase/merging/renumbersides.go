package merging

import (
	"cmp"
	"context"
	"time"

	"baton/internal/gitrepo"
	"baton/internal/task"
	"baton/internal/task/renumber"
)

// fromSide is one side of a merge.
type fromSide int

const (
	sideUnknown fromSide = iota
	sideOurs
	sideTheirs
)

// sidePatience is the time limit for one question to git about the sides of a merge.
const sidePatience = time.Second

// mergeSides asks git what the two sides of a merge contained. Once git does not answer, it is not
// asked again.
type mergeSides struct {
	repo gitrepo.Repo
	mute bool
}

func (p Merging) mergeSides() *mergeSides {
	m := &mergeSides{repo: p.Git, mute: p.Git.Dir == ""}
	m.repo.Patience = cmp.Or(p.Git.Patience, sidePatience)
	return m
}

// bothSides are the two commits of a merge.
type bothSides struct{ ours, theirs string }

// place finds out which side each of two tasks with one id came from. Markers show it; otherwise
// git does, if each task is in exactly one of the two commits. both are these commits, or the zero
// value if git does not know them or they do not match.
func (m *mergeSides) place(ctx context.Context, a, b *TaskSide) (both bothSides) {
	if m.mute {
		return both
	}
	ours, theirs, err := m.repo.Sides(ctx, a.Name, b.Name)
	if err != nil {
		return both // there is no such merge here, but git did answer, so it may be asked again
	}
	files, ok := m.files(ctx, bothSides{ours, theirs}, []string{a.Name, b.Name})
	if !ok {
		return both
	}
	in := func(side int, t *TaskSide) bool {
		data, has := files[side][t.Name]
		return has && renumber.SameTask(task.Parse(t.state.ID, data), t.state)
	}
	of := func(t *TaskSide) fromSide {
		switch x, y := in(0, t), in(1, t); {
		case x && !y:
			return sideOurs
		case y && !x:
			return sideTheirs
		}
		return sideUnknown
	}
	x, y := of(a), of(b)
	if x == sideUnknown || y == sideUnknown || x == y || a.side != sideUnknown && (a.side != x || b.side != y) {
		return both
	}
	a.side, b.side = x, y
	return bothSides{ours, theirs}
}

// files returns the content of files on both sides.
func (m *mergeSides) files(ctx context.Context, both bothSides, names []string) (files [2]map[string][]byte, ok bool) {
	for i, commit := range [...]string{both.ours, both.theirs} {
		if m.mute || commit == "" {
			return files, false
		}
		var err error
		if files[i], err = m.repo.FilesAt(ctx, commit, names); err != nil {
			m.mute = true
			return files, false
		}
	}
	return files, true
}

// first returns when each of the two sides first committed its task's file. known is false if that
// does not distinguish them.
func (m *mergeSides) first(ctx context.Context, both bothSides, a, b *TaskSide) (x, y time.Time, known bool) {
	if m.mute || both == (bothSides{}) {
		return x, y, false
	}
	at := func(t *TaskSide) (time.Time, error) {
		if t.side == sideTheirs {
			return m.repo.FirstOn(ctx, both.theirs, both.ours, t.Name)
		}
		return m.repo.FirstOn(ctx, both.ours, both.theirs, t.Name)
	}
	x, err := at(a)
	if err != nil {
		return x, y, false
	}
	y, err = at(b)
	return x, y, err == nil && !x.Equal(y)
}

// follows decides which of two tasks a file refers to if only one side's version of the file names
// their id: the task of that side.
func (m *mergeSides) follows(ctx context.Context, d *doubled, f *numbered, name string) (moved, sure bool) {
	if d.Moved.side == sideUnknown || d.Kept.side == sideUnknown {
		return false, false
	}
	side := f.side
	if side == sideUnknown {
		ours, theirs, line := renumber.Sides(f.was)
		versions := [2][]byte{ours, theirs}
		if line == 0 {
			files, ok := m.files(ctx, d.both, []string{name})
			if !ok {
				return false, false
			}
			versions = [2][]byte{files[0][name], files[1][name]}
		}
		names := func(data []byte) bool { return len(data) > 0 && renumber.Names(task.Parse(f.state.ID, data), d.Id) }
		switch x, y := names(versions[0]), names(versions[1]); {
		case x && !y:
			side = sideOurs
		case y && !x:
			side = sideTheirs
		}
	}
	return side == d.Moved.side, side != sideUnknown
}
