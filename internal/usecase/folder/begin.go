package folder

import (
	"context"
	"slices"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/statedir/declaration"
	"baton/internal/statedir/record"
	"baton/internal/workspace"
)

// reasonCopy is the reason for the record's copy in the snapshot of a begin: it lets people read
// and restore the previous workflow (5.8.4 step 3).
const reasonCopy = "copy"

// DirBegin begins a workflow (5.8.4). One transaction moves the files of earlier workflows to a
// snapshot and gives the record a new start and a new id. If type and task are those of the running
// workflow, that workflow continues and nothing happens. DirBegin fails with the errors of
// ForFolder, with Usage workflow_type_unknown, with Violation archive_invalid, with Conflict
// workflow_live, and with Refused if the record cannot be read.
func (p Folder) DirBegin(ctx context.Context, r BeginRequest) (BeginResult, error) {
	const op = "dir.begin"
	at, place, err := p.ForFolder(ctx, op, r.DirRequest)
	if err != nil {
		return BeginResult{}, err
	}
	kind, err := place.Contract.Words().Type(r.Type)
	if err != nil && place.Broken != nil {
		err = place.Broken // it may have the type
	}
	if err != nil {
		return BeginResult{}, workspace.InOp(err, op)
	}
	var out BeginResult
	var done *workspace.Change
	var began *record.Record
	notes, err := Of(at).folderWork(ctx, op, place, !r.DryRun, func(c *workspace.Change) error {
		done = c
		v, err := Of(at).viewIn(ctx, c, place)
		if err == nil {
			err = v.faulty
		}
		if err != nil {
			return err
		}
		c.Note(v.Caveats()...)
		c.Note(v.IgnoredLines()...)
		out, began, err = v.begin(ctx, c, kind, r)
		return err
	})
	if err != nil {
		return BeginResult{}, err
	}
	out.became(done)
	if !r.DryRun && !out.Resumed {
		Of(at).atWork(place, began, done.Now)
	}
	out.Warnings = append(out.Warnings, notes...)
	Of(at).shed(ctx, place, &out.DirSweep)
	return out, nil
}

// begin plans everything that a begin does. A dry run never commits it.
func (v *FolderView) begin(ctx context.Context, c *workspace.Change, kind string, r BeginRequest) (
	BeginResult, *record.Record, error,
) {
	if old := v.facts.Record; old != nil && !r.NewSession && old.Resumes(kind, r.Task) {
		out := BeginResult{DirSweep: v.sweepAnswer(cleanup.Plan{Sweep: statedir.SweepBegin}, false), Resumed: true}
		out, err := v.begun(out, old, v.facts.Entries)
		return out, old, err
	}
	a, err := v.archiveIn(ctx, c)
	if err == nil {
		err = v.guarded(ctx, c, r.Steal, !r.DryRun)
	}
	if err != nil {
		return BeginResult{}, nil, err
	}
	plan := cleanup.PlanBegin(v.place.Contract, v.facts, r.NewSession)
	left := v.without(plan.Moves)
	stamps, mark := v.stamping(ctx, c, left)
	next, err := record.Begin(v.facts.Record, kind, r.Task, r.NewSession, stamps, mark)
	if err != nil {
		return BeginResult{}, nil, inRecord(err, v.recordName())
	}
	out := BeginResult{DirSweep: v.sweepAnswer(plan, !r.DryRun)}
	c.Note(v.notes(next.Notes)...)
	snapshot := ""
	if len(plan.Moves) > 0 { // otherwise the record's copy would be alone; `baton snapshot` has it too
		snapshot = a.next(c.Now)
	}
	if !r.DryRun {
		v.keepRecord(c, a, snapshot, plan)
		v.write(c, next.Record)
	}
	v.tell(ctx, c, &out.DirSweep, a, snapshot)
	out, err = v.begun(out, next.Record, left)
	return out, next.Record, err
}

// keepRecord packs the snapshot of a begin with a copy of the record. The copy keeps the record's
// mode, owner and time (5.9), because it may be restored.
func (v *FolderView) keepRecord(c *workspace.Change, a *FolderArchive, snapshot string, plan cleanup.Plan) {
	switch {
	case snapshot == "":
		return
	case v.facts.Record == nil:
		v.pack(c, a, snapshot, plan)
		return
	}
	i := slices.IndexFunc(v.facts.Entries, func(e statedir.Entry) bool { return e.Name == record.FileName })
	copied := cleanup.ManifestEntry{
		Name: record.FileName, Kind: statedir.File, Size: int64(len(v.facts.Record.Bytes())),
		ModTime: c.Now.UTC().Format(time.RFC3339Nano),
		Bucket:  statedir.Canonical, Reason: reasonCopy, State: cleanup.StateMoved,
	}
	if i >= 0 {
		copied.ModTime = v.facts.Entries[i].ModTime.UTC().Format(time.RFC3339Nano)
	}
	v.pack(c, a, snapshot, plan, copied)
	c.Tx.CreateLike(a.dir(snapshot)+"/"+record.FileName, v.facts.Record.Bytes(), v.recordName())
}

// begun adds the record, and the files of an earlier workflow that are still in the folder
// (SD-D21).
func (v *FolderView) begun(out BeginResult, rec *record.Record, left []statedir.Entry) (BeginResult, error) {
	inherited := v.place.Contract.InheritedIn(declaration.Facts{Now: v.facts.Now, Entries: left, Record: rec})
	out.Inherited = []string{}
	for _, e := range left {
		if inherited(e) {
			out.Inherited = append(out.Inherited, workspace.ShownEntry(e.Name))
		}
	}
	slices.Sort(out.Inherited)
	if len(out.Inherited) > 0 {
		out.Warnings = append(out.Warnings, report.CodeInherited.Finding(v.place.Dir, 0,
			safetext.Count(len(out.Inherited), "file")+" of an earlier workflow stayed in "+v.place.Dir+
				"; they do not count as outputs of this one"))
	}
	var err error
	out.Record, err = rec.MarshalJSON()
	return out, err
}
