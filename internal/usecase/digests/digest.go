package digests

import (
	"context"
	"slices"

	"baton/internal/digest"
	"baton/internal/digest/decision"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/workspace"
)

// DigestDoc is one digest as read, with its archive of decisions.
type DigestDoc struct {
	At         *workspace.Workspace // its root is the digest's
	Place      workspace.DigestPlace
	Data       []byte
	archive    []byte
	hasArchive bool
	findings   []report.Finding
}

// readDigest reads the one digest that a command is about. want lists the layouts that the command
// serves; without any it serves all. It fails with NotFound no_digest or digest_missing, with Usage
// layout_ambiguous or not_supported, and with Refused if a folder has the digest's name. The digest
// is read before the archive (D8). Text that must not be written is only a finding.
func (p Digests) readDigest(ctx context.Context, op string, want ...string) (*DigestDoc, error) {
	at, places, err := p.ForDigest(ctx, op)
	if err != nil {
		return nil, err
	}
	place, others := Of(at).ShownDigest(op, serving(places, want))
	d, err := Of(at).ReadPlace(ctx, op, place, want)
	if err != nil {
		return nil, err
	}
	for _, other := range others {
		d.findings = append(d.findings, report.CodeLayoutAmbiguous.Finding(place.State, 0,
			"there is also a digest in "+other.State+"; this answer is about "+place.State+" (--layout "+
				other.Layout+" selects the other)"))
	}
	return d, nil
}

// serving keeps the digests that a command supports. If it supports none of them, it returns all,
// so that the error can name one.
func serving(places []workspace.DigestPlace, want []string) []workspace.DigestPlace {
	var out []workspace.DigestPlace
	for _, d := range places {
		if len(want) == 0 || slices.Contains(want, d.Layout) {
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		return places
	}
	return out
}

// ShownDigest is chooseDigest for reads, which never fail because of several digests: if none was
// chosen, the first is shown and the others are named (D16).
func (p Digests) ShownDigest(
	op string, places []workspace.DigestPlace,
) (workspace.DigestPlace, []workspace.DigestPlace) {
	if place, err := p.ChooseDigest(op, places); err == nil {
		return place, nil
	}
	return places[0], places[1:]
}

// ReadPlace reads the digest of one place, whose layout must be in want; nil allows any layout. It
// fails with Usage not_supported for another layout, and with the errors of Store.Read.
func (p Digests) ReadPlace(
	ctx context.Context, op string, place workspace.DigestPlace, want []string,
) (*DigestDoc, error) {
	if err := served(op, place, want); err != nil {
		return nil, err
	}
	d := &DigestDoc{At: p.Workspace, Place: place, findings: slices.Clone(p.Settings().Warnings())}
	doc, err := p.Store.Read(ctx, place.State)
	if err != nil {
		return nil, digestUnreadable(err, place)
	}
	if !doc.Exists {
		return nil, p.DigestMissing(ctx, op, place)
	}
	d.Data = doc.Data
	archive, err := p.Store.Read(ctx, place.Archive)
	if err != nil {
		return nil, err
	}
	d.archive, d.hasArchive = archive.Data, archive.Exists
	for _, one := range [...]store.Document{doc, archive} {
		d.findings = append(d.findings, p.EmptiedFindings(ctx, one)...)
	}
	d.findings = append(d.findings, DigestFindings(place.State, doc)...)
	d.findings = append(d.findings, DigestFindings(place.Archive, archive)...)
	d.findings = append(d.findings, p.policyFindings(place)...)
	return d, nil
}

// DigestFindings tells readers what is wrong with a document's bytes.
func DigestFindings(name string, doc store.Document) []report.Finding {
	var out []report.Finding
	if problem, unsafe := markdown.Unsafe(doc.Data); unsafe {
		out = append(out, problem.Code.Finding(name, problem.Line,
			name+": "+problem.Text+"; baton does not change it").As(report.Severe))
	}
	if doc.Pending {
		out = append(out, report.CodeJournalPending.Finding(name, 0,
			"an interrupted change of "+name+" is shown as if it were complete; the next change completes it"))
	}
	if doc.Outside {
		out = append(out, report.CodeOutside.Finding(name, 0,
			name+" is a link that leads outside the project; "+workspace.WrittenIfApproved))
	}
	return out
}

// served refuses a command that does not exist for the digest's layout.
func served(op string, place workspace.DigestPlace, want []string) error {
	if len(want) == 0 || slices.Contains(want, place.Layout) {
		return nil
	}
	hint := "`baton state --help` lists the commands"
	if place.Layout == workspace.LayoutSpecflow {
		hint = "a SpecFlow digest has `baton state active`, `queue`, `pause`, `resume` and `sync`"
	}
	return &report.Error{
		Op: op, Kind: report.Usage, Code: report.CodeNotSupported, Path: place.State,
		Message: "a digest of the layout " + place.Layout + " (" + place.State +
			") does not have this command", Hint: hint,
	}
}

// digestUnreadable adds to an error which file a person has to look at.
func digestUnreadable(err error, place workspace.DigestPlace) error {
	e := *report.As(err)
	if e.Path == "" {
		e.Path = place.State
	}
	if e.Hint == "" {
		e.Hint = "move it away; the digest has to be the file " + place.State
	}
	return &e
}

// gsdLayouts returns the layouts in the GSD schema.
func gsdLayouts() []string { return []string{workspace.LayoutGSD, workspace.LayoutBaton} }

// Policy returns the rotation policy of a digest. baton's configuration overrides the layout's own
// settings, and those override the defaults (specflow.md 5.2, SF-D39).
func (p Digests) Policy(place workspace.DigestPlace) decision.Settings {
	s := decision.DefaultSettings()
	c := p.Settings()
	s.MaxLines, s.MaxBytes = c.Number("state.max_lines"), c.Number("state.max_bytes")
	s.Keep, s.Tolerate = c.Number("decisions.keep"), c.Number("decisions.tolerate")
	s.Eager, _ = c.Value("decisions.eager").(bool)
	s.Titles, _ = c.Value("decisions.titles").([]string)
	s.Sections, _ = c.Value("rotate.sections").([]string)
	switch c.Text("decisions.direction") {
	case "oldest-first":
		s.Direction = decision.OldestFirst
	case "newest-first":
		s.Direction = decision.NewestFirst
	}
	if place.Layout == workspace.LayoutSpecflow {
		p.specflowPolicy(&s)
	}
	s.Tolerate = max(s.Tolerate, s.Keep)
	s.Remembered = p.rememberedDirection(place)
	return s
}

// size returns the digest's size as limits count it (SF-D2).
func (d *DigestDoc) size() digest.Size { return digest.SizeOf(d.Data) }
