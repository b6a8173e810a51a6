package doctor

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

// ofDigests looks at every digest of the nearest root that has one.
func (d *doctor) ofDigests(ctx context.Context) error {
	if g, gone := d.p.OwnGone(ctx, true); gone {
		d.gone(g)
	}
	if _, places := d.p.DigestRoot(); len(places) == 0 {
		return ctx.Err()
	}
	at, places, err := d.p.ForDigest(ctx, "doctor")
	if err != nil {
		return err
	}
	if at != d.p {
		d.other = at
	}
	if _, err := at.ChooseDigest("doctor", places); err != nil {
		d.warn(
			report.CodeLayoutAmbiguous, places[0].State, report.As(err).Message,
			workspace.Remedy{Advice: report.As(err).Hint},
		)
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

func (d *doctor) ofDigest(
	ctx context.Context, at *workspace.Workspace, place workspace.DigestPlace, layout string,
) error {
	doc, err := digests.Of(at).ReadPlace(ctx, "doctor", place, nil)
	if report.CodeOf(err) == report.CodeDigestMissing {
		if g, gone := at.Gone(ctx, place, true); gone {
			d.gone(g)
		} else if place.Layout == workspace.LayoutSpecflow && !at.TookAway(ctx, place.State) {
			f := report.CodeDigestMissing.Finding(place.State, 0,
				"there is no "+place.State+", which every command of SpecFlow reads").As(report.Warning)
			d.add(f, advice(f.Code, report.Parts{"command": d.command("init", place.Layout)}))
		}
		return ctx.Err()
	}
	if err != nil {
		return d.fault(ctx, err, place.State)
	}
	reported, err := doc.Validate(ctx)
	if err != nil {
		return d.fault(ctx, err, place.State)
	}
	text, behind, err := doc.Foreseen(ctx)
	if err != nil {
		return d.fault(ctx, err, place.State)
	}
	s := scene{layout: layout}
	if s.repairs, err = doc.Repairs(ctx, reported.Findings, text); err != nil {
		return err
	}
	exhausted := slices.ContainsFunc(
		reported.Findings, func(f report.Finding) bool { return f.Code == report.CodeDecisionsExhausted },
	)
	findings := slices.DeleteFunc(reported.Findings, func(f report.Finding) bool {
		// decisions_exhausted says the same and names the sections that fill the digest; problems
		// of the configuration have a check of their own
		return f.Path == config.Name || exhausted && (f.Code == report.CodeOverLines ||
			f.Code == report.CodeOverBytes)
	})
	d.take(findings, s)
	d.ofRelease(doc)
	drifted := slices.ContainsFunc(findings, func(f report.Finding) bool { return drifts(f.Code) })
	if behind && !drifted {
		f := report.CodeOutOfSync.Finding(place.State, 0, place.State+" is out of date")
		d.add(f, d.remedyOf(f, s))
	}
	long := slices.ContainsFunc(findings, func(f report.Finding) bool {
		return (f.Code == report.CodeOverLines || f.Code == report.CodeOverBytes) && f.Severity == report.Severe
	})
	if workspace.UnsafeError(place.State, doc.Data) == nil && (long || !bytes.Equal(text, doc.Data)) {
		d.digests = append(d.digests, doc)
	}
	return nil
}

// ofRelease reports places that name different releases of GSD (D47). GSD and baton may then
// write different values in turn.
func (d *doctor) ofRelease(doc *digests.DigestDoc) {
	sources := doc.Releases()
	if len(sources) == 0 {
		return
	}
	first := sources[0]
	var others []string
	for _, other := range sources[1:] {
		if first.Contradicts(other) {
			text := other.Version.String()
			if other.Least {
				text += " or newer"
			}
			others = append(others, text+" according to "+other.Name)
		}
	}
	if len(others) > 0 {
		code := report.CodeReleaseConflict
		text := "GSD is " + first.Version.String() + " according to " + first.Name + ", which counts, but " +
			strings.Join(others, ", ")
		d.warn(code, doc.Place.State, text, advice(code, report.Parts{"config": config.Name}))
	}
}

// gone reports a digest that existed earlier. A folder that never had a digest is healthy, except
// SpecFlow's.
func (d *doctor) gone(g workspace.GoneDigest) {
	f := report.CodeDigestMissing.Finding(g.Place.State, 0,
		"the digest "+g.Place.State+" is gone").As(report.Severe)
	if g.Rescue != "" {
		d.add(f, workspace.Remedy{Command: d.command(g.Rescue, "")})
		return
	}
	f.Text += ", and " + g.Place.Archive + " shows that there was one"
	d.add(f, advice(f.Code, report.Parts{"command": d.command("init", g.Place.Layout)}))
}
