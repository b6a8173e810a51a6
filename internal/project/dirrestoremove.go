package project

import (
	"slices"

	"baton/internal/statedir"
	"baton/internal/store"
)

// relocate puts the moves into the transaction. While they are under way the manifest has them as planned; a crash leaves
// it to the next writer to complete both.
func (j *restore) relocate(c *change) {
	if len(j.moving) == len(j.items) {
		// What is empty afterwards goes, the manifest only together with the folder.
		c.tx.Discard(j.a.dir(j.snapshot), j.a.manifest(j.snapshot))
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
		c.tx.Relocate(store.Relocation{From: j.a.dir(j.snapshot), To: j.v.place.Dir, Name: name, Seen: j.items[name], Always: true})
	}
	if j.manifest == nil {
		return
	}
	under := *j.manifest
	under.Complete, under.Entries = false, slices.Clone(j.manifest.Entries)
	for i := range under.Entries {
		if e := &under.Entries[i]; moving[e.RawName()] {
			e.State, e.Error = statedir.StatePlanned, ""
		}
	}
	c.tx.Write(j.a.manifest(j.snapshot), under.Encode())
	c.tx.Settle(j.a.manifest(j.snapshot))
}

func (j *restore) raw(i int) string {
	if raw := j.out.Entries[i].NameBytes; raw != nil {
		return string(raw)
	}
	return j.out.Entries[i].Name
}

// putAside packs the record that is in the way into a snapshot of its own, which does not stay when the record does.
func (j *restore) putAside(c *change) {
	item := j.v.items[statedir.RecordName]
	entry := entryOf(item)
	plan := statedir.Plan{Sweep: statedir.SweepRestore, Moves: []statedir.Planned{{Entry: entry, Class: j.v.class(entry), Reason: reasonSwapped}}}
	made := statedir.SnapshotName(plan.Sweep, c.now, func(name string) bool { return j.a.names[name] })
	manifest := statedir.NewManifest(plan, j.v.place.Dir, c.now, j.v.facts.Record, j.v.links())
	c.tx.Create(j.a.manifest(made), manifest.Encode())
	c.tx.Settle(j.a.manifest(made))
	c.tx.Discard(j.a.dir(made), j.a.manifest(made))
	c.tx.Relocate(store.Relocation{From: j.v.place.Dir, To: j.a.dir(made), Name: entry.Name, Seen: item, Always: true})
	j.aside, j.out.Swapped = made, &made
}

// became takes what became of the entries into the answer.
func (j *restore) became(outcomes []store.Outcome) {
	if j.aside != "" {
		if len(outcomes) == 0 || outcomes[0].State != store.Moved {
			j.out.Swapped = nil
		}
		outcomes = outcomes[min(1, len(outcomes)):]
	}
	for n, i := range j.moving {
		e := &j.out.Entries[i]
		e.State = statedir.StateFailed
		if n < len(outcomes) {
			e.State, e.Error = stateOf(outcomes[n].State, true), outcomes[n].Error
		}
	}
}
