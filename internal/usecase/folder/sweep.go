package folder

import (
	"context"
	"slices"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/store"
	"baton/internal/workspace"
)

// sweeping is a requested sweep.
type sweeping struct {
	op      string
	request DirRequest
	apply   bool
	plan    func(*FolderView) cleanup.Plan
	ends    bool // it ends the workflow
	steal   bool
}

// DirCleanup moves everything that does not belong in the state folder to a snapshot (5.8.1), or
// returns what it would move. It fails with Usage days_invalid, with the errors of ForFolder, and
// with Refused or Violation archive_invalid if nothing can be moved. An entry that could not be
// moved stays and is not an error; its state in the answer says so.
func (p Folder) DirCleanup(ctx context.Context, r CleanupRequest) (DirSweep, error) {
	o := cleanup.CleanupOptions{StaleDays: -1}
	for _, limit := range [...]struct {
		days *int
		flag string
	}{{r.StaleDays, "--stale-days"}, {r.AdHocStaleDays, "--ad-hoc-stale-days"}} {
		if limit.days != nil && *limit.days < 0 {
			return DirSweep{}, &report.Error{
				Op: "dir.cleanup", Kind: report.Usage, Code: report.CodeDaysInvalid,
				Message: limit.flag + " cannot be below 0",
				Hint:    "give a whole number of days; 0 means all ages",
			}
		}
	}
	if r.StaleDays != nil {
		o.StaleDays = *r.StaleDays
	}
	if r.AdHocStaleDays != nil {
		o.AdHocStaleDays, o.AdHocLimit = *r.AdHocStaleDays, true
	}
	return p.runSweep(ctx, sweeping{
		op: "dir.cleanup", request: r.DirRequest, apply: r.Apply, plan: func(v *FolderView) cleanup.Plan {
			return cleanup.PlanCleanup(v.place.Contract, v.facts, o)
		},
	})
}

// DirReset moves everything that is not exempt to a snapshot (5.8.2), or returns what it would
// move. It fails with the errors of DirCleanup, and with Conflict workflow_live.
func (p Folder) DirReset(ctx context.Context, r SweepRequest) (DirSweep, error) {
	return p.runSweep(ctx, sweeping{
		op: "dir.reset", request: r.DirRequest, apply: r.Apply, plan: func(v *FolderView) cleanup.Plan {
			return cleanup.PlanReset(v.place.Contract, v.facts)
		},
		ends: true, steal: r.Steal,
	})
}

// DirEvict moves the marks and outputs of earlier workflows to a snapshot (5.8.3), or returns what
// it would move. It fails with the errors of DirCleanup.
func (p Folder) DirEvict(ctx context.Context, r SweepRequest) (DirSweep, error) {
	return p.runSweep(ctx, sweeping{
		op: "dir.evict", request: r.DirRequest, apply: r.Apply, plan: func(v *FolderView) cleanup.Plan {
			return cleanup.PlanEvict(v.place.Contract, v.facts)
		},
	})
}

// runSweep plans a sweep and, unless it is a dry run, carries it out as one transaction (SD-D9). A
// dry run plans exactly the same. If nothing has to move, it writes nothing and creates no snapshot
// and no folder.
func (p Folder) runSweep(ctx context.Context, s sweeping) (DirSweep, error) {
	at, place, err := p.ForFolder(ctx, s.op, s.request)
	if err != nil {
		return DirSweep{}, err
	}
	var out DirSweep
	var done *workspace.Change
	work := func(c *workspace.Change) error {
		done = c
		v, err := Of(at).viewIn(ctx, c, place)
		if err != nil {
			return err
		}
		a, err := v.archiveIn(ctx, c)
		if err == nil && s.ends {
			err = v.guarded(ctx, c, s.steal, s.apply)
		}
		if err != nil {
			return err
		}
		plan := s.plan(v)
		out = v.sweepAnswer(plan, s.apply)
		snapshot := ""
		if len(plan.Moves) > 0 {
			snapshot = a.next(c.Now)
		}
		if s.apply && snapshot != "" {
			v.pack(c, a, snapshot, plan)
		}
		v.tell(ctx, c, &out, a, snapshot)
		c.Note(v.Unread()...)
		c.Note(v.Caveats()...)
		return nil
	}
	notes, err := Of(at).folderWork(ctx, s.op, place, s.apply, work)
	if err != nil {
		return DirSweep{}, err
	}
	out.became(done)
	out.Warnings = append(out.Warnings, notes...)
	Of(at).shed(ctx, place, &out)
	return out, nil
}

// folderWork runs a use case of a state folder as one transaction, or as a plan without a lock and
// without writing. It returns the findings of the folder's configuration and of the change.
func (p Folder) folderWork(ctx context.Context, op string, place workspace.FolderPlace, apply bool,
	fn func(*workspace.Change) error,
) ([]report.Finding, error) {
	if !apply {
		tx := store.NewTx(ctx, p.Store)
		c := &workspace.Change{Tx: tx, Reader: tx.Reader(), Now: p.Now(), As: p.Holder(), Dry: true}
		if err := fn(c); err != nil {
			return nil, workspace.InOp(err, op)
		}
		return slices.Concat(p.folderFindings(place), c.Findings), nil
	}
	if err := place.Writable(op); err != nil {
		return nil, err
	}
	notes, err := p.Update(ctx, func(c *workspace.Change) error {
		if err := fn(c); err != nil {
			return err
		}
		return p.register(ctx, c, place)
	})
	if err != nil {
		return nil, workspace.InOp(err, op)
	}
	return slices.Concat(p.placeFindings(place), notes), nil
}

// folderFindings returns findings for every answer about a state folder: settings and a contract
// that cannot be read, and a second folder.
func (p Folder) folderFindings(place workspace.FolderPlace) []report.Finding {
	broken := p.Settings().Warnings()
	for i := range broken {
		if broken[i].Code != report.CodeConfigKey {
			broken[i].Text += "; until you correct it, nothing is written"
		}
	}
	return slices.Concat(broken, p.placeFindings(place))
}

// placeFindings returns folderFindings without those about the settings, which every change has.
func (p Folder) placeFindings(place workspace.FolderPlace) []report.Finding {
	return slices.Concat(place.Doubts(), p.FolderSettings(place).findings)
}

// sweepAnswer converts a plan to the answer.
func (v *FolderView) sweepAnswer(plan cleanup.Plan, apply bool) DirSweep {
	out := DirSweep{
		Layout: v.place.Layout, Folder: v.place.Dir, Sweep: plan.Sweep, Applied: apply,
		Entries: make([]SweptEntry, 0, len(plan.Moves)),
		Counts:  map[string]int{}, Kept: append([]cleanup.Kept{}, plan.Kept...), Dropped: []string{},
		Due:     []string{},
		Running: v.running(), Warnings: append([]report.Finding{}, v.Skewed()...),
	}
	for _, m := range plan.Moves {
		e := SweptEntry{
			Kind: m.Entry.Kind, Size: m.Entry.Size, Bucket: m.Class.Bucket, Reason: m.Reason,
			State: cleanup.StateWouldMove,
		}
		e.Name, e.NameBytes = statedir.ShownName(m.Entry.Name)
		out.Entries = append(out.Entries, e)
		out.Bytes += e.Size
	}
	if len(out.Entries) > 0 {
		out.Counts[cleanup.StateWouldMove] = len(out.Entries)
	}
	return out
}

// tell adds the snapshot and the older snapshots beyond its ring to the answer. A dry run creates
// no snapshot but counts the one that it would create.
func (v *FolderView) tell(ctx context.Context, c *workspace.Change, out *DirSweep, a *FolderArchive, snapshot string) {
	if snapshot != "" && !c.Dry {
		out.Snapshot = &snapshot
	}
	out.Due = a.due(ctx, c.Reader, Of(v.at).FolderSettings(v.place).Runs, snapshot)
	if out.Sweep == statedir.SweepBegin && v.facts.Record != nil {
		return // the snapshot stays even if no entry moves, because it contains the copy of the record
	}
	c.Unmoved = func() []string { return []string{} }
}

// became adds the outcomes of the entries to the answer, one for each in their order. A sweep that
// moved nothing has no outcomes and no snapshot.
func (s *DirSweep) became(done *workspace.Change) {
	if !s.Applied {
		return
	}
	outcomes := done.Outcomes
	s.Bytes, s.Counts = 0, map[string]int{}
	for i := range s.Entries {
		e := &s.Entries[i]
		e.State = cleanup.StateFailed
		if i < len(outcomes) {
			e.State, e.Error = stateOf(outcomes[i].State, false), outcomes[i].Error
		}
		s.Counts[e.State]++
		if e.State == cleanup.StateMoved {
			s.Bytes += e.Size
		}
	}
	if s.Counts[cleanup.StateMoved] == 0 && done.Unmoved != nil {
		s.Snapshot, s.Due = nil, done.Unmoved()
	}
}

// Unread warns that the record cannot be read. Sweeps that depend on it then move nothing that may
// belong to a running workflow.
func (v *FolderView) Unread() []report.Finding {
	if v.faulty == nil {
		return nil
	}
	return []report.Finding{report.CodeRecordUnreadable.Finding(v.recordName(), 0, v.faulty.Error())}
}
