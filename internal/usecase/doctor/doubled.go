package doctor

import (
	"context"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/task/renumber"
	"baton/internal/usecase/merging"
	"baton/internal/workspace"
)

// ofDoubled looks for tasks that two clones created under one number, and reports each pair as one
// finding.
func (d *doctor) ofDoubled(ctx context.Context) error {
	if !d.p.Found {
		return nil
	}
	found, err := merging.Of(d.p).DoubledTasks(ctx, d.p.Store, func(*merging.TaskSide, []byte) {})
	if err != nil {
		return d.fault(ctx, err, "")
	}
	for _, one := range found {
		if one.Copy {
			continue // already reported as duplicate_task_file or case_clash; no number is taken twice
		}
		d.add(one.Finding(), one.Remedy(d.fixCommand()))
		for _, side := range [...]*merging.TaskSide{one.Kept, one.Moved} {
			d.settled[doctorSight{code: report.CodeDuplicateTaskFile, path: side.Name}] = true
		}
		d.torn[one.Moved.Name] = d.torn[one.Moved.Name] || one.Inside
		if one.Why == "" {
			d.doubled[strings.ToLower(string(one.Id))] = true
		}
	}
	return nil
}

// ofTwice looks for sessions with the same number.
func (d *doctor) ofTwice(ctx context.Context, l *workspace.Loaded, archive []byte) {
	found := merging.TwiceIn(l, archive, d.p.FirstSeen(ctx, l.Name), d.fixCommand())
	for _, f := range found {
		d.add(f.Finding, workspace.Remedy{Command: f.Command, Advice: f.Advice, Fixable: f.Fixable})
	}
	if len(found) == 0 {
		return
	}
	d.settled[doctorSight{code: report.CodeSessionNumberDuplicate, path: l.Name}] = true
	if found[0].Fixable {
		d.twice = append(d.twice, l.ID)
	}
}

// ofFiled looks for sessions that are in the task file and, with the same words, in the archive.
// Somebody saved an earlier text of the file after they had moved, or a squash merge brought them
// back.
func (d *doctor) ofFiled(l *workspace.Loaded, text []byte) {
	n := len(archive.Filed(text, l.State))
	if n == 0 || workspace.UnsafeError(l.Name, l.Doc.Data) != nil || l.Doc.Outside {
		return
	}
	d.warn(report.CodeSessionInArchive, l.Name, safetext.Count(n, "session")+" of task "+l.ID.Ref()+" "+
		safetext.Noun(n, "is", "are")+" also in "+l.Archive, workspace.Remedy{Command: d.fixCommand(), Fixable: true})
	d.filed = append(d.filed, l.ID)
}

// ofID checks that title and metadata have the id of the file's name, which is authoritative
// (TS-35). --fix corrects the title or the metadata if two of the three agree on the file's id, or
// if the other id belongs to another task. Otherwise the file's name itself may be wrong.
func (d *doctor) ofID(l *workspace.Loaded, known map[task.ID]bool) {
	title, line := renumber.TitleID(l.State)
	meta := task.ID(l.State.Meta.TaskID)
	inTitle, inMeta := title != "" && title != l.ID, meta != "" && meta != l.ID
	if !inTitle && !inMeta {
		return
	}
	fixable := (!inTitle || known[title] || meta == l.ID) && (!inMeta || known[meta] || title == l.ID) &&
		workspace.UnsafeError(l.Name, l.Doc.Data) == nil && !l.Doc.Outside
	r := advice(report.CodeTaskIDMismatch, nil)
	if fixable {
		r = workspace.Remedy{Command: d.fixCommand(), Fixable: true}
		d.misread = append(d.misread, l.ID)
	}
	if inTitle {
		d.add(report.CodeTaskIDMismatch.Finding(l.Name, line,
			"the title is of task "+title.Ref()+", but the file is named after "+l.ID.Ref()+", and "+
				"the file's name decides"), r)
	}
	for _, f := range l.Warnings() {
		if f.Code == report.CodeTaskIDMismatch {
			d.add(f, r)
		}
	}
	d.settled[doctorSight{code: report.CodeTaskIDMismatch, path: l.Name}] = true
}

// ofFamily looks for parents and parts without a file. Closed tasks are skipped.
func (d *doctor) ofFamily(a workspace.All, known map[task.ID]bool) {
	for _, h := range a.Tasks {
		if h.Fault == nil && !workspace.Closed(h.Status()) {
			for _, f := range missingFamily(h.State, h.Name, known) {
				d.add(f, advice(f.Code, nil))
			}
		}
	}
}

// missingFamily returns a finding for a missing parent and for every missing part.
func missingFamily(s *task.State, name string, known map[task.ID]bool) []report.Finding {
	var out []report.Finding
	look := func(id task.ID, what string) {
		if id != "" && !known[id] {
			out = append(out, referenceMissing(s, name, id, what))
		}
	}
	look(s.Meta.Parent, "its parent")
	for _, id := range s.Meta.Children {
		look(id, "a part")
	}
	return out
}

func referenceMissing(s *task.State, name string, id task.ID, what string) report.Finding {
	return report.CodeReferenceMissing.Finding(name, 0,
		"task "+s.ID.Ref()+" names "+id.Ref()+" as "+what+", but there is no such task")
}

// renumber repairs tasks that two clones created under one number, and wrong ids in titles and
// metadata. Other repairs skip a task whose id belongs to two tasks, because its id is ambiguous
// until this change is made.
func (t *treatment) renumber(ctx context.Context, c *workspace.Change) error {
	fixed := func(repair func() ([]workspace.DoctorFix, error)) error {
		return t.safely(ctx, t.p, c, "", func() error {
			fixes, err := repair()
			t.fixes = append(t.fixes, fixes...)
			return err
		})
	}
	if len(t.doubled) > 0 {
		if err := fixed(func() (fixes []workspace.DoctorFix, err error) {
			fixes, t.doubts, err = merging.Of(t.p).RenumberTasks(ctx, c)
			return fixes, err
		}); err != nil {
			return err
		}
	}
	for _, id := range t.single(t.misread) {
		if err := fixed(func() ([]workspace.DoctorFix, error) { return Of(t.p).rightID(ctx, c, id) }); err != nil {
			return err
		}
	}
	for _, id := range t.single(t.twice) {
		if err := fixed(func() ([]workspace.DoctorFix, error) {
			return merging.Of(t.p).RenumberSessions(ctx, c, id)
		}); err != nil {
			return err
		}
	}
	return nil
}

// single returns the ids that belong to one task only.
func (d *doctor) single(ids []task.ID) []task.ID {
	var out []task.ID
	for _, id := range ids {
		if !d.doubled[strings.ToLower(string(id))] {
			out = append(out, id)
		}
	}
	return out
}

// rightID writes the id of the file's name into title and metadata of a task.
func (p Doctor) rightID(ctx context.Context, c *workspace.Change, id task.ID) ([]workspace.DoctorFix, error) {
	l, err := p.LoadForWrite(ctx, c, id)
	if err != nil {
		return nil, err
	}
	next, err := renumber.Task(l.State, id, "")
	if err != nil || string(next.Bytes()) == string(l.State.Bytes()) {
		return nil, workspace.Located(err, l.Name)
	}
	return []workspace.DoctorFix{{
		Code: report.CodeTaskIDMismatch, Path: l.Name,
		Text: "title and metadata now say " + id.Ref() + ", like the file's name",
	}}, p.WriteTask(c, l, next)
}
