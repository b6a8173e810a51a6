package merging

import (
	"context"
	"path"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/inputs"
	"baton/internal/task/renumber"
	"baton/internal/workspace"
)

// Finding reports a doubled id.
func (d *doubled) Finding() report.Finding {
	return report.CodeTaskDoubled.Finding(d.Moved.Name, d.line, d.text())
}

// doubled is one id that two tasks share, because two clones created them at the same time before a
// merge.
type doubled struct {
	Id     task.ID   // the id of Moved, spelt as in its file's name
	Kept   *TaskSide // the task that was created first
	Moved  *TaskSide // the task that was created later and gets a new number
	Inside bool      // both are between conflict markers of one file
	Why    string    // why only a person can separate them; "" if baton can
	Copy   bool      // they are versions of one task
	line   int       // line of the first marker
	both   bothSides // the two merged commits, if git knows them
	rule   string    // why Moved is the later one, as a clause
}

// TaskSide is one of two tasks with one id.
type TaskSide struct {
	Name  string // state file
	dir   workspace.TaskDir
	state *task.State
	side  fromSide // the merged side that it came from
}

// archive returns the archive of the task's older sessions.
func (s *TaskSide) archive() string {
	named := s.state.Meta.ArchivePath
	if named != "" && task.ArchivePathInside(named) && path.Base(named) == task.ArchiveName(s.state.ID) &&
		store.CheckName(path.Clean(named)) == nil {
		return path.Clean(named)
	}
	return s.dir.ArchiveFile(s.state.ID)
}

// title returns the task's title as written in sentences.
func (s *TaskSide) title() string {
	return safetext.Quote(safetext.Line(s.state.Title))
}

func (s *TaskSide) archived() bool { return s.state.Meta.Archived > 0 || s.state.Summary != nil }

// DoubledTasks finds ids that two tasks share: in two folders, in two spellings, or in one file
// between the markers of a merge. It calls read for every state file.
func (p Merging) DoubledTasks(ctx context.Context, r store.Reader, read func(*TaskSide, []byte)) ([]doubled, error) {
	var out []doubled
	first, sides := map[string]*TaskSide{}, p.mergeSides()
	for _, d := range p.Dirs {
		entries, err := r.List(ctx, d.Dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			id, ok := task.IDOfStateFile(e.Name)
			if !ok || e.Dir {
				continue
			}
			name := workspace.Join(d.Dir, e.Name)
			doc, err := r.Read(ctx, name)
			if err != nil || !doc.Exists || doc.Outside {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				continue // the check of the file itself reports it
			}
			here := &TaskSide{Name: name, dir: d, state: task.Parse(id, doc.Data)}
			read(here, doc.Data)
			if one, two, line := renumber.Sides(doc.Data); line > 0 {
				ours, theirs := &TaskSide{name, d, task.Parse(id, one), sideOurs},
					&TaskSide{name, d, task.Parse(id, two), sideTheirs}
				if both := sides.pair(ctx, ours, theirs, true); !both.Copy {
					both.line = line
					out, here = append(out, both), both.Kept
				}
			}
			folded := strings.ToLower(string(id))
			if other := first[folded]; other == nil {
				first[folded] = here
			} else {
				both := sides.pair(ctx, other, here, false)
				out, first[folded] = append(out, both), both.Kept
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

// pair decides which of two tasks keeps the number: the one created first, judging by the files or
// git's dates; or else the one of our side of a merge; or else the one that was found first.
func (m *mergeSides) pair(ctx context.Context, a, b *TaskSide, inside bool) doubled {
	d := doubled{Kept: a, Moved: b, Inside: inside, Copy: renumber.SameTask(a.state, b.state)}
	if !d.Copy {
		d.both = m.place(ctx, a, b)
	}
	later := a.side == sideTheirs // whether a was created later
	d.rule = "baton cannot tell which of the two was created first"
	if a.side != b.side {
		d.rule = "it came with the merge, and baton cannot tell which of the two was created first"
	}
	if x, y, known := creationTimes(a.state, b.state); known {
		later, d.rule = x.After(y), "it was created later, according to the two files"
	} else if x, y, known := m.first(ctx, d.both, a, b); known {
		later, d.rule = x.After(y), "its file was committed later"
	}
	if later {
		d.Kept, d.Moved = b, a
	}
	d.Id = d.Moved.state.ID
	return d
}

// creationTimes returns when two tasks were created. known is false if the times are unknown or
// equal.
func creationTimes(a, b *task.State) (x, y time.Time, known bool) {
	x, knownX := renumber.Created(a)
	y, knownY := renumber.Created(b)
	return x, y, knownX && knownY && !x.Equal(y)
}

// weigh finds out whether a program can separate the two tasks.
func (p Merging) weigh(ctx context.Context, r store.Reader, d *doubled) error {
	for _, side := range [...]*TaskSide{d.Kept, d.Moved} {
		if workspace.UnsafeError(side.Name, side.state.Bytes()) != nil {
			d.Why = side.Name + " cannot be changed in its current form"
			return nil
		}
	}
	archive := d.Moved.archive()
	if archive != d.Kept.archive() || !d.Kept.archived() || !d.Moved.archived() {
		return nil
	}
	doc, err := r.Head(ctx, archive, 1)
	if doc.Exists {
		d.Why = "both have sessions in " + archive + ", and baton cannot tell whose they are"
	}
	return err
}

// text is the sentence of the finding.
func (d *doubled) text() string {
	kept, moved := d.Kept.title(), d.Moved.title()
	switch {
	case d.Inside:
		return "two tasks have the number " + d.Id.Ref() + " here, between conflict markers: " + kept + " and " +
			moved
	case d.Copy:
		return "task " + d.Id.Ref() + " is also in " + d.Kept.Name
	}
	text := "task " + d.Id.Ref() + " " + moved + " is not the same task as " + kept + " in " + d.Kept.Name
	if d.Id != d.Kept.state.ID {
		text += ", and their ids differ only in upper and lower case"
	}
	return text
}

// Remedy returns the repair of a doubled id.
func (d *doubled) Remedy(fix string) workspace.Remedy {
	switch {
	case d.Copy:
		return workspace.Remedy{Advice: report.CodeDuplicateTaskFile.Remedy(nil)}
	case d.Why != "":
		return workspace.Remedy{Advice: report.CodeTaskDoubled.Remedy(report.Parts{"why": d.Why})}
	}
	return workspace.Remedy{Command: fix, Fixable: true}
}

// means reports which of two tasks a file refers to by their id, judging by the inputs that it
// received from one of them. sure is false if they do not decide it.
func (d *doubled) means(s *task.State, name string) (moved, sure bool) {
	if d.Id != d.Kept.state.ID {
		return true, true // each task has its own spelling
	}
	for _, in := range s.Inputs {
		if in.Task == d.Id && in.Title != "" && d.Kept.state.Title != d.Moved.state.Title {
			if in.Title == d.Moved.state.Title || in.Title == d.Kept.state.Title {
				return in.Title == d.Moved.state.Title, true
			}
		}
	}
	if received, ok := s.Meta.Inputs[d.Id]; ok {
		hands := func(t *TaskSide) bool {
			return inputs.BuildInput(t.state, workspace.Relative(path.Dir(name), t.Name)).Hash == received.Hash
		}
		if x, y := hands(d.Moved), hands(d.Kept); x != y {
			return x, true
		}
	}
	return false, false
}

// related reports which of two tasks a file belongs to as parent or part.
func (d *doubled) related(s *task.State) (moved, sure bool) {
	x, y := names(d.Moved.state, s.ID), names(d.Kept.state, s.ID)
	return x, x != y
}

// names reports whether a task names another one as its parent or part.
func names(s *task.State, id task.ID) bool {
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
