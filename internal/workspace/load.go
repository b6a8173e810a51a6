package workspace

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/shared"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/renumber"
)

// Loaded is one task as found on disk. Names are relative to the root, with slashes.
type Loaded struct {
	ID       task.ID
	State    *task.State
	Doc      store.Document
	Name     string // state file
	Dir      TaskDir
	Archive  string           // archive file; the one in the metadata, if it is inside the project
	Evidence string           // evidence file (D6)
	Findings []report.Finding // about its place; State.Findings are about its text
	Outside  error            // Violation archive_path_outside, for operations that need the archive (5.1)
}

// SearchDirs returns the folders where a task may be, in search order (5.1).
func (p *Workspace) SearchDirs(id task.ID) []TaskDir {
	for _, d := range p.Dirs {
		if d.Layout == LayoutSpecflux {
			return append(p.Dirs[:len(p.Dirs):len(p.Dirs)], WorktreeDir(id))
		}
	}
	return p.Dirs
}

// LoadTask reads one task through r, inside or outside a transaction. An unknown id is NotFound
// task_unknown. Anything readable is loaded, and the findings say what is wrong with it.
func (p *Workspace) LoadTask(ctx context.Context, r store.Reader, id task.ID) (*Loaded, error) {
	var l *Loaded
	for _, d := range p.SearchDirs(id) {
		name := d.StateFile(id)
		if l != nil {
			part, err := r.Head(ctx, name, 1)
			if err == nil && part.Exists {
				l.note(report.CodeDuplicateTaskFile.Finding(name, 0,
					fmt.Sprintf("task %s is also in %s; baton uses %s", id.Ref(), name, l.Name)))
			}
			continue
		}
		doc, err := r.Read(ctx, name)
		if err != nil {
			return nil, err
		}
		if doc.Exists {
			l = &Loaded{
				ID: id, Doc: doc, Name: name, Dir: d, Evidence: d.EvidenceFile(id),
				State: p.checkout().Over(ctx, task.Parse(id, doc.Data)),
			}
		}
	}
	if l == nil {
		return nil, p.UnknownTask(ctx, r, id)
	}
	if err := l.placeArchive(ctx, r); err != nil {
		return nil, err
	}
	l.look()
	l.Findings = append(l.Findings, p.emptied(ctx, l.Doc, l.State)...)
	return l, nil
}

func (l *Loaded) note(f report.Finding) {
	if f.Severity == "" {
		f.Severity = report.Warning
	}
	l.Findings = append(l.Findings, f)
}

// look adds findings about the file as such. The parser reports problems of its bytes.
func (l *Loaded) look() {
	if l.Doc.Pending {
		l.note(report.CodeJournalPending.Finding(l.Name, 0,
			"an interrupted change of "+l.Name+" is shown as if it were complete; the next write completes it"))
	}
	if l.Doc.Outside {
		l.note(report.CodeOutside.Finding(l.Name, 0,
			l.Name+" is a link that leads outside the project; "+WrittenIfApproved))
	}
}

// placeArchive finds the archive. It is the one in the metadata if that is inside the project and
// its name or its title is that of the task's archive; otherwise it is the layout's. A path outside
// is never followed (5.1), and baton never appends to a file that is not this task's archive.
func (l *Loaded) placeArchive(ctx context.Context, r store.Reader) error {
	l.Archive = l.Dir.ArchiveFile(l.ID)
	named := l.State.Meta.ArchivePath
	if named == "" || named == l.Archive {
		return nil
	}
	if !task.ArchivePathInside(named) || store.CheckName(path.Clean(named)) != nil {
		l.Outside = &report.Error{
			Op: "task.archive", Kind: report.Violation, Code: report.CodeArchivePathOutside, Path: l.Name,
			Message: l.Name + " names an archive outside the project: " + safetext.Quote(named),
			Hint:    "remove archive_path from the metadata, or give a path below the project's root",
		}
		l.note(report.CodeArchivePathOutside.Finding(l.Name, 0,
			"the metadata names an archive outside the project, which is not followed: "+
				safetext.Quote(named)).As(report.Severe))
		return nil
	}
	if path.Base(named) == task.ArchiveName(l.ID) {
		l.Archive = path.Clean(named)
		return nil
	}
	part, err := r.Head(ctx, path.Clean(named), archiveStart)
	if err != nil && report.KindOf(err) != report.Refused {
		return err
	}
	if id, ok := task.ArchiveOwner(part.Data); err == nil && part.Exists && ok && id == l.ID {
		l.Archive = path.Clean(named)
		return nil
	}
	l.note(report.CodeArchiveMissing.Finding(l.Name, 0,
		"the metadata names the archive "+safetext.Quote(named)+", which is missing or is another "+
			"file; baton uses "+l.Archive))
	return nil
}

// archiveStart is how many bytes of a file show whether it is an archive.
const archiveStart = 4 << 10

// Warnings returns all findings of a task, those about its text with the file's name.
func (l *Loaded) Warnings() []report.Finding {
	out := make([]report.Finding, 0, len(l.Findings)+len(l.State.Findings))
	out = append(out, l.Findings...)
	for _, f := range l.State.Findings {
		if f.Code == report.CodeArchivePathOutside && l.Outside != nil {
			continue
		}
		if f.Path == "" {
			f.Path = l.Name
		}
		out = append(out, f)
	}
	return out
}

// LoadForWrite reads a task that will be changed. Corrupt if its bytes must not be touched (TS-5,
// TS-6, TS-25).
func (p *Workspace) LoadForWrite(ctx context.Context, c *Change, id task.ID) (*Loaded, error) {
	l, err := p.LoadTask(ctx, c.Reader, id)
	if err != nil {
		return nil, err
	}
	doc, err := p.Steady(ctx, c, l.Doc)
	if err == nil && len(doc.Data) != len(l.Doc.Data) { // its editor has written it meanwhile
		l, err = p.LoadTask(ctx, c.Reader, id)
	}
	if err != nil {
		return nil, err
	}
	if err := UnsafeError(l.Name, l.Doc.Data); err != nil {
		return nil, err
	}
	c.loaded = append(c.loaded, l)
	return l, nil
}

// UnsafeError returns why a document must not be written, or nil.
func UnsafeError(name string, data []byte) error {
	bad, unsafe := markdown.Unsafe(data)
	if !unsafe {
		return nil
	}
	e := &report.Error{
		Op: "task.write", Kind: report.Corrupt, Code: bad.Code, Path: name, Line: bad.Line,
		Message: name + ": " + bad.Text, Hint: UnsafeHint(bad.Code),
	}
	if bad.Code == report.CodeConflictMarkers {
		e.Message += ", and baton does not write the file until that is resolved"
		e.Hint = ConflictHint(name, data, "resolve the merge conflict in the file, check with `baton merge check` "+
			"that nothing is left, then run the command again")
	}
	return e
}

// ConflictHint returns hint, unless a merge left two tasks in one file: a command can separate
// those.
func ConflictHint(name string, data []byte, hint string) string {
	id, is := task.IDOfAnyFile(path.Base(name))
	ours, theirs, line := renumber.Sides(data)
	if !is || line == 0 || renumber.SameTask(task.Parse(id, ours), task.Parse(id, theirs)) {
		return hint
	}
	return "it has two tasks with the number " + id.Ref() + ": `baton doctor --fix` gives one of them another number"
}

// UnsafeHint returns what to do about a document that must not be written.
func UnsafeHint(code report.Code) string { return code.Remedy(nil) + ", then run the command again" }

// WriteTask writes a changed task in the transaction after a last check: its new bytes must be safe
// to write, and the file must still be the same task. A state without changes writes nothing.
func (p *Workspace) WriteTask(c *Change, l *Loaded, next *task.State) error {
	data := next.Bytes()
	if string(data) == string(l.Doc.Data) {
		if !next.SameAs(l.State) {
			c.Tasks = append(c.Tasks, TaskWrite{l, next})
		}
		return nil
	}
	if err := UnsafeError(l.Name, data); err != nil {
		return err
	}
	if was := l.State.Meta; was.Present && !next.Meta.Present || was.Valid && !next.Meta.Valid {
		return &report.Error{
			Op: "task.write", Kind: report.Internal, Code: report.CodeEditDamagesFile, Path: l.Name,
			Message: "the planned edit would damage the metadata of " + l.Name + ", so nothing was written",
			Hint:    "please report this with the file",
		}
	}
	c.Tx.Write(l.Name, data)
	c.Tasks = slices.DeleteFunc(c.Tasks, func(w TaskWrite) bool { return w.Name == l.Name })
	c.Tasks = append(c.Tasks, TaskWrite{l, next})
	return nil
}

// UnknownTask returns the error for an id without a file. Its hint names similar ids.
func (p *Workspace) UnknownTask(ctx context.Context, r store.Reader, id task.ID) error {
	if err := p.Need("task.load"); err != nil {
		return err
	}
	known, err := p.Ids(ctx, r)
	if err != nil {
		return err
	}
	known = slices.DeleteFunc(known, func(k task.ID) bool { return k == id }) // the listing includes dangling links
	if err := p.O.Above.Losses(p).GoneTaskError(ctx, id, known); err != nil {
		return err
	}
	hint := "`baton task list` lists the tasks"
	if near := task.Nearest(string(id), known); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "? " + hint
	} else if len(known) == 0 {
		hint = "there are no tasks yet; create one with `baton task new TITLE`"
	}
	return &report.Error{
		Op: "task.load", Kind: report.NotFound, Code: report.CodeTaskUnknown, Message: "there is no task " + id.Ref(),
		Hint: hint, Details: map[string]any{"task": string(id)},
	}
}

// Ids returns the ids of all tasks that have a state file, in order.
func (p *Workspace) Ids(ctx context.Context, r store.Reader) ([]task.ID, error) {
	files, err := p.ListFiles(ctx, r)
	if err != nil {
		return nil, err
	}
	out := make([]task.ID, 0, len(files))
	for _, f := range files {
		out = append(out, f.Id)
	}
	return out, nil
}

// MaxID is the highest numeric id: 15 digits (D21).
const MaxID = shared.MaxID
