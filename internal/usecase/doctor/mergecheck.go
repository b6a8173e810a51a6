package doctor

import (
	"context"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/merging"
	"baton/internal/workspace"
)

// MergeCheck looks for problems that a merge can cause: conflict markers, two tasks with one id,
// two sessions with one number in a task and its archive, and references to missing tasks.
// Every finding names its repair. MergeCheck also notes if git merges by lines here. It writes
// nothing. Errors: NotFound no_project, and errors of reading.
func (p Doctor) MergeCheck(ctx context.Context) (MergeCheck, error) {
	at, _, err := merging.Of(p.Workspace).MergePlaces(ctx, "merge.check")
	if err != nil {
		return MergeCheck{}, err
	}
	if at != p.Workspace {
		defer func() { _ = at.Close() }() // it was only read
	}
	c := mergeChecker{p: at, ctx: ctx, out: MergeCheck{Findings: []workspace.DoctorFinding{}}, two: map[string]bool{}}
	c.d = &doctor{p: at}
	for _, d := range workspace.LookDigests(at.Root, at.Env.Getenv) {
		for _, name := range [...]string{d.State, d.Archive, d.StateArchive} {
			if _, err := c.read(name); err != nil {
				return MergeCheck{}, err
			}
		}
	}
	if at.Found {
		if err := c.tasks(); err != nil {
			return MergeCheck{}, err
		}
	}
	if f, missing := p.driverMissing(ctx); missing {
		c.find(f, workspace.Remedy{Command: c.d.command("merge install", "")})
	}
	return c.out, ctx.Err()
}

type mergeChecker struct {
	p   *workspace.Workspace
	d   *doctor // builds the repair commands
	ctx context.Context
	out MergeCheck
	two map[string]bool // files with two tasks of one id, whose markers are reported as that
}

func (c *mergeChecker) find(f report.Finding, r workspace.Remedy) {
	c.out.Findings = append(
		c.out.Findings, workspace.DoctorFinding{Finding: f, Command: r.Command, Advice: r.Advice, Fixable: r.Fixable},
	)
}

// read returns a document, and reports conflict markers in it.
func (c *mergeChecker) read(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	doc, err := c.p.Store.Read(c.ctx, name)
	if err != nil || !doc.Exists {
		return nil, err
	}
	c.out.Files++
	c.markers(name, doc.Data)
	return doc.Data, nil
}

func (c *mergeChecker) markers(name string, data []byte) {
	if problem, bad := markdown.Unsafe(data); bad && problem.Code == report.CodeConflictMarkers && !c.two[name] {
		f := report.CodeConflictMarkers.Finding(name, problem.Line,
			"a merge left conflict markers here; baton does not change the file until you resolve them")
		c.find(f, adviceOn(f))
	}
}

// tasks examines all task files.
func (c *mergeChecker) tasks() error {
	type state struct {
		name string
		data []byte
	}
	var states []state
	found, err := merging.Of(c.p).DoubledTasks(
		c.ctx, c.p.Store,
		func(s *merging.TaskSide, data []byte) { states = append(states, state{name: s.Name, data: data}) },
	)
	if err != nil {
		return err
	}
	for _, one := range found {
		c.find(one.Finding(), one.Remedy(c.d.fixCommand()))
		if one.Inside {
			c.two[one.Moved.Name] = true
		}
	}
	known := map[task.ID]bool{}
	ids, err := c.p.Ids(c.ctx, c.p.Store)
	if err != nil {
		return err
	}
	for _, id := range ids {
		known[id] = true
	}
	for _, s := range states {
		c.out.Files++
		c.markers(s.name, s.data)
	}
	for _, id := range ids {
		if err := c.one(id, known); err != nil {
			return err
		}
	}
	return nil
}

// one examines the sessions of a task, and the tasks that it names.
func (c *mergeChecker) one(id task.ID, known map[task.ID]bool) error {
	l, err := c.p.LoadTask(c.ctx, c.p.Store, id)
	if report.KindOf(err) == report.NotFound { // a link to nothing
		return nil
	}
	if err != nil || c.two[l.Name] {
		return err
	}
	var old []byte
	if l.Outside == nil {
		if old, err = c.read(l.Archive); err != nil {
			return err
		}
	}
	c.out.Findings = append(c.out.Findings, merging.TwiceIn(l, old, c.p.FirstSeen(c.ctx, l.Name),
		c.d.fixCommand())...)
	missing := missingFamily(l.State, l.Name, known)
	for _, up := range l.State.Meta.Dependencies {
		if !known[up] {
			missing = append(missing, referenceMissing(l.State, l.Name, up, "a dependency"))
		}
	}
	for _, f := range missing {
		f.Severity = report.Severe
		c.find(f, advice(f.Code, nil))
	}
	return nil
}

// MergeCheck lists what has to be repaired after a merge.
type MergeCheck struct {
	Findings []workspace.DoctorFinding `json:"findings"`
	Files    int                       `json:"files"` // number of examined documents
}
