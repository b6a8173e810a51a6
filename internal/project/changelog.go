package project

import (
	"context"
	"fmt"
	"path"
	"slices"

	"baton/internal/report"
	"baton/internal/store/filestore"
	"baton/internal/task"
)

// ChangeLog gives what baton did here, the newest first, and what hooks noted that somebody else did; or, with Check, whether the log is
// what was written. It takes no lock. Errors: Usage id_invalid or since_invalid;
// NotFound no_project; Violation log_altered; Refused.
func (p *Project) ChangeLog(ctx context.Context, r ChangeLogRequest) (ChangeLog, error) {
	const op = "log"
	id, err := wantedTask(r.Task)
	if err != nil {
		return ChangeLog{}, inOp(err, op)
	}
	from, err := sinceMoment(r.Since, p.now())
	if err != nil {
		return ChangeLog{}, inOp(err, op)
	}
	if err := p.needAny(op); err != nil {
		return ChangeLog{}, err
	}
	all, faults, err := p.store.Changes(ctx, 0)
	if err != nil {
		return ChangeLog{}, inOp(err, op)
	}
	out := ChangeLog{Changes: []LoggedChange{}, Task: string(id), Warnings: append([]report.Finding{}, p.config().warnings()...)}
	if len(all) > 0 {
		out.Begun = stamp(all[0].At)
	}
	if r.Check {
		out.Check, err = checkedLog(all, faults)
		return out, inOp(err, op)
	}
	for _, f := range faults {
		out.Warnings = append(out.Warnings, report.Finding{
			Code: "log_altered", Severity: report.Warning, Path: logPath(f), Line: f.Line, Text: "the log is not what was written: " + f.Text,
		})
	}
	if !from.IsZero() {
		out.From = stamp(from)
	}
	b := p.logbook(ctx, p.store, all)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].At.Before(from) || id != "" && !ofTask(all[i], id) {
			continue
		}
		if idleLook(all[i]) {
			out.LeftOut++
			continue
		}
		if out.Total++; r.Limit <= 0 || len(out.Changes) < r.Limit {
			out.Changes = append(out.Changes, b.view(i))
		}
	}
	return out, nil
}

// idleLook says that a record only tells how documents look that nobody changed, as a census writes it.
func idleLook(c filestore.Change) bool {
	return c.Accepted == 0 && c.Outside() && !slices.ContainsFunc(c.Docs, func(d filestore.DocChange) bool { return d.Before != d.After })
}

func wantedTask(text string) (task.ID, error) {
	if text == "" {
		return "", nil
	}
	return task.ParseID(text)
}

// ofTask tells whether a change was one of a file of a task, its state, its archive or its evidence, or of its claim.
func ofTask(c filestore.Change, id task.ID) bool {
	claimed := slices.ContainsFunc(c.Claims, func(s filestore.ClaimStep) bool { return s.Task == string(id) })
	return claimed || slices.ContainsFunc(c.Docs, func(d filestore.DocChange) bool {
		of, ok := task.IDOfFile(path.Base(d.Name))
		return ok && of == id
	})
}

func logPath(f filestore.LogFault) string { return runtimeDir + "/" + f.File }

// checkedLog is the answer of --check: Violation log_altered names the first place that is wrong.
func checkedLog(all []filestore.Change, faults []filestore.LogFault) (*LogCheck, error) {
	if len(faults) > 0 {
		f := faults[0]
		e := &report.Error{
			Kind: report.Violation, Code: "log_altered", Path: logPath(f), Line: f.Line,
			Message: "the log is not what was written, " + logPath(f) + line(f.Line) + ": " + f.Text,
			Hint: "the records before that line hold, and a new chain begins with the next change; to be rid of the fault, move the file away. " +
				"`baton snapshot list` has the versions of the documents themselves",
		}
		places := make([]string, 0, len(faults))
		for _, f := range faults {
			places = append(places, fmt.Sprintf("%s:%d: %s", logPath(f), f.Line, f.Text))
		}
		e.Details = map[string]any{"faults": places}
		if n := len(faults) - 1; n > 0 {
			e.Message += ", and " + plural(n, "more place")
		}
		return nil, e
	}
	out := &LogCheck{Records: len(all)}
	for i := range all {
		if all[i].Broken {
			out.Anew++
		}
		out.Last = all[i].Sum
	}
	return out, nil
}
