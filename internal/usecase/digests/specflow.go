package digests

import (
	"context"

	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// changeSpecflow makes one change of a SpecFlow digest (SF-D37). The change is stamped and rotated
// like any other.
func (p Digests) changeSpecflow(
	ctx context.Context, op string, fn func(*specflow.Doc) (specflow.Edited, error),
) (StateChange, error) {
	return p.changeDigest(ctx, op, []string{workspace.LayoutSpecflow}, func(d *DigestChange) error {
		done, err := fn(specflow.Parse(d.Text))
		if err != nil {
			return InDigest(err, op, d.Place)
		}
		d.TookSpecflow(done)
		return nil
	})
}

// readSpecflow reads a SpecFlow digest for a command that exists only there.
func (p Digests) readSpecflow(ctx context.Context, op string) (*DigestDoc, *specflow.Doc, []report.Finding, error) {
	d, err := p.readDigest(ctx, op, workspace.LayoutSpecflow)
	if err != nil {
		return nil, nil, nil, err
	}
	return d, specflow.Parse(d.Data), append([]report.Finding{}, d.findings...), nil
}

// InDigest adds the operation and the file to an error of the pure room.
func InDigest(err error, op string, place workspace.DigestPlace) error {
	e := *report.As(err)
	if e.Op == "" {
		e.Op = op
	}
	if e.Path == "" {
		e.Path = place.State
	}
	return &e
}

// ActiveList returns the active specifications of a SpecFlow digest in any form (specflow.md 5.3).
func (p Digests) ActiveList(ctx context.Context) (ActiveList, error) {
	d, doc, findings, err := p.readSpecflow(ctx, "state.active.list")
	if err != nil {
		return ActiveList{}, err
	}
	m := doc.Model()
	return ActiveList{Path: d.Place.State, Form: m.Form, Active: m.Active, Warnings: findings}, nil
}

// ActiveResolve returns the active specification that is meant: the named one, or else the only one
// (specflow.md 5.11). If there is none, or if there are several, that is an answer and not an
// error.
func (p Digests) ActiveResolve(ctx context.Context, id string) (ActiveResolved, error) {
	d, doc, _, err := p.readSpecflow(ctx, "state.active.resolve")
	if err != nil {
		return ActiveResolved{}, err
	}
	r := doc.Resolve(id)
	if err := d.titles(ctx, r.Options); err != nil {
		return ActiveResolved{}, err
	}
	return ActiveResolved{Action: r.Action, ID: r.ID, Code: r.Code, Options: r.Options}, nil
}

// titles gives active specifications the titles in their files. A title in the digest stays for one
// whose file has none.
func (d *DigestDoc) titles(ctx context.Context, active []specflow.Active) error {
	if len(active) == 0 {
		return nil
	}
	files, _, err := d.specFiles(ctx, "specs")
	for i := range active {
		for _, f := range files {
			if f.Title != "" && (specflow.SameID(f.ID, active[i].ID) || specflow.SameID(f.base, active[i].ID)) {
				active[i].Title = f.Title
				break
			}
		}
	}
	return err
}

// ActiveChange adds, sets or removes an active specification (specflow.md 5.6.1, 5.6.2). It fails
// with Violation single_active if another one is active and the digest has room for one, and with
// NotFound spec_not_active if there is nothing to remove.
func (p Digests) ActiveChange(ctx context.Context, r ActiveRequest) (StateChange, error) {
	op := "state.active." + r.Verb
	return p.changeSpecflow(ctx, op, func(d *specflow.Doc) (specflow.Edited, error) {
		switch r.Verb {
		case "add":
			return d.AddActive(r.ID, r.Status, r.Next, r.Replace)
		case "set":
			return d.ChangeActive(r.ID, r.Status, r.Next)
		case "remove":
			return d.RemoveActive(r.ID)
		}
		return specflow.Edited{}, unknownVerb(op, r.Verb)
	})
}

func unknownVerb(op, verb string) error {
	return &report.Error{Op: op, Kind: report.Usage, Code: report.CodeVerbUnknown, Message: "there is no action " +
		safetext.Quote(verb), Hint: "the actions are add, remove, and set or move"}
}

// QueueList returns the queue of a SpecFlow digest, whatever the names of its columns
// (specflow.md 5.5.5).
func (p Digests) QueueList(ctx context.Context) (QueueList, error) {
	d, doc, findings, err := p.readSpecflow(ctx, "state.queue.list")
	if err != nil {
		return QueueList{}, err
	}
	m := doc.Model()
	out := QueueList{
		Path: d.Place.State, Columns: doc.QueueColumns(), Queue: doc.Queue(), Form: m.Form, Active: []string{},
		Warnings: findings,
	}
	for _, a := range m.Active {
		out.Active = append(out.Active, a.ID)
	}
	return out, nil
}

// QueueNext returns the first row of the queue that is not done and waits for no other row. If
// there is no such row, the list is empty.
func (p Digests) QueueNext(ctx context.Context) (QueueList, error) {
	out, err := p.QueueList(ctx)
	if err != nil {
		return out, err
	}
	row, ok := specflow.NextInQueue(out.Queue)
	if out.Queue = []specflow.QueueRow{}; ok {
		out.Queue = append(out.Queue, row)
	}
	return out, nil
}

// QueueChange adds, removes or moves a row of the queue (specflow.md 5.6.3, 5.11). It fails with
// NotFound spec_not_queued, and with Conflict spec_queued for an id that is in the queue with
// another title.
func (p Digests) QueueChange(ctx context.Context, r QueueRequest) (StateChange, error) {
	op := "state.queue." + r.Verb
	return p.changeSpecflow(ctx, op, func(d *specflow.Doc) (specflow.Edited, error) {
		switch r.Verb {
		case "add":
			return d.AddQueue(specflow.QueueEntry{ID: r.ID, Title: r.Title, Priority: r.Priority, After: r.After})
		case "remove":
			return d.RemoveQueue(r.ID)
		case "move":
			return d.MoveQueue(r.ID, r.To)
		}
		return specflow.Edited{}, unknownVerb(op, r.Verb)
	})
}

// Migrate moves the active specification of form A or B into the table of form C
// (specflow.md 5.6.4). Without apply it returns what would change and writes nothing. A digest in
// form C, or in no form, has nothing to migrate.
func (p Digests) Migrate(ctx context.Context, apply bool) (MigrateResult, error) {
	const op = "state.migrate"
	if !apply {
		return p.migration(ctx, op)
	}
	var out MigrateResult
	change, err := p.changeSpecflow(ctx, op, func(doc *specflow.Doc) (specflow.Edited, error) {
		out = MigrateResult{From: doc.Model().Form, Applied: true}
		return doc.Migrate()
	})
	if err != nil {
		return MigrateResult{}, err
	}
	out.StateChange = change
	return out, nil
}

// migration returns what a migration would change. It takes no lock and writes nothing.
func (p Digests) migration(ctx context.Context, op string) (MigrateResult, error) {
	d, doc, _, err := p.readSpecflow(ctx, op)
	if err != nil {
		return MigrateResult{}, err
	}
	if err := workspace.UnsafeError(d.Place.State, d.Data); err != nil {
		return MigrateResult{}, err
	}
	done, err := doc.Migrate()
	if err != nil {
		return MigrateResult{}, InDigest(err, op, d.Place)
	}
	return MigrateResult{StateChange: d.planned(done), From: doc.Model().Form}, nil
}

// planned returns the answer for an edit of a SpecFlow digest that is not written.
func (d *DigestDoc) planned(e specflow.Edited) StateChange {
	out := StateChange{
		Layout: d.Place.Layout, Path: d.Place.State, Changed: stateFields(
			e.Changed,
		), Lines: NewLines(d.Data, e.Text), Preserved: []Preserved{},
		Rotation: d.measured(), Warnings: append([]report.Finding{}, d.findings...),
	}
	out.Rotation.ActiveRows = d.Place.ActiveRows(e.Text)
	out.Warnings = append(out.Warnings, workspace.Placed(e.Findings, d.Place.State)...)
	return out
}
