package loss

import (
	"path"
	"path/filepath"
	"strings"
	"time"

	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/ledger"
	"baton/internal/ledger/restore"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/task/create"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

// WithEntries returns a document with restored entries; see restore.Into. known are the document's
// entries in the ledger, back are the keys of those to restore, and seen says when the ledger saw
// an entry first. It fails with Corrupt if the document must not be written.
func (p Loss) WithEntries(
	name string, now []byte, known []ledger.Entry, back map[string]bool, seen func(key string) time.Time,
) (next []byte, left []*ledger.Entry, err error) {
	if err := workspace.UnsafeError(name, now); err != nil {
		return nil, nil, workspace.InOp(err, "lost.restore")
	}
	next, left = restore.Into(now, p.format(name, now, known, seen), known, back)
	return next, left, nil
}

// Unplaceable is the error for an entry without a place.
func Unplaceable(name string, left *ledger.Entry) *report.Error {
	return &report.Error{
		Op: "lost.restore", Kind: report.Violation, Code: report.CodeLostUnplaceable, Path: name,
		Message: safetext.Quote(left.Label) + " cannot be restored into " + safetext.OneLine(name) +
			" without changing how something else in it is read",
		Hint: "look for a code fence or comment that is never closed; `baton lost --json` prints the text",
	}
}

// format returns how a document is read and how a new one begins. Only task files have sections in
// a fixed order, and counters.
func (p Loss) format(
	name string, now []byte, known []ledger.Entry, seen func(key string) time.Time,
) restore.Format {
	layout := workspace.DocLayout(name)
	f := restore.Format{
		Form: workspace.DigestForm(layout), Seen: seen,
		Read:     func(data []byte) []ledger.Entry { return p.EntriesOf(name, data) },
		Fresh:    func() []byte { return p.freshDocument(name, known) },
		Sections: func(data []byte, _ []*ledger.Entry) []byte { return data },
		Count:    func(data []byte) []byte { return data },
	}
	if id, ok := task.IDOfStateFile(path.Base(name)); ok {
		f.Sections = func(data []byte, back []*ledger.Entry) []byte { return withSections(task.Parse(id, data), back) }
		f.Count = func(data []byte) []byte { return task.Parse(id, data).Recount().Bytes() }
	}
	if kind := workspace.DocKind(name); kind != "" && kind == layout {
		policy := digests.Of(p.Workspace).Policy(workspace.DigestPlace{Layout: layout, State: name})
		f.Home = func(data []byte) string { return decision.Home(data, f.Form, policy.Titles) }
		if list := decision.Read(now, f.Form, policy); list.Direction == decision.NewestFirst {
			f.Sign = -1
		} else if list.DirectionSource != "default" {
			f.Sign = 1
		}
	} else if kind == workspace.DocArchive {
		f.Sign = 1
	}
	return f
}

// freshDocument returns a new document of the same kind without entries. Its title is new too,
// because the ledger does not record titles.
func (p Loss) freshDocument(name string, known []ledger.Entry) []byte {
	switch now, title := p.Env.Now(), filepath.Base(p.Root); workspace.DocKind(name) {
	case workspace.DocTask:
		id, _ := task.IDOfStateFile(path.Base(name))
		return create.New(
			create.Request{ID: id, Title: "Restored from lost entries", Dialect: dialectOf(known), Now: now},
		)
	case workspace.DocTaskArchive:
		id, _ := workspace.ArchiveID(path.Base(name))
		return []byte(archive.Title(id) + "\n")
	case workspace.DocArchive:
		return []byte(decision.NewArchive(workspace.DigestForm(workspace.DocLayout(name))))
	case workspace.DocStateArchive:
		return []byte(digests.StateArchiveTitle)
	case workspace.LayoutSpecflow:
		return specflow.New(now, title)
	case workspace.LayoutGSD:
		return gsd.New(gsd.Planning, now, title)
	case workspace.LayoutBaton:
		return gsd.New(gsd.Own, now, title)
	}
	return nil
}

// dialectOf returns the dialect of a task file by the sections of its entries.
func dialectOf(known []ledger.Entry) task.Dialect {
	for i := range known {
		section := strings.ToLower(known[i].Section)
		if strings.Contains(section, "feature checklist") || strings.Contains(section, "4. progress log") {
			return task.V1C
		}
	}
	return task.V2
}

// withSections returns a task file with the sections that entries need.
func withSections(state *task.State, back []*ledger.Entry) []byte {
	var sessions, boxes, features, output bool
	for _, e := range back {
		feature := strings.HasPrefix(strings.TrimSpace(e.Raw), "{")
		sessions = sessions || e.Kind == ledger.Session
		output = output || e.Kind == ledger.Output
		features = features || e.Kind == ledger.Criterion && feature
		boxes = boxes || e.Kind == ledger.Criterion && !feature
	}
	state = state.Room(sessions, boxes, features, output)
	if _, _, readable := state.FeaturePlace(); features && !readable {
		state = state.Room(false, true, false, false)
	}
	return state.Bytes()
}
