package project

import (
	"context"
	"slices"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/store"
)

// sweeping is a sweep that was asked for.
type sweeping struct {
	op      string
	request DirRequest
	apply   bool
	plan    func(*folderView) statedir.Plan
}

// DirCleanup moves what has no place in the state folder to a snapshot (5.8.1), or says what it would move. Usage
// days_invalid; the errors of forFolder; Refused and Violation archive_invalid when nothing can be moved. An entry that
// could not be moved stays where it is and is no error: its state in the answer says so.
func (p *Project) DirCleanup(ctx context.Context, r CleanupRequest) (DirSweep, error) {
	o := statedir.CleanupOptions{StaleDays: -1}
	for _, limit := range [...]struct {
		days *int
		flag string
	}{{r.StaleDays, "--stale-days"}, {r.AdHocStaleDays, "--ad-hoc-stale-days"}} {
		if limit.days != nil && *limit.days < 0 {
			return DirSweep{}, &report.Error{
				Op: "dir.cleanup", Kind: report.Usage, Code: "days_invalid",
				Message: limit.flag + " cannot be below 0", Hint: "give a whole number of days; 0 takes everything that is older than now",
			}
		}
	}
	if r.StaleDays != nil {
		o.StaleDays = *r.StaleDays
	}
	if r.AdHocStaleDays != nil {
		o.AdHocStaleDays, o.AdHocLimit = *r.AdHocStaleDays, true
	}
	return p.runSweep(ctx, sweeping{"dir.cleanup", r.DirRequest, r.Apply, func(v *folderView) statedir.Plan {
		return v.place.contract.Cleanup(v.facts, o)
	}})
}

// DirReset moves everything that is not exempt to a snapshot (5.8.2), or says what it would move; errors as DirCleanup.
func (p *Project) DirReset(ctx context.Context, r SweepRequest) (DirSweep, error) {
	return p.runSweep(ctx, sweeping{"dir.reset", r.DirRequest, r.Apply, func(v *folderView) statedir.Plan {
		return v.place.contract.Reset(v.facts)
	}})
}

// DirEvict moves the marks and outputs of earlier workflows to a snapshot (5.8.3), or says what it would move; errors as
// DirCleanup.
func (p *Project) DirEvict(ctx context.Context, r SweepRequest) (DirSweep, error) {
	return p.runSweep(ctx, sweeping{"dir.evict", r.DirRequest, r.Apply, func(v *folderView) statedir.Plan {
		return v.place.contract.Evict(v.facts)
	}})
}

// runSweep plans a sweep and, unless it is a dry run, carries it out as one transaction (SD-D9). Both plan alike; nothing
// to move is no write, no snapshot and no folder.
func (p *Project) runSweep(ctx context.Context, s sweeping) (DirSweep, error) {
	at, place, err := p.forFolder(ctx, s.op, s.request)
	if err != nil {
		return DirSweep{}, err
	}
	var out DirSweep
	var done *change
	work := func(c *change) error {
		done = c
		v, err := at.viewIn(ctx, c, place)
		if err != nil {
			return err
		}
		a, err := v.archiveIn(ctx, c)
		if err != nil {
			return err
		}
		plan := s.plan(v)
		out = v.sweepAnswer(plan, s.apply)
		snapshot := ""
		if len(plan.Moves) > 0 {
			snapshot = a.next(plan.Sweep, c.now)
		}
		if s.apply && snapshot != "" {
			v.pack(c, a, snapshot, plan)
		}
		v.tell(ctx, c, &out, a, snapshot)
		c.note(v.unread()...)
		c.note(v.caveats()...)
		return nil
	}
	notes, err := at.folderWork(ctx, s.op, place, s.apply, work)
	if err != nil {
		return DirSweep{}, err
	}
	out.became(done)
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// folderWork runs a use case of a state folder: as one transaction, or as a plan that takes no lock and leaves no trace.
// The findings of the folder's configuration come back with those of the change.
func (p *Project) folderWork(ctx context.Context, op string, place folderPlace, apply bool, fn func(*change) error) ([]report.Finding, error) {
	if !apply {
		tx := store.NewTx(ctx, p.store)
		c := &change{tx: tx, reader: tx.Reader(), now: p.now(), as: p.holder(), dry: true}
		if err := fn(c); err != nil {
			return nil, inOp(err, op)
		}
		return slices.Concat(p.folderFindings(place), c.findings), nil
	}
	if err := place.writable(op); err != nil {
		return nil, err
	}
	notes, err := p.update(ctx, func(c *change) error {
		if err := fn(c); err != nil {
			return err
		}
		return p.register(ctx, c, place)
	})
	if err != nil {
		return nil, inOp(err, op)
	}
	return slices.Concat(p.folderFindings(place), notes), nil
}

// writable refuses a write while it is open which folder is meant, or what its contract is.
func (f folderPlace) writable(op string) error {
	if err := f.chosen(op); err != nil {
		return err
	}
	if f.broken != nil {
		return inOp(f.broken, op)
	}
	return nil
}

// inOp names the operation in an error that does not; nil is no error.
func inOp(err error, op string) error {
	if err == nil {
		return nil
	}
	e := *report.As(err)
	if e.Op == "" {
		e.Op = op
	}
	return &e
}

// folderFindings is what every answer about a state folder tells besides: settings and contract that cannot be read, and
// a second folder.
func (p *Project) folderFindings(place folderPlace) []report.Finding {
	broken := p.config().warnings()
	for i := range broken {
		broken[i].Text += "; until it is mended nothing is written"
	}
	return slices.Concat(broken, place.doubts(), p.folderSettings(place).findings)
}

// sweepAnswer puts a plan into the words of the answer.
func (v *folderView) sweepAnswer(plan statedir.Plan, apply bool) DirSweep {
	out := DirSweep{
		Layout: v.place.Layout, Folder: v.place.Dir, Sweep: plan.Sweep, Applied: apply, Entries: make([]SweptEntry, 0, len(plan.Moves)),
		Counts: map[string]int{}, Spared: append([]statedir.Spared{}, plan.Spared...), Dropped: []string{}, Due: []string{},
		Running: v.running(), Warnings: append([]report.Finding{}, v.skewed()...),
	}
	for _, m := range plan.Moves {
		e := SweptEntry{Kind: m.Entry.Kind, Size: m.Entry.Size, Bucket: m.Class.Bucket, Reason: m.Reason, State: statedir.StateWouldMove}
		e.Name, e.NameBytes = statedir.ShownName(m.Entry.Name)
		out.Entries = append(out.Entries, e)
		out.Bytes += e.Size
	}
	if len(out.Entries) > 0 {
		out.Counts[statedir.StateWouldMove] = len(out.Entries)
	}
	return out
}

// tell adds the snapshot, and what lies beyond the ring with it. A dry run has none, and reckons with the one that it would make.
func (v *folderView) tell(ctx context.Context, c *change, out *DirSweep, a *folderArchive, snapshot string) {
	if snapshot != "" && !c.dry {
		out.Snapshot = &snapshot
	}
	runs := v.at.folderSettings(v.place).Runs
	out.Due = a.due(ctx, c.reader, out.Sweep, runs, snapshot)
	if out.Sweep == statedir.SweepBegin && v.facts.Record != nil {
		return // the copy of the record is in the snapshot, whatever becomes of the entries
	}
	sweep := out.Sweep
	c.unmoved = func() []string { return a.due(ctx, v.at.store, sweep, runs, "") }
}

// became takes what became of the entries in: one outcome for each, in their order. A sweep that moved nothing in the end
// has none, and no snapshot either.
func (s *DirSweep) became(done *change) {
	if !s.Applied {
		return
	}
	outcomes := done.outcomes
	s.Bytes, s.Counts = 0, map[string]int{}
	for i := range s.Entries {
		e := &s.Entries[i]
		e.State = statedir.StateFailed
		if i < len(outcomes) {
			e.State, e.Error = stateOf(outcomes[i].State, false), outcomes[i].Error
		}
		s.Counts[e.State]++
		if e.State == statedir.StateMoved {
			s.Bytes += e.Size
		}
	}
	if s.Counts[statedir.StateMoved] == 0 && done.unmoved != nil {
		s.Snapshot, s.Due = nil, done.unmoved()
	}
}

// unread warns that the record cannot be read: sweeps that go by it take nothing of a workflow that may be running.
func (v *folderView) unread() []report.Finding {
	if v.faulty == nil {
		return nil
	}
	return []report.Finding{{
		Code: "record_unreadable", Severity: report.Warning, Path: v.recordName(), Text: v.faulty.Error(),
	}}
}
