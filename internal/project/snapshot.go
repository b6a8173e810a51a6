package project

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"baton/internal/report"
	"baton/internal/store/filestore"
)

// snapshotLimits are the bounds of the versions that commits keep (D37).
func (p *Project) snapshotLimits() filestore.SnapshotLimits {
	c := p.config()
	return filestore.SnapshotLimits{
		MaxBytes: min(int64(c.number("snapshots.max_mb")), 1<<20) << 20,
		MaxAge:   time.Duration(min(c.number("snapshots.days"), 36500)) * 24 * time.Hour,
	}
}

// Versions lists the versions of documents that baton's writes kept, the newest first (D37). It takes no lock. Errors:
// Refused; Violation path_outside.
func (p *Project) Versions(ctx context.Context, r VersionsRequest) (VersionList, error) {
	list, err := p.store.Snapshots(ctx, "")
	if err != nil {
		return VersionList{}, inOp(err, "snapshot.list")
	}
	out := VersionList{Versions: []Version{}, Warnings: append([]report.Finding{}, p.config().warnings()...)}
	if len(list) > 0 {
		out.Since = stamp(list[0].At)
	}
	wanted := p.documentNames(r.Document)
	for _, v := range slices.Backward(list) {
		if !wanted(v.Name) {
			continue
		}
		if out.Total++; r.Limit <= 0 || len(out.Versions) < r.Limit {
			out.Versions = append(out.Versions, versionOf(v))
		}
	}
	return out, nil
}

// documentNames tells which documents a person means by a name: a path below the root or on the disk, or the end of one.
func (p *Project) documentNames(asked string) func(string) bool {
	if asked == "" {
		return func(string) bool { return true }
	}
	if rel, err := filepath.Rel(p.root, asked); filepath.IsAbs(asked) && err == nil {
		asked = rel
	}
	asked = strings.TrimPrefix(filepath.ToSlash(filepath.Clean(asked)), "./")
	return func(name string) bool { return name == asked || strings.HasSuffix(name, "/"+asked) }
}

func versionOf(v filestore.Snapshot) Version {
	return Version{
		Revision: v.Rev, Document: v.Name, At: stamp(v.At), Kind: string(v.Kind), Size: v.Size,
		Command: oneLine(neutral(v.Command)), Outside: v.Outside,
	}
}

// leastRevision is how many digits of a revision must be given.
const leastRevision = 4

// version finds one by its revision or a beginning of it. Usage revision_invalid; NotFound revision_unknown; Conflict
// revision_ambiguous.
func (p *Project) version(ctx context.Context, revision string) (filestore.Snapshot, error) {
	revision = strings.ToLower(revision)
	if len(revision) < leastRevision || strings.Trim(revision, "0123456789abcdef") != "" {
		return filestore.Snapshot{}, &report.Error{
			Kind: report.Usage, Code: "revision_invalid",
			Message: fmt.Sprintf("%q is no revision: one has at least %d of the digits 0 to 9 and a to f", revision, leastRevision),
			Hint:    "`baton snapshot list` shows the revisions",
		}
	}
	list, err := p.store.Snapshots(ctx, "")
	if err != nil {
		return filestore.Snapshot{}, err
	}
	var found []filestore.Snapshot
	for _, v := range list {
		if strings.HasPrefix(v.Rev, revision) && !slices.ContainsFunc(found, func(o filestore.Snapshot) bool { return o.Rev == v.Rev }) {
			found = append(found, v)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return filestore.Snapshot{}, &report.Error{
			Kind: report.NotFound, Code: "revision_unknown",
			Message: "there is no revision " + revision + " among the kept versions",
			Hint:    "`baton snapshot list` shows those that there are",
		}
	}
	var words []string
	for _, v := range found {
		words = append(words, v.Rev+" ("+v.Name+")")
	}
	return filestore.Snapshot{}, &report.Error{
		Kind: report.Conflict, Code: "revision_ambiguous",
		Message: "several revisions begin with " + revision + ": " + strings.Join(words, ", "),
		Hint:    "give more of its digits",
	}
}

// content gives a version with the document as it was. Corrupt revision_lost and the errors of version.
func (p *Project) content(ctx context.Context, revision string) (filestore.Snapshot, []byte, error) {
	v, err := p.version(ctx, revision)
	if err != nil {
		return v, nil, err
	}
	data, err := p.store.SnapshotData(ctx, v)
	return v, data, err
}

// ShowVersion gives a document as it was. Usage revision_invalid; NotFound revision_unknown; Conflict revision_ambiguous;
// Corrupt revision_lost when its bytes are not at hand any more.
func (p *Project) ShowVersion(ctx context.Context, revision string) (VersionText, error) {
	v, data, err := p.content(ctx, revision)
	if err != nil {
		return VersionText{}, inOp(err, "snapshot.show")
	}
	out := VersionText{Version: versionOf(v), Text: string(data)}
	if !utf8.Valid(data) {
		out.Text, out.Bytes = strings.ToValidUTF8(out.Text, "\uFFFD"), data
	}
	return out, nil
}

// DiffVersions gives the unified difference between two versions of a document, or between one and the document as it is.
// The errors of ShowVersion; Usage revisions_differ for versions of two documents.
func (p *Project) DiffVersions(ctx context.Context, r VersionDiffRequest) (VersionDiff, error) {
	const op = "snapshot.diff"
	from, before, err := p.content(ctx, r.From)
	if err != nil {
		return VersionDiff{}, inOp(err, op)
	}
	out := VersionDiff{From: versionOf(from)}
	after, exists := []byte(nil), true
	if r.To == "" {
		doc, err := p.store.Read(ctx, from.Name)
		if err != nil {
			return VersionDiff{}, inOp(err, op)
		}
		after, exists = doc.Data, doc.Exists
	} else {
		to, data, err := p.content(ctx, r.To)
		if err != nil {
			return VersionDiff{}, inOp(err, op)
		}
		if to.Name != from.Name {
			return VersionDiff{}, &report.Error{
				Op: op, Kind: report.Usage, Code: "revisions_differ",
				Message: fmt.Sprintf("%s is a version of %s, and %s one of %s", from.Rev, from.Name, to.Rev, to.Name),
				Hint:    "give two revisions of one file",
			}
		}
		kept := versionOf(to)
		out.To, after = &kept, data
	}
	if out.Same = exists && bytes.Equal(before, after); !out.Same {
		out.Diff = unifiedDiff(from.Name, before, after, true, exists)
	}
	return out, nil
}
