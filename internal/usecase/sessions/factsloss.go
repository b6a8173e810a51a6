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
	"baton/internal/safetext"
	"baton/internal/usecase/loss"
	"baton/internal/workspace"
)

// Limits of the text about lost entries.
const (
	mostLossDoc = 44 // characters of the document's name

	MostLossWords = 260 // characters in all: an orientation has no more room, and would cut the command
)

// lossReserve is the time that is reserved for the rest of the event when lost entries are looked
// for.
const lossReserve = 500 * time.Millisecond

// LossesLate replaces the list of lost entries if there was no time for it.
const LossesLate = "baton had no time to look for entries that are gone from documents; `baton lost` lists them."

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
		g.Lost, g.Doubts, g.Facts.Lost = nil, nil, LossesLate
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
	g.Lost, g.Doubts = got.Found, got.Warnings
	g.Facts.Lost = LossWords(g.Lost)
	p.TaskLacks(g)
	if got.Unsure > 0 {
		text := loss.NoAnswerText(got.Silent, got.Unsure) + ": `baton lost --all` lists them."
		g.Facts.Lost = strings.TrimSpace(g.Facts.Lost + " " + text)
	}
	return err
}

// TaskLacks records whether the task lost criteria or sessions.
func (p Sessions) TaskLacks(g *Gathered) {
	if g.Loaded == nil || g.Facts.Task == nil {
		return
	}
	family, _ := p.FamilyOf(g.Loaded.Name)
	g.Facts.Task.Lacks = slices.ContainsFunc(g.Lost, func(l loss.Entry) bool {
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
