package digests

import (
	"context"
	"slices"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/digest/specflow"
	"baton/internal/report"
)

// texts returns the whole texts of which the digest has only the beginning: decisions and, in a
// SpecFlow project, cells and lines that are none. With an id, only those of one specification.
func (d *DigestDoc) texts(ctx context.Context, id string) (HistoryResult, error) {
	live, archived, err := d.decisions(ctx)
	if err != nil {
		return HistoryResult{}, err
	}
	out := HistoryResult{
		Specs: []specflow.SpecSummary{}, Archived: len(archived), Texts: d.textsOf(id),
		Warnings: append([]report.Finding{}, d.findings...),
	}
	for _, row := range decision.Shortened(live, archived) {
		if id == "" || specflow.About(row.Spec, row.Text, id) {
			text := row.Text
			if row.Rationale != "" {
				text += " — " + row.Rationale
			}
			name := row.Spec
			if row.Phase != "" {
				name = "Phase " + strings.TrimPrefix(row.Phase, "Phase ")
			}
			whole := decision.Text{Line: row.Line, Date: row.Date, Name: name, Text: text}
			out.Texts = append(out.Texts, whole)
		}
	}
	return out, nil
}

// textsOf returns the whole texts that are not decisions: of one specification, or all of them.
func (d *DigestDoc) textsOf(id string) []decision.Text {
	all := decision.Texts(d.archive, d.Place.Form(), Of(d.At).Policy(d.Place))
	return slices.DeleteFunc(all, func(t decision.Text) bool { return id != "" && !specflow.About("", t.Name, id) })
}

// unwritten returns what is recorded about a specification that has no file: its decisions, and its
// whole texts.
func (d *DigestDoc) unwritten(id string, rows []decision.Row, out HistoryResult) (HistoryResult, bool) {
	m := specflow.Parse(d.Data).Model()
	title := ""
	for _, row := range m.Queue {
		if specflow.SameID(row.ID, id) {
			title, id = row.Title, row.ID
		}
	}
	for _, a := range m.Active {
		if specflow.SameID(a.ID, id) {
			id = a.ID
		}
	}
	for _, row := range rows {
		if specflow.About(row.Spec, row.Text, id) {
			out.Decisions = append(out.Decisions, row)
		}
	}
	out.Texts = d.textsOf(id)
	if len(out.Decisions) == 0 && len(out.Texts) == 0 {
		return out, false
	}
	out.Spec = &specflow.SpecHistory{
		ID: id, Title: title, Fields: map[string]string{}, Sections: []specflow.SpecSection{},
	}
	return out, true
}
