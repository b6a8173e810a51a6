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
// archives, and other Markdown files next to them. There is no index: the bytes of every document
// are searched, and only documents that contain all words are parsed. A document is skipped and
// named in the warnings if it is a link that leads outside, is larger than 64 MiB, or is not text.
// No hits are an answer, not an error. Search fails with Usage search_empty or search_scope, and
// with NotFound no_project.
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
			Message: "there is no search scope " + safetext.Quote(r.In),
			Hint:    "use --in " + strings.Join(SearchScopes(), ", "),
		}
	}
	return nil
}

// searching is one search in progress.
type searching struct {
	query search.Query
	scope string
	limit int
	seed  maphash.Seed
	read  []searched
	live  map[uint64]bool // entries of live documents with hits; copies in archives are not further hits
}

// run reads documents that lose entries before those that gain them (D8). Archives are read last
// and listed again before that. An entry that moves meanwhile may be seen twice, but is never
// missed.
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

// newArchives adds archives that did not exist at the first listing, including the journal's.
func (w *searchWalk) newArchives(roots []*searchRoot) error {
	for _, r := range roots {
		for _, dir := range r.archivePlaces() {
			entries, err := r.at.Store.List(w.ctx, dir)
			if w.ctx.Err() != nil {
				return w.ctx.Err()
			}
			if err != nil {
				continue // the first listing reported it
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
// has one buffer for folding.
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

// collect builds the answer in order.
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

// compare orders documents in an answer.
func (d *searchDoc) compare(other *searchDoc) int {
	if c := d.rank() - other.rank(); c != 0 {
		return c
	}
	if d.id != "" && other.id != "" {
		if c := task.CompareIDs(d.id, other.id); c != 0 {
			return c
		}
	}
	// a task comes before its evidence
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
