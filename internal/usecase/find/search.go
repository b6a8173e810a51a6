package find

import (
	"cmp"
	"context"
	"hash/maphash"
	"runtime"
	"slices"
	"strings"
	"sync"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/search"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/workspace"
)

// Search finds words in all documents of the project's layouts: digests, tasks, their evidence,
// archives, and the other Markdown beside them. There is no index: every document is read and its
// bytes are searched; only those that hold all words are parsed. Documents in the place of which a
// link leads outside, that are larger than 64 MiB, or are no text, are left out and named in the
// warnings. Nothing found is an answer, not an error. Usage search_empty, search_scope; NotFound
// no_project.
func (p Find) Search(ctx context.Context, r SearchRequest) (SearchResult, error) {
	const op = "search"
	query := search.Parse(r.Text)
	scope := cmp.Or(r.In, SearchAll)
	if err := checkSearch(op, query, scope, r); err != nil {
		return SearchResult{}, err
	}
	roots, err := p.searchRoots(ctx)
	if err != nil {
		return SearchResult{}, err
	}
	defer func() {
		for _, root := range roots {
			if root.at != p.Workspace {
				_ = root.at.Close() // nothing was written
			}
		}
	}()
	if len(roots) == 0 {
		return SearchResult{}, p.NoFolder(op, "")
	}
	s := &searching{query: query, scope: scope, limit: r.Limit, seed: maphash.MakeSeed()}
	w := &searchWalk{
		ctx: ctx, base: searchBase(roots), scope: scope, seen: map[string]bool{}, met: map[string]bool{},
	}
	if err := s.run(ctx, w, roots); err != nil {
		return SearchResult{}, err
	}
	out := SearchResult{
		Query: safetext.Line(r.Text), In: scope, Root: w.base, Hits: []SearchHit{}, Warnings: []report.Finding{},
	}
	s.collect(&out)
	out.Warnings = append(out.Warnings, w.findings...)
	return out, nil
}

func checkSearch(op string, query search.Query, scope string, r SearchRequest) error {
	switch {
	case query.Empty():
		return &report.Error{
			Op: op, Kind: report.Usage, Code: report.CodeSearchEmpty, Message: "there is nothing to search for",
			Hint: `give words, or a phrase in double quotes: baton search 'token "refresh flow"'`,
		}
	case !slices.Contains(SearchScopes(), scope):
		return &report.Error{
			Op: op, Kind: report.Usage, Code: report.CodeSearchScope,
			Message: "a search cannot be in " + safetext.Quote(r.In),
			Hint:    "use --in " + strings.Join(SearchScopes(), ", "),
		}
	}
	return nil
}

// searching is one search under way.
type searching struct {
	query search.Query
	scope string
	limit int
	seed  maphash.Seed
	read  []searched
	live  map[uint64]bool // entries of live documents with hits: an archive's copies of them are no hits of their own
}

// run reads what loses an entry before what gains it (D8): archives are read after everything else,
// and looked for once more, so that an entry that moves meanwhile is seen twice at most, and never
// not at all.
func (s *searching) run(ctx context.Context, w *searchWalk, roots []*searchRoot) error {
	if err := w.all(roots); err != nil {
		return err
	}
	live := slices.DeleteFunc(slices.Clone(w.docs), func(d searchDoc) bool { return d.kind == kindArchive })
	archives := slices.DeleteFunc(w.docs, func(d searchDoc) bool { return d.kind != kindArchive })
	if err := s.documents(ctx, live); err != nil {
		return err
	}
	s.remember()
	w.docs = archives
	if err := w.newArchives(roots); err != nil {
		return err
	}
	return s.documents(ctx, w.docs)
}

// newArchives takes in archives that were not there at the first look. A journal's are among them.
func (w *searchWalk) newArchives(roots []*searchRoot) error {
	for _, r := range roots {
		for _, dir := range r.archivePlaces() {
			entries, err := r.at.Store.List(w.ctx, dir)
			if w.ctx.Err() != nil {
				return w.ctx.Err()
			}
			if err != nil {
				continue // the first look has told it
			}
			for _, e := range entries {
				if d := w.doc(r, workspace.Join(dir, e.Name)); !e.Dir && isDocument(e.Name) && !w.met[d.path] &&
					d.kind == kindArchive {
					w.take(d)
				}
			}
		}
	}
	return nil
}

// documents reads and searches documents, as many at a time as there are processors. Each worker
// has one buffer that it folds into.
func (s *searching) documents(ctx context.Context, docs []searchDoc) error {
	out := make([]searched, len(docs))
	workers := max(1, min(runtime.GOMAXPROCS(0), len(docs)))
	var wg sync.WaitGroup
	for n := range workers {
		wg.Go(func() {
			var buffer []byte
			for i := n; i < len(docs) && ctx.Err() == nil; i += workers {
				out[i], buffer = s.document(ctx, docs[i], buffer)
			}
		})
	}
	wg.Wait()
	s.read = append(s.read, out...)
	return ctx.Err()
}

// collect puts the answer together, in order.
func (s *searching) collect(out *SearchResult) {
	sorting.By(s.read, func(a, b searched) int { return a.doc.compare(&b.doc) })
	for i := range s.read {
		d := &s.read[i]
		if d.finding != nil {
			out.Warnings = append(out.Warnings, *d.finding)
		}
		if d.searched {
			out.Documents++
			out.Bytes += d.size
		}
		if d.total > 0 {
			out.Matching++
			out.Total += d.total
		}
		for _, h := range d.hits {
			if s.limit == 0 || len(out.Hits) < s.limit {
				out.Hits = append(out.Hits, s.show(d, h))
			}
		}
	}
	out.More = out.Total - len(out.Hits)
}

// compare returns the order of documents in an answer.
func (d *searchDoc) compare(other *searchDoc) int {
	if c := d.rank() - other.rank(); c != 0 {
		return c
	}
	if d.id != "" && other.id != "" {
		if c := task.CompareIDs(d.id, other.id); c != 0 {
			return c
		}
	}
	// a task before its evidence
	return cmp.Or(strings.Compare(other.kind, d.kind), strings.Compare(d.path, other.path))
}

func (d *searchDoc) rank() int {
	switch {
	case d.kind == kindDigest:
		return 0
	case d.kind == kindTask, d.kind == kindEvidence:
		return 1
	case d.kind == kindDocument:
		return 2
	case d.form != nil:
		return 3
	case d.id != "":
		return 4
	}
	return 5
}
