package agents

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"baton/internal/agentsession"
	"baton/internal/gitrepo"
	"baton/internal/report"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// observePatience is how long a session's hook waits to record changes by others (D15), unless the
// project sets another limit.
const observePatience = 300 * time.Millisecond

// observing limits the time for recording changes by others.
func (p Agents) observing(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, cmp.Or(p.Patience, observePatience))
}

// Observe records changes by others to documents that a session's hook reads anyway, and to their
// archives (D8). It reports whether everything is recorded. If a lock was not free before in this
// event, it does not wait for it again; the next write or the next hook records the changes.
func (p Agents) Observe(ctx context.Context, docs map[string]agentsession.Doc, log *sessions.LogLine) bool {
	_, names := p.FamiliesOf(workspace.SortedKeys(docs))
	if len(names) == 0 || log.Locked {
		return len(names) == 0
	}
	families, _ := p.FamiliesOf(names)
	// The next record replaces anything that is not a book, so the fault must be logged before
	// that.
	for _, family := range families {
		if fault := p.Kept.BookFault(family); fault != nil {
			log.Say(string(report.CodeBookUnusable) + ": " + loss.UnusableBook(fault.Path, fault.Why).Text)
		}
	}
	ctx, cancel := p.observing(ctx)
	defer cancel()
	_, err := p.Kept.Observe(ctx, names)
	log.Add(inDocument(err, workspace.RuntimeDir+"/ledger"))
	return err == nil
}

// LossNotes checks the documents that the session knows, first by size and time, and reports
// entries that are gone. If git may have changed files in this batch, that waits for the next
// session start, which may ask git whether they are losses (D9).
func (p Agents) LossNotes(
	ctx context.Context, rec *agentsession.Record, calls []agentsession.ToolCall, log *sessions.LogLine,
) []toolNote {
	changed := p.docsChanged(ctx, rec)
	families, _ := p.FamiliesOf(workspace.SortedKeys(changed))
	var lost []loss.Entry
	if len(families) > 0 && (!slices.ContainsFunc(calls, runsGit) || p.committed(rec.Tip)) {
		var err error
		if lost, err = loss.Of(p.Workspace).Losses(ctx, loss.Query{Families: families}); err != nil {
			log.Add(err)
			return nil
		}
		lost = slices.DeleteFunc(lost, func(l loss.Entry) bool { return rec.Knows(l.About()) })
	}
	var notes []toolNote
	for _, name := range workspace.SortedKeys(changed) {
		family, _ := p.FamilyOf(name)
		of := slices.DeleteFunc(slices.Clone(lost), func(l loss.Entry) bool { return l.Family != family })
		given := func() {
			rec.Docs[name] = changed[name]
			noteLost(rec, of)
		}
		text, found := sessions.LossWords(of), len(of) > 0
		if !found {
			text, found = p.changedNote(rec, name, calls)
		}
		if !found {
			given()
			continue
		}
		notes = append(notes, toolNote{text: text, given: given})
	}
	return notes
}

// committed reports whether HEAD moved from a commit by new commits alone.
func (p Agents) committed(tip string) bool {
	if tip == gitrepo.Unborn {
		tip = ""
	}
	return tip != p.Git.Place.Head() && p.Git.Place.OnlyCommitted(tip)
}

// promptLosses reports entries that are gone from the documents that the session knows, each once.
func (p Agents) promptLosses(ctx context.Context, rec *agentsession.Record) string {
	families, _ := p.FamiliesOf(workspace.SortedKeys(p.docsChanged(ctx, rec)))
	lost := slices.DeleteFunc(p.lostOf(ctx, families), func(l loss.Entry) bool { return rec.Knows(l.About()) })
	noteLost(rec, lost)
	return sessions.LossWords(lost)
}

// docsChanged returns the documents that differ from what the session knows, in their present
// state. It checks size and time first. If only the time changed, it updates the session's record.
func (p Agents) docsChanged(ctx context.Context, rec *agentsession.Record) map[string]agentsession.Doc {
	changed := map[string]agentsession.Doc{}
	for _, name := range workspace.SortedKeys(rec.Docs) {
		knew := rec.Docs[name]
		if !filepath.IsLocal(filepath.FromSlash(name)) { // the record's file may contain anything
			delete(rec.Docs, name)
			continue
		}
		info, err := os.Stat(filepath.Join(p.Root, filepath.FromSlash(name)))
		gone := os.IsNotExist(err)
		if err != nil && !gone || !gone && info.Size() == knew.Size && info.ModTime().UnixNano() == knew.ModTime ||
			gone && knew.Hash == "" {
			continue
		}
		doc, err := p.Store.Read(ctx, name)
		if err != nil {
			continue
		}
		now := agentsession.Doc{}
		if doc.Exists {
			now = workspace.DocOf(doc)
		}
		if now.Hash == knew.Hash {
			rec.Docs[name] = now
			continue
		}
		changed[name] = now
	}
	return changed
}

// stillLost returns what the documents that a session knows lack. It does not ask git.
func (p Agents) stillLost(ctx context.Context, rec *agentsession.Record) []loss.Entry {
	families, _ := p.FamiliesOf(workspace.SortedKeys(rec.Docs))
	return p.lostOf(ctx, families)
}

// lostOf returns what is lost of some families, according to git's last answer.
func (p Agents) lostOf(ctx context.Context, families []string) []loss.Entry {
	if len(families) == 0 {
		return nil
	}
	lost, err := loss.Of(p.Workspace).Losses(ctx, loss.Query{Families: families})
	if err != nil {
		return nil
	}
	return lost
}

// noteLost records the losses that the session was informed about.
func noteLost(r *agentsession.Record, lost []loss.Entry) {
	for _, l := range lost {
		if !r.Knows(l.About()) {
			r.Remember(l.About())
		}
	}
}
