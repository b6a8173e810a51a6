package project

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/task"
)

// renumbering is one run over tasks that share their ids with others. It is planned in memory and written at its end.
type renumbering struct {
	p      *Project
	ctx    context.Context
	c      *change
	files  map[string]*numbered // state files by name
	order  []string
	writes map[string][]byte // archives and evidence by name
	like   map[string]string // new file → the one whose place it takes
	gone   []string          // files that have another name now
	sides  *mergeSides
	doubts map[task.ID][]doubt // by the new id of the task that may be meant
}

// doubt is a file that names one of two tasks, and nothing says which.
type doubt struct {
	id   task.ID
	name string
	deps bool // it waits for the task
}

// numbered is a state file on its way.
type numbered struct {
	was   []byte
	state *task.State
	dir   taskDir
	side  fromSide // where it is one of two tasks with one id
}

// renumberTasks gives every task whose id another one has the next free id, and takes along what names it (D40). What only a person
// can decide is left as it is, and the findings say where.
func (p *Project) renumberTasks(ctx context.Context, c *change) ([]DoctorFix, []report.Finding, error) {
	r := &renumbering{
		p: p, ctx: ctx, c: c, files: map[string]*numbered{}, writes: map[string][]byte{}, like: map[string]string{},
		sides: p.mergeSides(), doubts: map[task.ID][]doubt{},
	}
	found, err := p.doubledTasks(ctx, c.reader, func(s *taskSide, data []byte) {
		r.files[s.name] = &numbered{was: data, state: s.state, dir: s.dir}
		r.order = append(r.order, s.name)
	})
	if err != nil {
		return nil, nil, err
	}
	found = slices.DeleteFunc(found, func(d doubled) bool { return d.copy || d.why != "" })
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
	fixes, err := r.told(found, ids)
	return fixes, r.unsure(found, ids), err
}

// ids gives out the next free ids, as for new tasks (D21).
func (r *renumbering) ids(n int) ([]task.ID, error) {
	drafts := make([]*draft, n)
	for i := range drafts {
		drafts[i] = &draft{}
	}
	if _, err := r.p.numbered(r.ctx, r.c, r.p.dirs[0], drafts); err != nil {
		return nil, err
	}
	out := make([]task.ID, n)
	for i, d := range drafts {
		out[i] = d.id
	}
	return out, nil
}

// move gives one task its new id and its files their new names.
func (r *renumbering) move(d *doubled, to task.ID) error {
	archive := d.moved.dir.archive(to)
	next, err := d.moved.state.Renumber(to, archive)
	if err != nil {
		return located(err, d.moved.name)
	}
	name := d.moved.dir.state(to)
	r.files[name] = &numbered{state: next, dir: d.moved.dir, side: d.moved.side}
	r.order, r.like[name] = append(r.order, name), d.moved.name
	if kept := r.files[d.kept.name]; kept != nil {
		kept.state, kept.side = d.kept.state, d.kept.side
	}
	if !d.inside {
		delete(r.files, d.moved.name)
		r.gone = append(r.gone, d.moved.name)
	}
	if err := r.moveArchive(d, archive, to); err != nil {
		return err
	}
	return r.moveEvidence(d, to)
}

// moveArchive takes the archive along where it is this task's. One that both may use has sessions of one of them at most.
func (r *renumbering) moveArchive(d *doubled, name string, to task.ID) error {
	old := d.moved.archive()
	shared := old == d.kept.archive()
	if shared && !d.moved.archived() {
		return nil
	}
	doc, err := r.c.tx.Read(old)
	if err != nil || !doc.Exists {
		return err
	}
	if err := unsafeError(old, doc.Data); err != nil {
		return err
	}
	r.writes[name], r.like[name] = task.RenumberArchive(doc.Data, to), old
	r.gone = append(r.gone, old)
	return nil
}

// moveEvidence takes the evidence along. Where both tasks have one file, a line goes with the only task that has its criterion.
func (r *renumbering) moveEvidence(d *doubled, to task.ID) error {
	old, name := d.moved.dir.evidence(d.id), d.moved.dir.evidence(to)
	doc, err := r.c.tx.Read(old)
	if err != nil || !doc.Exists {
		return err
	}
	if old != d.kept.dir.evidence(d.kept.state.ID) {
		r.writes[name], r.like[name] = doc.Data, old
		r.gone = append(r.gone, old)
		return nil
	}
	var stay, leave []byte
	for line := range bytes.Lines(doc.Data) {
		var rec evidenceRecord
		if json.Unmarshal(line, &rec) == nil && hasKey(d.moved.state, rec.Criterion) && !hasKey(d.kept.state, rec.Criterion) {
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

// redirect lets the files that mean the task that moved name it by its new id.
func (r *renumbering) redirect(d *doubled, to task.ID) error {
	for _, name := range r.order {
		f := r.files[name]
		if f == nil || f.state.ID == to || !f.state.Names(d.id) {
			continue
		}
		moved, sure := r.meant(d, f, name)
		_, _, marked := task.Sides(f.state.Bytes())
		if !sure || moved && marked > 0 {
			r.doubts[to] = append(r.doubts[to], doubt{f.state.ID, name, slices.Contains(f.state.Meta.Dependencies, d.id)})
			continue
		}
		if !moved {
			continue
		}
		side := taskSide{name: name, dir: f.dir, state: f.state}
		archive := side.archive()
		var err error
		if f.state, err = f.state.Redirect(d.id, to); err != nil {
			return located(err, name)
		}
		data, planned := r.writes[archive]
		if !planned {
			doc, err := r.c.tx.Read(archive)
			if err != nil {
				return err
			}
			if data = doc.Data; !doc.Exists || unsafeError(archive, data) != nil {
				continue
			}
		}
		if next := task.RedirectArchive(data, d.id, to); planned || !bytes.Equal(next, data) {
			r.writes[archive] = next
		}
	}
	return nil
}

// meant says which of two tasks a file means: what it received tells first, then the side that it came from, then who is part of whom.
func (r *renumbering) meant(d *doubled, f *numbered, name string) (moved, sure bool) {
	if moved, sure = d.means(f.state, name); sure {
		return moved, sure
	}
	if moved, sure = r.sides.follows(r.ctx, d, f, name); sure {
		return moved, sure
	}
	return d.related(f.state)
}

// write puts everything into the transaction: what is new stands before anything goes.
func (r *renumbering) write() {
	put := func(name string, data []byte) {
		if like, made := r.like[name]; made {
			r.c.tx.CreateLike(name, data, like)
		} else {
			r.c.tx.Write(name, data)
		}
	}
	for _, name := range r.order {
		if f := r.files[name]; f != nil && !bytes.Equal(f.was, f.state.Bytes()) {
			put(name, f.state.Bytes())
		}
	}
	for _, name := range sortedKeys(r.writes) {
		put(name, r.writes[name])
	}
	for _, name := range r.gone {
		r.c.tx.Discard("", name)
	}
}

// told names what got which id, and where somebody should look.
func (r *renumbering) told(found []doubled, ids []task.ID) ([]DoctorFix, error) {
	var out []DoctorFix
	for i, d := range found {
		to := ids[i]
		text := "task " + d.id.Ref() + " " + d.moved.title() + " is task " + to.Ref() + " now"
		if d.id == d.kept.state.ID {
			text += ", and " + d.kept.title() + " keeps the number"
		}
		text += ": " + d.rule
		if unsure := r.doubts[to]; len(unsure) > 0 {
			text += "; " + naming(unsure) + " " + d.id.Ref() + ", and nothing says which of the two"
		}
		places, err := r.mentions(d.id, d.moved.dir.state(to))
		if err != nil {
			return nil, err
		}
		if len(places) > 0 {
			text += "; look at the text of " + strings.Join(places, ", ")
		}
		out = append(out, DoctorFix{"task_renumbered", d.moved.dir.state(to), text})
	}
	return out, nil
}

// naming puts together who names a task: "task #3 names", "tasks #3 and #5 name".
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

// unsure gives a finding for every file that goes on with the id although the other task may be meant.
func (r *renumbering) unsure(found []doubled, ids []task.ID) []report.Finding {
	var out []report.Finding
	for i, d := range found {
		for _, one := range r.doubts[ids[i]] {
			verb := " names "
			if one.deps {
				verb = " waits for "
			}
			out = append(out, report.Finding{
				Code: "reference_doubtful", Severity: report.Warning, Path: one.name,
				Text: "task " + one.id.Ref() + verb + d.id.Ref() + "; which of the two is meant: " + d.id.Ref() + " " + d.kept.title() +
					", or " + ids[i].Ref() + " " + d.moved.title() + "?",
			})
		}
	}
	return out
}

// mostMentions bounds the places that a sentence names.
const mostMentions = 5

// mentions gives the lines on which people write of an id, in the task that had it and in the digests.
func (r *renumbering) mentions(id task.ID, own string) ([]string, error) {
	var out []string
	add := func(name string, data []byte) {
		for _, n := range task.Mentions(data, id) {
			out = append(out, fmt.Sprintf("%s:%d", name, n))
		}
	}
	add(own, r.files[own].state.Bytes())
	for _, d := range lookDigests(r.p.root, r.p.env.Getenv) {
		doc, err := r.c.reader.Read(r.ctx, d.State)
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
