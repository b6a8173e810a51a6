package tasks

import (
	"context"
	"slices"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/importing"
	"baton/internal/workspace"
)

// ImportListRequest requests the tasks of a list that the project does not have yet.
type ImportListRequest struct {
	List  *importing.List
	Name  string  // of the file, for messages
	Each  NewTask // Epic, Repository, PRD, Agent, Priority, From and Dialect of every task, unless ""
	Apply bool    // create them
}

// ImportReport says what became of the items that are no new tasks.
type ImportReport struct {
	Format    string           `json:"format"`  // checklist, json, github, beads, backlog or taskmaster
	Applied   bool             `json:"applied"` // false: nothing was written
	Present   []ImportPresent  `json:"present"`
	Done      int              `json:"done"`      // items left out, because they are done
	Dropped   int              `json:"dropped"`   // items left out, because they are cancelled or deleted
	Satisfied int              `json:"satisfied"` // dependencies on items that are done
	NoPlace   []importing.Loss `json:"no_place"`
}

// ImportPresent is an item that was imported before.
type ImportPresent struct {
	ID     task.ID `json:"id"`
	Title  string  `json:"title"`
	Source string  `json:"source"`
	// the task was deleted, so it does not come back, and no task waits for it
	Deleted bool `json:"deleted,omitempty"`
}

// ImportList creates the open items of a list as tasks, in one transaction. An item whose source a
// task has already is there, and stays as it is. Without Apply, the answer says what it would
// create. It fails as NewTasks does, with Usage value_invalid for items with the same key, and with
// Violation dependency_cycle.
func (p Tasks) ImportList(ctx context.Context, r ImportListRequest) (NewResult, error) {
	links, err := r.List.Links()
	if err != nil {
		return NewResult{}, importing.InFile(err, r.Name)
	}
	dir, err := p.NewDir()
	if err != nil {
		return NewResult{}, err
	}
	if err := p.Folders(importing.Op); err != nil {
		return NewResult{}, err
	}
	if err := p.Settings().Fault(); err != nil {
		return NewResult{}, err
	}
	in := importer{p: p, r: &r, links: links, losses: r.List.Losses()}
	out, drafts, err := in.look(ctx)
	if err != nil {
		return NewResult{}, importing.InFile(err, r.Name)
	}
	graph, err := p.Numbered(ctx, &workspace.Change{Reader: p.Store, Now: p.Now()}, dir, drafts)
	if err != nil {
		return NewResult{}, importing.InFile(err, r.Name)
	}
	for _, d := range drafts {
		if err := p.foundKnown(ctx, d, drafts); err != nil {
			return NewResult{}, err
		}
	}
	if !r.Apply || len(drafts) == 0 {
		for _, d := range drafts {
			out.Tasks = append(out.Tasks, Created{
				ID: d.Id, Title: d.task.Title, Path: d.name, Ready: graph.IsReady(d.Id, nil),
				Dependencies: append([]task.ID{}, d.after...), Inputs: []task.ID{},
			})
		}
		return out, nil
	}
	plan := func(c *workspace.Change) error {
		if out, drafts, err = in.look(ctx); err != nil || len(drafts) == 0 {
			return err
		}
		return p.create(ctx, c, dir, drafts, &out)
	}
	notes, lost, err := p.PreferShared(ctx, plan)
	if err != nil {
		return NewResult{}, importing.InFile(err, r.Name)
	}
	out.Warnings = slices.Concat(out.Warnings, p.begun(), notes, CounterLost(lost))
	return out, p.FoundNow()
}

// importer compares a list with the project.
type importer struct {
	p      Tasks
	r      *ImportListRequest
	links  []importing.Link
	losses []importing.Loss
}

// look finds the items that the project has, and drafts the others.
func (in *importer) look(ctx context.Context) (NewResult, []*Draft, error) {
	list := in.r.List
	rep := &ImportReport{Format: list.Format, Applied: in.r.Apply, Present: []ImportPresent{}}
	out := NewResult{Tasks: []Created{}, Import: rep, Warnings: []report.Finding{}}
	there, err := in.sources(ctx)
	if err != nil {
		return out, nil, err
	}
	lost := importing.List{}
	for _, loss := range in.losses {
		lost.Lose(loss.What, loss.Count)
	}
	made := make([]*Draft, len(list.Items))
	var drafts []*Draft
	for i := range list.Items {
		it := &list.Items[i]
		switch old := there[it.Source]; {
		case it.State == importing.Done:
			rep.Done++
		case it.State == importing.Dropped:
			rep.Dropped++
		case old != nil:
			rep.Present = append(rep.Present, *old)
		default:
			if made[i], err = in.p.drafted(in.request(it)); err != nil {
				return out, nil, inItem(err, it)
			}
			drafts = append(drafts, made[i])
		}
	}
	for i, d := range made {
		if d != nil {
			in.connect(d, i, made, there, &lost, rep)
		}
	}
	rep.NoPlace = lost.Losses()
	return out, drafts, nil
}

// sources returns the tasks of the project by where they were imported from, deleted ones included.
func (in *importer) sources(ctx context.Context) (map[string]*ImportPresent, error) {
	there := map[string]*ImportPresent{}
	for _, dir := range in.p.archives() {
		entries, err := in.p.Store.List(ctx, dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			id, is := task.IDOfStateFile(e.Name)
			if !is || e.Dir {
				continue
			}
			doc, err := in.p.Store.Read(ctx, dir+"/"+e.Name)
			if err != nil {
				return nil, err
			}
			if s := task.Parse(id, doc.Data); s.Meta.Source != "" {
				there[s.Meta.Source] = &ImportPresent{ID: id, Title: s.Title, Source: s.Meta.Source, Deleted: true}
			}
		}
	}
	all, _, err := in.p.LoadAll(ctx, in.p.Store)
	for _, h := range all {
		if h.State != nil && h.State.Meta.Source != "" {
			there[h.State.Meta.Source] = &ImportPresent{ID: h.ID, Title: h.State.Title, Source: h.State.Meta.Source}
		}
	}
	return there, err
}

// request returns the task that an item asks for.
func (in *importer) request(it *importing.Item) NewTask {
	t, each := newTask(it.Request), &in.r.Each
	for _, f := range [...]struct{ to, from *string }{
		{&t.Epic, &each.Epic},
		{&t.Repository, &each.Repository},
		{&t.PRD, &each.PRD},
		{&t.Agent, &each.Agent},
		{&t.Priority, &each.Priority},
		{&t.From, &each.From},
		{&t.Dialect, &each.Dialect},
	} {
		if *f.from != "" {
			*f.to = *f.from
		}
	}
	return t
}

// connect lets a draft wait for other drafts and for tasks that are there.
func (in *importer) connect(
	d *Draft, i int, made []*Draft, there map[string]*ImportPresent, lost *importing.List, rep *ImportReport,
) {
	link, list := &in.links[i], in.r.List
	rep.Satisfied += link.Met
	known := func(old *ImportPresent) {
		if old.Deleted {
			lost.Lose("dependencies on deleted tasks", 1)
		} else if !slices.Contains(d.after, old.ID) {
			d.after = append(d.after, old.ID)
		}
	}
	for _, up := range link.After {
		if made[up] != nil {
			d.behind = append(d.behind, made[up])
		} else if old := there[list.Items[up].Source]; old != nil {
			known(old)
		}
	}
	for _, key := range link.Elsewhere {
		if old := there[list.Prefix+key]; old != nil {
			known(old)
		} else {
			lost.Lose("dependencies on items that are not in the file", 1)
		}
	}
	d.fixed = slices.Clone(d.after)
	switch old := there[list.Prefix+list.Items[i].Found]; {
	case link.Found >= 0 && made[link.Found] != nil:
		d.during = made[link.Found]
	case list.Items[i].Found != "" && old != nil && !old.Deleted && d.task.From == "":
		d.task.From = old.ID
	case list.Items[i].Found != "":
		lost.Lose("links to the items during which others were found", 1)
	}
}

// inItem adds to an error which item it is about.
func inItem(err error, it *importing.Item) error {
	e := report.As(err)
	if e == nil || it.Place == "" {
		return err
	}
	named := *e
	named.Message = it.Place + ": " + e.Message
	return &named
}

// given returns the dependencies on tasks that have ids of their own.
func (d *Draft) given() []task.ID {
	if len(d.behind) > 0 {
		return d.fixed
	}
	return d.after
}

// linked gives a draft its dependencies on other drafts, once these have ids.
func (d *Draft) linked() {
	if len(d.behind) > 0 {
		d.after = slices.Clone(d.fixed)
		for _, up := range d.behind {
			if !slices.Contains(d.fixed, up.Id) {
				d.after = append(d.after, up.Id)
			}
		}
	}
	if d.during != nil {
		d.task.From = d.during.Id
	}
}
