package digests

import (
	"context"

	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/digest/standing"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// State shows the digest: its content, the next step, its decisions, and its size compared with the
// limits (N9, specflow.md 5.11). In a folder with two digests the first is shown, and the other is
// in Others (D16).
func (p Digests) State(ctx context.Context) (StateResult, error) {
	const op = "state.show"
	at, places, err := p.ForDigest(ctx, op)
	if err != nil {
		return StateResult{}, err
	}
	first, _ := Of(at).ShownDigest(op, places)
	out, err := Of(at).Show(ctx, op, first)
	if err != nil {
		return StateResult{}, err
	}
	if out.Tasks != nil {
		tasks, _, err := at.LoadAll(ctx, at.Store)
		if err != nil {
			return StateResult{}, err
		}
		*out.Tasks = Of(at).StandingOf(ctx, tasks, *out.Tasks)
	}
	for _, place := range places {
		if place == first {
			continue
		}
		other, err := Of(at).Show(ctx, op, place)
		if err != nil && report.KindOf(err) == report.NotFound {
			continue
		}
		if err != nil {
			return StateResult{}, err
		}
		out.Others = append(out.Others, other)
	}
	return out, nil
}

// Show returns what one digest says. Tasks has what its lines about the tasks say, for the caller
// to bring up to date with StandingOf. It fails with the errors of ReadPlace.
func (p Digests) Show(ctx context.Context, op string, place workspace.DigestPlace) (StateResult, error) {
	d, err := p.ReadPlace(ctx, op, place, nil)
	if err != nil {
		return StateResult{}, err
	}
	policy := p.Policy(place)
	out := StateResult{
		Layout: place.Layout, Path: place.State, Size: d.size(), MaxLines: policy.MaxLines, MaxBytes: policy.MaxBytes,
		Decisions: []decision.Row{}, Warnings: append([]report.Finding{}, d.findings...),
	}
	live, archived, err := d.decisions(ctx)
	if err != nil {
		return StateResult{}, err
	}
	out.Decisions = append(out.Decisions, live...)
	out.Archived = len(archived)
	out.Warnings = append(out.Warnings, d.decisionFindings()...)
	if place.Layout == workspace.LayoutSpecflow {
		m := specflow.Parse(d.Data).Model()
		out.Specflow = &m
		return out, nil
	}
	doc := gsd.Parse(d.Data)
	m := doc.Model()
	out.GSD = &m
	if place.Layout == workspace.LayoutBaton && followsTasks(d.Data) {
		was, _ := standing.Read(d.Data)
		out.Tasks = &was
	}
	facts, notes, err := PhaseFacts(ctx, p.Workspace, p.Store, place, m)
	if err != nil {
		return StateResult{}, err
	}
	m.Derive(facts)
	next := doc.Recommend(facts)
	out.Next = &next
	out.Warnings = append(out.Warnings, workspace.Placed(doc.Findings(facts), place.State)...)
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// StateGet returns one value of the digest: a field of the front matter or of the body, or a
// section (N9, specflow.md 5.11). It fails with NotFound not_found.
func (p Digests) StateGet(ctx context.Context, name string) (StateValue, error) {
	d, err := p.readDigest(ctx, "state.get")
	if err != nil {
		return StateValue{}, err
	}
	out := StateValue{Name: name, Path: d.Place.State}
	if d.Place.Layout == workspace.LayoutSpecflow {
		v, ok := specflow.Parse(d.Data).Get(name)
		if !ok {
			return StateValue{}, fieldUnknown(name, d.Place)
		}
		out.Value, out.Line = v.Text, v.Line
		return out, nil
	}
	v, ok := gsd.Parse(d.Data).Get(name)
	if !ok {
		return StateValue{}, fieldUnknown(name, d.Place)
	}
	out.Value, out.Null, out.List, out.Line = v.Text, v.Null, v.List, v.Line
	return out, nil
}

func fieldUnknown(name string, place workspace.DigestPlace) error {
	return &report.Error{
		Op: "state.get", Kind: report.NotFound, Code: report.CodeNotFound, Path: place.State,
		Message: place.State + " has no field or section called " + safetext.Quote(name),
		Hint:    "`baton state show` lists the contents; fm:, body: or section: before the name limits the search",
	}
}

// StateSet sets values of the digest, all or none (N9, specflow.md 5.11). It fails with Violation
// derived for a value that baton computes itself.
func (p Digests) StateSet(ctx context.Context, r StateSetRequest) (StateChange, error) {
	return p.changeDigest(ctx, "state.set", nil, func(d *DigestChange) error {
		for _, v := range r.Values {
			if err := d.setOne(v, r.Force); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *DigestChange) setOne(v NameValue, force bool) error {
	if d.Place.Layout == workspace.LayoutSpecflow {
		done, err := specflow.Parse(d.Text).Set(v.Name, v.Value)
		if err != nil {
			return err
		}
		d.TookSpecflow(done)
		return nil
	}
	done, err := gsd.Parse(d.Text).Whole(d.whole()).Set(v.Name, v.Value, force, d.Now)
	if err != nil {
		return err
	}
	d.Took(done)
	return nil
}
