package digest

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/digest/decision"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/digests"
)

// change runs a use case that changes the digest. Its page, pageChanged or pageFields, begins with
// what was done.
func change(
	d *app.App, cmd *cobra.Command, use func(context.Context, digests.Digests) (digests.StateChange, error),
	page func(*app.Page, digests.StateChange, string), done string,
) error {
	return app.Answer(d, cmd, func(ctx context.Context, p *project.Project) (digests.StateChange, error) {
		return use(ctx, p.Digests)
	}, func(p *app.Page, c digests.StateChange) { page(p, c, done) })
}

// pageChanged prints a change: one line that says what was done, and what came with it.
func pageChanged(p *app.Page, r digests.StateChange, done string) {
	if !unchanged(p, r) {
		p.Line(app.Good, "%s", done)
		after(p, r)
	}
}

// pageFields is pageChanged with the values that changed.
func pageFields(p *app.Page, r digests.StateChange, done string) {
	if !unchanged(p, r) {
		p.Line(app.Good, "%s", done)
		fields(p, r)
		after(p, r)
	}
}

// unchanged reports whether a change had nothing to do. If so, it prints the whole page.
func unchanged(p *app.Page, r digests.StateChange) bool {
	if len(r.Changed) > 0 || len(r.Lines) > 0 || r.Rotation.Rotated {
		return false
	}
	if len(r.Preserved) > 0 {
		p.Line(app.Plain, "Nothing was written to %s.", r.Path)
	} else {
		p.Line(app.Plain, "Nothing to do: %s already says so.", r.Path)
	}
	kept(p, r)
	limits(p, r)
	return true
}

// fields prints the values that changed, old and new.
func fields(p *app.Page, r digests.StateChange) {
	shown := telling(r)
	widest := 0
	for _, f := range shown {
		widest = max(widest, displaywidth.String(safetext.Visible(f.Field)))
	}
	for _, f := range shown {
		name := safetext.Visible(f.Field)
		name += strings.Repeat(" ", widest-displaywidth.String(name))
		p.Item("  ", app.Faint, name+" ", cmp.Or(f.Old, "–")+" "+p.Marks().Then+" "+cmp.Or(f.New, "–"))
	}
}

// telling returns the values of a change without its time, which every change sets.
func telling(r digests.StateChange) []digests.StateField {
	var kept []digests.StateField
	for _, f := range r.Changed {
		if f.Field != "last_updated" {
			kept = append(kept, f)
		}
	}
	return kept
}

// after prints what came with a change: texts that were left alone, decisions that moved, the size,
// warnings.
func after(p *app.Page, r digests.StateChange) {
	if !r.Repeated {
		kept(p, r)
	}
	if r.Rotation.Rotated {
		p.Line(app.Accent, "  %s", app.MovedWords(r))
	}
	if r.Rotation.After.Lines > 0 {
		p.Line(app.Faint, "  %s  %s", r.Path, sizeWords(r.Rotation.After.Lines, r.Rotation.After.Bytes))
	}
	limits(p, r)
}

// kept names all texts that were left alone in one sentence, with the way out (F-51).
func kept(p *app.Page, r digests.StateChange) {
	if len(r.Preserved) == 0 {
		return
	}
	var texts []string
	for _, kept := range r.Preserved {
		texts = append(texts, fmt.Sprintf("%s is %q", kept.Field, kept.Value))
	}
	p.Item("  ", app.Warn, "left alone:", strings.Join(texts, ", ")+", which neither GSD nor baton wrote; use --force "+
		"once, and baton owns what it wrote from then on")
}

// limits prints that a digest stays over its limits, and what fills it if no decision is left to
// move (SF-D6, D33). It drops the warning that says the same.
func limits(p *app.Page, r digests.StateChange) {
	p.Remarks = r.Warnings
	switch {
	case !r.Rotation.OverLimit:
		return
	case r.Rotation.Reason == "" || r.Rotation.Reason == decision.WithinLimits:
		p.Item("  ", app.Warn, "over its limits:", "baton state rotate")
		return
	}
	var parts []string
	for _, s := range r.Rotation.LargestSections {
		parts = append(parts, fmt.Sprintf("%s (%s)", s.Title, s.Measured(r.Rotation.ByBytes)))
	}
	text := "moving decisions cannot bring it below its limits"
	if len(parts) > 0 {
		text += "; largest sections: " + strings.Join(parts, ", ")
	}
	p.Item("  ", app.Warn, "over its limits:", text)
	p.Remarks = nil
	for _, f := range r.Warnings {
		if f.Code != report.CodeDecisionsExhausted {
			p.Remarks = append(p.Remarks, f)
		}
	}
}

func sizeWords(lines, bytes int) string {
	return safetext.Count(lines, "line") + ", " + app.Kilobytes(int64(bytes))
}

// LimitWords returns a size against its limits, of which 0 means none.
func LimitWords(lines, maxLines, bytes, maxBytes int) string {
	first := safetext.Count(lines, "line")
	if maxLines > 0 {
		first = fmt.Sprintf("%d of %s", lines, safetext.Count(maxLines, "line"))
	}
	second := app.Kilobytes(int64(bytes))
	if maxBytes > 0 {
		second = strings.TrimSuffix(second, " KB") + " of " + app.Kilobytes(int64(maxBytes))
	}
	return first + ", " + second
}

// decisions prints decisions: date, what they belong to, and the text, wrapped at the terminal's
// width. It shows at most so many columns of a text; 0 means all.
func decisions(p *app.Page, list digests.DecisionList, most int) {
	rows := decisionRows(list, most)
	widths := leadWidths(rows)
	for i, row := range rows {
		decisionItem(p, "  ", list.Decisions[i].Archived, row, widths)
	}
}

// decisionTable prints decisions in full under headings.
func decisionTable(p *app.Page, list digests.DecisionList) {
	rows := decisionRows(list, 0)
	title := [3]string{"DATE", "SPEC", "DECISION"}
	for _, d := range list.Decisions {
		if d.Phase != "" {
			title[1] = "PHASE"
		}
	}
	widths := leadWidths(rows)
	for i, w := range widths {
		if w > 0 {
			widths[i] = max(w, len(title[i]))
		}
	}
	p.Line(app.Faint, "%s", leadOf(title, widths)+title[2])
	for i, row := range rows {
		decisionItem(p, "", list.Decisions[i].Archived, row, widths)
	}
}

func decisionItem(p *app.Page, indent string, archived bool, row [3]string, widths [2]int) {
	t := app.Accent
	if archived {
		t = app.Faint
	}
	if lead := leadOf(row, widths); lead != "" {
		p.Item(indent, t, strings.TrimSuffix(lead, " "), row[2])
		return
	}
	p.Item(indent, t, p.Marks().Dot, row[2])
}

// decisionRows returns date, specification or phase, and text of each decision.
func decisionRows(list digests.DecisionList, most int) [][3]string {
	rows := make([][3]string, 0, len(list.Decisions))
	for _, d := range list.Decisions {
		row := [3]string{safetext.Visible(d.Date), safetext.Visible(d.Spec), d.Text}
		if d.Spec == "" {
			row[1] = safetext.Visible(d.Phase)
		}
		if d.Rationale != "" {
			row[2] += " — " + d.Rationale
		}
		if most > 0 {
			row[2] = safetext.Columns(safetext.Visible(row[2]), most)
		}
		rows = append(rows, row)
	}
	return rows
}

// leadWidths returns the widths of the columns before the texts, 0 for one that is empty
// everywhere.
func leadWidths(rows [][3]string) (widths [2]int) {
	for _, row := range rows {
		for i := range widths {
			widths[i] = max(widths[i], displaywidth.String(row[i]))
		}
	}
	return widths
}

func leadOf(row [3]string, widths [2]int) string {
	lead := ""
	for i, w := range widths {
		if w > 0 {
			lead += row[i] + strings.Repeat(" ", max(w-displaywidth.String(row[i]), 0)+2)
		}
	}
	return lead
}

// shares returns how many things of all are done, as text; "" if there is nothing to count.
func shares(done, total *int, noun string) string {
	switch {
	case total != nil && *total == 0 && (done == nil || *done == 0):
		return ""
	case done != nil && total != nil:
		return fmt.Sprintf("%d of %s", *done, safetext.Count(*total, noun))
	case total != nil:
		return safetext.Count(*total, noun)
	case done != nil:
		return fmt.Sprintf("%s done", safetext.Count(*done, noun))
	}
	return ""
}

// Bar draws ten cells for a percentage (N10).
func Bar(p *app.Page, percent int) string {
	m := p.Marks()
	return "[" + safetext.Bar(percent, m.Full, m.Empty) + "] " + strconv.Itoa(percent) + "%"
}
