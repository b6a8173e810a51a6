package loss

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/gitrepo"
	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/store/disk"
	"baton/internal/store/history"
	"baton/internal/task"
	"baton/internal/workspace"
)

// The kinds of files of a task.
const (
	GoneTask     = "task"
	GoneArchive  = "archive"
	GoneEvidence = "evidence"
)

// goneFile is a file of a task that is gone.
type goneFile struct {
	id     task.ID
	Kind   string // one of the Gone constants
	Name   string
	Rescue string  // command that restores it, without "baton"; "" if nothing of it was kept
	Lost   []Entry // its missing entries
}

// Words describes the file and the entries lost with it. name is the file's name where the text has
// to say it, or "".
func (g *goneFile) Words(name string) string {
	what := g.Kind
	if g.Kind == GoneTask {
		what = "file"
	}
	text := "the " + what + " of task " + g.id.Ref() + " is gone"
	if name != "" {
		text += " (" + name + ")"
	}
	if len(g.Lost) > 0 {
		text += ", and with it " + strings.TrimPrefix(NameList(g.Lost, min(MostLossNames, len(g.Lost))), ": ")
	}
	return text
}

// Code returns the code of a finding about the file.
func (g *goneFile) Code() report.Code {
	switch g.Kind {
	case GoneArchive:
		return report.CodeArchiveGone
	case GoneEvidence:
		return report.CodeEvidenceGone
	}
	return report.CodeTaskGone
}

// fileOf returns the task and the kind of a file in one of the folders of tasks and archives. It
// returns "" for any other file.
func (p Loss) fileOf(name string) (id task.ID, kind string) {
	dir, base := path.Split(name)
	id, ok := task.IDOfAnyFile(base)
	if !ok {
		return "", ""
	}
	switch base {
	case task.StateName(id):
		kind = GoneTask
	case task.ArchiveName(id):
		kind = GoneArchive
	default:
		kind = GoneEvidence
	}
	dir = strings.TrimSuffix(dir, "/")
	if !slices.ContainsFunc(p.Dirs, func(d workspace.TaskDir) bool {
		return kind == GoneTask && d.Dir == dir || kind != GoneTask && d.Archive == dir
	}) {
		return "", ""
	}
	return id, kind
}

// GoneFiles returns known files of tasks that are gone, by id. there lists the tasks with a file.
// A file that baton itself removed is not gone, and neither is one of another branch (D9), one that
// was renamed, or one whose removal was accepted. If every file exists, GoneFiles reads no
// document.
func (p Loss) GoneFiles(ctx context.Context, there map[task.ID]bool) ([]goneFile, error) {
	return p.goneAmong(ctx, there, "")
}

// Patiently gives git as much time as a person waits for the answer, until done is called.
func (p Loss) Patiently() (done func()) {
	was := p.Git.Patience
	p.Git.Patience = cmp.Or(was, LossPatience)
	return func() { p.Git.Patience = was }
}

// goneAmong is GoneFiles for the file with a name; "" stands for all files.
func (p Loss) goneAmong(ctx context.Context, there map[task.ID]bool, only string) ([]goneFile, error) {
	if p.Git.Busy() {
		return nil, ctx.Err()
	}
	scan, err := p.NewScan(ctx)
	if err != nil {
		return nil, err
	}
	var out []goneFile
	var families []string
	for name := range scan.Known {
		if only != "" && name != only {
			continue
		}
		id, kind := p.fileOf(name)
		if kind == "" || kind == GoneTask && there[id] ||
			workspace.Exists(filepath.Join(p.Root, filepath.FromSlash(name))) {
			continue
		}
		out = append(out, goneFile{id: id, Kind: kind, Name: name})
		if family, ok := p.FamilyOf(name); ok && !slices.Contains(families, family) {
			families = append(families, family)
		}
	}
	if len(out) == 0 {
		return nil, ctx.Err()
	}
	sorting.By(out, func(a, b goneFile) int {
		return cmp.Or(task.CompareIDs(a.id, b.id), cmp.Compare(b.Kind, a.Kind)) // the task's file first
	})
	if len(families) > 0 {
		lost, err := p.Losses(ctx, Query{Families: families, Git: true})
		if err != nil {
			return nil, err
		}
		for i := range out {
			out[i].Lost = slices.DeleteFunc(slices.Clone(lost), func(l Entry) bool { return l.Doc != out[i].Name })
		}
	}
	return p.confirmed(ctx, scan, out), ctx.Err()
}

// confirmed returns the files that somebody other than baton removed. If entries of a file are
// missing, that decides. For any other file, the log and git decide.
func (p Loss) confirmed(ctx context.Context, scan *Scan, missing []goneFile) []goneFile {
	var open []string
	for i := range missing {
		if g := &missing[i]; len(g.Lost) == 0 && p.unexplained(ctx, scan, g.Name) {
			open = append(open, g.Name)
		}
	}
	open = p.notOnOtherBranches(ctx, open)
	out := missing[:0]
	seen := map[string]bool{}
	for _, g := range missing {
		about := g.Kind + " " + string(g.id)
		if seen[about] || len(g.Lost) == 0 && !slices.Contains(open, g.Name) {
			continue
		}
		seen[about] = true
		if g.Rescue = "lost --restore"; len(g.Lost) == 0 {
			g.Rescue = p.restoreCommand(ctx, g.Name)
		}
		out = append(out, g)
	}
	return out
}

// unexplained reports whether baton neither removed a file nor knows what became of it.
func (p Loss) unexplained(ctx context.Context, scan *Scan, name string) bool {
	known := scan.Known[name]
	if known.Size == history.Removed || scan.renamed(ctx, name, known) {
		return false
	}
	if family, ok := p.FamilyOf(name); ok {
		book, err := p.Kept.Book(ctx, family)
		if err != nil || book != nil &&
			slices.ContainsFunc(book.Entries, func(e *ledger.Known) bool { return e.Doc == name }) {
			return false // its entries are accounted for
		}
	}
	return known.Size >= 0 || !p.TookAway(ctx, name)
}

// restoreCommand returns the command that restores the last kept version of a file, or "".
func (p Loss) restoreCommand(ctx context.Context, name string) string {
	kept, err := p.Kept.Snapshots(ctx, name)
	if err != nil || len(kept) == 0 {
		return ""
	}
	return "snapshot restore " + kept[len(kept)-1].Rev + " --apply"
}

// renamed reports whether another file of the folder is the one that formerly had this name. The
// identity of a file that was only appended to is unknown; then an unknown file of the same kind
// and size is taken for it.
func (k *Scan) renamed(ctx context.Context, name string, was fileState) bool {
	files, err := k.folder(ctx, path.Dir(name))
	if err != nil {
		return false
	}
	for base, info := range files {
		if was.ID != (disk.FileID{}) {
			if info.ID == was.ID && SameFile(info, was) {
				return true
			}
			continue
		}
		_, known := k.Known[path.Join(path.Dir(name), base)]
		_, ours := task.IDOfAnyFile(base)
		if !known && ours && path.Ext(base) == path.Ext(name) && info.Size == was.Size {
			return true
		}
	}
	return false
}

// notOnOtherBranches returns the missing files that no branch's commits have, or that the index
// has. A checkout or `git rm` removed the others. Without an answer from git, it returns none.
func (p Loss) notOnOtherBranches(ctx context.Context, names []string) []string {
	if len(names) == 0 || p.Git.Dir == "" {
		return names
	}
	committed := map[string]bool{}
	for _, line := range [...]gitrepo.Line{gitrepo.Ours, gitrepo.Siblings} {
		versions, whole, err := p.Git.Versions(ctx, line, names)
		if err != nil || !whole {
			return nil
		}
		for _, v := range versions {
			committed[v.Name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		if !committed[name] {
			return false
		}
		tracked, err := p.Git.Tracked(ctx, name)
		return err != nil || !tracked
	})
}

// GoneTaskFindings warns of the files of tasks that are gone. existing are the tasks with a file.
// An error is ignored, because it must not make a list fail.
func (p Loss) GoneTaskFindings(ctx context.Context, existing []*workspace.Head) []report.Finding {
	if p.seesAll(ctx, existing) {
		return nil
	}
	there := make(map[task.ID]bool, len(existing))
	for _, h := range existing {
		there[h.ID] = true
	}
	gone, err := p.GoneFiles(ctx, there)
	if err != nil {
		return nil
	}
	out := make([]report.Finding, 0, len(gone))
	for i := range gone {
		text := gone[i].Words(gone[i].Name)
		if gone[i].Rescue != "" {
			text += "; `baton " + gone[i].Rescue + "` brings it back"
		}
		f := gone[i].Code().Finding(gone[i].Name, 0, text).As(report.Warning)
		f.Repair = gone[i].Rescue
		out = append(out, f)
	}
	return out
}

// GoneTaskError returns the error for a task whose file is gone, or nil for an unknown task. It
// returns nil in hooks, which have no time for it.
func (p Loss) GoneTaskError(ctx context.Context, id task.ID, known []task.ID) error {
	if strings.HasPrefix(p.O.Command, "hook") {
		return nil
	}
	there := make(map[task.ID]bool, len(known))
	for _, k := range known {
		there[k] = true
	}
	gone, err := p.GoneFiles(ctx, there)
	gone = slices.DeleteFunc(gone, func(g goneFile) bool { return g.Kind != GoneTask })
	at := slices.IndexFunc(gone, func(g goneFile) bool { return g.id == id })
	if err != nil || len(gone) == 0 {
		return ctx.Err()
	}
	if at < 0 && len(known) == 0 {
		return &report.Error{
			Op: "task.load", Kind: report.NotFound, Code: report.CodeTaskUnknown,
			Message: "there is no task " + id.Ref(),
			Hint:    "`baton task list` lists the missing task files", Details: map[string]any{"task": string(id)},
		}
	}
	if at < 0 {
		return nil
	}
	e := &report.Error{
		Op: "task.load", Kind: report.NotFound, Code: report.CodeTaskUnknown, Path: gone[at].Name,
		Message: gone[at].Words(gone[at].Name),
		Hint:    "restore it, for example from git", Details: map[string]any{"task": string(id)},
	}
	if gone[at].Rescue != "" {
		e.Hint = "`baton " + gone[at].Rescue + "` brings it back"
	}
	return e
}

// GoneEvidence returns the last kept text of an evidence file that somebody else removed, or nil. A
// new record goes behind it: otherwise, the file would be there again, and nobody would miss the
// older records.
func (p Loss) GoneEvidence(ctx context.Context, name string) ([]byte, error) {
	id, kind := p.fileOf(name)
	if kind != GoneEvidence {
		return nil, nil
	}
	was, err := p.lastWritten(ctx, name)
	if err != nil || was == nil { // a file that never was costs no look at anything else
		return nil, err
	}
	gone, err := p.goneAmong(ctx, map[task.ID]bool{id: true}, name)
	if err != nil || len(gone) == 0 {
		return nil, err
	}
	return was, nil
}

// Prepare begins to read what baton knows of documents, which GoneTaskFindings needs, and returns a
// function that waits until it is there.
func (p Loss) Prepare(ctx context.Context) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = p.Kept.KnownOf(ctx, nil) // GoneTaskFindings has the error again
	}()
	return func() { <-done }
}
