package gsd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/digest/gsd/template"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// Metric adds a plan to the table Plan, Duration, Tasks, Files of Performance Metrics, after its
// last row (1.7, GSD-36). It recomputes the totals and the trend of the section if a program wrote
// the present ones (D39). A number below zero means unknown. Missing tables and sections are added.
// Metric fails with Usage "value_missing" without phase, plan or duration, with Usage
// "duration_invalid" for a duration that cannot be read, and with Conflict "metric_exists" if the
// plan already has a row.
func (d *Doc) Metric(phase, plan, duration string, tasks, files int, now time.Time) (Edited, error) {
	e := d.edit(now)
	phase, plan, duration = safetext.JoinLines(phase), safetext.JoinLines(plan), safetext.JoinLines(duration)
	if phase == "" || plan == "" || duration == "" {
		e.fail(&report.Error{
			Kind: report.Usage, Code: report.CodeValueMissing, Message: "a metric needs a phase, a plan and a duration",
			Hint: "baton state metric PHASE PLAN --duration D",
		})
		return e.finish()
	}
	if err := d.refuseMetric(phase, plan, duration); err != nil {
		e.fail(err)
		return e.finish()
	}
	row := markdown.Row(
		markdown.EscapeCell("Phase "+phase+" P"+plan), markdown.EscapeCell(duration), counted(tasks, "tasks"),
		counted(files, "files"),
	)
	before := len(d.metrics())
	e.addMetric(row)
	if e.err == nil && len(e.d.metrics()) != before+1 {
		e.fail(&report.Error{
			Kind: report.Internal, Code: report.CodeVerifyFailed,
			Message: "the row of Performance Metrics was not written, because it could not be read back",
			Hint:    "add it with an editor",
		})
	}
	e.changedField("Performance Metrics", "", row)
	e.velocity(before)
	return e.finish()
}

// refuseMetric returns what is wrong with a new row. A typing error would distort the averages for
// good, and a plan with two rows would be counted twice.
func (d *Doc) refuseMetric(phase, plan, duration string) error {
	if _, ok := minutesOf(duration); !ok && !clock(duration) {
		return &report.Error{
			Kind: report.Usage, Code: report.CodeDurationInvalid,
			Message: fmt.Sprintf("%q is not a duration", duration),
			Hint:    "write it with its unit, like 25min, 1h 20m, 1.5h or 90s",
		}
	}
	for _, m := range d.metrics() {
		if of, name := planOf(m.plan); same(of, phase) && same(name, plan) {
			return &report.Error{
				Kind: report.Conflict, Code: report.CodeMetricExists, Line: lineNumber(d.src, m.line.Start),
				Message: fmt.Sprintf("plan %s of phase %s already has a row in Performance Metrics, on line %d", plan,
					phase, lineNumber(d.src, m.line.Start)),
				Hint: "correct that row with an editor",
			}
		}
	}
	return nil
}

// clock reports whether a text is a time such as 0:45 or 1:20:05.
func clock(text string) bool {
	parts := strings.Split(text, ":")
	for i, part := range parts {
		if !digitsOnly(part) || len(part) > 4 || i > 0 && (len(part) != 2 || part[0] > '5') {
			return false
		}
	}
	return len(parts) == 2 || len(parts) == 3
}

// planOf reads the first cell of a row: "Phase 4 P2" as baton writes it, or "04-02". Both results
// are empty for any other text.
func planOf(text string) (phase, plan string) {
	if words := strings.Fields(text); len(words) == 3 && strings.EqualFold(words[0], "phase") && len(words[2]) > 1 &&
		words[2][0]|0x20 == 'p' {
		return words[1], words[2][1:]
	}
	phase, plan, _ = strings.Cut(strings.TrimSpace(text), "-")
	return phase, plan
}

func counted(n int, what string) string {
	if n < 0 {
		return "- " + what
	}
	return strconv.Itoa(n) + " " + what
}

// metric is one row of the table.
type metric struct {
	plan     string // first cell
	duration string
	line     markdown.Span
}

// metricsTable finds the heading line and the delimiter of the table by its exact heading, or
// returns -1.
func (d *Doc) metricsTable() (header, delimiter int) {
	i := d.titled(1, 6, "Performance Metrics")
	if i < 0 {
		return -1, -1
	}
	for _, t := range d.md.Tables(d.local(d.titles[i].full)) {
		if slices.EqualFunc(d.md.Cells(t.Header), []string{"Plan", "Duration", "Tasks", "Files"},
			func(s markdown.Span, name string) bool {
				return strings.EqualFold(string(s.Of(d.md.Bytes())), name)
			}) {
			return t.Header, t.Delimiter
		}
	}
	return -1, -1
}

// metrics returns the rows except placeholders: the lines below the delimiter that begin with a
// pipe, whatever their number of cells.
func (d *Doc) metrics() []metric {
	var out []metric
	_, delimiter := d.metricsTable()
	lines := d.md.Lines()
	for i := delimiter + 1; delimiter >= 0 && i < len(lines); i++ {
		text := strings.TrimSpace(string(d.md.Text(i)))
		if !strings.HasPrefix(text, "|") {
			break
		}
		if placeholderRow(text) {
			continue
		}
		m := metric{line: d.move(markdown.Span{Start: lines[i].Start, End: lines[i].Next})}
		if cells := d.md.Cells(i); len(cells) > 1 {
			m.plan, m.duration = string(cells[0].Of(d.md.Bytes())), string(cells[1].Of(d.md.Bytes()))
		}
		out = append(out, m)
	}
	return out
}

// placeholderRow reports whether a row contains nothing but dashes, blanks and the template's
// brackets.
func placeholderRow(text string) bool {
	return !slices.ContainsFunc(markdown.SplitCells(text, 0), func(c markdown.Cell) bool {
		cell := text[c.Start:c.End]
		return strings.Trim(cell, "-—") != "" && !template.Unfilled(cell)
	})
}

// addMetric adds the row to the table.
func (e *editor) addMetric(row string) {
	_, delimiter := e.d.metricsTable()
	if delimiter < 0 {
		e.newMetrics(row)
		return
	}
	if rows := e.d.metrics(); len(rows) > 0 {
		e.insertLines(rows[len(rows)-1].line.End, row)
		return
	}
	lines := e.d.md.Lines()
	at := lines[delimiter].Next + e.d.shift
	if i := delimiter + 1; i < len(lines) { // only a placeholder directly below the delimiter is replaced (GSD-V14)
		text := strings.TrimSpace(string(e.d.md.Text(i)))
		if strings.HasPrefix(text, "|") && placeholderRow(text) || text != "" && isNone(text) {
			e.splice(markdown.Edit{Span: markdown.Span{Start: at, End: lines[i].End + e.d.shift}, Text: []byte(row)})
			return
		}
	}
	e.insertLines(at, row)
}

// newMetrics adds the table at the end of its section, or the section at the end of the text.
func (e *editor) newMetrics(row string) {
	table := []string{"| Plan | Duration | Tasks | Files |", "|------|----------|-------|-------|", row}
	i := e.d.titled(1, 6, "Performance Metrics")
	if i < 0 {
		e.insertSection(len(e.d.src), append([]string{"## Performance Metrics", ""}, table...))
		return
	}
	table = append([]string{"**Per-Plan Metrics:**", ""}, table...) // there are other tables, as in GSD's template
	at := e.d.lastText(e.d.titles[i].full)
	if at == len(e.d.src) && e.openEnd() {
		return
	}
	table = append([]string{""}, table...)
	if next, _ := markdown.LineAt(e.d.src, at); at < len(e.d.src) && len(strings.TrimSpace(string(next))) > 0 {
		table = append(table, "")
	}
	e.insertLines(at, table...)
}
