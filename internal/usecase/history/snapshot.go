package history

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store/history"
	"baton/internal/task"
	"baton/internal/textdiff"
	"baton/internal/usecase/statusbar"
	"baton/internal/workspace"
)

// Versions lists the versions of documents that baton's writes kept, newest first (D37). It takes
// no lock. It fails with Refused, with Violation path_outside, with NotFound no_project if there is
// neither a project nor a version, and with NotFound document_unknown for a name without a file and
// without versions.
func (p History) Versions(ctx context.Context, r VersionsRequest) (VersionList, error) {
	const op = "snapshot.list"
	roots, done, err := p.versionRoots(ctx, op)
	if err != nil {
		return VersionList{}, workspace.InOp(err, op)
	}
	defer done()
	list, err := keptVersions(ctx, roots)
	if err != nil {
		return VersionList{}, workspace.InOp(err, op)
	}
	if len(list) == 0 { // existing versions can be listed even without a project
		if err := p.NeedAny(op); err != nil {
			return VersionList{}, err
		}
	}
	out := VersionList{Versions: []Version{}, Warnings: versionWarnings(roots)}
	if len(list) > 0 {
		out.Since = workspace.Stamp(list[0].At)
	}
	wanted, there := namedVersions(roots, r.Document, list)
	for _, v := range slices.Backward(list) {
		if !wanted(v) {
			continue
		}
		if out.Total++; r.Limit <= 0 || len(out.Versions) < r.Limit {
			out.Versions = append(out.Versions, versionOf(v.Snapshot))
		}
	}
	if out.Total == 0 && !there {
		return VersionList{}, &report.Error{
			Op: op, Kind: report.NotFound, Code: report.CodeDocumentUnknown, Message: "there is no file " +
				safetext.Quote(r.Document) + " here, and no version of one",
			Hint: "`baton snapshot list` shows the files that have versions",
		}
	}
	return out, nil
}

// versionNames returns which documents a name refers to: those of documentNames, or else those of
// the task with that id. there reports whether one of them has a version or exists as a file; it is
// also true if no name was given.
func (p History) versionNames(asked string, list []history.Snapshot) (wanted func(string) bool, there bool) {
	wanted = p.documentNames(asked)
	kept := func(v history.Snapshot) bool { return wanted(v.Name) }
	if asked == "" || slices.ContainsFunc(list, kept) {
		return wanted, true
	}
	if id, err := task.ParseID(asked); err == nil {
		wanted = func(name string) bool {
			owner, is := task.IDOfAnyFile(path.Base(name))
			return is && owner == id
		}
		if slices.ContainsFunc(list, kept) || slices.ContainsFunc(p.Dirs, func(d workspace.TaskDir) bool {
			return statusbar.IsFile(filepath.Join(p.Root, filepath.FromSlash(d.StateFile(id))))
		}) {
			return wanted, true
		}
	}
	name, below := p.fromHere(asked)
	return wanted, below && statusbar.IsFile(filepath.Join(p.Root, filepath.FromSlash(name))) ||
		filepath.IsLocal(asked) && statusbar.IsFile(filepath.Join(p.Root, asked))
}

// documentNames returns which documents a name refers to: a path from the current folder if the
// file exists, or else a path from the root, an absolute path, or the end of one.
func (p History) documentNames(asked string) func(string) bool {
	if asked == "" {
		return func(string) bool { return true }
	}
	here, below := p.fromHere(asked)
	if _, document := p.FamilyOf(here); below && document &&
		statusbar.IsFile(filepath.Join(p.Root, filepath.FromSlash(here))) {
		return func(name string) bool { return name == here }
	}
	asked = strings.TrimPrefix(filepath.ToSlash(filepath.Clean(asked)), "./")
	return func(name string) bool {
		return below && name == here || name == asked || strings.HasSuffix(name, "/"+asked)
	}
}

// fromHere converts a path from the current folder to a name below the root. below is false for a
// path outside.
func (p History) fromHere(file string) (name string, below bool) {
	file = workspace.AbsoluteIn(workspace.Real(p.Absolute(p.O.Dir)), file)
	rel, err := filepath.Rel(p.Root, filepath.Join(workspace.Real(filepath.Dir(file)), filepath.Base(file)))
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

func versionOf(v history.Snapshot) Version {
	return Version{
		Revision: v.Rev, Document: v.Name, At: workspace.Stamp(v.At), Kind: string(v.Kind), Size: v.Size,
		Command: safetext.Line(v.Command), Outside: v.Outside,
	}
}

// leastRevision is the smallest number of digits of a revision that must be given.
const leastRevision = 4

// version finds a version by its revision or the beginning of it. It fails with Usage
// revision_invalid, with NotFound revision_unknown, and with Conflict revision_ambiguous.
func version(ctx context.Context, roots []*workspace.Workspace, revision string) (keptVersion, error) {
	revision = strings.ToLower(revision)
	if len(revision) < leastRevision || strings.Trim(revision, "0123456789abcdef") != "" {
		return keptVersion{}, &report.Error{
			Kind: report.Usage, Code: report.CodeRevisionInvalid,
			Message: fmt.Sprintf(
				"%q is not a revision: a revision has at least %d of the digits 0 to 9 and a to f", revision,
				leastRevision,
			),
			Hint: "`baton snapshot list` shows the revisions",
		}
	}
	list, err := keptVersions(ctx, roots)
	if err != nil {
		return keptVersion{}, err
	}
	var found []keptVersion
	for _, v := range list {
		if strings.HasPrefix(v.Rev, revision) &&
			!slices.ContainsFunc(found, func(o keptVersion) bool { return o.at == v.at && o.Rev == v.Rev }) {
			found = append(found, v)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return keptVersion{}, &report.Error{
			Kind: report.NotFound, Code: report.CodeRevisionUnknown,
			Message: "no kept version has the revision " + revision,
			Hint:    "`baton snapshot list` lists them",
		}
	}
	var words []string
	for _, v := range found {
		words = append(words, v.Rev+" ("+v.Name+")")
	}
	return keptVersion{}, &report.Error{
		Kind: report.Conflict, Code: report.CodeRevisionAmbiguous,
		Message: "several revisions begin with " + revision + ": " + strings.Join(words, ", "),
		Hint:    "give more of its digits",
	}
}

// versionData returns a version and the document's content in it. It fails with Corrupt
// revision_lost and with the errors of version.
func versionData(ctx context.Context, roots []*workspace.Workspace, revision string) (keptVersion, []byte, error) {
	v, err := version(ctx, roots, revision)
	if err != nil {
		return v, nil, err
	}
	data, err := v.at.Kept.SnapshotData(ctx, v.Snapshot)
	return v, data, err
}

// ShowVersion returns the content of a document in a version. It fails with Usage revision_invalid,
// with NotFound revision_unknown, with Conflict revision_ambiguous, and with Corrupt revision_lost
// if its bytes are no longer kept.
func (p History) ShowVersion(ctx context.Context, revision string) (VersionText, error) {
	const op = "snapshot.show"
	roots, done, err := p.versionRoots(ctx, op)
	if err != nil {
		return VersionText{}, workspace.InOp(err, op)
	}
	defer done()
	v, data, err := versionData(ctx, roots, revision)
	if err != nil {
		return VersionText{}, workspace.InOp(err, op)
	}
	out := VersionText{Version: versionOf(v.Snapshot), Text: string(data)}
	if !utf8.Valid(data) {
		out.Text, out.Bytes = strings.ToValidUTF8(out.Text, "\uFFFD"), data
	}
	return out, nil
}

// DiffVersions returns the unified diff between two versions of a document, or between a version
// and the present document. It fails with the errors of ShowVersion, and with Usage
// revisions_differ for versions of two documents.
func (p History) DiffVersions(ctx context.Context, r VersionDiffRequest) (VersionDiff, error) {
	const op = "snapshot.diff"
	roots, done, err := p.versionRoots(ctx, op)
	if err != nil {
		return VersionDiff{}, workspace.InOp(err, op)
	}
	defer done()
	from, before, err := versionData(ctx, roots, r.From)
	if err != nil {
		return VersionDiff{}, workspace.InOp(err, op)
	}
	out := VersionDiff{From: versionOf(from.Snapshot)}
	after, exists := []byte(nil), true
	if r.To == "" {
		doc, err := from.at.Store.Read(ctx, from.Name)
		if err != nil {
			return VersionDiff{}, workspace.InOp(err, op)
		}
		after, exists = doc.Data, doc.Exists
	} else {
		to, data, err := versionData(ctx, roots, r.To)
		if err != nil {
			return VersionDiff{}, workspace.InOp(err, op)
		}
		if to.at != from.at || to.Name != from.Name {
			return VersionDiff{}, &report.Error{
				Op: op, Kind: report.Usage, Code: report.CodeRevisionsDiffer,
				Message: fmt.Sprintf("%s is a version of %s, and %s one of %s", from.Rev, from.Name, to.Rev, to.Name),
				Hint:    "give two revisions of one file",
			}
		}
		kept := versionOf(to.Snapshot)
		out.To, after = &kept, data
	}
	if out.Same = exists && bytes.Equal(before, after); !out.Same {
		out.Diff = textdiff.Unified(from.Name, before, after, true, exists)
	}
	return out, nil
}
