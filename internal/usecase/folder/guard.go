package folder

import (
	"context"
	"encoding/json"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir/record"
	"baton/internal/workspace"
)

// workersFile is a cache in the runtime folder that says who works in which state folder. The
// record has no field for that, and the original tool would not know one.
const workersFile = "workflows.json"

// worker is who last began or updated the workflow of a folder.
type worker struct {
	ID string    `json:"id"` // of the workflow
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// workers returns what is known, by folder. A cache that cannot be read knows nothing.
func (p Folder) workers() map[string]worker {
	known := map[string]worker{}
	if data, err := p.Store.ReadCache(workersFile); err == nil {
		_ = json.Unmarshal(data, &known) // it is a cache
	}
	return known
}

// atWork notes that the caller works on the workflow of a folder. A fault costs only the guard.
func (p Folder) atWork(place workspace.FolderPlace, rec *record.Record, now time.Time) {
	if rec == nil || p.O.Rehearsal != nil {
		return
	}
	known := p.workers()
	if rec.Active() {
		known[place.Dir] = worker{ID: rec.Text("workflow_id"), By: p.Holder(), At: now.UTC()}
	} else {
		delete(known, place.Dir)
	}
	if data, err := json.Marshal(known); err == nil {
		_ = p.Store.WriteCache(workersFile, data)
	}
}

// guarded refuses to end the workflow of somebody else who is still at work on it (F-75): Conflict
// workflow_live. A dry run only says so. steal takes it over.
func (v *FolderView) guarded(ctx context.Context, c *workspace.Change, steal, apply bool) error {
	rec := v.facts.Record
	if steal || rec == nil {
		return nil
	}
	if err := v.lanesAtWork(ctx, c, "add --steal", apply); err != nil || !rec.Active() {
		return err
	}
	p := Of(v.at)
	who, known := p.workers()[v.place.Dir]
	if !known || who.By == c.As || who.ID != rec.Text("workflow_id") {
		return nil
	}
	seen := who.At
	if item := v.items[record.FileName]; item.ModTime.After(seen) {
		seen = item.ModTime
	}
	if c.Now.Sub(seen) > p.Settings().Lease() {
		return nil
	}
	e := &report.Error{
		Kind: report.Conflict, Code: report.CodeWorkflowLive, Path: v.recordName(),
		Message: safetext.Line(who.By) + " is at work on " + safetext.Quote(safetext.Line(rec.Text("task"))) + " in " +
			v.place.Dir,
		Hint:    "wait until it ends, or add --steal to end it now",
		Details: map[string]any{"holder": who.By, "workflow_id": who.ID, "seen": record.MomentText(seen)},
	}
	if apply {
		return e
	}
	c.Note(report.CodeWorkflowLive.Finding(e.Path, 0, e.Message+"; --steal ends it").As(report.Warning))
	return nil
}
