package folder

import (
	"slices"

	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/statedir/record"
	"baton/internal/store"
	"baton/internal/workspace"
)

// relocate adds the moves to the transaction. Until they are done, the manifest calls the entries
// planned. After a crash the next writer completes moves and manifest.
func (j *Restore) relocate(c *workspace.Change) {
	if len(j.moving) == len(j.items) {
		// If everything moves out, the empty folder is removed, and the manifest with it.
		c.Tx.Discard(j.A.dir(j.snapshot), j.A.manifest(j.snapshot))
	}
	if len(j.moving) == 0 {
		return
	}
	if j.swap {
		j.putAside(c)
	}
	moving := map[string]bool{}
	for _, i := range j.moving {
		name := j.raw(i)
		moving[name] = true
		c.Tx.Relocate(store.Relocation{
			From: j.A.dir(j.snapshot), To: j.V.place.Dir, Name: name, Seen: j.items[name], Always: true,
		})
	}
	if j.manifest == nil {
		return
	}
	under := *j.manifest
	under.Complete, under.Entries = false, slices.Clone(j.manifest.Entries)
	for i := range under.Entries {
		if e := &under.Entries[i]; moving[e.RawName()] {
			e.State, e.Error = cleanup.StatePlanned, ""
		}
	}
	c.Tx.Write(j.A.manifest(j.snapshot), under.Encode())
	c.Tx.RecordOutcomes(j.A.manifest(j.snapshot))
}

func (j *Restore) raw(i int) string {
	if raw := j.out.Entries[i].NameBytes; raw != nil {
		return string(raw)
	}
	return j.out.Entries[i].Name
}

// putAside packs the present record into a snapshot of its own. That snapshot is removed again if
// the record cannot be moved.
func (j *Restore) putAside(c *workspace.Change) {
	item := j.V.items[record.FileName]
	entry := entryOf(item)
	plan := cleanup.Plan{
		Sweep: statedir.SweepRestore, Moves: []cleanup.Planned{
			{Entry: entry, Class: j.V.class(entry), Reason: reasonSwapped},
		},
	}
	made := j.A.next(c.Now)
	manifest := cleanup.NewManifest(plan, j.V.place.Dir, c.Now, j.V.facts.Record, j.V.links())
	c.Tx.Create(j.A.manifest(made), manifest.Encode())
	c.Tx.RecordOutcomes(j.A.manifest(made))
	c.Tx.Discard(j.A.dir(made), j.A.manifest(made))
	c.Tx.Relocate(store.Relocation{From: j.V.place.Dir, To: j.A.dir(made), Name: entry.Name, Seen: item, Always: true})
	j.aside, j.out.Swapped = made, &made
}

// became adds the outcomes of the moves to the answer.
func (j *Restore) became(outcomes []store.Outcome) {
	if j.aside != "" {
		if len(outcomes) == 0 || outcomes[0].State != store.Moved {
			j.out.Swapped = nil
		}
		outcomes = outcomes[min(1, len(outcomes)):]
	}
	for n, i := range j.moving {
		e := &j.out.Entries[i]
		e.State = cleanup.StateFailed
		if n < len(outcomes) {
			e.State, e.Error = stateOf(outcomes[n].State, true), outcomes[n].Error
		}
	}
}
