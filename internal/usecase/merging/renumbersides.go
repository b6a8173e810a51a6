package merging

import (
	"cmp"
	"context"
	"time"

	"baton/internal/gitrepo"
	"baton/internal/task"
	"baton/internal/task/renumber"
)

// fromSide is the side of a merge that something came from.
type fromSide int

const (
	sideUnknown fromSide = iota
	sideOurs
	sideTheirs
)

// sidePatience is how long git may take for one question about the sides of a merge.
const sidePatience = time.Second

// mergeSides asks git what the two sides of a merge had. Once git does not answer, it is not asked
// again.
type mergeSides struct {
	repo gitrepo.Repo
	mute bool
}

func (p Merging) mergeSides() *mergeSides {
	m := &mergeSides{repo: p.Git, mute: p.Git.Dir == ""}
	m.repo.Patience = cmp.Or(p.Git.Patience, sidePatience)
	return m
}

// bothSides are the commits that a merge brought together.
type bothSides struct{ ours, theirs string }

// place finds out from which side each of two tasks with one id came: markers tell, else git does
// where each is in one of the two commits. both are the commits where git knows them and they fit;
// the zero value else.
func (m *mergeSides) place(ctx context.Context, a, b *TaskSide) (both bothSides) {
	if m.mute {
		return both
	}
	ours, theirs, err := m.repo.Sides(ctx, a.Name, b.Name)
	if err != nil {
		return both // a project without such a merge is no reason to ask no more
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

// files returns files as the two sides have them.
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

// first is when the side of each of two tasks committed its file first, where that tells them
// apart.
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

// follows tells which of two tasks a file means that one side alone lets name their id: that
// side's.
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
