package project

import (
	"bytes"
	"context"
	"slices"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/markdown"
	"baton/internal/report"
)

// ofDigests looks at every digest of the nearest root that has one.
func (d *doctor) ofDigests(ctx context.Context) error {
	if g, gone := d.p.ownGone(ctx, true); gone {
		d.gone(g)
	}
	if _, places := d.p.digestRoot(); len(places) == 0 {
		return ctx.Err()
	}
	at, places, err := d.p.forDigest(ctx, "doctor")
	if err != nil {
		return err
	}
	if at != d.p {
		d.other = at
	}
	if _, err := at.chooseDigest("doctor", places); err != nil {
		d.warn("layout_ambiguous", places[0].State, report.As(err).Message, remedy{advice: report.As(err).Hint})
	}
	for _, place := range places {
		layout := ""
		if len(places) > 1 {
			layout = place.Layout
		}
		if err := d.ofDigest(ctx, at, place, layout); err != nil {
			return err
		}
		if err := d.ofNames(ctx, at, place.Dir); err != nil {
			return err
		}
	}
	return nil
}

func (d *doctor) ofDigest(ctx context.Context, at *Project, place digestPlace, layout string) error {
	doc, err := at.readPlace(ctx, "doctor", place, nil)
	if report.CodeOf(err) == "digest_missing" {
		if g, gone := at.gone(ctx, place, true); gone {
			d.gone(g)
		}
		return ctx.Err()
	}
	if err != nil {
		return d.fault(ctx, err, place.State)
	}
	told, err := doc.validate(ctx)
	if err != nil {
		return d.fault(ctx, err, place.State)
	}
	text, behind, err := doc.foreseen(ctx)
	if err != nil {
		return d.fault(ctx, err, place.State)
	}
	s := scene{layout: layout}
	if s.mends, err = doc.mends(ctx, told.Findings, text); err != nil {
		return err
	}
	exhausted := slices.ContainsFunc(told.Findings, func(f report.Finding) bool { return f.Code == DecisionsExhausted })
	findings := slices.DeleteFunc(told.Findings, func(f report.Finding) bool {
		return f.Path == configName || exhausted && (f.Code == "over_lines" || f.Code == "over_bytes") // told with what fills it
	})
	d.take(findings, s)
	drifted := slices.ContainsFunc(findings, func(f report.Finding) bool { return drifts(f.Code) })
	if behind && !drifted {
		f := report.Finding{Code: "out_of_sync", Severity: report.Warning, Path: place.State, Text: place.State + " is behind what stands beside it"}
		d.add(f, d.remedyOf(f, s))
	}
	long := slices.ContainsFunc(findings, func(f report.Finding) bool {
		return (f.Code == "over_lines" || f.Code == "over_bytes") && f.Severity == report.Severe
	})
	if unsafeDigest(place.State, doc.data) == nil && (long || !bytes.Equal(text, doc.data)) {
		d.digests = append(d.digests, doc)
	}
	return nil
}

// gone tells of a digest that was there once. A layout that never had one is as healthy as any.
func (d *doctor) gone(g goneDigest) {
	f := report.Finding{Code: "digest_missing", Severity: report.Severe, Path: g.place.State, Text: "the digest " + g.place.State + " is gone"}
	if g.rescue != "" {
		d.add(f, remedy{command: d.command(g.rescue, "")})
		return
	}
	f.Text += ", and " + g.place.Archive + " shows that there was one"
	d.add(f, remedy{advice: "restore it, for example from git; " + d.command("init", g.place.Layout) + " makes a new one"})
}

// foreseen gives the text that --fix would make of the digest before it rotates, and says whether a sync has a part in it. A text
// that must not be written stays as it is.
func (d *digestDoc) foreseen(ctx context.Context) (text []byte, behind bool, err error) {
	if unsafeDigest(d.place.State, d.data) != nil {
		return d.data, false, nil
	}
	text, _ = d.mended()
	var synced []byte
	if d.place.Layout != layoutSpecflow {
		step, err := d.at.syncStep(ctx, d.place, text, gsd.SyncOptions{Now: d.at.now()})
		if err != nil {
			return d.data, false, err
		}
		synced = step.edited.Text
	} else {
		files, _, err := readExecutions(ctx, d.at.store, d.place)
		if err != nil {
			return d.data, false, err
		}
		done, err := specflow.Parse(text).SyncExecution(files)
		if err != nil {
			return d.data, false, err
		}
		synced = done.Text
	}
	return synced, !bytes.Equal(synced, text), nil
}

// mends gives the codes of findings that are gone in another text.
func (d *digestDoc) mends(ctx context.Context, findings []report.Finding, text []byte) (map[string]bool, error) {
	gone := map[string]bool{}
	if bytes.Equal(text, d.data) {
		return gone, nil
	}
	after := *d
	after.data = text
	told, err := after.validate(ctx)
	if err != nil {
		return gone, ctx.Err()
	}
	for _, f := range findings {
		gone[f.Code] = !slices.ContainsFunc(told.Findings, func(g report.Finding) bool { return g.Code == f.Code })
	}
	return gone, nil
}

// mended gives the digest with its front matter and its tables in order, as far as no word of it has to change, and the codes
// of what that mends with what was done.
func (d *digestDoc) mended() ([]byte, []DoctorFix) {
	var done []DoctorFix
	text := d.data
	if d.place.Layout != layoutSpecflow {
		quoted, keys := gsd.Parse(text).QuoteFront()
		if text = quoted; len(keys) > 0 {
			done = append(done, DoctorFix{"frontmatter_invalid", d.place.State, "quotes around the value of " + quotedList(keys)})
		}
	}
	joined := markdown.Reattach(text)
	if len(joined) < len(text) && d.detached(text) && !d.detached(joined) {
		text = joined
		done = append(done, DoctorFix{"detached_rows", d.place.State, "blank lines inside tables taken out"})
	}
	return text, done
}

// detached says whether a row of one of the digest's tables is separated from it.
func (d *digestDoc) detached(text []byte) bool {
	with := *d
	with.data = text
	found := with.decisionFindings()
	if d.place.Layout == layoutSpecflow {
		found = append(found, specflow.Parse(text).Findings(specflow.Facts{})...)
	}
	return slices.ContainsFunc(found, func(f report.Finding) bool { return f.Code == "detached_rows" })
}

// quotedList writes names for a sentence.
func quotedList(names []string) string {
	out := ""
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			out += " and "
		default:
			out += ", "
		}
		out += quote(name)
	}
	return out
}
