package find

import (
	"context"
	"fmt"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/workspace"
)

// The documents that Document can return.
const (
	DocumentDigest  = "digest"  // STATE.md
	DocumentTask    = "task"    // a task's state file
	DocumentArchive = "archive" // a task's archived sessions
)

// mostDocument limits the bytes that Document returns of one document, because they go into a
// model's context.
const mostDocument = 256 << 10

// DocumentResult is a document as in its file, without control characters that a terminal would act
// on.
type DocumentResult struct {
	Path string `json:"path"` // relative to the root
	Text string `json:"text"` // at most 256 KB, cut at a line
	Cut  bool   `json:"cut"`  // the document is longer
}

// Document reads one document as a whole. It follows no link out of the project. id names the task;
// the digest needs none. It fails with Usage id_invalid, and with NotFound task_unknown, no_digest,
// archive_missing or document_unknown.
func (p Find) Document(ctx context.Context, kind, id string) (DocumentResult, error) {
	defer p.Confine()()
	at, name, err := p.documentName(ctx, kind, id)
	if err != nil {
		return DocumentResult{}, err
	}
	if at != p.Workspace {
		defer at.Close()
	}
	doc, err := at.Store.Read(ctx, name)
	if err != nil {
		return DocumentResult{}, err
	}
	if !doc.Exists {
		code := report.CodeArchiveMissing
		switch kind {
		case DocumentDigest:
			code = report.CodeDigestMissing
		case DocumentTask:
			code = report.CodeTaskMissing
		}
		return DocumentResult{}, &report.Error{
			Op: "document", Kind: report.NotFound, Code: code, Message: "there is no " + name,
		}
	}
	out := DocumentResult{Path: name, Text: safetext.Clean(string(doc.Data))}
	if len(out.Text) > mostDocument {
		out.Text, out.Cut = upToLine(out.Text[:mostDocument]), true
	}
	return out, nil
}

// documentName finds the file of a document, and the workspace whose root contains it.
func (p Find) documentName(ctx context.Context, kind, id string) (*workspace.Workspace, string, error) {
	switch kind {
	case DocumentDigest:
		at, places, err := p.ForDigest(ctx, "document")
		if err != nil {
			return nil, "", err
		}
		return at, places[0].State, nil
	case DocumentTask, DocumentArchive:
		if err := p.Need("document"); err != nil {
			return nil, "", err
		}
		known, err := task.ParseID(id)
		if err != nil {
			return nil, "", err
		}
		l, err := p.LoadTask(ctx, p.Store, known)
		if err != nil {
			return nil, "", err
		}
		if kind == DocumentTask {
			return p.Workspace, l.Name, nil
		}
		return p.Workspace, l.Archive, nil
	}
	return nil, "", &report.Error{
		Op: "document", Kind: report.NotFound, Code: report.CodeDocumentUnknown,
		Message: "there is no document of the kind " + safetext.Quote(kind),
	}
}

// upToLine cuts a text after its last line end or, without one, after its last whole character.
func upToLine(text string) string {
	if at := strings.LastIndexByte(text, '\n'); at >= 0 {
		return text[:at+1]
	}
	return strings.ToValidUTF8(text, "")
}

// Marks show whether documents changed: two marks of one document differ if its size or
// modification time does. They are computed without opening a file.
type Marks struct {
	Digest    string            // or ""
	Decisions string            // of the digest and its archive
	Tasks     map[string]string // by id
	Archives  map[string]string // by id; only those in their layout's folder
}

// Marks examines the folders of tasks and digest. A project without either has empty marks.
func (p Find) Marks(ctx context.Context) (Marks, error) {
	m := Marks{Tasks: map[string]string{}, Archives: map[string]string{}}
	dirs, err := p.ListDirs(ctx, p.Store)
	if err != nil {
		return m, err
	}
	for _, d := range dirs {
		if err := p.markTasks(ctx, d, m); err != nil {
			return m, err
		}
	}
	root, places := p.DigestRoot()
	if len(places) == 0 {
		return m, nil
	}
	at, place := p.Workspace, places[0]
	if root != p.Root {
		o := p.O
		o.FixedRoot = root
		if at, err = workspace.Open(ctx, o); err != nil {
			return m, err
		}
		defer at.Close()
	}
	entries, err := at.Store.List(ctx, place.Dir)
	for _, e := range entries {
		switch workspace.Join(place.Dir, e.Name) {
		case place.State:
			m.Digest = markOf(e)
			m.Decisions = m.Digest + m.Decisions
		case place.Archive:
			m.Decisions += markOf(e)
		}
	}
	return m, err
}

// markTasks adds the marks of the tasks in one folder. The first file of an id counts, as in every
// search.
func (p Find) markTasks(ctx context.Context, d workspace.TaskDir, m Marks) error {
	entries, err := p.Store.List(ctx, d.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		id, ok := task.IDOfStateFile(e.Name)
		if _, twice := m.Tasks[string(id)]; ok && !twice {
			m.Tasks[string(id)] = markOf(e)
		}
	}
	if entries, err = p.Store.List(ctx, d.Archive); err != nil {
		return err
	}
	for _, e := range entries {
		if id, ok := task.IDOfAnyFile(e.Name); ok && e.Name == task.ArchiveName(id) {
			m.Archives[string(id)] = markOf(e)
		}
	}
	return nil
}

func markOf(e store.Entry) string { return fmt.Sprintf("%d-%d ", e.Size, e.ModTime.UnixNano()) }
