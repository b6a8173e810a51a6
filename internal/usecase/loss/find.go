package loss

import (
	"context"
	"slices"
	"time"

	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/workspace"
)

// Entry is an entry that the ledger knows and that is in no document now.
type Entry struct {
	Family string
	Known  *ledger.Known
	Doc    string // document that contained it last
	Fate   Fate
	Became string // for FateReworded: the label of its new version
	Unsure bool   // for FatePerhaps: git gave no answer
	Before bool   // it existed when the book began
}

// Fate is what is known of a missing entry (D9).
type Fate string

// The fates of missing entries. Without --all, only lost ones are shown.
const (
	FateLost      Fate = "lost"      // it was seen at HEAD or at a commit before it
	FateElsewhere Fate = "elsewhere" // it belongs to another branch; it is never shown
	FatePerhaps   Fate = "perhaps"   // the commit at which it was seen is unknown
	FateReworded  Fate = "reworded"  // its words changed
	fateAccepted  Fate = "accepted"  // somebody accepted that it is gone
)

// Query selects missing entries.
type Query struct {
	Families []string // nil: all that have a book
	Git      bool     // git may be asked (D9); otherwise its last answer counts
	All      bool     // include entries that are perhaps lost, reworded or accepted

	Cached   bool          // with Git: git is not asked again where its last answer counts
	Patience time.Duration // limit for all questions to git together; 0: the usual limit for each
	Late     bool          // git was too slow before, so it is only asked about commits
}

// Result is the result of a search for missing entries.
type Result struct {
	Found    []Entry
	Unsure   int              // entries that are perhaps lost because git gave no answer
	Silent   string           // why git gave no answer
	Warnings []report.Finding // documents that could not be judged
}

// Losses returns the missing entries; see Find.
func (p Loss) Losses(ctx context.Context, q Query) ([]Entry, error) {
	got, err := p.Find(ctx, q)
	return got.Found, err
}

// Find returns the entries that are missing from documents, by family and in the order of the
// ledger. An unchanged document is recognised by its size, time and identity and is not read. Find
// writes nothing (D8). During a merge, a rebase or a bisect, nothing counts as missing (D9).
func (p Loss) Find(ctx context.Context, q Query) (Result, error) {
	got, err := p.FindAll(ctx, q)
	got.Found = q.matching(got.Found)
	return got, err
}

// mostOpened is the number of tasks up to which every book is opened to look for missing entries.
const mostOpened = 1000

// FindAmong is Find for a project of which all tasks were just listed. In a large project it only
// opens the books of documents that changed since baton saw them, or lacked an entry then. So it
// does not notice a book that became unusable: Find does.
func (p Loss) FindAmong(ctx context.Context, all []*workspace.Head, q Query) (Result, error) {
	if len(all) > mostOpened && !p.Git.Busy() {
		families, whole, err := p.suspects(ctx, all)
		if err != nil || whole && len(families) == 0 {
			return Result{}, err
		}
		q.Families = families
	}
	return p.Find(ctx, q)
}

// FindAndCache is Find for a hook that may write. It caches git's answer for callers that may not
// ask git.
func (p Loss) FindAndCache(ctx context.Context, q Query) (Result, error) {
	got, err := p.FindAll(ctx, q)
	if err == nil && q.Git && !(q.Cached && len(got.Found) == 0) {
		p.cacheFates(q.Families, got.Found, nil)
	}
	got.Found = q.matching(got.Found)
	return got, err
}

// matching drops the entries that the query does not want.
func (q Query) matching(found []Entry) []Entry {
	return slices.DeleteFunc(found, func(l Entry) bool {
		return l.Fate == FateElsewhere || l.Fate != FateLost && !q.All
	})
}

// FindAll is Find, but includes the entries that belong to other branches.
func (p Loss) FindAll(ctx context.Context, q Query) (got Result, err error) {
	if p.Git.Busy() {
		return got, ctx.Err()
	}
	families := q.Families
	begin := p.NewScan
	if families != nil && len(families) <= mostNarrow {
		begin = func(ctx context.Context) (*Scan, error) { return p.narrowScan(ctx, families) }
	}
	scan, err := begin(ctx)
	if err != nil {
		return got, err
	}
	if families == nil {
		if families, err = scan.Books(ctx); err != nil {
			return got, err
		}
	}
	var found []Entry
	for _, family := range families {
		if err := ctx.Err(); err != nil {
			return got, err
		}
		list, err := scan.Family(ctx, family, q.All)
		if err != nil {
			return got, err
		}
		found = append(found, list...)
	}
	if got.Silent, err = p.judge(ctx, q, found); err != nil {
		return got, err
	}
	if got.Found, err = scan.WithoutMoved(ctx, found); err != nil {
		return got, err
	}
	for i := range got.Found {
		if got.Found[i].Unsure {
			got.Unsure++
		}
	}
	got.Warnings = scan.unjudged
	return got, nil
}

// source returns the source of a missing entry, in the terms of blame.
func (l *Entry) source() string {
	switch {
	case l.Before:
		return BlameBefore
	case l.Known.First.By == "" && l.Known.First.Command == "":
		return BlameOutside
	}
	return BlameChange
}

// mostNarrow is the number of families up to which their files are looked up one by one.
const mostNarrow = 8
