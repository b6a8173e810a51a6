package merging

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/digest/standing"
	"baton/internal/ledger"
	"baton/internal/ledger/kept"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/merge"
	"baton/internal/threeway"
	"baton/internal/workspace"
)

// Merge makes one document from three versions and writes it to r.Ours, as git expects of a merge
// driver (D40). It is not a method of a workspace: it opens nothing, takes no lock and does not
// call git, because during a merge the checkout contains half of each side. It fails with Conflict
// merge_conflict if the result has conflict markers, with Conflict task_doubled if both sides
// created different tasks under one number or with Conflict repair_would_lose (then both files are
// completely between markers), and with Refused if a file cannot be read or written.
func Merge(env report.Env, r MergeRequest) (MergeResult, error) {
	out := MergeResult{Path: r.Path, Renumbered: []threeway.Renumbered{}, Warnings: []report.Finding{}}
	dir := workspace.AbsoluteIn(env.Dir, r.Dir)
	var versions [3][]byte
	for i, name := range [...]string{r.Base, r.Ours, r.Theirs} {
		data, err := os.ReadFile(workspace.AbsoluteIn(dir, name))
		if err != nil {
			return out, mergeRefused("read", name, err)
		}
		versions[i] = data
	}
	document, merged, failure := MergeBytes(r.Path, versions[0], versions[1], versions[2])
	out.Document, out.Conflicts = document, merged.Conflicts
	for _, n := range merged.Renumbered {
		out.Renumbered = append(out.Renumbered, n)
		out.Warnings = append(out.Warnings, report.CodeSessionRenumbered.Finding(r.Path, 0,
			fmt.Sprintf("both sides have a session %d; the later one is now session %d", n.From, n.To)))
	}
	for _, a := range merged.Asides {
		out.Warnings = append(out.Warnings, asideFinding(r.Path, a))
	}
	if !bytes.Equal(merged.Text, versions[1]) {
		if err := overwrite(workspace.AbsoluteIn(dir, r.Ours), versions[1], merged.Text); err != nil {
			return out, mergeRefused("write", r.Ours, err)
		}
	}
	if failure == nil && out.Conflicts > 0 {
		failure = &report.Error{
			Op: "merge.driver", Kind: report.Conflict, Code: report.CodeMergeConflict, Path: r.Path,
			Message: "both sides changed " + safetext.Count(out.Conflicts, "place") + " of " +
				safetext.OneLine(r.Path) + " differently",
			Hint: "edit the text between <<<<<<< and >>>>>>>, then git add the file",
		}
	}
	return out, failure
}

// asideFinding names the text of one side that was not kept, or was kept next to the newer one.
func asideFinding(name string, a threeway.Aside) report.Finding {
	if a.Over != "" {
		return report.CodeStatusMerged.Finding(name, 0, "both sides changed the status: "+safetext.Line(a.Over)+
			" counts, "+safetext.Line(a.Text)+" does not")
	}
	f := report.CodeWordsPutAside.Finding(name, 0,
		"both sides wrote "+safetext.Line(a.Label)+"; the newer text is kept, ")
	if a.Kept {
		f.Text += "and next to it: "
	} else {
		f.Code, f.Severity = report.CodeWordsLeftOut, report.Warning
		f.Text += "but the file has no place for the older one: "
	}
	f.Text += safetext.Line(a.Text)
	return f
}

// overwrite replaces the content of a file. On an error, for example on a full disk, it restores
// the old bytes, because git uses the file in any case.
func overwrite(name string, old, next []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err = put(f, next); err != nil {
		err = errors.Join(err, put(f, old))
	}
	return errors.Join(err, f.Close())
}

// put writes over the present content of a file, so that the space it already has is enough.
func put(f *os.File, data []byte) error {
	if _, err := f.WriteAt(data, 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(data)))
}

func mergeRefused(verb, name string, err error) error {
	return &report.Error{
		Op: "merge.driver", Kind: report.Refused, Code: report.CodeIO, Path: name, Err: err,
		Message: "cannot " + verb + " " + safetext.Quote(filepath.Base(name)) + ": " + err.Error(),
		Hint:    "git calls this command: baton merge driver %O %A %B %P",
	}
}

// MergeBytes merges three versions of a document (see mergeAs). If the result would lose an entry
// or the order of sessions, the document is left in conflict, completely between markers (D44).
func MergeBytes(name string, base, ours, theirs []byte) (document string, r threeway.Result, failure error) {
	document, r, failure = mergeAs(name, base, ours, theirs)
	if failure != nil || r.Conflicts > 0 || document == "text" {
		return document, r, failure
	}
	if what := harmOf(name, [3][]byte{base, ours, theirs}, r); what != "" {
		failure = &report.Error{
			Op: "merge.driver", Kind: report.Conflict, Code: report.CodeRepairWouldLose, Path: name,
			Message: "the merge of " + safetext.OneLine(name) + " would do harm, so it was not made: " + what,
			Hint:    "both versions are in the file: make one of them by hand, then git add the file",
		}
		r = threeway.Result{Text: bothWhole(ours, theirs), Conflicts: 1}
	}
	return document, r, failure
}

// harmOf says what a merge would lose; "" if nothing.
func harmOf(name string, versions [3][]byte, r threeway.Result) string {
	base, ours, theirs := versions[0], versions[1], versions[2]
	if bytes.Equal(base, ours) || bytes.Equal(base, theirs) || bytes.Equal(ours, theirs) {
		return "" // only one side changed something
	}
	if _, marked := markdown.Unsafe(base); marked {
		return "" // nobody can say what such a base had
	}
	doc := inProject(name)
	var held [4][]ledger.Entry
	for i, data := range [...][]byte{base, ours, theirs, r.Text} {
		held[i] = workspace.EntriesIn(doc, data, nil)
	}
	if e, lost := kept.Merge(held[0], held[1], held[2], held[3], func(e ledger.Entry) bool {
		return slices.ContainsFunc(r.Asides, func(a threeway.Aside) bool {
			return a.Text != "" && strings.Contains(e.Raw, a.Text)
		})
	}); lost {
		return string(e.Kind) + " " + safetext.Quote(e.Label) + " would be gone"
	}
	if id, isState := task.IDOfStateFile(path.Base(doc)); isState {
		if s, late := kept.LateMerge(task.Parse(id, ours), task.Parse(id, theirs), task.Parse(id, r.Text)); late {
			return "session " + s.Label + " would come after a newer one"
		}
	}
	return ""
}

// inProject returns the name of a document below the root of its project, which may be a folder of
// the repository.
func inProject(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	for _, l := range workspace.DigestLayouts() {
		if at := strings.LastIndex("/"+name, "/"+l[1]+"/"); at >= 0 {
			return name[at:]
		}
	}
	return name
}

// mergeAs chooses the merge by the document's name. A document that no rule covers is merged line
// by line.
func mergeAs(name string, base, ours, theirs []byte) (document string, r threeway.Result, failure error) {
	for i, version := range [...][]byte{base, ours, theirs} {
		// After criss-cross merges git creates a base by merging. Markers in such a base do no
		// harm.
		if problem, bad := markdown.Unsafe(version); bad && (i > 0 || problem.Code != report.CodeConflictMarkers) {
			return "text", threeway.Merge(threeway.Form{Text: true}, base, ours, theirs), nil
		}
	}
	slashed := strings.ReplaceAll(name, `\`, "/")
	file := path.Base(slashed)
	id, isState := task.IDOfStateFile(file)
	switch {
	case isState:
		r, failure = merge.Merge(id, base, ours, theirs)
		if failure != nil {
			located := report.As(failure)
			located.Path = name
			r = threeway.Result{Text: bothWhole(ours, theirs), Conflicts: 1}
		}
		return "task", r, failure
	case strings.HasPrefix(file, "task-") && strings.HasSuffix(file, "-archive.md"):
		return "task_archive", merge.Archive(base, ours, theirs), nil
	case strings.HasSuffix(file, ".jsonl"):
		return "evidence", merge.Evidence(base, ours, theirs), nil
	case file == "DECISIONS_ARCHIVE.md", file == "STATE-ARCHIVE.md":
		return "decision_archive", decision.MergeArchive(base, ours, theirs), nil
	case file == "STATE.md" && strings.Contains("/"+slashed, "/.specflow/"):
		return "specflow_digest", specflow.Merge(base, ours, theirs), nil
	case file == "STATE.md":
		return "digest", standing.Merge(base, ours, theirs, gsd.Merge), nil
	}
	return "text", threeway.Merge(threeway.Form{Text: true}, base, ours, theirs), nil
}

// bothWhole puts two unrelated documents between markers.
func bothWhole(ours, theirs []byte) []byte {
	ended := func(text []byte) []byte {
		if len(text) > 0 && text[len(text)-1] != '\n' {
			return append(bytes.Clone(text), '\n')
		}
		return text
	}
	return bytes.Join([][]byte{
		[]byte("<<<<<<< ours\n"), ended(ours), []byte("=======\n"), ended(theirs), []byte(">>>>>>> theirs\n"),
	}, nil)
}
