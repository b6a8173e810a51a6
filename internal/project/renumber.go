package project

import (
	"context"
	"path"
	"strings"
	"time"

	"baton/internal/store"
	"baton/internal/task"
)

// doubled is one id that two tasks have: what two clones made at the same time, and a merge brought together.
type doubled struct {
	id     task.ID   // of the one that gets another number, as it is written in its file's name
	kept   *taskSide // the one that was there first
	moved  *taskSide // the one that was made later
	inside bool      // both are between conflict markers of one file
	why    string    // why nobody but a person can tell them apart; "" when a program can
	copy   bool      // they are versions of one task
	line   int       // of the first marker
	both   bothSides // the commits that brought the two together, where git tells
	rule   string    // what says that the other one is the later one, as a clause
}

// taskSide is one of two tasks with one id.
type taskSide struct {
	name  string // state file
	dir   taskDir
	state *task.State
	side  fromSide // of the merge that brought the two together
}

// archive is where the sessions of the task are that left its file.
func (s *taskSide) archive() string {
	named := s.state.Meta.ArchivePath
	if named != "" && task.ArchivePathInside(named) && path.Base(named) == task.ArchiveName(s.state.ID) && store.CheckName(path.Clean(named)) == nil {
		return path.Clean(named)
	}
	return s.dir.archive(s.state.ID)
}

// title is the task's, as a sentence names it.
func (s *taskSide) title() string { return quote(oneLine(neutral(s.state.Title))) }

func (s *taskSide) archived() bool { return s.state.Meta.Archived > 0 || s.state.Summary != nil }

// doubledTasks finds ids that two tasks have: in two folders, spelt in two ways, or in one file between the markers of a
// merge. read is told of every state file.
func (p *Project) doubledTasks(ctx context.Context, r store.Reader, read func(*taskSide, []byte)) ([]doubled, error) {
	var out []doubled
	first, sides := map[string]*taskSide{}, p.mergeSides()
	for _, d := range p.dirs {
		entries, err := r.List(ctx, d.Dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			id, ok := task.IDOfFile(e.Name)
			if !ok || e.Dir || e.Name != task.StateName(id) {
				continue
			}
			name := join(d.Dir, e.Name)
			doc, err := r.Read(ctx, name)
			if err != nil || !doc.Exists || doc.Outside {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				continue // the look at the file itself tells of it
			}
			here := &taskSide{name: name, dir: d, state: task.Parse(id, doc.Data)}
			read(here, doc.Data)
			if one, two, line := task.Sides(doc.Data); line > 0 {
				ours, theirs := &taskSide{name, d, task.Parse(id, one), sideOurs}, &taskSide{name, d, task.Parse(id, two), sideTheirs}
				if both := sides.pair(ctx, ours, theirs, true); !both.copy {
					both.line = line
					out, here = append(out, both), both.kept
				}
			}
			folded := strings.ToLower(string(id))
			if other := first[folded]; other == nil {
				first[folded] = here
			} else {
				both := sides.pair(ctx, other, here, false)
				out, first[folded] = append(out, both), both.kept
			}
		}
	}
	for i := range out {
		if err := p.weigh(ctx, r, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// pair says which of two tasks keeps the number: the one that was made first, as the files or git's dates tell; else the one of this
// side of a merge, else the one that is found first.
func (m *mergeSides) pair(ctx context.Context, a, b *taskSide, inside bool) doubled {
	d := doubled{kept: a, moved: b, inside: inside, copy: task.SameTask(a.state, b.state)}
	if !d.copy {
		d.both = m.place(ctx, a, b)
	}
	later := a.side == sideTheirs // whether a is the later one
	d.rule = "nothing says which of the two was made first"
	if a.side != b.side {
		d.rule = "it came with the merge, and nothing says which of the two was made first"
	}
	if x, y, known := born(a.state, b.state); known {
		later, d.rule = x.After(y), "it was made later, as the two files say"
	} else if x, y, known := m.first(ctx, d.both, a, b); known {
		later, d.rule = x.After(y), "its file was committed later"
	}
	if later {
		d.kept, d.moved = b, a
	}
	d.id = d.moved.state.ID
	return d
}

// born is when each of two tasks was made, where their files tell them apart.
func born(a, b *task.State) (x, y time.Time, known bool) {
	x, knownX := a.Born()
	y, knownY := b.Born()
	return x, y, knownX && knownY && !x.Equal(y)
}

// weigh looks whether a program can tell what belongs to which.
func (p *Project) weigh(ctx context.Context, r store.Reader, d *doubled) error {
	for _, side := range [...]*taskSide{d.kept, d.moved} {
		if unsafeError(side.name, side.state.Bytes()) != nil {
			d.why = side.name + " cannot be changed as it is"
			return nil
		}
	}
	archive := d.moved.archive()
	if archive != d.kept.archive() || !d.kept.archived() || !d.moved.archived() {
		return nil
	}
	doc, err := r.Head(ctx, archive, 1)
	if doc.Exists {
		d.why = "both have sessions in " + archive + ", where nothing says which are whose"
	}
	return err
}

// text is the finding's sentence.
func (d *doubled) text() string {
	kept, moved := d.kept.title(), d.moved.title()
	switch {
	case d.inside:
		return "two tasks have the number " + d.id.Ref() + " here, between the markers of a merge: " + kept + " and " + moved
	case d.copy:
		return "task " + d.id.Ref() + " stands in " + d.kept.name + " too"
	}
	text := "task " + d.id.Ref() + " " + moved + " is another one than " + kept + " in " + d.kept.name
	if d.id != d.kept.state.ID {
		text += ", and their ids differ only in upper and lower case"
	}
	return text
}

// remedy of a task with another's number.
func (d *doubled) remedy(fix string) remedy {
	switch {
	case d.copy:
		return remedy{advice: "compare the two, and move one of them away"}
	case d.why != "":
		return remedy{advice: "give one of them another id by hand: " + d.why}
	}
	return remedy{command: fix, fixable: true}
}

// means says which of two tasks another file means by their id, where what it received from one of them tells; sure is false else.
func (d *doubled) means(s *task.State, name string) (moved, sure bool) {
	if d.id != d.kept.state.ID {
		return true, true // each has its own spelling
	}
	for _, in := range s.Inputs {
		if in.Task == d.id && in.Title != "" && d.kept.state.Title != d.moved.state.Title {
			if in.Title == d.moved.state.Title || in.Title == d.kept.state.Title {
				return in.Title == d.moved.state.Title, true
			}
		}
	}
	if received, ok := s.Meta.Inputs[d.id]; ok {
		hands := func(t *taskSide) bool {
			return task.BuildInput(t.state, relative(path.Dir(name), t.name)).Hash == received.Hash
		}
		if x, y := hands(d.moved), hands(d.kept); x != y {
			return x, true
		}
	}
	return false, false
}

// related says which of two tasks another one belongs to, as its parent or part.
func (d *doubled) related(s *task.State) (moved, sure bool) {
	x, y := kin(d.moved.state, s.ID), kin(d.kept.state, s.ID)
	return x, x != y
}

// kin says whether a task names another as its parent or part.
func kin(s *task.State, id task.ID) bool {
	if s.Meta.Parent == id {
		return true
	}
	for _, part := range s.Meta.Children {
		if part == id {
			return true
		}
	}
	return false
}
