package digests

import (
	"context"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/workspace"
)

// specflowStep makes one of the two steps that SpecFlow shares with GSD: a pause writes the bullet
// Last Pause, and a resume removes it (specflow.md 5.15). The answer contains the status of the
// first active specification.
func (p Digests) specflowStep(ctx context.Context, r TransitionRequest) (TransitionResult, error) {
	var out TransitionResult
	op := "state." + r.Event
	change, err := p.changeDigest(ctx, op, []string{workspace.LayoutSpecflow}, func(d *DigestChange) error {
		out = TransitionResult{Event: r.Event, NextPhases: []string{}}
		doc := specflow.Parse(d.Text)
		var done specflow.Edited
		var err error
		if r.Event == "pause" {
			d.Stops = true
			done, err = doc.Pause(d.Now, r.Text)
		} else {
			done, err = doc.Resume()
		}
		if err != nil {
			return InDigest(err, op, d.Place)
		}
		d.TookSpecflow(done)
		if active := specflow.Parse(d.Text).Model().Active; len(active) > 0 {
			out.Status, out.NextAction = active[0].Status, active[0].Next
		}
		return nil
	})
	if err != nil {
		return TransitionResult{}, err
	}
	out.StateChange = change
	return out, nil
}

// specflowSync updates the rows of Execution Status from the files of execution/ (specflow.md 5.15,
// D22). With Check nothing is written; if something would change, the answer comes with Violation
// out_of_sync.
func (p Digests) specflowSync(ctx context.Context, r StateSyncRequest) (StateSyncResult, error) {
	const op = "state.sync"
	if r.Check {
		return p.checkSpecflowSync(ctx, op)
	}
	change, err := p.changeDigest(ctx, op, []string{workspace.LayoutSpecflow}, func(d *DigestChange) error {
		files, findings, err := ReadExecutions(ctx, d.Reader, d.Place)
		if err != nil {
			return err
		}
		d.Note(findings...)
		done, err := specflow.Parse(d.Text).SyncExecution(files)
		if err != nil {
			return InDigest(err, op, d.Place)
		}
		d.TookSpecflow(done)
		return d.Shelve(op, "Archived Execution Status", done.Gone)
	})
	if err != nil {
		return StateSyncResult{}, err
	}
	return StateSyncResult{StateChange: change}, nil
}

// Shelve moves the rows that an edit removes to the archive, under a heading of their own. Nothing
// is deleted, because such a row may be the only record of an execution.
func (d *DigestChange) Shelve(op, title string, gone specflow.Gone) error {
	text, rows, err := gone.Shelve(d.archive, title)
	if err != nil {
		e := *report.As(err)
		e.Op, e.Path = op, d.Place.Archive
		return &e
	}
	d.archive = text
	for _, r := range rows {
		d.moves = append(d.moves, decision.Move{Lost: r.Lost, Gained: r.Gained})
	}
	return nil
}

// checkSpecflowSync returns what a sync would change. It takes no lock and writes nothing.
func (p Digests) checkSpecflowSync(ctx context.Context, op string) (StateSyncResult, error) {
	d, doc, _, err := p.readSpecflow(ctx, op)
	if err != nil {
		return StateSyncResult{}, err
	}
	if err := workspace.UnsafeError(d.Place.State, d.Data); err != nil {
		return StateSyncResult{}, err
	}
	files, findings, err := ReadExecutions(ctx, d.At.Store, d.Place)
	if err != nil {
		return StateSyncResult{}, err
	}
	done, err := doc.SyncExecution(files)
	if err != nil {
		return StateSyncResult{}, InDigest(err, op, d.Place)
	}
	out := StateSyncResult{StateChange: d.planned(done), Check: true}
	out.Warnings = append(out.Warnings, findings...)
	if len(done.Changed) > 0 {
		return out, outOfSync(op, d.Place.State, out.Changed)
	}
	return out, nil
}

// ReadExecutions reads the states of executions. A broken one counts as a file, and becomes a
// finding.
func ReadExecutions(
	ctx context.Context, r store.Reader, place workspace.DigestPlace,
) ([]specflow.ExecutionFile, []report.Finding, error) {
	dir := place.Dir + "/execution"
	entries, err := r.List(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	var out []specflow.ExecutionFile
	var findings []report.Finding
	for _, entry := range entries {
		id := specflow.ExecutionID(entry.Name)
		if entry.Dir || id == "" {
			continue
		}
		name := workspace.Join(dir, entry.Name)
		file := specflow.ExecutionFile{ID: id}
		doc, err := r.Read(ctx, name)
		if err == nil {
			file, err = specflow.ReadExecution(entry.Name, doc.Data)
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			findings = append(findings, report.CodeExecutionInvalid.Finding(name, 0,
				name+" cannot be read: "+safetext.Line(err.Error())))
		}
		file.Path = name
		out = append(out, file)
	}
	return out, findings, nil
}

// specflowFacts gathers what the findings of a SpecFlow digest need to know about the files around
// it (specflow.md 5.17). It also returns what is wrong with these files.
func (p Digests) specflowFacts(
	ctx context.Context, r store.Reader, d *DigestDoc,
) (specflow.Facts, []report.Finding, error) {
	facts := specflow.Facts{CellCap: p.Policy(d.Place).CellCap}
	files, findings, err := ReadExecutions(ctx, r, d.Place)
	if err != nil {
		return facts, nil, err
	}
	facts.Execution = files
	if facts.Specs, err = specNames(ctx, r, d.Place.Dir+"/specs"); err != nil {
		return facts, nil, err
	}
	more, err := pauseFindings(ctx, r, d.Place)
	return facts, append(findings, more...), err
}

// mostPauses is how many pause files may be left before a finding suggests to clean up
// (specflow.md 5.15).
const mostPauses = 5

// pauseFindings looks at the files of pauses. It reports a .continue-here whose state file is gone
// (SF-44), and many files of earlier pauses.
func pauseFindings(ctx context.Context, r store.Reader, place workspace.DigestPlace) ([]report.Finding, error) {
	var out []report.Finding
	name := place.Dir + "/.continue-here"
	doc, err := r.Read(ctx, name)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil && doc.Exists {
		file, err := specflow.ReadContinue(doc.Data)
		switch {
		case err != nil:
			out = append(out, report.CodeContinueInvalid.Finding(name, 0, name+" is not JSON"))
		case file != "" && !hasDocument(ctx, r, file) && !hasDocument(ctx, r, place.Dir+"/"+file):
			out = append(out, report.CodeContinueMissing.Finding(name, 0,
				name+" points to "+safetext.Line(file)+", which does not exist"))
		}
	}
	entries, err := r.List(ctx, place.Dir+"/sessions")
	if err != nil {
		return nil, err
	}
	pauses := 0
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name, "PAUSE-") && strings.HasSuffix(entry.Name, ".md") {
			pauses++
		}
	}
	if pauses > mostPauses {
		out = append(out, report.CodeManyPauses.Finding(place.Dir+"/sessions", 0,
			safetext.Count(pauses, "file")+" of pauses are in "+place.Dir+"/sessions; the newest is enough"))
	}
	return out, nil
}

// hasDocument reports whether a document with that name can be read below the root.
func hasDocument(ctx context.Context, r store.Reader, name string) bool {
	part, err := r.Head(ctx, name, 1)
	return err == nil && part.Exists
}
