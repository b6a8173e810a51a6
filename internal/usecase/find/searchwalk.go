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

// searchDoc is one document to search.
type searchDoc struct {
	root *searchRoot
	name string // below the root, with slashes
	path string // as in answers
	kind string
	id   task.ID // of a task's files
	form *workspace.DigestPlace
}

// deepest limits how many folder levels below a layout's folder are searched.
const deepest = 32

// searchWalk collects the documents of all roots.
type searchWalk struct {
	ctx      context.Context
	base     string
	scope    string
	seen     map[string]bool // real paths, because a link may lead back to a folder that was already searched
	met      map[string]bool // paths of all documents that were found, even if they were skipped
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

// folder adds the documents of a folder. A folder that cannot be listed becomes a warning, and the
// search continues.
func (w *searchWalk) folder(r *searchRoot, dir string, depth int, deep bool) error {
	place := workspace.Real(filepath.Join(r.at.Root, filepath.FromSlash(dir)))
	if deep && w.seen[place+"/"] || passedOver(dir) || depth > deepest {
		return nil
	}
	if rel, err := filepath.Rel(r.at.Root, place); err == nil && passedOver(filepath.ToSlash(rel)) { // via a link
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
		return nil // documents do not have such names
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

// isDocument reports by its name whether a file is a document. Evidence consists of JSON lines, all
// others are Markdown.
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

// take adds a document if the scope includes its kind.
func (w *searchWalk) take(d searchDoc) {
	w.met[d.path] = true
	if d.within(w.scope) {
		w.docs = append(w.docs, d)
	}
}

// classify determines the kind of a document from its folder and its name.
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

// within reports whether a document may contain entries of the scope.
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
