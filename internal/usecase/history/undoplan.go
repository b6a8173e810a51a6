package history

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/store/history"
	"baton/internal/task"
	"baton/internal/textdiff"
	"baton/internal/usecase/folder"
	"baton/internal/workspace"
)

// undoing is the effect of an undo on the documents.
type undoing struct {
	p      *workspace.Workspace
	c      *workspace.Change
	book   *logbook
	docs   map[string]*UndoneDoc
	taken  []int // undone changes, newest first
	passed []int // changes that are no longer in effect
}

// UndoneDoc is a document as it is now, and as it will be after the changes that are undone so far.
type UndoneDoc struct {
	Now, Then store.Document
}

// planUndo goes back from the newest change.
func (p History) planUndo(c *workspace.Change, count int) (*undoing, error) {
	ctx := c.Tx.Context()
	all, _, err := p.Kept.Changes(ctx, 0)
	if err != nil {
		return nil, err
	}
	u := p.undoingOf(c, all)
	for i := len(all) - 1; i >= 0 && len(u.taken) < count; i-- {
		if !u.open(i) {
			continue
		}
		if err := u.take(i); err != nil {
			return nil, err
		}
	}
	if len(u.taken) < count {
		return nil, u.tooFew(count)
	}
	for _, name := range workspace.SortedKeys(u.docs) {
		if id, ok := task.IDOfAnyFile(path.Base(name)); ok && u.docs[name].Changed() {
			if err := p.Mine(ctx, id); err != nil {
				return nil, err
			}
		}
	}
	return u, nil
}

func (p History) undoingOf(c *workspace.Change, all []history.Change) *undoing {
	return &undoing{p: p.Workspace, c: c, book: p.logbook(c.Tx.Context(), c.Reader, all), docs: map[string]*UndoneDoc{}}
}

// open reports whether a change can be undone and was not undone yet.
func (u *undoing) open(at int) bool { return undoable(&u.book.all[at]) && !u.book.undone[at] }

// undoable reports whether a change can be undone. An undo cannot.
func undoable(c *history.Change) bool { return ownChange(c) && c.Undoes == 0 }

// ownChange reports whether baton changed documents in it. Changes by others, changes of claims
// only, and the acceptance of losses do not count.
func ownChange(c *history.Change) bool {
	emptied := len(c.Docs) > 0 && c.Docs[0].Kind == history.DocEmptied
	return !c.Outside() && len(c.Claims) == 0 && c.Accepted == 0 && !emptied
}

// take undoes one change if every document is as the change left it. If all its documents are as
// they were before it, the change is no longer in effect: somebody reverted it by other means, or
// baton died before it was made. Such a change is skipped.
func (u *undoing) take(at int) error {
	c := u.book.all[at]
	if err := stays(c); err != nil {
		return err
	}
	var blocked *history.DocChange
	before := 0
	for i := range c.Docs {
		d := &c.Docs[i]
		doc, err := u.doc(d.Name)
		if err != nil {
			return err
		}
		if d.After.Matches(doc.Then.Exists, doc.Then.Data) {
			continue
		}
		was := d.Before.Matches(doc.Then.Exists, doc.Then.Data)
		if was {
			before++
		}
		if blocked == nil || !was {
			blocked = d
		}
	}
	switch {
	case blocked != nil && before == len(c.Docs):
		u.passed = append(u.passed, at)
		return nil
	case blocked != nil:
		return u.builtOn(at, blocked)
	}
	for i := range c.Docs {
		if err := u.back(c, &c.Docs[i]); err != nil {
			return err
		}
	}
	u.taken = append(u.taken, at)
	return nil
}

// stays refuses changes that no undo can revert.
func stays(c history.Change) error {
	switch {
	case c.Moved > 0:
		return undoBlocked(ordinal(c)+" moved "+folder.Entries(c.Moved)+" of a folder, which undo does not restore",
			"`baton dir history` lists what was moved, and `baton dir restore SNAPSHOT --apply` brings it back")
	case c.More > 0:
		return undoBlocked(fmt.Sprintf("%s changed %d files, more than the log lists", ordinal(c), len(c.Docs)+c.More),
			"`baton snapshot list` lists the versions of each file")
	}
	return nil
}

func undoBlocked(message, hint string) error {
	return &report.Error{Kind: report.Conflict, Code: report.CodeUndoBlocked, Message: message, Hint: hint}
}

// builtOn returns the error that names who changed a document since.
func (u *undoing) builtOn(at int, d *history.DocChange) error {
	c, doc := u.book.all[at], u.docs[d.Name]
	e := &report.Error{
		Kind: report.Conflict, Code: report.CodeUndoBlocked, Path: d.Name,
		Hint: "`baton snapshot list " + d.Name + "` lists its versions, and `baton snapshot restore REV` brings one " +
			"back",
	}
	what := "was changed"
	if !doc.Then.Exists {
		what = "was deleted"
	}
	who := "somebody else, not by baton"
	left := d.After // the document as baton's changes left it, one after the other
	for i := at + 1; i < len(u.book.all); i++ {
		later := &u.book.all[i]
		o := workspace.ChangeOf(later, d.Name)
		if o == nil || later.Outside() || later.Undoes > 0 || u.book.undone[i] || slices.Contains(u.taken, i) {
			continue
		}
		if alike(o.Before, left) { // otherwise somebody else changed it before
			who = ordinal(*later)
		}
		break
	}
	e.Message = fmt.Sprintf("%s cannot be undone: %s %s since, by %s", ordinal(c), d.Name, what, who)
	return e
}

// doc returns a document. It is read at the first request.
func (u *undoing) doc(name string) (*UndoneDoc, error) {
	if d := u.docs[name]; d != nil {
		return d, nil
	}
	doc, err := u.c.Tx.Read(name)
	if err != nil {
		return nil, err
	}
	u.docs[name] = &UndoneDoc{Now: doc, Then: doc}
	return u.docs[name], nil
}

// back restores the content that a document had before a change.
func (u *undoing) back(c history.Change, d *history.DocChange) error {
	doc := u.docs[d.Name]
	if !d.Before.Exists {
		doc.Then = store.Document{Name: d.Name}
		return nil
	}
	data := doc.Then.Data[:min(d.Before.Size, int64(len(doc.Then.Data)))]
	if d.Kind != history.DocAppended || !d.Before.Matches(true, data) {
		var err error
		if data, err = Of(u.p).keptBytes(u.c, d.Name, d.Before); err != nil {
			return err
		}
	}
	if data == nil {
		return &report.Error{
			Kind: report.Corrupt, Code: report.CodeRevisionLost, Path: d.Name,
			Message: fmt.Sprintf(
				"%s cannot be undone: the previous content of %s is no longer kept", ordinal(c), d.Name,
			),
			Hint: "`baton snapshot list " + d.Name + "` lists its versions; snapshots.max_mb and snapshots.days " +
				"limit how much is kept",
		}
	}
	doc.Then = store.Document{Name: d.Name, Exists: true, Data: data, Size: int64(len(data))}
	return nil
}

// keptBytes finds the bytes that belong to a sum among the kept versions, or returns nil if they
// are not there.
func (p History) keptBytes(c *workspace.Change, name string, sum history.DocSum) ([]byte, error) {
	list, err := p.Kept.Snapshots(c.Tx.Context(), name)
	if err != nil {
		return nil, err
	}
	for _, v := range slices.Backward(list) {
		if v.Size != sum.Size || v.Kind != history.SnapshotAppended && sum.Tail == 0 && v.Hash != sum.Hash {
			continue
		}
		data, err := p.Kept.SnapshotData(c.Tx.Context(), v)
		if err := c.Tx.Context().Err(); err != nil {
			return nil, err
		}
		if err == nil && sum.Matches(true, data) {
			return append([]byte{}, data...), nil
		}
	}
	return nil, nil
}

// tooFew is the error if the log has fewer changes to undo than requested.
func (u *undoing) tooFew(count int) error {
	e := &report.Error{
		Kind: report.NotFound, Code: report.CodeNothingToUndo,
		Message: "there is nothing to undo: baton has not changed a " +
			"file here yet",
		Hint: "`baton log` lists what baton changed",
	}
	switch n := len(u.taken); {
	case n > 0:
		e.Message = fmt.Sprintf("only %s can be undone, not %d", safetext.Count(n, "change"), count)
	case slices.ContainsFunc(u.book.all, func(c history.Change) bool { return ownChange(&c) }):
		e.Message = "there is nothing more to undo: everything in the log was undone"
	}
	return e
}

// Changed reports whether the undo changes the document.
func (d *UndoneDoc) Changed() bool {
	return d.Now.Exists != d.Then.Exists || !bytes.Equal(d.Now.Data, d.Then.Data)
}

// result describes what is undone.
func (u *undoing) result(holder string) UndoResult {
	out := UndoResult{
		Changes: []LoggedChange{}, Passed: []LoggedChange{}, Files: []string{}, Warnings: []report.Finding{},
	}
	for _, at := range u.passed {
		out.Passed = append(out.Passed, u.book.view(at))
	}
	for _, at := range u.taken {
		c := u.book.view(at)
		out.Changes = append(out.Changes, c)
		if c.By != "" && c.By != holder {
			out.Warnings = append(out.Warnings, report.CodeUndoOther.Finding("", 0,
				ordinal(u.book.all[at])+" was made by "+c.By))
		}
		if c.Command == "merge install" {
			out.Warnings = append(out.Warnings, report.CodeUndoConfig.Finding("", 0,
				"git's configuration is not undone: `baton merge install --remove` removes what `"+c.Command+
					"` added to it"))
		}
		if touchesClaims(c.Command) {
			out.Warnings = append(out.Warnings, report.CodeUndoClaim.Finding("", 0,
				"claims are not undone: they stay as `"+c.Command+"` left it"))
		}
	}
	var diff strings.Builder
	for _, name := range workspace.SortedKeys(u.docs) {
		if d := u.docs[name]; d.Changed() {
			out.Files = append(out.Files, name)
			diff.WriteString(textdiff.Unified(name, d.Now.Data, d.Then.Data, d.Now.Exists, d.Then.Exists))
		}
	}
	out.Diff = diff.String()
	return out
}
