package sessions

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"baton/internal/agentsession"
	"baton/internal/gitrepo"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/loss"
	"baton/internal/workspace"
)

// Limits of the text about lost entries.
const (
	mostLossDoc = 44 // characters of the document's name

	MostLossWords = 260 // characters in all: an orientation has no more room, and would cut the command
)

// Time limits of a session's hook for lost entries.
const (
	observePatience = 300 * time.Millisecond // to record changes by others (D15), unless the project sets another limit
	// reserved for the rest of the event when lost entries are looked for
	lossReserve = 500 * time.Millisecond
)

// LossesLate replaces the list of lost entries if there was no time for it.
const LossesLate = "baton had no time to look for entries that are gone from documents; `baton lost` lists them."

// observing limits the time for recording changes by others.
func (p Sessions) observing(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, cmp.Or(p.Patience, observePatience))
}

// Observe records changes by others to documents that a session's hook reads anyway, and to their
// archives (D8). It reports whether everything is recorded. If a lock was not free before in this
// event, it does not wait for it again; the next write or the next hook records the changes.
func (p Sessions) Observe(ctx context.Context, docs map[string]agentsession.Doc, log *LogLine) bool {
	_, names := p.FamiliesOf(workspace.SortedKeys(docs))
	if len(names) == 0 || log.locked {
		return len(names) == 0
	}
	families, _ := p.FamiliesOf(names)
	// The next record replaces anything that is not a book, so the fault must be logged before
	// that.
	for _, family := range families {
		if fault := p.Kept.BookFault(family); fault != nil {
			log.say(string(report.CodeBookUnusable) + ": " + loss.UnusableBook(fault.Path, fault.Why).Text)
		}
	}
	ctx, cancel := p.observing(ctx)
	defer cancel()
	_, err := p.Kept.Observe(ctx, names)
	log.Add(inDocument(err, workspace.RuntimeDir+"/ledger"))
	return err == nil
}

// LossFacts adds the entries missing from documents. If the event would end before they are known,
// it says so instead, so that the session is oriented in any case.
func (p Sessions) LossFacts(ctx context.Context, g *Gathered, recorded bool) error {
	look := ctx
	if end, ok := ctx.Deadline(); ok {
		limited, cancel := context.WithDeadline(ctx, end.Add(-lossReserve))
		defer cancel()
		look = limited
	}
	err := p.lookForLosses(look, g, recorded)
	if err != nil && look.Err() != nil && ctx.Err() == nil {
		g.lost, g.Doubts, g.Facts.Lost = nil, nil, LossesLate
		return nil
	}
	return err
}

// lookForLosses is LossFacts for families whose book reports missing entries. If changes could not
// be recorded, it also covers the families of the documents that were read. It writes nothing (D8).
func (p Sessions) lookForLosses(ctx context.Context, g *Gathered, recorded bool) error {
	var families []string
	known, _ := p.FamiliesOf(workspace.SortedKeys(g.Docs))
	unsure := !recorded || p.isNoFile(g.Docs)
	if unsure {
		families = slices.Clone(known)
	}
	lacking, err := p.Kept.Lacking(ctx)
	if err != nil {
		return err
	}
	for _, name := range lacking {
		if family, ok := p.FamilyOf(name); ok && !slices.Contains(families, family) {
			families = append(families, family)
		}
	}
	for _, family := range loss.Of(p.Workspace).CachedFamilies() {
		if !slices.Contains(families, family) {
			families = append(families, family)
		}
	}
	if len(families) == 0 {
		loss.Of(p.Workspace).NoteWhole(known)
		return nil
	}
	got, err := p.lossesOf(ctx, families, !g.Facts.Git.Late, recorded)
	if err == nil && !unsure && got.Unsure == 0 && len(got.Warnings) == 0 {
		loss.Of(p.Workspace).NoteWhole(known)
	}
	g.lost, g.Doubts = got.Found, got.Warnings
	g.Facts.Lost = LossWords(g.lost)
	p.taskLacks(g)
	if got.Unsure > 0 {
		text := loss.NoAnswerText(got.Silent, got.Unsure) + ": `baton lost --all` lists them."
		g.Facts.Lost = strings.TrimSpace(g.Facts.Lost + " " + text)
	}
	return err
}

// taskLacks records whether the task lost criteria or sessions.
func (p Sessions) taskLacks(g *Gathered) {
	if g.task == nil || g.Facts.Task == nil {
		return
	}
	family, _ := p.FamilyOf(g.task.Name)
	g.Facts.Task.Lacks = slices.ContainsFunc(g.lost, func(l loss.Entry) bool {
		return l.Family == family && l.IsWork()
	})
}

// isNoFile reports whether one of these documents is a folder, a pipe or the like, which cannot be
// recorded.
func (p Sessions) isNoFile(docs map[string]agentsession.Doc) bool {
	for name := range docs {
		info, err := os.Stat(filepath.Join(p.Root, filepath.FromSlash(name)))
		if err == nil && !info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// lossesOf is Losses with git. Only git knows the branch of an entry that was seen at another
// commit than HEAD (D9). git has 300 ms for the history of the documents, and as much for the
// commits at which entries were seen. If git was late before, it is asked only about those commits.
// A caller that may write caches the answer for callers that may not ask git.
func (p Sessions) lossesOf(ctx context.Context, families []string, git, write bool) (loss.Result, error) {
	look := loss.Of(p.Workspace).Find
	if write {
		look = loss.Of(p.Workspace).FindAndCache
	}
	return look(ctx, loss.Query{Families: families, Git: true, Late: !git, Patience: cmp.Or(p.Patience, gitrepo.Limit)})
}

// LossNotes checks the documents that the session knows, first by size and time, and reports
// entries that are gone. If git may have changed files in this batch, that waits for the next
// session start, which may ask git whether they are losses (D9).
func (p Sessions) LossNotes(
	ctx context.Context, rec *agentsession.Record, calls []agentsession.ToolCall, log *LogLine,
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
		text, found := LossWords(of), len(of) > 0
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
func (p Sessions) committed(tip string) bool {
	if tip == gitrepo.Unborn {
		tip = ""
	}
	return tip != p.Git.Place.Head() && p.Git.Place.OnlyCommitted(tip)
}

// promptLosses reports entries that are gone from the documents that the session knows, each once.
func (p Sessions) promptLosses(ctx context.Context, rec *agentsession.Record) string {
	families, _ := p.FamiliesOf(workspace.SortedKeys(p.docsChanged(ctx, rec)))
	lost := slices.DeleteFunc(p.lostOf(ctx, families), func(l loss.Entry) bool { return rec.Knows(l.About()) })
	noteLost(rec, lost)
	return LossWords(lost)
}

// docsChanged returns the documents that differ from what the session knows, in their present
// state. It checks size and time first. If only the time changed, it updates the session's record.
func (p Sessions) docsChanged(ctx context.Context, rec *agentsession.Record) map[string]agentsession.Doc {
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
func (p Sessions) stillLost(ctx context.Context, rec *agentsession.Record) []loss.Entry {
	families, _ := p.FamiliesOf(workspace.SortedKeys(rec.Docs))
	return p.lostOf(ctx, families)
}

// lostOf returns what is lost of some families, according to git's last answer.
func (p Sessions) lostOf(ctx context.Context, families []string) []loss.Entry {
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

// LossWords describes lost entries and what to do about them, in one line that fits next to other
// notes. It returns "" without losses.
func LossWords(lost []loss.Entry) string {
	if len(lost) == 0 {
		return ""
	}
	var docs []string
	for _, l := range lost {
		if !slices.Contains(docs, l.Doc) {
			docs = append(docs, l.Doc)
		}
	}
	from := workspace.PlainWord(docs[0], mostLossDoc)
	if more := len(docs) - 1; more > 0 {
		from += " and " + safetext.Count(more, "other document")
	}
	gone, back := "1 entry is gone from ", "it back"
	if many := len(lost); many > 1 {
		gone, back = strconv.Itoa(many)+" entries are gone from ", "them back"
	}
	text := ""
	for names := min(loss.MostLossNames, len(lost)); names >= 0; names-- {
		text = gone + from + loss.NameList(
			lost, names,
		) + ". `baton lost --restore` puts " + back +
			"; use `baton lost ID --accept` only if it was removed on purpose."
		if utf8.RuneCountInString(text) <= MostLossWords {
			break
		}
	}
	return text
}
