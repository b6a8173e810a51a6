package merging

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/renumber"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// renumbering gives new ids to tasks that share theirs with others. It plans everything in memory
// and writes it at the end.
type renumbering struct {
	p      *workspace.Workspace
	ctx    context.Context
	c      *workspace.Change
	files  map[string]*numbered // state files by name
	order  []string
	writes map[string][]byte // archives and evidence by name
	like   map[string]string // new file → the file that it replaces
	gone   []string          // files that were renamed
	sides  *mergeSides
	doubts map[task.ID][]doubt // by the new id of the task that may be meant
}

// doubt is a file that refers to one of two tasks, but nobody can tell which.
type doubt struct {
	id   task.ID
	name string
	deps bool // it depends on the task
}

// numbered is a state file during renumbering.
type numbered struct {
	was   []byte
	state *task.State
	dir   workspace.TaskDir
	side  fromSide // set for one of two tasks with the same id
}

// RenumberTasks gives every task that shares its id the next free one, and updates the references
// to it (D40). References that only a person can decide are left alone, and findings name them.
func (p Merging) RenumberTasks(
	ctx context.Context, c *workspace.Change,
) ([]workspace.DoctorFix, []report.Finding, error) {
	r := &renumbering{
		p: p.Workspace, ctx: ctx, c: c, files: map[string]*numbered{}, writes: map[string][]byte{},
		like:  map[string]string{},
		sides: p.mergeSides(), doubts: map[task.ID][]doubt{},
	}
	found, err := p.DoubledTasks(ctx, c.Reader, func(s *TaskSide, data []byte) {
		r.files[s.Name] = &numbered{was: data, state: s.state, dir: s.dir}
		r.order = append(r.order, s.Name)
	})
	if err != nil {
		return nil, nil, err
	}
	found = slices.DeleteFunc(found, func(d doubled) bool { return d.Copy || d.Why != "" })
	if len(found) == 0 {
		return nil, nil, nil
	}
	ids, err := r.ids(len(found))
	if err != nil {
		return nil, nil, err
	}
	for i := range found {
		if err := r.move(&found[i], ids[i]); err != nil {
			return nil, nil, err
		}
	}
	for i := range found {
		if err := r.redirect(&found[i], ids[i]); err != nil {
			return nil, nil, err
		}
	}
	r.write()
	fixes, err := r.fixes(found, ids)
	return fixes, r.unsure(found, ids), err
}

// ids reserves the next free ids, as for new tasks (D21).
func (r *renumbering) ids(n int) ([]task.ID, error) {
	drafts := make([]*tasks.Draft, n)
	for i := range drafts {
		drafts[i] = &tasks.Draft{}
	}
	if _, err := tasks.Of(r.p).Numbered(r.ctx, r.c, r.p.Dirs[0], drafts); err != nil {
		return nil, err
	}
	out := make([]task.ID, n)
	for i, d := range drafts {
		out[i] = d.Id
	}
	return out, nil
}

// move gives one task its new id, and its files new names.
func (r *renumbering) move(d *doubled, to task.ID) error {
	archive := d.Moved.dir.ArchiveFile(to)
	next, err := renumber.Task(d.Moved.state, to, archive)
	if err != nil {
		return workspace.Located(err, d.Moved.Name)
	}
	name := d.Moved.dir.StateFile(to)
	r.files[name] = &numbered{state: next, dir: d.Moved.dir, side: d.Moved.side}
	r.order, r.like[name] = append(r.order, name), d.Moved.Name
	if kept := r.files[d.Kept.Name]; kept != nil {
		kept.state, kept.side = d.Kept.state, d.Kept.side
	}
	if !d.Inside {
		delete(r.files, d.Moved.Name)
		r.gone = append(r.gone, d.Moved.Name)
	}
	if err := r.moveArchive(d, archive, to); err != nil {
		return err
	}
	return r.moveEvidence(d, to)
}

// moveArchive moves the archive along if it belongs to this task. An archive that both may use
// contains sessions of at most one of them.
func (r *renumbering) moveArchive(d *doubled, name string, to task.ID) error {
	old := d.Moved.archive()
	shared := old == d.Kept.archive()
	if shared && !d.Moved.archived() {
		return nil
	}
	doc, err := r.c.Tx.Read(old)
	if err != nil || !doc.Exists {
		return err
	}
	if err := workspace.UnsafeError(old, doc.Data); err != nil {
		return err
	}
	r.writes[name], r.like[name] = renumber.Archive(doc.Data, to), old
	r.gone = append(r.gone, old)
	return nil
}

// moveEvidence moves the evidence along. If both tasks share one file, a line moves if only the
// moved task has its criterion.
func (r *renumbering) moveEvidence(d *doubled, to task.ID) error {
	old, name := d.Moved.dir.EvidenceFile(d.Id), d.Moved.dir.EvidenceFile(to)
	doc, err := r.c.Tx.Read(old)
	if err != nil || !doc.Exists {
		return err
	}
	if old != d.Kept.dir.EvidenceFile(d.Kept.state.ID) {
		r.writes[name], r.like[name] = doc.Data, old
		r.gone = append(r.gone, old)
		return nil
	}
	var stay, leave []byte
	for line := range bytes.Lines(doc.Data) {
		var rec tasks.EvidenceRecord
		if json.Unmarshal(line, &rec) == nil && hasKey(d.Moved.state, rec.Criterion) &&
			!hasKey(d.Kept.state, rec.Criterion) {
			leave = append(leave, line...)
		} else {
			stay = append(stay, line...)
		}
	}
	if len(leave) == 0 {
		return nil
	}
	r.writes[name], r.like[name] = leave, old
	if r.writes[old] = stay; len(stay) == 0 {
		delete(r.writes, old)
		r.gone = append(r.gone, old)
	}
	return nil
}

func hasKey(s *task.State, key string) bool {
	return slices.ContainsFunc(s.Criteria, func(c task.Criterion) bool { return c.Key == key })
}

// redirect changes files that refer to the moved task to its new id.
func (r *renumbering) redirect(d *doubled, to task.ID) error {
	for _, name := range r.order {
		f := r.files[name]
		if f == nil || f.state.ID == to || !renumber.Names(f.state, d.Id) {
			continue
		}
		moved, sure := r.meant(d, f, name)
		_, _, marked := renumber.Sides(f.state.Bytes())
		if !sure || moved && marked > 0 {
			r.doubts[to] = append(
				r.doubts[to], doubt{f.state.ID, name, slices.Contains(f.state.Meta.Dependencies, d.Id)},
			)
			continue
		}
		if !moved {
			continue
		}
		side := TaskSide{Name: name, dir: f.dir, state: f.state}
		archive := side.archive()
		var err error
		if f.state, err = renumber.Redirect(f.state, d.Id, to); err != nil {
			return workspace.Located(err, name)
		}
		data, planned := r.writes[archive]
		if !planned {
			doc, err := r.c.Tx.Read(archive)
			if err != nil {
				return err
			}
			if data = doc.Data; !doc.Exists || workspace.UnsafeError(archive, data) != nil {
				continue
			}
		}
		if next := renumber.RedirectArchive(data, d.Id, to); planned || !bytes.Equal(next, data) {
			r.writes[archive] = next
		}
	}
	return nil
}

// meant reports which of two tasks a file refers to. Received inputs decide first, then the side
// that the file came from, then parents and parts.
func (r *renumbering) meant(d *doubled, f *numbered, name string) (moved, sure bool) {
	if moved, sure = d.means(f.state, name); sure {
		return moved, sure
	}
	if moved, sure = r.sides.follows(r.ctx, d, f, name); sure {
		return moved, sure
	}
	return d.related(f.state)
}

// write adds everything to the transaction. New files come first, before any are removed.
func (r *renumbering) write() {
	put := func(name string, data []byte) {
		if like, made := r.like[name]; made {
			r.c.Tx.CreateLike(name, data, like)
		} else {
			r.c.Tx.Write(name, data)
		}
	}
	for _, name := range r.order {
		if f := r.files[name]; f != nil && !bytes.Equal(f.was, f.state.Bytes()) {
			put(name, f.state.Bytes())
		}
	}
	for _, name := range workspace.SortedKeys(r.writes) {
		put(name, r.writes[name])
	}
	for _, name := range r.gone {
		r.c.Tx.Discard("", name)
	}
}

// fixes describes which task got which id, and where a person should look.
func (r *renumbering) fixes(found []doubled, ids []task.ID) ([]workspace.DoctorFix, error) {
	var out []workspace.DoctorFix
	for i, d := range found {
		to := ids[i]
		text := "task " + d.Id.Ref() + " " + d.Moved.title() + " is now task " + to.Ref()
		if d.Id == d.Kept.state.ID {
			text += ", and " + d.Kept.title() + " keeps the number"
		}
		text += ": " + d.rule
		if unsure := r.doubts[to]; len(unsure) > 0 {
			text += "; " + naming(unsure) + " " + d.Id.Ref() + ", and baton cannot tell which of the two"
		}
		places, err := r.mentions(d.Id, d.Moved.dir.StateFile(to))
		if err != nil {
			return nil, err
		}
		if len(places) > 0 {
			text += "; also check the text of " + strings.Join(places, ", ")
		}
		out = append(out, workspace.DoctorFix{
			Code: report.CodeTaskRenumbered, Path: d.Moved.dir.StateFile(to),
			Text: text,
		})
	}
	return out, nil
}

// naming names the tasks that refer to another one: "task #3 names", "tasks #3 and #5 name".
func naming(doubts []doubt) string {
	refs := make([]string, len(doubts))
	for i, one := range doubts {
		refs[i] = one.id.Ref()
	}
	last := len(refs) - 1
	if last == 0 {
		return "task " + refs[0] + " names"
	}
	return "tasks " + strings.Join(refs[:last], ", ") + " and " + refs[last] + " name"
}

// unsure returns a finding for every file that keeps the id although it may refer to the other
// task.
func (r *renumbering) unsure(found []doubled, ids []task.ID) []report.Finding {
	var out []report.Finding
	for i, d := range found {
		for _, one := range r.doubts[ids[i]] {
			verb := " names "
			if one.deps {
				verb = " waits for "
			}
			out = append(out, report.CodeReferenceDoubtful.Finding(one.name, 0,
				"task "+one.id.Ref()+verb+d.Id.Ref()+"; which of the two is meant: "+d.Id.Ref()+" "+
					d.Kept.title()+", or "+ids[i].Ref()+" "+d.Moved.title()+"?"))
		}
	}
	return out
}

// mostMentions is the largest number of places that a sentence names.
const mostMentions = 5

// mentions returns the lines in prose that mention an id, in the task that had it and in the
// digests.
func (r *renumbering) mentions(id task.ID, own string) ([]string, error) {
	var out []string
	add := func(name string, data []byte) {
		for _, n := range renumber.Mentions(data, id) {
			out = append(out, fmt.Sprintf("%s:%d", name, n))
		}
	}
	add(own, r.files[own].state.Bytes())
	for _, d := range workspace.LookDigests(r.p.Root, r.p.Env.Getenv) {
		doc, err := r.c.Reader.Read(r.ctx, d.State)
		if err != nil {
			return nil, err
		}
		add(d.State, doc.Data)
	}
	if n := len(out); n > mostMentions {
		out = append(out[:mostMentions], fmt.Sprintf("and %d more", n-mostMentions))
	}
	return out, nil
}
