package project

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"

	"baton/internal/report"
	"baton/internal/store"
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
		if all[i].At.Before(from) || id != "" && !ofTask(all[i], id) || idleLook(all[i]) {
			continue
		}
		if out.Total++; r.Limit <= 0 || len(out.Changes) < r.Limit {
			out.Changes = append(out.Changes, b.view(i))
		}
	}
	return out, nil
}

// idleLook says that a record only tells how documents look that nobody changed: of a census, or of something that was accepted.
func idleLook(c filestore.Change) bool {
	return c.Outside() && !slices.ContainsFunc(c.Docs, func(d filestore.DocChange) bool { return d.Before != d.After })
}

func wantedTask(text string) (task.ID, error) {
	if text == "" {
		return "", nil
	}
	return task.ParseID(text)
}

// ofTask tells whether a change was one of a file of a task: its state, its archive or its evidence.
func ofTask(c filestore.Change, id task.ID) bool {
	return slices.ContainsFunc(c.Docs, func(d filestore.DocChange) bool {
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

// logbook is the log with what became of its changes.
type logbook struct {
	all    []filestore.Change
	undone []bool    // of each: it was taken back
	undid  [][]int64 // of each: the numbers of those that it took back
}

// logbook finds out what was taken back. A change takes back the newest ones that nobody took back before, down to the one that its record
// names.
func (p *Project) logbook(ctx context.Context, r store.Reader, all []filestore.Change) *logbook {
	b := &logbook{all: all, undone: make([]bool, len(all)), undid: make([][]int64, len(all))}
	var stack []int
	for i := range all {
		switch {
		case all[i].Outside():
		case all[i].Undoes == 0:
			stack = append(stack, i)
		case b.came(ctx, r, i):
			for len(stack) > 0 && all[stack[len(stack)-1]].Seq >= all[i].Undoes {
				at := stack[len(stack)-1]
				stack, b.undone[at] = stack[:len(stack)-1], true
				b.undid[i] = append(b.undid[i], all[at].Seq)
			}
		}
	}
	return b
}

// came tells whether the change of a record was made, and still is. A process that dies between the record and the change leaves one that was
// not, and what was undone may have been put back by hand; then the documents are what they were before. In doubt it was made.
func (b *logbook) came(ctx context.Context, r store.Reader, at int) bool {
	for _, d := range b.all[at].Docs {
		if next := b.next(at, d.Name); next != nil {
			if alike(next.Before, d.After) || !alike(next.Before, d.Before) {
				return true
			}
			continue
		}
		doc, err := r.Read(ctx, d.Name)
		if err != nil || d.After.Matches(doc.Exists, doc.Data) || !d.Before.Matches(doc.Exists, doc.Data) {
			return true
		}
	}
	return len(b.all[at].Docs) == 0
}

// next is what the first change of baton's behind one says of a document, nil without any. What somebody else did in between shows in what
// that change found.
func (b *logbook) next(at int, name string) *filestore.DocChange {
	for i := at + 1; i < len(b.all); i++ {
		if b.all[i].Outside() {
			continue
		}
		for j := range b.all[i].Docs {
			if d := &b.all[i].Docs[j]; d.Name == name {
				return d
			}
		}
	}
	return nil
}

// alike tells whether two sums may be of the same bytes, as far as they can be compared.
func alike(a, b filestore.DocSum) bool {
	return a.Exists == b.Exists && a.Size == b.Size && (a.Tail != b.Tail || a.Hash == b.Hash)
}

// view is a record as answers tell it.
func (b *logbook) view(at int) LoggedChange {
	c := b.all[at]
	out := LoggedChange{
		Number: c.Seq, At: stamp(c.At), By: oneLine(neutral(c.By)), Command: oneLine(neutral(c.Command)), Commit: oneLine(neutral(c.Head)),
		Outside: c.Outside(), Undoes: b.undid[at], Undone: b.undone[at], Anew: c.Broken, More: c.More, Moved: c.Moved, Files: []LoggedFile{},
	}
	for _, d := range c.Docs {
		out.Files = append(out.Files, LoggedFile{
			Path: d.Name, Kind: d.Kind, Size: d.After.Size, Grown: d.After.Size - d.Before.Size, Missing: d.Missing,
		})
	}
	return out
}

// ordinal names a change in a sentence: change 12 (task log).
func ordinal(c filestore.Change) string {
	text := "change " + strconv.FormatInt(c.Seq, 10)
	if command := oneLine(neutral(c.Command)); command != "" {
		text += " (" + command + ")"
	}
	return text
}
