package project

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
	"baton/internal/ledger"
)

// Limits of what is said of entries that are gone.
const (
	mostLossNames = 3   // that are named
	mostLossName  = 36  // characters of one of them
	mostLossDoc   = 44  // characters of the document's name
	mostLossWords = 300 // characters in all, so that it comes early in what a session is told (agents.md 1.5)
)

// How long a session's hook takes for what is gone.
const (
	observePatience = 300 * time.Millisecond // to record what somebody else did (D15), unless a project has its own
	lossReserve     = 500 * time.Millisecond // that a look for it leaves, of the time of the whole event, to tell the session all the rest
)

// lossesLate is told instead of what is gone.
const lossesLate = "baton had no time to look for entries that are gone from documents: `baton lost` tells what is."

// observing bounds how long what somebody else did is recorded.
func (p *Project) observing(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, cmp.Or(p.patience, observePatience))
}

// familiesOf gives the families that documents belong to, and all documents of these, each once and in order.
func (p *Project) familiesOf(names []string) (families, docs []string) {
	seen := map[string]bool{}
	for _, name := range names {
		family, ok := p.familyOf(name)
		if !ok || seen[family] {
			continue
		}
		seen[family] = true
		families = append(families, family)
		docs = append(docs, p.familyDocs(family)...)
	}
	return families, docs
}

// observe records what somebody else did to documents that a session's hook looks at anyway, and to their archives (D8), and says
// whether all of it is recorded now. Where a lock was not to be had before, it is not waited for again: what is not recorded now
// is by the next write, or the next hook.
func (p *Project) observe(ctx context.Context, docs map[string]agentDoc, log *logLine) bool {
	_, names := p.familiesOf(sortedKeys(docs))
	if len(names) == 0 || log.locked {
		return len(names) == 0
	}
	families, _ := p.familiesOf(names)
	for _, family := range families { // what is no book becomes one with the next record, and nobody could tell any more
		if fault := p.store.BookFault(family); fault != nil {
			log.say(bookUnusable + ": " + unusable(fault.Path, fault.Why).Text)
		}
	}
	ctx, cancel := p.observing(ctx)
	defer cancel()
	_, err := p.store.Observe(ctx, names)
	log.add(inDocument(err, runtimeDir+"/ledger"))
	return err == nil
}

// lossFacts adds what is missing from documents, or, where an event would end before that is known, says so: a session is told where it
// stands in any case.
func (p *Project) lossFacts(ctx context.Context, g *gathered, recorded bool) error {
	look := ctx
	if end, ok := ctx.Deadline(); ok {
		limited, cancel := context.WithDeadline(ctx, end.Add(-lossReserve))
		defer cancel()
		look = limited
	}
	err := p.lookForLosses(look, g, recorded)
	if err != nil && look.Err() != nil && ctx.Err() == nil {
		g.lost, g.doubts, g.facts.Lost = nil, nil, lossesLate
		return nil
	}
	return err
}

// lookForLosses is lossFacts of documents whose book says that something is missing, and, where they could not be recorded, of those that
// were looked at. Nothing is written (D8).
func (p *Project) lookForLosses(ctx context.Context, g *gathered, recorded bool) error {
	var families []string
	if !recorded || p.isNoFile(g.docs) {
		families, _ = p.familiesOf(sortedKeys(g.docs))
	}
	lacking, err := p.store.Lacking(ctx)
	if err != nil {
		return err
	}
	for _, name := range lacking {
		if family, ok := p.familyOf(name); ok && !slices.Contains(families, family) {
			families = append(families, family)
		}
	}
	for _, family := range p.rememberedFamilies() {
		if !slices.Contains(families, family) {
			families = append(families, family)
		}
	}
	if len(families) == 0 {
		return nil
	}
	told, err := p.lossesOf(ctx, families, !g.facts.Git.Late, recorded)
	g.lost, g.doubts = told.Found, told.Warnings
	g.facts.Lost = lossWords(g.lost)
	if told.Unsure > 0 {
		g.facts.Lost = strings.TrimSpace(silentWords(told.Silent, told.Unsure) + ": `baton lost --all` lists them. " + g.facts.Lost)
	}
	return err
}

// isNoFile says that a folder, a pipe or the like stands in the place of one of these documents, which nobody can record.
func (p *Project) isNoFile(docs map[string]agentDoc) bool {
	for name := range docs {
		info, err := os.Stat(filepath.Join(p.root, filepath.FromSlash(name)))
		if err == nil && !info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// lossesOf is losses with git, which alone knows where an entry belongs that was seen at another commit than HEAD (D9); it has 300 ms
// for their history and as much for the commits at which they were seen. Where git was late before, it is asked of those only. Who may write
// keeps what it says for those that may not ask it.
func (p *Project) lossesOf(ctx context.Context, families []string, git, write bool) (lossTold, error) {
	look := p.toldLosses
	if write {
		look = p.rememberedLosses
	}
	return look(ctx, lossAsk{Families: families, Git: true, Late: !git, Patience: gitrepo.Limit})
}

// lossNotes looks at the documents that the session knows, by size and time first (D7), and tells of entries that are gone. What
// git changed in this batch waits for the next beginning of a session, which may ask it whether it is a loss (D9).
func (p *Project) lossNotes(ctx context.Context, rec *agentRecord, calls []ToolCall, log *logLine) []toolNote {
	changed := p.docsChanged(ctx, rec)
	families, _ := p.familiesOf(sortedKeys(changed))
	var lost []loss
	if len(families) > 0 && !slices.ContainsFunc(calls, runsGit) {
		var err error
		if lost, err = p.losses(ctx, lossAsk{Families: families}); err != nil {
			log.add(err)
			return nil
		}
		lost = slices.DeleteFunc(lost, func(l loss) bool { return rec.told(l.about()) })
	}
	var notes []toolNote
	for _, name := range sortedKeys(changed) {
		family, _ := p.familyOf(name)
		of := slices.DeleteFunc(slices.Clone(lost), func(l loss) bool { return l.Family != family })
		given := func() {
			rec.Docs[name] = changed[name]
			noteLost(rec, of)
		}
		if len(of) == 0 {
			given()
			continue
		}
		notes = append(notes, toolNote{text: lossWords(of), given: given})
	}
	return notes
}

// docsChanged gives the documents that are not as the session knows them, by size and time first (D7), as they are now; those of
// which only the time changed are noted on the way.
func (p *Project) docsChanged(ctx context.Context, rec *agentRecord) map[string]agentDoc {
	changed := map[string]agentDoc{}
	for _, name := range sortedKeys(rec.Docs) {
		knew := rec.Docs[name]
		if !filepath.IsLocal(filepath.FromSlash(name)) { // a record may hold anything
			delete(rec.Docs, name)
			continue
		}
		info, err := os.Stat(filepath.Join(p.root, filepath.FromSlash(name)))
		gone := os.IsNotExist(err)
		if err != nil && !gone || !gone && info.Size() == knew.Size && info.ModTime().UnixNano() == knew.ModTime || gone && knew.Hash == "" {
			continue
		}
		doc, err := p.store.Read(ctx, name)
		if err != nil {
			continue
		}
		now := agentDoc{}
		if doc.Exists {
			now = docOf(doc)
		}
		if now.Hash == knew.Hash {
			rec.Docs[name] = now
			continue
		}
		changed[name] = now
	}
	return changed
}

// about is what is remembered of a loss that the session was told of.
func (l loss) about() string {
	return "lost " + l.Family + " " + string(l.Known.Kind) + " " + l.Known.Key
}

// noteLost notes that the session was told of losses.
func noteLost(r *agentRecord, lost []loss) {
	for _, l := range lost {
		if !r.told(l.about()) {
			r.remember(l.about())
		}
	}
}

// lossWords says what is gone, with the ways on, in one line that fits beside other notes; "" when nothing is.
func lossWords(lost []loss) string {
	if len(lost) == 0 {
		return ""
	}
	var docs []string
	for _, l := range lost {
		if !slices.Contains(docs, l.Doc) {
			docs = append(docs, l.Doc)
		}
	}
	from := plainWord(docs[0], mostLossDoc)
	if more := len(docs) - 1; more > 0 {
		from += " and " + plural(more, "other document")
	}
	gone, back := "1 entry is gone from ", "it back"
	if many := len(lost); many > 1 {
		gone, back = strconv.Itoa(many)+" entries are gone from ", "them back"
	}
	text := ""
	for names := min(mostLossNames, len(lost)); names >= 0; names-- {
		text = gone + from + lossList(lost, names) + ". `baton lost --restore` puts " + back + "; `baton lost ID --accept` only if it was meant to go."
		if utf8.RuneCountInString(text) <= mostLossWords {
			break
		}
	}
	return text
}

// lossList names what is gone, so much of it; "" when nothing is to be named.
func lossList(lost []loss, most int) string {
	if most == 0 {
		return ""
	}
	names := make([]string, most)
	for i, l := range lost[:most] {
		names[i] = lossName(l.Known)
	}
	text := ": " + strings.Join(names, ", ")
	if more := len(lost) - most; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

// lossName is what a message calls an entry.
func lossName(k *ledger.Known) string {
	kind := plainWord(string(k.Kind), 16)
	if k.Kind == ledger.Session && k.Number > 0 {
		return kind + " " + strconv.Itoa(k.Number)
	}
	return kind + ` "` + plainWord(labelShown(k.Label), mostLossName) + `"`
}

// labelShown shows that a label was cut.
func labelShown(label string) string {
	if label = oneLine(neutral(label)); utf8.RuneCountInString(label) >= ledger.LabelLength-1 { // a blank at the cut is gone
		label += "…"
	}
	return label
}
