package workspace

import (
	"context"
	"path"
	"slices"
	"strconv"

	"baton/internal/ledger"
	"baton/internal/ledger/kept"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/task"
)

// Keep runs a part of a change that repairs documents. It takes that part back and fails with
// Violation repair_would_lose if an entry could be read before it and not after it, in the
// documents that it writes or in others of their families, if a summary would no longer count a
// session that is nowhere else, or if a session would come before an older one (D44). The error
// names the document and the entry. Any other error of the repair also takes it back.
func (p *Workspace) Keep(ctx context.Context, c *Change, op string, repair func() error) error {
	_, err := p.keeping(ctx, c, op, false, repair)
	return err
}

// KeepRest is Keep for a change that takes an earlier one back: its entries may go, and are
// returned. They stay in kept versions.
func (p *Workspace) KeepRest(ctx context.Context, c *Change, op string, repair func() error) ([]ledger.Entry, error) {
	return p.keeping(ctx, c, op, true, repair)
}

func (p *Workspace) keeping(
	ctx context.Context, c *Change, op string, mayGo bool, repair func() error,
) (gone []ledger.Entry, err error) {
	point, tasks, loaded := c.Tx.Point(), len(c.Tasks), len(c.loaded)
	var claims *ClaimBook
	if c.Claims != nil {
		claims = c.Claims.Clone()
	}
	defer func() {
		if err != nil {
			point.Restore()
			c.Tasks, c.loaded = c.Tasks[:tasks], c.loaded[:loaded]
			if claims != nil {
				*c.Claims = *claims
			}
		}
	}()
	if err := repair(); err != nil {
		return nil, err
	}
	k := comparison{p: p, ctx: ctx, c: c, op: op, others: map[string]map[string]bool{}}
	if err := k.compare(point); err != nil {
		return nil, err
	}
	if len(k.gone) > 0 && !mayGo {
		s := k.gone[0]
		return nil, k.harm(s.Doc, string(s.Kind)+" "+safetext.Quote(s.Label)+" would be gone")
	}
	for _, s := range k.gone {
		gone = append(gone, s.Entry)
	}
	return gone, nil
}

// comparison compares the documents before and after a repair.
type comparison struct {
	p   *Workspace
	ctx context.Context
	c   *Change
	op  string

	before, after []ledger.Sighting
	gone          []ledger.Sighting
	others        map[string]map[string]bool // by family: keys in documents that the repair does not write
}

func (k *comparison) compare(point *store.Point) error {
	names := point.Changed()
	for _, name := range names {
		if DocKind(name) == "" {
			continue
		}
		was, err := point.Read(name)
		if err != nil {
			return err
		}
		now, err := k.now(name)
		if err != nil {
			return err
		}
		_, garbled := markdown.Unsafe(was.Data) // with conflict markers, for example: nobody can read it
		held, holds := k.p.EntriesOf(name, was.Data), k.p.EntriesOf(name, now)
		if !garbled {
			k.before = append(k.before, ledger.Sightings(name, held)...)
			if late, ok := kept.LateDecision(held, holds); ok {
				return k.harm(name, "decision "+safetext.Quote(late.Label)+" would not be where its date puts it")
			}
		}
		k.after = append(k.after, ledger.Sightings(name, holds)...)
		if DocKind(name) == DocTask && was.Exists && now != nil && !garbled {
			if err := k.task(name, was.Data, now); err != nil {
				return err
			}
		}
	}
	_, keys := ledger.Diff(k.before, k.after)
	for _, s := range k.before {
		if len(keys) == 0 || s.Key != keys[0] { // keys come in the order of the entries
			continue
		}
		keys = keys[1:]
		there, err := k.elsewhere(s, names)
		if err != nil || !there && !kept.Extended(s, k.after) {
			if err != nil {
				return err
			}
			k.gone = append(k.gone, s)
		}
	}
	return nil
}

// now returns a document after the repair, or nil if it is discarded.
func (k *comparison) now(name string) ([]byte, error) {
	if slices.ContainsFunc(k.c.Tx.Discards(), func(d store.Discard) bool { return d.Document == name }) {
		return nil, nil
	}
	doc, err := k.c.Tx.Read(name)
	return doc.Data, err
}

// elsewhere reports whether another document of the entry's family has it.
func (k *comparison) elsewhere(s ledger.Sighting, changed []string) (bool, error) {
	family, ok := k.p.FamilyOf(s.Doc)
	if !ok {
		return false, nil
	}
	if k.others[family] == nil { // once, because an undo may take hundreds of entries back
		keys := map[string]bool{}
		for _, name := range k.p.FamilyDocs(family) {
			if slices.Contains(changed, name) {
				continue
			}
			doc, err := k.c.Tx.Read(name)
			if err != nil {
				return false, err
			}
			for _, e := range k.p.EntriesOf(name, doc.Data) {
				keys[e.Key] = true
			}
		}
		k.others[family] = keys
	}
	return k.others[family][s.Key], nil
}

// task compares a task file: the sessions that only its summary counts, and the order of sessions.
func (k *comparison) task(name string, was, now []byte) error {
	id, _ := task.IDOfStateFile(path.Base(name))
	before, after := task.Parse(id, was), task.Parse(id, now)
	if n, less := kept.Uncounted(before, after); less {
		archived, err := k.archived(name)
		if err != nil {
			return err
		}
		if archived < before.KnownArchived() { // otherwise the session has another number in the archive
			return k.harm(name, "the summary would no longer count session "+strconv.Itoa(n))
		}
	}
	if s, lost := kept.Renumbered(task.Hold(was).Sessions, task.Hold(now).Sessions); lost {
		return k.harm(name, "session "+strconv.Itoa(s.Number)+" would have another number, and no note of this one")
	}
	seen := k.p.FirstSeen(k.ctx, name)
	held := task.Hold(was).Sessions
	if s, late := kept.LateSession(task.Hold(now).Sessions, held, seen); late {
		if _, old := kept.LateSession(held, nil, seen); !old {
			return k.harm(name, "session "+strconv.Itoa(s.Number)+" would come after a newer one")
		}
	}
	return nil
}

// archived returns how many sessions the archives of a task have after the repair.
func (k *comparison) archived(name string) (n int, err error) {
	family, _ := k.p.FamilyOf(name)
	for _, doc := range k.p.FamilyDocs(family) {
		if DocKind(doc) != DocTaskArchive {
			continue
		}
		data, err := k.now(doc)
		if err != nil {
			return 0, err
		}
		for _, e := range k.p.EntriesOf(doc, data) {
			if e.Kind == ledger.Session {
				n++
			}
		}
	}
	return n, nil
}

func (k *comparison) harm(name, what string) error {
	return &report.Error{
		Op: k.op, Kind: report.Violation, Code: report.CodeRepairWouldLose, Path: name,
		Message: "the repair of " + name + " would do harm, so it was not made: " + what,
		Hint:    "repair the file by hand, or look at its versions with `baton snapshot list`",
	}
}
