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

	"baton/internal/gitrepo"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/loss"
	"baton/internal/workspace"
)

// Limits of what is said of entries that are gone.
const (
	mostLossDoc = 44 // characters of the document's name

	MostLossWords = 300 // characters in all, so that it comes early in what a session is told (agents.md 1.5)
)

// How long a session's hook takes for what is gone.
const (
	observePatience = 300 * time.Millisecond // to record what somebody else did (D15), unless a project has its own
	// that a look for it leaves, of the time of the whole event, to tell the session all the rest
	lossReserve = 500 * time.Millisecond
)

// LossesLate is told instead of what is gone.
const LossesLate = "baton had no time to look for entries that are gone from documents: `baton lost` tells what is."

// observing bounds how long what somebody else did is recorded.
func (p Sessions) observing(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, cmp.Or(p.Patience, observePatience))
}

// Observe records what somebody else did to documents that a session's hook looks at anyway, and to
// their archives (D8), and reports whether all of it is recorded now. Where a lock was not to be
// had before, it is not waited for again: what is not recorded now is by the next write, or the
// next hook.
func (p Sessions) Observe(ctx context.Context, docs map[string]workspace.AgentDoc, log *LogLine) bool {
	_, names := p.FamiliesOf(workspace.SortedKeys(docs))
	if len(names) == 0 || log.locked {
		return len(names) == 0
	}
	families, _ := p.FamiliesOf(names)
	// what is no book becomes one with the next record, and nobody could tell any more
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

// LossFacts adds what is missing from documents, or, where an event would end before that is known,
// says so: a session is told where it is in any case.
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

// lookForLosses is LossFacts of documents whose book says that something is missing, and, where
// they could not be recorded, of those that were looked at. Nothing is written (D8).
func (p Sessions) lookForLosses(ctx context.Context, g *Gathered, recorded bool) error {
	var families []string
	if !recorded || p.isNoFile(g.Docs) {
		families, _ = p.FamiliesOf(workspace.SortedKeys(g.Docs))
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
		return nil
	}
	got, err := p.lossesOf(ctx, families, !g.Facts.Git.Late, recorded)
	g.lost, g.Doubts = got.Found, got.Warnings
	g.Facts.Lost = LossWords(g.lost)
	if got.Unsure > 0 {
		text := loss.NoAnswerText(got.Silent, got.Unsure) + ": `baton lost --all` lists them. "
		g.Facts.Lost = strings.TrimSpace(text + g.Facts.Lost)
	}
	return err
}

// isNoFile reports that a folder, a pipe or the like takes the place of one of these documents,
// which nobody can record.
func (p Sessions) isNoFile(docs map[string]workspace.AgentDoc) bool {
	for name := range docs {
		info, err := os.Stat(filepath.Join(p.Root, filepath.FromSlash(name)))
		if err == nil && !info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// lossesOf is losses with git, which alone knows where an entry belongs that was seen at another
// commit than HEAD (D9); it has 300 ms for their history and as much for the commits at which they
// were seen. Where git was late before, it is asked of those only. Who may write keeps what it says
// for those that may not ask it.
func (p Sessions) lossesOf(ctx context.Context, families []string, git, write bool) (loss.Result, error) {
	look := loss.Of(p.Workspace).Find
	if write {
		look = loss.Of(p.Workspace).FindAndCache
	}
	return look(ctx, loss.Query{Families: families, Git: true, Late: !git, Patience: cmp.Or(p.Patience, gitrepo.Limit)})
}

// LossNotes looks at the documents that the session knows, by size and time first, and reports
// entries that are gone. What git changed in this batch waits for the next start of a session,
// which may ask git whether it is a loss (D9).
func (p Sessions) LossNotes(
	ctx context.Context, rec *workspace.AgentRecord, calls []workspace.ToolCall, log *LogLine,
) []toolNote {
	changed := p.docsChanged(ctx, rec)
	families, _ := p.FamiliesOf(workspace.SortedKeys(changed))
	var lost []loss.Entry
	if len(families) > 0 && !slices.ContainsFunc(calls, runsGit) {
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
		if len(of) == 0 {
			given()
			continue
		}
		notes = append(notes, toolNote{text: LossWords(of), given: given})
	}
	return notes
}

// docsChanged returns the documents that are not as the session knows them, by size and time
// first, as they are now; those of which only the time changed are noted on the way.
func (p Sessions) docsChanged(ctx context.Context, rec *workspace.AgentRecord) map[string]workspace.AgentDoc {
	changed := map[string]workspace.AgentDoc{}
	for _, name := range workspace.SortedKeys(rec.Docs) {
		knew := rec.Docs[name]
		if !filepath.IsLocal(filepath.FromSlash(name)) { // a record may hold anything
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
		now := workspace.AgentDoc{}
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

// noteLost records which losses the session has heard about.
func noteLost(r *workspace.AgentRecord, lost []loss.Entry) {
	for _, l := range lost {
		if !r.Knows(l.About()) {
			r.Remember(l.About())
		}
	}
}

// LossWords says what is gone, with the ways on, in one line that fits beside other notes; "" when
// nothing is.
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
		) + ". `baton lost --restore` puts " + back + "; `baton lost ID --accept` only if it was meant to go."
		if utf8.RuneCountInString(text) <= MostLossWords {
			break
		}
	}
	return text
}
