package digests

import (
	"context"
	"slices"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/workspace"
)

// combinedHistory is the sentence that the format prescribes word for word (specflow.md 5.12, D14).
const combinedHistory = "Cannot combine [ID] with --decisions flag. Use `/sf:history --decisions` to view all " +
	"archived decisions " +
	"or `/sf:history [ID]` for spec history."

// Check fails with Usage history_combined if both questions are asked at once. History calls it
// first; a caller that has to open a project beforehand may call it even earlier (SF-D24).
func (r HistoryRequest) Check() error {
	if r.ID == "" || !r.Decisions {
		return nil
	}
	return &report.Error{Op: "history", Kind: report.Usage, Code: report.CodeHistoryCombined, Message: combinedHistory}
}

// History returns the finished specifications of a SpecFlow project, newest completion first, with
// their totals. With an ID it returns one specification with its steps and its decisions from
// digest and archive (specflow.md 5.12, SF-46). Other projects have finished tasks and phases
// instead; there, an ID fails with Usage not_supported. With Decisions it returns the archived
// decisions, oldest first. It fails with Usage history_combined if both are set, before anything is
// read (SF-D24), and with NotFound spec_unknown. With Texts it returns whole texts, of one
// specification or of all.
func (p Digests) History(ctx context.Context, r HistoryRequest) (HistoryResult, error) {
	const op = "history"
	if err := r.Check(); err != nil {
		return HistoryResult{}, err
	}
	if r.Decisions {
		list, err := p.Decisions(ctx, DecisionListRequest{Archived: true})
		return HistoryResult{
			Specs: []specflow.SpecSummary{}, Decisions: list.Decisions, Archived: list.Archived,
			Warnings: list.Warnings,
		}, err
	}
	d, err := p.readDigest(ctx, op)
	if err == nil && r.Texts {
		return d.texts(ctx, r.ID)
	}
	switch {
	case err != nil && report.KindOf(err) == report.NotFound && p.Found,
		report.CodeOf(err) == report.CodeNoDigest && p.AnyRoot() != "": // a state folder, for instance
		return p.finished(ctx, nil, r.ID)
	case err != nil:
		return HistoryResult{}, err
	case d.Place.Layout != workspace.LayoutSpecflow:
		return p.finished(ctx, d, r.ID)
	}
	live, archived, err := d.decisions(ctx)
	if err != nil {
		return HistoryResult{}, err
	}
	out := HistoryResult{
		Specs: []specflow.SpecSummary{}, Archived: len(archived), Warnings: append([]report.Finding{}, d.findings...),
	}
	if r.ID != "" {
		rows := decision.Whole(slices.Concat(archived, live), archived)
		return d.historyOf(ctx, op, r.ID, rows, out)
	}
	files, findings, err := d.specFiles(ctx, "archive")
	if err != nil {
		return HistoryResult{}, err
	}
	out.Warnings = append(out.Warnings, findings...)
	specs := make([]specflow.Spec, 0, len(files))
	for _, f := range files {
		specs = append(specs, f.Spec)
		out.Specs = append(out.Specs, f.Summary(f.path))
	}
	specflow.Newest(out.Specs)
	totals := specflow.Totals(specs)
	out.Totals = &totals
	return out, nil
}

// specFile is one specification and the place of its file.
type specFile struct {
	specflow.Spec
	path string
	base string // name of the file without .md
}

// specNames lists the specifications in a folder by the names of their files, without .md. It skips
// folders, and the summaries that later SpecFlow versions put next to the specifications.
func specNames(ctx context.Context, r store.Reader, dir string) ([]string, error) {
	entries, err := r.List(ctx, dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, entry := range entries {
		base, ok := strings.CutSuffix(entry.Name, ".md")
		if ok && !entry.Dir && !strings.HasSuffix(base, ".summary") {
			out = append(out, base)
		}
	}
	return out, nil
}

// specFiles reads the specifications in a folder of the layout. A file that cannot be read becomes
// a finding.
func (d *DigestDoc) specFiles(ctx context.Context, folder string) ([]specFile, []report.Finding, error) {
	dir := d.Place.Dir + "/" + folder
	bases, err := specNames(ctx, d.At.Store, dir)
	if err != nil {
		return nil, nil, err
	}
	var out []specFile
	var findings []report.Finding
	for _, base := range bases {
		name := workspace.Join(dir, base+".md")
		doc, err := d.At.Store.Read(ctx, name)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			findings = append(findings, report.CodeUnreadable.Finding(name, 0,
				name+" cannot be read: "+safetext.Line(err.Error())))
			continue
		}
		out = append(out, specFile{specflow.ReadSpec(base+".md", doc.Data), name, base})
	}
	return out, findings, nil
}

// historyOf returns one specification from archive/, or else from specs/. Its id is the one in the
// front matter or the name of the file; case does not matter. rows are all decisions of the
// project, the archived ones first.
func (d *DigestDoc) historyOf(
	ctx context.Context, op, id string, rows []decision.Row, out HistoryResult,
) (HistoryResult, error) {
	for _, folder := range [...]string{"archive", "specs"} {
		files, findings, err := d.specFiles(ctx, folder)
		if err != nil {
			return HistoryResult{}, err
		}
		out.Warnings = append(out.Warnings, findings...)
		k := slices.IndexFunc(
			files, func(f specFile) bool { return specflow.SameID(f.ID, id) || specflow.SameID(f.base, id) },
		)
		if k < 0 {
			continue
		}
		history := files[k].History(files[k].path, folder == "archive")
		out.Spec, out.Texts = &history, d.textsOf(id)
		for _, row := range rows {
			if files[k].Concerns(row.Spec, row.Text, files[k].base) {
				out.Decisions = append(out.Decisions, row)
			}
		}
		return out, nil
	}
	if out, known := d.unwritten(id, rows, out); known {
		return out, nil
	}
	return HistoryResult{}, &report.Error{
		Op: op, Kind: report.NotFound, Code: report.CodeSpecUnknown,
		Message: "there is no specification " + safetext.Quote(id) + " in " + d.Place.Dir + "/archive or " +
			d.Place.Dir + "/specs",
		Hint: "`baton history` lists the finished ones",
	}
}
