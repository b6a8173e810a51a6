package find

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/workspace"
)

// searchDoc is one document that is to be searched.
type searchDoc struct {
	root *searchRoot
	name string // below the root, with slashes
	path string // as answers have it
	kind string
	id   task.ID // of a task's files
	form *workspace.DigestPlace
}

// deepest bounds how far below a layout's folder documents are looked for.
const deepest = 32

// searchWalk collects the documents of all roots.
type searchWalk struct {
	ctx      context.Context
	base     string
	scope    string
	seen     map[string]bool // real paths: a link may lead to what was found already, or in a circle
	met      map[string]bool // paths of documents that were met, whatever became of them
	docs     []searchDoc
	findings []report.Finding
}

func (w *searchWalk) all(roots []*searchRoot) error {
	for _, r := range roots {
		for _, dir := range r.deep {
			if err := w.folder(r, dir, 0, true); err != nil {
				return err
			}
		}
		for _, dir := range r.shallow {
			if err := w.folder(r, dir, 0, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// folder takes in the documents of a folder. What cannot be listed is named, and the search goes
// on.
func (w *searchWalk) folder(r *searchRoot, dir string, depth int, deep bool) error {
	place := workspace.Real(filepath.Join(r.at.Root, filepath.FromSlash(dir)))
	if deep && w.seen[place+"/"] || passedOver(dir) || depth > deepest {
		return nil
	}
	if rel, err := filepath.Rel(r.at.Root, place); err == nil && passedOver(filepath.ToSlash(rel)) { // a link led there
		return nil
	}
	if deep {
		w.seen[place+"/"] = true
	}
	found, err := r.at.Store.Scan(w.ctx, dir)
	switch {
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case err != nil:
		w.skip(r, dir, report.CodeUnreadable, "cannot be listed: "+safetext.Line(err.Error()))
		return nil
	case found.Outside:
		w.outside(r, dir)
		return nil
	}
	sorting.By(found.Items, func(a, b store.Item) int { return strings.Compare(a.Name, b.Name) })
	for i := range found.Items {
		if err := w.item(r, dir, place, &found.Items[i], depth, deep); err != nil {
			return err
		}
	}
	return nil
}

func (w *searchWalk) item(r *searchRoot, dir, place string, item *store.Item, depth int, deep bool) error {
	name, mode, target := workspace.Join(dir, item.Name), item.Mode, filepath.Join(place, item.Name)
	if store.CheckName(name) != nil {
		return nil // no document has such a name
	}
	document := isDocument(item.Name)
	doc := searchDoc{}
	if document {
		doc = w.doc(r, name)
	}
	if item.Link != nil {
		w.met[doc.path] = true
		if item.Link.Fault == "outside" && (document || deep && path.Ext(item.Name) == "") {
			w.outside(r, name)
		}
		if item.Link.Fault != "" {
			return nil
		}
		mode, target = item.Link.Mode, workspace.Real(target)
	}
	switch {
	case mode.IsDir() && deep:
		return w.folder(r, name, depth+1, true)
	case mode.IsRegular() && document && !w.seen[target]:
		w.seen[target] = true
		w.take(doc)
	}
	return nil
}

// isDocument tells by its name whether a file is a document. Evidence has lines of JSON, all others
// are Markdown.
func isDocument(base string) bool {
	if strings.EqualFold(path.Ext(base), ".md") {
		return true
	}
	_, ok := task.IDOfAnyFile(base)
	return ok
}

// doc describes a document.
func (w *searchWalk) doc(r *searchRoot, name string) searchDoc {
	d := searchDoc{root: r, name: name, path: shownBelow(w.base, r.at.Root, name)}
	d.classify()
	return d
}

// take adds a document, unless the scope is not about its kind.
func (w *searchWalk) take(d searchDoc) {
	w.met[d.path] = true
	if d.within(w.scope) {
		w.docs = append(w.docs, d)
	}
}

// classify says what a document is, by where it stands and what it is called.
func (d *searchDoc) classify() {
	base := path.Base(d.name)
	d.kind = kindDocument
	for i := range d.root.digests {
		if place := &d.root.digests[i]; d.name == place.State || d.name == place.Archive {
			d.form = place
			if d.kind = kindArchive; d.name == place.State {
				d.kind = kindDigest
			}
			return
		}
	}
	if d.root.inArchive(d.name) {
		d.kind = kindArchive
		return
	}
	id, ok := task.IDOfAnyFile(base)
	if !ok {
		return
	}
	d.id = id
	switch base {
	case task.StateName(id):
		d.kind = kindTask
	case task.ArchiveName(id):
		d.kind = kindArchive
	default:
		d.kind = kindEvidence
	}
}

// within reports whether a document may hold what the scope is about.
func (d *searchDoc) within(scope string) bool {
	switch scope {
	case SearchTasks:
		return d.kind == kindTask || d.kind == kindEvidence
	case SearchSessions:
		return d.id != "" && d.kind != kindEvidence
	case SearchDecisions:
		return d.form != nil
	case SearchArchives:
		return d.kind == kindArchive
	}
	return true
}

func (w *searchWalk) outside(r *searchRoot, name string) {
	w.skip(r, name, report.CodeOutside, "is a link that leads outside the project, so it was not searched")
}

func (w *searchWalk) skip(r *searchRoot, name string, code report.Code, text string) {
	shown := shownBelow(w.base, r.at.Root, name)
	w.findings = append(w.findings, code.Finding(shown, 0, shown+" "+text))
}
