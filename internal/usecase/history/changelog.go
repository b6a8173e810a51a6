package history

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store/history"
	"baton/internal/task"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

// ChangeLog returns baton's changes, newest first, and the changes by others that hooks recorded.
// With Check it verifies the log instead. If the digest is below another root than the tasks, it
// combines the logs of both. It takes no lock. It fails with Usage id_invalid or since_invalid,
// with NotFound no_project, with Violation log_altered, and with Refused.
func (p History) ChangeLog(ctx context.Context, r ChangeLogRequest) (ChangeLog, error) {
	const op = "log"
	id, err := wantedTask(r.Task)
	if err != nil {
		return ChangeLog{}, workspace.InOp(err, op)
	}
	from, err := sinceMoment(r.Since, p.Now())
	if err != nil {
		return ChangeLog{}, workspace.InOp(err, op)
	}
	roots, done, err := p.logRoots(ctx, op)
	if err != nil {
		return ChangeLog{}, err
	}
	defer done()
	logs, err := readLogs(ctx, roots)
	if err != nil {
		return ChangeLog{}, workspace.InOp(err, op)
	}
	out := ChangeLog{Changes: []LoggedChange{}, Task: string(id), Warnings: versionWarnings(roots)}
	if first := begunLogs(logs); !first.IsZero() {
		out.Begun = workspace.Stamp(first)
	}
	faults := p.logFaults(logs)
	if r.Check {
		out.Check, err = checkedLogs(logs, faults)
		return out, workspace.InOp(err, op)
	}
	out.Warnings = append(out.Warnings, faultWarnings(faults)...)
	if !from.IsZero() {
		out.From = workspace.Stamp(from)
	}
	out.list(ctx, logs, r.Limit, func(c history.Change) bool {
		return !c.At.Before(from) && (id == "" || ofTask(c, id))
	})
	return out, ctx.Err()
}

// list adds the wanted changes of some logs to the answer, newest first.
func (out *ChangeLog) list(ctx context.Context, logs []*rootLog, limit int, wanted func(history.Change) bool) {
	books, decisions := map[*rootLog]*logbook{}, map[*rootLog]*decisions{}
	for _, l := range logs {
		books[l], decisions[l] = Of(l.at).logbook(ctx, l.at.Store, l.all), Of(l.at).decisions()
	}
	for l := newestLog(logs); l != nil; l = newestLog(logs) {
		l.left--
		c := l.all[l.left]
		if !wanted(c) {
			continue
		}
		if idleLook(c) {
			out.LeftOut++
			continue
		}
		if out.Total++; limit > 0 && len(out.Changes) >= limit {
			continue
		}
		shown := books[l].view(l.left)
		shown.Decision = decisions[l].of(ctx, &c)
		if len(logs) > 1 {
			shown.Root = l.at.Root
		}
		out.Changes = append(out.Changes, shown)
	}
}

// idleLook reports whether a record only describes unchanged documents, as a census writes it.
func idleLook(c history.Change) bool {
	return c.Accepted == 0 && c.Outside() &&
		!slices.ContainsFunc(c.Docs, func(d history.DocChange) bool { return d.Before != d.After })
}

func wantedTask(text string) (task.ID, error) {
	if text == "" {
		return "", nil
	}
	return task.ParseID(text)
}

// ofTask reports whether a change touched a task: its state, archive or evidence, or its claim.
func ofTask(c history.Change, id task.ID) bool {
	claimed := slices.ContainsFunc(c.Claims, func(s history.ClaimStep) bool { return s.Task == string(id) })
	return claimed || slices.ContainsFunc(c.Docs, func(d history.DocChange) bool {
		of, ok := task.IDOfAnyFile(path.Base(d.Name))
		return ok && of == id
	})
}

// LogPath returns the path of the log with a fault, relative to the project's root.
func LogPath(f history.LogFault) string { return workspace.RuntimeDir + "/" + f.File }

// checkedLogs is the answer of --check. It fails with Violation log_altered, which names the first
// altered place.
func checkedLogs(logs []*rootLog, faults []logFault) (*LogCheck, error) {
	if len(faults) > 0 {
		f := faults[0]
		e := &report.Error{
			Kind: report.Violation, Code: report.CodeLogAltered, Path: f.path, Line: f.Line,
			Message: "the log was altered, " + f.path + config.Line(f.Line) + ": " + f.Text,
			Hint: "the records before that line are intact, and a new chain starts with the next change. To get rid " +
				"of this finding, move the file away. `baton snapshot list` lists the versions of the documents " +
				"themselves",
		}
		places := make([]string, 0, len(faults))
		for _, f := range faults {
			places = append(places, fmt.Sprintf("%s:%d: %s", f.path, f.Line, f.Text))
		}
		e.Details = map[string]any{"faults": places}
		if n := len(faults) - 1; n > 0 {
			e.Message += ", and " + safetext.Count(n, "more place")
		}
		return nil, e
	}
	out := &LogCheck{}
	var last []string
	for _, l := range logs {
		for i := range l.all {
			if l.all[i].Broken {
				out.Restarts++
			}
		}
		if n := len(l.all); n > 0 {
			out.Records += n
			last = append(last, l.all[n-1].Sum)
		}
	}
	out.Last = strings.Join(last, " ")
	return out, nil
}
